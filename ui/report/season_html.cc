// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include <fmt/format.h>

#include "engine/files/plain_text.h"
#include "ui/report/season.h"

namespace fos {
namespace {

constexpr Colour kShootingBar{150, 20, 20};
constexpr Colour kRangeBar{47, 79, 168};
constexpr Colour kRefereeBar{138, 90, 0};
constexpr Colour kDiceBar{58, 110, 58};

constexpr const char* kSeasonStyle = R"css(
body{margin:0;background:#fbf8ee;color:#28241e;font:16px/1.5 system-ui,"Noto Sans","DejaVu Sans",sans-serif}
main{max-width:900px;margin:0 auto;padding:24px 18px 50px}
h1{font-size:32px;line-height:1.15;margin:0 0 8px}h2{margin:34px 0 8px;border-bottom:2px solid;padding-bottom:4px}
p{max-width:46em}figure{margin:0}.note{color:#6f6758}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:4px 14px 4px 0;border-bottom:1px solid #ddd5bf}
th{color:#6f6758;font-size:13px}td.n,th.n{text-align:right}
svg{width:100%;height:auto;display:block;max-width:760px}
)css";

std::string Cell(double value, const char* form) {
  return "<td class=\"n\">" + fmt::format(fmt::runtime(form), value);
}

std::string PlotOf(const std::string& title, const std::vector<Bar>& bars, Colour colour) {
  return bars.empty() ? std::string() : "<figure>" + ToSvg(BarPlot(title, bars, colour)) +
                                            "</figure>";
}

double PerShot(int hits, int shots) { return static_cast<double>(hits) / std::max(1, shots); }

std::string ShootingPart(const Season& season) {
  const std::vector<ShooterRecord> players = season.Shots().ByPlayer();
  if (players.empty()) return "<p>No shots yet.</p>";
  std::vector<Bar> bars;
  std::string table =
      "<div class=\"wide\"><table><tr><th>Player<th class=\"n\">Shots<th class=\"n\">Hits<th "
      "class=\"n\">Hits a shot<th class=\"n\">From the square's centre, in<th class=\"n\">In the "
      "square<th class=\"n\">Off the board</tr>";
  for (const ShooterRecord& one : players) {
    const double rate = PerShot(one.hits, one.shots);
    if (one.player != "not declared") bars.push_back({one.player, rate, fmt::format("{:.2f}", rate)});
    table += fmt::format("<tr><td>{}<td class=\"n\">{}<td class=\"n\">{}", Escaped(one.player),
                         one.shots, one.hits) +
             Cell(rate, "{:.2f}") +
             (one.measured > 0 ? Cell(one.error_in, "{:.2f}") + Cell(100 * one.in_square, "{:.0f} %")
                               : "<td class=\"n\">-<td class=\"n\">-") +
             fmt::format("<td class=\"n\">{}</tr>", one.off_board);
  }
  return PlotOf("Hits a shot", bars, kShootingBar) + table + "</table></div>";
}

std::string RangesPart(const Season& season) {
  std::vector<Bar> bars;
  std::string table =
      "<div class=\"wide\"><table><tr><th>Gun<th>Range<th class=\"n\">Shots<th class=\"n\">Pieces "
      "destroyed<th class=\"n\">A shot</tr>";
  for (const RangeRecord& one : season.Ranges()) {
    bars.push_back({one.gun + ", " + RangeName(one.band), static_cast<double>(one.hits),
                    fmt::format("{} of {} shots", one.hits, one.shots)});
    table += fmt::format("<tr><td>{}<td>{}<td class=\"n\">{}<td class=\"n\">{}", Escaped(one.gun),
                         RangeName(one.band), one.shots, one.hits) +
             Cell(PerShot(one.hits, one.shots), "{:.2f}") + "</tr>";
  }
  if (bars.empty()) return "<p>No throw with a known gun and target yet.</p>";
  return PlotOf("Pieces destroyed by gun and range", bars, kRangeBar) + table +
         "</table></div><p class=\"note\">Thrown shots alone: the losses of volleys are rolled "
         "together.</p>";
}

std::string RefereesPart(const Season& season) {
  std::vector<Bar> bars;
  std::string table =
      "<div class=\"wide\"><table><tr><th>Table<th class=\"n\">Verdicts<th class=\"n\">Called by "
      "the camera<th class=\"n\">Disputed<th class=\"n\">Close calls settled<th "
      "class=\"n\">Overruled</tr>";
  for (const RefereeRecord& one : season.Referees()) {
    const std::string name = one.table.empty() ? "this club's file" : one.table;
    const double share = 100 * PerShot(one.overruled, one.verdicts);
    bars.push_back({name, share, fmt::format("{:.1f} %", share)});
    table += fmt::format(
        "<tr><td>{}<td class=\"n\">{}<td class=\"n\">{}<td class=\"n\">{}<td class=\"n\">{}<td "
        "class=\"n\">{}</tr>",
        Escaped(name), one.verdicts, one.called, one.disputed, one.settled_close, one.overruled);
  }
  if (bars.empty()) return "<p>No camera has judged a shot yet.</p>";
  return PlotOf("Verdicts overruled", bars, kRefereeBar) + table + "</table></div>";
}

std::string DicePart(const Season& season) {
  std::string out;
  bool doubtful = false;
  for (const DiceRecord& one : season.Dice()) {
    const ByFace shares = FaceShares(one.kind);
    std::vector<Bar> bars;
    for (std::size_t face = 0; face < one.faces.size(); ++face) {
      if (shares[face] <= 0) continue;
      // One decimal where readings are doubtful.
      const double count = std::round(10 * one.faces[face]) / 10;
      bars.push_back({fmt::format("{}", face + 1), count, fmt::format("{:g}", count)});
    }
    doubtful = doubtful || one.mistakes > 0;
    out += PlotOf(fmt::format("{} dice {}", one.throws, one.who), bars, kDiceBar);
    out += fmt::format("<p>{}</p>", Escaped(FairnessInWords(one)));
    if (one.throws >= LeastDice(one.kind)) {
      out += fmt::format("<p class=\"note\">Chi-square {:.2f} with {} degrees of freedom.</p>",
                         one.ChiSquare(), one.DegreesOfFreedom());
    }
  }
  if (out.empty()) return "<p>No dice with six or twelve sides yet.</p>";
  out += "<p class=\"note\">Dice with other numbers of sides are left out.";
  if (doubtful)
    out += " Each reading of the camera is shared out among the numbers by its chances.";
  return out + "</p>";
}

// source  RFC 4180. A leading character that a spreadsheet takes for a formula gets a quote mark.
std::string CsvText(const std::string& text) {
  std::string out = "\"";
  if (!text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos) {
    out += '\'';
  }
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

// The text, or its first letters and an ellipsis, of at most that many letters.
std::string Shortened(const std::string& text, std::size_t most_letters) {
  std::size_t letters = 0;
  std::size_t kept = 0;  // bytes
  for (std::size_t at = 0; at < text.size(); ++letters) {
    if (letters < most_letters) kept = at;
    at += std::max<std::size_t>(1, Utf8SequenceAt(text, at));
  }
  return letters <= most_letters ? text : text.substr(0, kept) + "\xe2\x80\xa6";
}

}  // namespace

Drawing BarPlot(const std::string& title, const std::vector<Bar>& bars, Colour colour) {
  constexpr double kWidth = 760, kRow = 24, kNames = 220, kLabels = 130, kTop = 30;
  Drawing out;
  out.width = kWidth;
  out.height = kTop + kRow * static_cast<double>(bars.size()) + 8;
  out.title = title;
  out.marks.push_back(Label{{0, 18}, title, 15, kInk, Label::Anchor::kStart, true, false});
  double most = 0;
  for (const Bar& bar : bars) most = std::max(most, bar.value);
  double y = kTop;
  for (const Bar& bar : bars) {
    constexpr std::size_t kLongestName = 28;  // letters that have room in kNames
    const std::string name = Shortened(bar.name, kLongestName);
    const double length = most > 0 ? (kWidth - kNames - kLabels) * bar.value / most : 0;
    out.marks.push_back(
        Label{{kNames - 8, y + 16}, name, 13, kInk, Label::Anchor::kEnd, false, false});
    out.Box({kNames, y + 3}, {std::max(1.0, length), kRow - 7}, {colour, std::nullopt, 1, 1, 0});
    out.marks.push_back(Label{{kNames + length + 8, y + 16},
                              bar.label,
                              13,
                              kFaint,
                              Label::Anchor::kStart,
                              false,
                              false});
    y += kRow;
  }
  return out;
}

std::string SeasonHtml(const Season& season, const std::string& title) {
  const std::string days = season.FirstDay().empty() ? std::string()
                           : season.FirstDay() == season.LastDay()
                               ? ", " + LongDay(season.FirstDay())
                               : fmt::format(", {} to {}", LongDay(season.FirstDay()),
                                             LongDay(season.LastDay()));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\"><title>{0}</title><style>{1}</style></head>"
      "<body><main><h1>{0}</h1><p class=\"note\">{2} game{3}{4}. The players' decisions count.</p>"
      "<h2>Shooting</h2>{5}<h2>Guns and ranges</h2>{6}<h2>The camera as a referee</h2>{7}"
      "<h2>Dice</h2>{8}</main></body></html>\n",
      Escaped(title), kSeasonStyle, season.Games(), season.Games() == 1 ? "" : "s", Escaped(days),
      ShootingPart(season), RangesPart(season), RefereesPart(season), DicePart(season));
}

std::string SeasonCsv(const Season& season) {
  std::string out = "statistic,who,what,value\r\n";
  const auto row = [&out](const char* statistic, const std::string& who, const std::string& what,
                          double value) {
    out += fmt::format("{},{},{},{}\r\n", statistic, CsvText(who), CsvText(what), value);
  };
  for (const ShooterRecord& one : season.Shots().ByGun()) {
    row("shots", one.player, one.gun, one.shots);
    row("hits", one.player, one.gun, one.hits);
    row("off_board", one.player, one.gun, one.off_board);
    if (one.measured == 0) continue;
    row("measured", one.player, one.gun, one.measured);
    row("error_in", one.player, one.gun, one.error_in);
    row("in_square", one.player, one.gun, one.in_square);
  }
  for (const RangeRecord& one : season.Ranges()) {
    row("range_shots", one.gun, RangeName(one.band), one.shots);
    row("range_hits", one.gun, RangeName(one.band), one.hits);
  }
  for (const RefereeRecord& one : season.Referees()) {
    row("verdicts", one.table, "judged", one.verdicts);
    row("verdicts", one.table, "called", one.called);
    row("verdicts", one.table, "disputed", one.disputed);
    row("verdicts", one.table, "settled_close", one.settled_close);
    row("verdicts", one.table, "overruled", one.overruled);
  }
  for (const DiceRecord& one : season.Dice()) {
    for (int face = 1; face <= SidesOf(one.kind); ++face) {
      row("dice", one.who, fmt::format("{}", face), one.faces[static_cast<std::size_t>(face - 1)]);
    }
    row("dice_fairness", one.who, "mistakes", one.mistakes);
    row("dice_fairness", one.who, "chi_square", one.ChiSquare());
    row("dice_fairness", one.who, "likelihood", one.Likelihood());
    row("dice_fairness", one.who, "likelihood_at_worst", one.LikelihoodAtWorst());
    row("dice_fairness", one.who, "throws_needed", static_cast<double>(ThrowsNeeded(one.kind)));
  }
  return out;
}

}  // namespace fos
