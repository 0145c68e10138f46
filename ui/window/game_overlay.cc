// SPDX-License-Identifier: MIT
#include "ui/window/game_overlay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "engine/table/shapes.h"
#include "ui/window/game_answers.h"
#include "ui/window/label_room.h"
#include "ui/window/overlay.h"
#include "ui/window/reach.h"
#include "ui/window/widgets.h"

namespace fos {
namespace {

constexpr ImU32 kAsked = Rgba(255, 214, 64);  // what the prompt is about

std::string Verb(const std::string& line) { return line.substr(0, line.find(' ')); }

void DrawArrow(ImDrawList& list, const Theme& theme, const std::vector<ImVec2>& way, ImU32 colour) {
  if (way.size() < 2) return;
  list.AddPolyline(way.data(), static_cast<int>(way.size()), Rgba(0, 0, 0, 150), 0, theme.Px(7));
  list.AddPolyline(way.data(), static_cast<int>(way.size()), colour, 0, theme.Px(4));
  const ImVec2 tip = way.back();
  const ImVec2 from = way[way.size() - 2];
  const float length = std::max(std::hypot(tip.x - from.x, tip.y - from.y), 1.0F);
  const ImVec2 d{(tip.x - from.x) / length, (tip.y - from.y) / length};
  const float size = theme.Px(14);
  const ImVec2 base{tip.x - size * d.x, tip.y - size * d.y};
  list.AddTriangleFilled(tip, {base.x - 0.6F * size * d.y, base.y + 0.6F * size * d.x},
                         {base.x + 0.6F * size * d.y, base.y - 0.6F * size * d.x}, colour);
}

// One colour per verb (move, fire, ...), in the order in which they come.
ImU32 VerbColour(const std::string& verb, std::vector<std::string>& verbs) {
  constexpr std::array<ImU32, 6> kColours = {Rgba(86, 180, 233), Rgba(230, 159, 0),
                                             Rgba(0, 200, 140),  Rgba(226, 140, 190),
                                             Rgba(240, 228, 66), Rgba(213, 94, 0)};
  auto at = std::find(verbs.begin(), verbs.end(), verb);
  if (at == verbs.end()) at = verbs.insert(verbs.end(), verb);
  return kColours[static_cast<std::size_t>(at - verbs.begin()) % kColours.size()];
}

// Takes out of `squares` the last one and all that are connected to it by a side or a corner.
std::vector<SquareIndex> TakeConnected(std::vector<SquareIndex>& squares) {
  std::vector<SquareIndex> connected = {squares.back()};
  squares.pop_back();
  for (std::size_t n = 0; n < connected.size(); ++n) {
    std::erase_if(squares, [&](const SquareIndex& one) {
      const bool touches = std::abs(one.column - connected[n].column) <= 1 &&
                           std::abs(one.row - connected[n].row) <= 1;
      if (touches) connected.push_back(one);
      return touches;
    });
  }
  return connected;
}

// What squares are marked with ("burning"), written once for connected squares.
// Returns where it is written.
std::vector<ScreenRect> DrawSquareMarks(
    ImDrawList& list, const Theme& theme, const Projection& on, const TableFrame& frame,
    const std::vector<std::pair<std::string, std::string>>& marks) {
  std::vector<ScreenRect> written;
  std::map<std::string, std::vector<SquareIndex>> by_mark;
  for (const auto& [square, what] : marks) {
    const auto index = ParseSquare(square);
    if (!index || !frame.Contains(*index)) continue;
    by_mark[what].push_back(*index);
    const std::vector<ImVec2> outline = SquareOutline(on, frame, square);
    const bool burning = what == "burning";
    Fill(list, outline, burning ? Rgba(255, 110, 0, 80) : Rgba(0, 0, 0, 36));
    Rim(list, outline, burning ? Rgba(255, 130, 20) : Rgba(255, 255, 255, 90),
        theme.Px(burning ? 2.0F : 1.0F));
  }
  std::map<std::pair<int, int>, int> plates;  // how many a square has, one below the other
  for (auto& [what, squares] : by_mark) {
    while (!squares.empty()) {
      const std::vector<SquareIndex> connected = TakeConnected(squares);
      // At the northern edge of the northernmost: units stand in the middle of a square.
      const SquareIndex at = *std::max_element(
          connected.begin(), connected.end(), [](const SquareIndex& a, const SquareIndex& b) {
            return std::pair{a.row, a.column} < std::pair{b.row, b.column};
          });
      const double down = 0.13 * plates[{at.column, at.row}]++;
      const auto place = on.At(frame.CentreOf(at) + Vec2{0, (0.4 - down) * frame.square_in}, 0);
      if (!place) continue;
      const float size = theme.Px(12);
      DrawPlate(list, theme, *place, what, Rgba(255, 200, 120), size);
      written.push_back(BoxAbout(*place, PlateSize(theme, what, size)));
    }
  }
  return written;
}

// The mean place of a unit's stands; empty where it has none on the table.
std::optional<Vec2> MiddleOf(const Snapshot& shown, const std::string& piece) {
  if (shown.stands == nullptr) return std::nullopt;
  Vec2 sum;
  int count = 0;
  for (const StandObservation& stand : *shown.stands) {
    if (stand.unit != piece && stand.stand.text != piece) continue;
    sum = sum + stand.table_from_stand.origin;
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

std::optional<ImVec2> ScreenCentre(const Projection& on, const TableFrame& frame,
                                   const std::string& name) {
  const auto square = ParseSquare(name);
  if (!square || !frame.Contains(*square)) return std::nullopt;
  return on.At(frame.CentreOf(*square), 0);
}

// Outlines the stands of a unit or a single piece, clear of their own outline.
std::vector<std::vector<ImVec2>> Around(const Projection& on, const Snapshot& shown,
                                        const std::string& piece) {
  std::vector<std::vector<ImVec2>> out;
  if (shown.stands == nullptr) return out;
  constexpr double kClear_in = 0.15;
  for (const StandObservation& stand : *shown.stands) {
    if (stand.unit != piece && stand.stand.text != piece) continue;
    const Box2 grown{stand.footprint.width_in + 2 * kClear_in,
                     stand.footprint.depth_in + 2 * kClear_in};
    std::vector<ImVec2>& outline = out.emplace_back();
    for (const Vec2 corner : Corners(stand.table_from_stand, grown)) {
      if (const auto at = on.At(corner, 0)) outline.push_back(*at);
    }
  }
  return out;
}

void DrawRing(ImDrawList& list, const Theme& theme, const Projection& on, const Snapshot& shown,
              const std::string& piece, ImU32 colour) {
  for (const std::vector<ImVec2>& outline : Around(on, shown, piece))
    Rim(list, outline, colour, theme.Px(3));
}

// Where the listed options end: squares, or points on tables without squares.
void DrawOptionEnds(ImDrawList& list, const Theme& theme, const Projection& on,
                    const TableFrame& frame, const std::vector<LineOption>& options,
                    std::vector<std::string>& verbs) {
  std::map<std::string, std::string> verb_by_square;  // drawn once, however many options end there
  for (const LineOption& option : options) {
    const ImU32 colour = VerbColour(Verb(option.line), verbs);
    if (!option.squares.empty()) verb_by_square.emplace(option.squares.back(), Verb(option.line));
    if (!option.path_in.empty()) {
      const auto at = on.At(option.path_in.back(), 0);
      if (at) list.AddCircleFilled(*at, theme.Px(5), Faded(colour, 0.7F));
    }
  }
  for (const auto& [square, verb] : verb_by_square) {
    const std::vector<ImVec2> outline = SquareOutline(on, frame, square);
    const ImU32 colour = VerbColour(verb, verbs);
    Fill(list, outline, Faded(colour, 0.22F));
    Rim(list, outline, Faded(colour, 0.85F), theme.Px(1.5F));
  }
}

// The path of an option on the screen, from its first piece.
std::vector<ImVec2> ScreenPath(const Projection& on, const Snapshot& shown,
                               const LineOption& option) {
  std::vector<ImVec2> path;
  if (const auto from =
          option.pieces.empty() ? std::nullopt : MiddleOf(shown, option.pieces.front())) {
    if (const auto at = on.At(*from, 0)) path.push_back(*at);
  }
  for (const std::string& square : option.squares) {
    if (const auto at = ScreenCentre(on, shown.facts->table, square)) path.push_back(*at);
  }
  for (const Vec2 point : option.path_in) {
    if (const auto at = on.At(point, 0)) path.push_back(*at);
  }
  return path;
}

// Says beside a click why it was no answer.
void DrawWhyNot(ImDrawList& list, const Theme& theme, ImVec2 at, const std::string& why) {
  const ImFont* font = theme.body != nullptr ? theme.body : ImGui::GetFont();
  const float size = theme.Px(15);
  const float wrap = theme.Px(250);
  const float pad = theme.Px(6);
  const ImVec2 extent = font->CalcTextSizeA(size, 1e6F, wrap, why.c_str());
  // Beside the place, inside what is drawn.
  const ImVec2 least = list.GetClipRectMin();
  const ImVec2 most = list.GetClipRectMax();
  const ImVec2 low{
      std::clamp(at.x + theme.Px(10), least.x, std::max(most.x - extent.x - 2 * pad, least.x)),
      std::clamp(at.y + theme.Px(10), least.y, std::max(most.y - extent.y - 2 * pad, least.y))};
  list.AddRectFilled(low, {low.x + extent.x + 2 * pad, low.y + extent.y + 2 * pad},
                     Rgba(8, 10, 14, 225), theme.Px(5));
  list.AddText(font, size, {low.x + pad, low.y + pad}, CallColour(theme, Call::kTooClose),
               why.c_str(), nullptr, wrap);
  const float arm = theme.Px(6);
  list.AddLine({at.x - arm, at.y - arm}, {at.x + arm, at.y + arm},
               CallColour(theme, Call::kTooClose), theme.Px(3));
  list.AddLine({at.x - arm, at.y + arm}, {at.x + arm, at.y - arm},
               CallColour(theme, Call::kTooClose), theme.Px(3));
}

}  // namespace

std::vector<ScreenRect> DrawGameGround(ImDrawList& list, const Theme& theme, const Projection& on,
                                       const Snapshot& shown, GameController& controller,
                                       const ViewState& view) {
  const std::shared_ptr<const GameShown> game = controller.Now();
  const TableFrame& frame = shown.facts->table;
  const GamePanelView& chosen = view.game_panel;
  std::vector<ScreenRect> written =
      DrawSquareMarks(list, theme, on, frame, game->view.square_marks);
  for (const std::string& square : game->prompt.squares) {
    Rim(list, SquareOutline(on, frame, square), kAsked, theme.Px(4));
  }
  // Until one is chosen, the units that may still act are lit.
  if (chosen.piece.empty() && game->prompt.kind == PromptKind::kDeclare &&
      game->replay_turns.empty()) {
    for (const std::string& piece : UnitsYetToAct(*game))
      for (const std::vector<ImVec2>& outline : Around(on, shown, piece))
        Fill(list, outline, Faded(kAsked, 0.75F));
  }
  if (view.show_reach && !chosen.piece.empty()) {
    DrawReach(list, theme, on, frame, controller.ReachOf(chosen.piece), chosen.piece,
              [&](const std::string& piece) { return MiddleOf(shown, piece); });
  }
  std::vector<std::string> verbs;
  DrawOptionEnds(list, theme, on, frame, ListedOptions(controller, view), verbs);
  return written;
}

void DrawGameOverlay(ImDrawList& list, const Theme& theme, const Projection& on,
                     const Snapshot& shown, GameController& controller, const ViewState& view) {
  constexpr ImU32 kChosen = Rgba(255, 255, 255);
  const std::shared_ptr<const GameShown> game = controller.Now();
  const TableFrame& frame = shown.facts->table;
  const GamePanelView& chosen = view.game_panel;
  const std::vector<LineOption> options = ListedOptions(controller, view);
  const auto ring = [&](const std::string& piece, ImU32 colour) {
    DrawRing(list, theme, on, shown, piece, colour);
  };
  for (const std::string& piece : game->prompt.pieces) ring(piece, kAsked);
  if (const auto at = on.At(chosen.why_at, 0); at && !chosen.why.empty())
    DrawWhyNot(list, theme, *at, chosen.why);
  if (!chosen.piece.empty()) ring(chosen.piece, kChosen);
  for (const std::string& piece : chosen.struck) ring(piece, CallColour(theme, Call::kHit));
  if (chosen.landed) {
    const auto at = on.At(*chosen.landed, 0);
    const float inch = on.PixelsPerInch(*chosen.landed, 0);
    if (at) {
      list.AddCircle(*at, inch, Rgba(255, 255, 255), 0, theme.Px(2));
      list.AddCircleFilled(*at, theme.Px(4), Rgba(0, 240, 255));
    }
  }
  if (view.dragged_from && view.dragged_to) {
    const auto from = on.At(*view.dragged_from, 0);
    const auto to = on.At(*view.dragged_to, 0);
    if (from && to) DrawArrow(list, theme, {*from, *to}, kChosen);
  }
  const LineOption* pointed = PointedAt(*game, options, chosen);
  if (pointed == nullptr) {
    // The sums of the dice or cards that are asked for, beside the square they are for.
    const auto at = game->prompt.squares.empty()
                        ? std::nullopt
                        : ScreenCentre(on, frame, game->prompt.squares.front());
    if (at && game->awaited) DrawForecastPlates(list, theme, *at, *game->awaited);
    return;
  }
  const std::vector<ImVec2> path = ScreenPath(on, shown, *pointed);
  std::vector<std::string> verbs;
  for (const LineOption& option : options) (void)VerbColour(Verb(option.line), verbs);
  DrawArrow(list, theme, path, VerbColour(Verb(pointed->line), verbs));
  for (const std::string& piece : pointed->pieces) ring(piece, kChosen);
  const Forecast* sums = SumsOf(controller, pointed);
  if (sums != nullptr && !path.empty()) DrawForecastPlates(list, theme, path.back(), *sums);
}

}  // namespace fos
