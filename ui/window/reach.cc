// SPDX-License-Identifier: MIT
#include "ui/window/reach.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "ui/window/overlay.h"
#include "ui/window/widgets.h"

namespace fos {
namespace {

constexpr ImU32 kFire = Rgba(255, 190, 70);
constexpr ImU32 kSeen = Rgba(70, 220, 130);
constexpr ImU32 kHidden = Rgba(255, 96, 80);
constexpr ImU32 kMove = Rgba(120, 200, 255);

// Draws a line with a darker one under it, so that it can be seen on any cloth.
void Line(ImDrawList& list, const Theme& theme, ImVec2 from, ImVec2 to, ImU32 colour,
          Stroke stroke) {
  list.AddLine(from, to, Rgba(0, 0, 0, 110), theme.Px(4));
  DrawStroke(list, from, to, colour, theme.Px(2), stroke);
}

// Draws the common outline of the squares, lightly filled.
void DrawArc(ImDrawList& list, const Theme& theme, const Projection& on, const TableFrame& frame,
             const std::vector<std::string>& squares) {
  std::set<std::pair<int, int>> in;
  for (const std::string& name : squares) {
    const auto square = ParseSquare(name);
    if (!square || !frame.Contains(*square)) continue;
    in.emplace(square->column, square->row);
    Fill(list, SquareOutline(on, frame, name), Faded(kFire, 0.10F));
  }
  const double s = frame.square_in;
  for (const auto& [column, row] : in) {
    const Vec2 low{column * s, row * s};
    const std::array<Vec2, 4> corners = {low, low + Vec2{s, 0}, low + Vec2{s, s}, low + Vec2{0, s}};
    constexpr std::array<std::pair<int, int>, 4> kBeyond = {{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}};
    for (std::size_t i = 0; i < 4; ++i) {
      if (in.contains({column + kBeyond[i].first, row + kBeyond[i].second})) continue;
      const auto from = on.At(corners[i], 0);
      const auto to = on.At(corners[(i + 1) % 4], 0);
      if (from && to) Line(list, theme, *from, *to, kFire, Stroke::kSolid);
    }
  }
}

// "+3" to a die, "5 dice", "2.5 points".
std::string Total(const Forecast& forecast, int who) {
  const double total = forecast.totals[static_cast<std::size_t>(who)];
  return forecast.unit.empty() ? fmt::format("{:+g}", total)
                               : fmt::format("{:g} {}", total, forecast.unit);
}

bool Counts(const Forecast& forecast, int who) {
  return forecast.totals[static_cast<std::size_t>(who)] != 0 ||
         std::any_of(forecast.items.begin(), forecast.items.end(),
                     [&](const SumItem& item) { return item.who == who; });
}

std::string Signed(const Forecast& forecast, int who, std::size_t most) {
  std::string out;
  std::size_t count = 0;
  for (const SumItem& item : forecast.items) {
    if (item.who != who) continue;
    if (++count > most) continue;
    out += (out.empty() ? "" : ", ") + item.what;
  }
  if (count > most) out += fmt::format(" and {} more", count - most);
  return fmt::format("{}{}{}", out, out.empty() ? "" : " = ", Total(forecast, who));
}

// "Blue: ", or nothing where the sums are one side's.
std::string Named(const Forecast& forecast, std::size_t who) {
  const bool two = Counts(forecast, 1) && !forecast.sides[who].empty();
  return two ? forecast.sides[who] + ": " : "";
}

std::string Chances(const Forecast& forecast) {
  std::string out;
  for (const auto& [what, chance] : forecast.chances) {
    if (chance <= 0) continue;
    out += fmt::format("{}{} {:.0f} %", out.empty() ? "" : ", ", what, 100 * chance);
  }
  return out;
}

}  // namespace

void DrawReach(ImDrawList& list, const Theme& theme, const Projection& on, const TableFrame& frame,
               const PieceReach& reach, const std::string& piece, const PlaceOf& place_of) {
  const auto middle = [&](const std::string& name) -> std::optional<Vec2> {
    const auto square = ParseSquare(name);
    if (!square || !frame.Contains(*square)) return std::nullopt;
    return frame.CentreOf(*square);
  };
  DrawArc(list, theme, on, frame, reach.arc);
  for (const std::vector<Vec2>& outline : reach.arc_in) {
    for (std::size_t i = 0; i < outline.size(); ++i) {
      const auto from = on.At(outline[i], 0);
      const auto to = on.At(outline[(i + 1) % outline.size()], 0);
      if (from && to) Line(list, theme, *from, *to, kFire, Stroke::kSolid);
    }
  }
  const ImFont* font = theme.body != nullptr ? theme.body : ImGui::GetFont();
  for (const auto& [square, cost] : reach.moves) {
    const auto at = middle(square);
    if (!at) continue;
    // In the square's south-west corner: units stand in the middle, the name is at the north.
    auto place = on.At(*at + Vec2{-0.45, -0.46} * frame.square_in, 0);
    if (!place) continue;
    place->y -= theme.Px(13);
    const std::string words = fmt::format("{:.3g}", cost);
    list.AddText(font, theme.Px(13), {place->x + 1, place->y + 1}, Rgba(0, 0, 0, 220),
                 words.c_str());
    list.AddText(font, theme.Px(13), *place, kMove, words.c_str());
  }
  std::set<std::string> crossed;
  for (const SightLine& sight : reach.sights) {
    auto from = place_of(piece);
    auto to = place_of(sight.target);
    if (!from) from = middle(sight.from);
    if (!to) to = middle(sight.to);
    if (!from || !to) continue;
    const auto a = on.At(*from, 0);
    const auto b = on.At(*to, 0);
    if (!a || !b) continue;
    Line(list, theme, *a, *b, sight.clear ? kSeen : Faded(kHidden, 0.8F),
         sight.clear ? Stroke::kSolid : Stroke::kDashed);
    if (sight.clear) list.AddCircleFilled(*b, theme.Px(5), kSeen);
    crossed.insert(sight.blocked.begin(), sight.blocked.end());
  }
  for (const std::string& square : crossed) {
    const auto at = middle(square);
    if (!at) continue;
    const double arm = 0.16 * frame.square_in;
    for (const double slope : {1.0, -1.0}) {
      const auto a = on.At(*at + Vec2{-arm, -slope * arm}, 0);
      const auto b = on.At(*at + Vec2{arm, slope * arm}, 0);
      if (a && b) list.AddLine(*a, *b, kHidden, theme.Px(4));
    }
  }
}

void DescribeReach(const Theme& theme, const PieceReach& reach) {
  std::string can;
  if (reach.allowance > 0) can = fmt::format("Moves up to {:.3g}", reach.allowance);
  if (reach.range > 0) {
    can += fmt::format("{} {:.3g}", can.empty() ? "Fires up to" : ", fires up to", reach.range);
  }
  if (!can.empty()) {
    const double last = reach.range > 0 ? reach.range : reach.allowance;
    std::string unit = reach.unit;  // "squares", "yards"
    if (last == 1 && unit.ends_with('s')) unit.pop_back();
    FaintParagraph(theme, fmt::format("{} {}", can, unit));
  }
  std::string seen;
  std::string why;
  int hidden = 0;
  constexpr int kToldWhy = 3;
  for (const SightLine& sight : reach.sights) {
    if (sight.clear) {
      seen += (seen.empty() ? "" : ", ") + sight.target;
    } else if (++hidden <= kToldWhy) {
      why += fmt::format("{}{}: {}{}", why.empty() ? "" : "; ", sight.target, sight.because,
                         sight.clause.empty() ? "" : " (" + sight.clause + ")");
    }
  }
  if (hidden > kToldWhy) why += fmt::format("; and {} more", hidden - kToldWhy);
  const auto say = [&](ImU32 colour, const std::string& words) {
    Paragraph(words, theme.light ? theme.text : colour);
  };
  if (!seen.empty()) say(kSeen, "Can fire at " + seen);
  if (!why.empty()) say(kHidden, "Cannot fire at " + why);
}

void DrawForecastPlates(ImDrawList& list, const Theme& theme, ImVec2 at, const Forecast& forecast) {
  constexpr std::size_t kMostItems = 5;
  std::vector<std::pair<std::string, ImU32>> lines;
  if (!forecast.items.empty()) {
    lines.emplace_back(Named(forecast, 0) + Signed(forecast, 0, kMostItems), Rgba(255, 255, 255));
    if (Counts(forecast, 1))
      lines.emplace_back("against " + Named(forecast, 1) + Signed(forecast, 1, kMostItems),
                         Rgba(210, 214, 222));
  }
  const std::string chances = Chances(forecast);
  if (!chances.empty()) lines.emplace_back(chances, Rgba(255, 214, 64));
  const float size = theme.Px(15);
  const float row = PlateSize(theme, "x", size).y + theme.Px(2);
  const ImVec2 low = list.GetClipRectMin();
  const ImVec2 high = list.GetClipRectMax();
  // Below the place, or above it where there is no room.
  const float all = row * static_cast<float>(lines.size());
  float y = at.y + theme.Px(34);
  if (y + all > high.y) y = at.y - theme.Px(34) - all;
  for (const auto& [words, colour] : lines) {
    const float half = PlateSize(theme, words, size).x / 2;
    const float x =
        std::max(std::min(at.x, high.x - half - theme.Px(4)), low.x + half + theme.Px(4));
    DrawPlate(list, theme, {x, y + row / 2}, words, colour, size);
    y += row;
  }
}

namespace {

// Draws a bar as long as the chance, with its text on it.
void ChanceBar(const Theme& theme, const std::string& words, double chance) {
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float wide = ImGui::GetContentRegionAvail().x;
  const float high = ImGui::GetTextLineHeight() + theme.Px(4);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float part = wide * static_cast<float>(std::clamp(chance, 0.0, 1.0));
  list.AddRectFilled(low, {low.x + wide, low.y + high}, Faded(theme.faint, 0.15F), theme.Px(4));
  list.AddRectFilled(low, {low.x + part, low.y + high}, Faded(theme.accent, 0.4F), theme.Px(4));
  list.AddText({low.x + theme.Px(8), low.y + theme.Px(2)}, theme.text, words.c_str());
  ImGui::Dummy({wide, high});
}

}  // namespace

void DescribeForecast(const Theme& theme, const Forecast& forecast) {
  ImGui::Separator();
  for (const int who : {0, 1}) {
    bool any = false;
    for (const SumItem& item : forecast.items) {
      if (item.who != who) continue;
      const std::string& side = forecast.sides[static_cast<std::size_t>(who)];
      if (!any)
        ImGui::TextDisabled("%s", !side.empty() ? side.c_str()
                                  : who == 0    ? "For it"
                                                : "Against it");
      any = true;
      ImGui::TextUnformatted(item.what.c_str());
      if (item.clause.empty()) continue;
      const float width = ImGui::CalcTextSize(item.clause.c_str()).x + theme.Px(4);
      ImGui::SameLine(std::max(ImGui::GetWindowContentRegionMax().x - width, theme.Px(120)));
      ImGui::TextDisabled("%s", item.clause.c_str());
    }
    if (any) {
      ImGui::TextColored(ToVec4(theme.accent), "%s", ("Total " + Total(forecast, who)).c_str());
    }
  }
  for (const std::string& outcome : forecast.outcomes) Paragraph(outcome);
  for (const auto& [what, chance] : forecast.chances) {
    if (!(chance > 0)) continue;
    ChanceBar(theme, fmt::format("{} {:.0f} %", what, 100 * chance), chance);
  }
}

}  // namespace fos
