// SPDX-License-Identifier: MIT
#include "engine/table/sentence.h"
#include "ui/report/report.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/rules/rule_sets.h"
#include "ui/report/battle_map.h"
#include "ui/report/drawing.h"

namespace fos {
namespace {

constexpr const char* kStyle = R"css(
:root{--paper:#fbf8ee;--ink:#28241e;--faint:#827a6a;--line:#ddd5bf;--accent:#961414}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.55 Georgia,"Noto Serif","DejaVu Serif",serif}
main{max-width:1120px;margin:0 auto;padding:40px 28px 60px}
h1{font-size:44px;line-height:1.1;margin:0 0 6px;letter-spacing:-.5px}
h2{font-size:26px;margin:52px 0 14px;border-bottom:2px solid var(--ink);padding-bottom:6px}
h3{font-size:15px;margin:14px 0 2px;text-transform:uppercase;letter-spacing:1.2px;color:var(--faint);font-family:"Source Sans 3","Noto Sans","DejaVu Sans",Helvetica,sans-serif}
p{margin:0 0 10px}
.by{color:var(--faint);margin-bottom:22px}
.lead{font-size:20px;max-width:44em}
.score{display:flex;gap:18px;margin:26px 0 8px;flex-wrap:wrap}
.score div{flex:1 1 220px;border-left:7px solid;padding:6px 16px;background:#fffdf6}
.score b{display:block;font-size:21px}
.score .n{font-size:34px;line-height:1.2;font-variant-numeric:tabular-nums}
.score small{color:var(--faint);font-size:14px}
figure{margin:0}
figure svg{width:100%;height:auto;display:block;border:1px solid var(--line);border-radius:3px}
figcaption{font-size:14px;color:var(--faint);padding:5px 2px}
.turn{display:grid;grid-template-columns:minmax(0,1.55fr) minmax(0,1fr);gap:26px;align-items:start}
.story{font-size:16px}
.story p{margin:0 0 6px}
.cost{background:#f3ead2;border-radius:3px;padding:8px 12px;margin-top:10px;font-size:15px}
table{border-collapse:collapse;width:100%;font-size:15px;font-family:"Source Sans 3","Noto Sans","DejaVu Sans",Helvetica,sans-serif;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:5px 10px 5px 0;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--faint);font-weight:600;font-size:13px}
td.n,th.n{text-align:right;padding-right:18px}
.two{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:34px}
.wide{overflow-x:auto}
.gone td{color:var(--faint)}
.dispute{border-left:5px solid var(--accent);background:#fffdf6;padding:14px 20px;margin:16px 0}
.dispute img{width:100%;height:auto;display:block;margin-top:10px;border-radius:3px}
.words{font-style:italic}
.plot{max-width:760px}
footer{margin-top:60px;border-top:1px solid var(--line);padding-top:12px;color:var(--faint);font-size:13px;font-family:"Source Sans 3","Noto Sans","DejaVu Sans",Helvetica,sans-serif;overflow-wrap:anywhere}
@media(max-width:820px){.turn,.two{grid-template-columns:minmax(0,1fr)}h1{font-size:34px}}
@media print{main{max-width:none;padding:0}.turn,.dispute,figure{break-inside:avoid}}
)css";

std::string Base64(const std::string& bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return out;
}

std::string Figure(const Drawing& drawing, const std::string& caption) {
  return fmt::format("<figure>{}{}</figure>", ToSvg(drawing),
                     caption.empty() ? "" : "<figcaption>" + Escaped(caption) + "</figcaption>");
}

std::string Score(const Battle& battle) {
  std::string out = "<div class=\"score\">";
  for (std::size_t i = 0; i < battle.sides.size(); ++i) {
    const BattleSide& side = battle.sides[i];
    const int lost = battle.strength.empty() || i >= battle.strength.back().lost.size()
                         ? 0
                         : battle.strength.back().lost[i];
    out += fmt::format("<div style=\"border-color:{}\"><b>{}</b>", HexOf(side.colour),
                       Escaped(side.name));
    if (i < battle.points.size()) {
      out += fmt::format("<span class=\"n\">{:g}</span> points<br>", battle.points[i]);
    }
    out +=
        fmt::format("<small>{}{} lost</small></div>",
                    side.players.empty()
                        ? ""
                        : Escaped(fmt::format("{}", fmt::join(side.players, ", "))) + " &middot; ",
                    lost);
  }
  return out + "</div>";
}

std::string Order(const Battle& battle) {
  std::string out = "<div class=\"two\">";
  for (std::size_t i = 0; i < battle.sides.size(); ++i) {
    out += fmt::format(
        "<div><h3 style=\"color:{}\">{}</h3><div class=\"wide\"><table><tr><th>Unit<th>Kind<th "
        "class=\"n\">"
        "Start<th class=\"n\">Left</tr>",
        HexOf(battle.sides[i].colour), Escaped(battle.sides[i].name));
    for (const UnitLine& unit : ShortOrder(battle, static_cast<int>(i))) {
      out += fmt::format("<tr{}><td>{}<td>{}<td class=\"n\">{}<td class=\"n\">{}</tr>",
                         unit.left == 0 ? " class=\"gone\"" : "", Escaped(unit.unit),
                         Escaped(KeyInWords(unit.kind)), unit.start, unit.left);
    }
    out += "</table></div></div>";
  }
  return out + "</div>";
}

std::string Turn(const Battle& battle, const BattleTurn& turn) {
  std::string out = fmt::format("<h2>{}</h2><div class=\"turn\">", Escaped(turn.title));
  out += Figure(TurnMap(battle, turn), "The table at the end of the turn; pale stands fell in it.");
  out += "<div class=\"story\">";
  for (const BattlePhase& phase : turn.phases) {
    if (!phase.name.empty()) out += "<h3>" + Escaped(phase.name) + "</h3>";
    out += "<p>" + Escaped(fmt::format("{}", fmt::join(phase.sentences, " "))) + "</p>";
  }
  if (turn.phases.empty()) out += "<p>Nothing happened.</p>";
  if (const std::string cost = CostOf(battle, turn); !cost.empty()) {
    out += "<div class=\"cost\">" + Escaped(cost) + "</div>";
  }
  return out + "</div></div>";
}

std::string Shooters(const std::vector<ShooterRecord>& shooters) {
  std::string out =
      "<div class=\"wide\"><table><tr><th>Player<th>Gun<th class=\"n\">Shots<th "
      "class=\"n\">Hits<th class=\"n\">Hits a "
      "shot<th class=\"n\">From the square's centre<th class=\"n\">In the square<th "
      "class=\"n\">Off "
      "the board</tr>";
  for (const ShooterRecord& one : shooters) {
    out += fmt::format(
        "<tr><td>{}<td>{}<td class=\"n\">{}<td class=\"n\">{}<td class=\"n\">{:.2f}"
        "<td class=\"n\">{}<td class=\"n\">{}<td class=\"n\">{}</tr>",
        Escaped(one.player), Escaped(one.gun), one.shots, one.hits,
        static_cast<double>(one.hits) / std::max(1, one.shots),
        one.measured > 0 ? fmt::format("{:.1f} in", one.error_in) : "",
        one.measured > 0 ? fmt::format("{:.0f} %", 100 * one.in_square) : "", one.off_board);
  }
  return out + "</table></div>";
}

std::string DisputeHtml(const Dispute& dispute) {
  std::string out = "<div class=\"dispute\"><p>";
  if (dispute.turn > 0) out += fmt::format("<b>Turn {}.</b> ", dispute.turn);
  out += Escaped(dispute.what) + "</p>";
  for (const std::string& word : dispute.decisions) {
    out += "<p class=\"words\">" + Escaped(word) + "</p>";
  }
  if (!dispute.picture.empty()) {
    out += fmt::format("<img alt=\"The evidence for shot {}\" src=\"data:image/jpeg;base64,{}\">",
                       dispute.shot, Base64(dispute.picture));
  }
  return out + "</div>";
}

}  // namespace

std::string CostOf(const Battle& battle, const BattleTurn& turn) {
  std::vector<std::string> sides;
  for (std::size_t i = 0; i < battle.sides.size(); ++i) {
    std::vector<std::string> lost;
    std::string kind;  // said once for those that follow each other
    for (const PieceView& piece : turn.lost) {
      if (piece.side != static_cast<int>(i)) continue;
      lost.push_back(piece.kind == kind ? piece.id
                                        : fmt::format("{} {}", KeyInWords(piece.kind), piece.id));
      kind = piece.kind;
    }
    if (!lost.empty()) {
      sides.push_back(
          fmt::format("{} {}: {}", battle.sides[i].name, lost.size(), fmt::join(lost, ", ")));
    }
  }
  return sides.empty() ? std::string() : fmt::format("Lost: {}.", fmt::join(sides, "; "));
}

std::string LogSentence(const Battle& battle) {
  return fmt::format(
      "{} record{} of the club's log, computed again {}. Signature {}. Fall of Shot {}.",
      battle.records, battle.records == 1 ? "" : "s",
      battle.same ? "with the same result" : "with differences (see `fallofshot replay`)",
      battle.signature, battle.program);
}

std::string ReportHtml(const Battle& battle, const std::vector<ShooterRecord>& shooters) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
      "<title>{0}: battle report</title><style>{1}</style></head><body><main>"
      "<h1>{0}</h1><p class=\"by\">A battle report &middot; {2} &middot; {3} rules</p>",
      Escaped(battle.name), kStyle, Escaped(LongDay(battle.day)),
      Escaped(std::string(RuleSetTitle(battle.ruleset))));
  out += "<p class=\"lead\">";
  for (const std::string& sentence : Summary(battle)) out += Escaped(sentence) + " ";
  out += "</p>" + Score(battle);
  if (!battle.turns.empty()) {
    out += "<h2>The table and the armies</h2>" + Figure(StartMap(battle), "The deployment.");
    out += "<figure>" + ToSvg(MapKey(battle)) + "</figure>";
  }
  if (!battle.order.empty()) out += "<h2>Order of battle</h2>" + Order(battle);
  for (const BattleTurn& turn : battle.turns) out += Turn(battle, turn);
  if (AnyLosses(battle)) {
    out +=
        "<h2>Losses over time</h2><div class=\"plot\">" + Figure(LossPlot(battle), "") + "</div>";
  }
  if (!shooters.empty()) out += "<h2>The shooting</h2>" + Shooters(shooters);
  if (!battle.disputes.empty()) {
    out += "<h2>Disputed calls</h2>";
    for (const Dispute& dispute : battle.disputes) out += DisputeHtml(dispute);
  }
  if (!battle.corrections.empty()) {
    out += "<h2>Undone and corrected</h2><ul>";
    for (const std::string& one : battle.corrections) out += "<li>" + Escaped(one) + "</li>";
    out += "</ul>";
  }
  out += "<footer>" + Escaped(LogSentence(battle)) + "</footer></main></body></html>\n";
  return out;
}

}  // namespace fos
