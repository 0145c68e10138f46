// SPDX-License-Identifier: MIT
#include "ui/window/overlay.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/table/sentence.h"
#include "ui/session/measured_text.h"
#include "ui/window/label_room.h"
#include "ui/window/troop_symbol.h"
#include "ui/window/widgets.h"

namespace fos {
namespace {

// Draws a straight line on the table, which the lens bends.
void TableLine(ImDrawList& list, const Projection& on, Vec2 from, Vec2 to, double height_in,
               ImU32 colour, float thickness) {
  // Over two inches the bend is too small to be seen; a map has none.
  constexpr double kStep_in = 2;
  const int steps =
      on.IsMap() ? 1
                 : std::clamp(static_cast<int>(std::ceil(Distance(from, to) / kStep_in)), 1, 64);
  auto before = on.At(from, height_in);
  for (int i = 1; i <= steps; ++i) {
    const auto after = on.At(from + (static_cast<double>(i) / steps) * (to - from), height_in);
    if (before && after) list.AddLine(*before, *after, colour, thickness);
    before = after;
  }
}

// Empty unless every corner can be seen.
std::vector<ImVec2> Outline(const Projection& on, const std::vector<Vec2>& corners,
                            double height_in) {
  std::vector<ImVec2> out;
  for (const Vec2 corner : corners) {
    const auto at = on.At(corner, height_in);
    if (!at) return {};
    out.push_back(*at);
  }
  return out;
}

std::vector<ImVec2> Ring(const Projection& on, Vec2 centre, double radius_in, double height_in) {
  constexpr int kSteps = 96;
  std::vector<Vec2> around;
  for (int i = 0; i < kSteps; ++i) {
    const double angle = 2 * std::numbers::pi * i / kSteps;
    around.push_back(centre + radius_in * Vec2{std::cos(angle), std::sin(angle)});
  }
  return Outline(on, around, height_in);
}

void Closed(ImDrawList& list, const std::vector<ImVec2>& points, ImU32 colour, float thickness) {
  if (points.empty()) return;
  list.AddPolyline(points.data(), static_cast<int>(points.size()), colour, ImDrawFlags_Closed,
                   thickness);
}

// Hatches a footprint, so that the sides differ by more than colour. Side 0 has no hatching.
void Hatch(ImDrawList& list, const Projection& on, const StandObservation& stand, double top_in,
           int pattern, ImU32 colour, float thickness) {
  const double w = stand.footprint.width_in / 2;
  const double d = stand.footprint.depth_in / 2;
  constexpr double kSpacing_in = 0.3;
  const auto lines = [&](double slope) {
    for (double c = -w - d + kSpacing_in / 2; c < w + d; c += kSpacing_in) {
      const double x0 = std::max(-w, c - d);
      const double x1 = std::min(w, c + d);
      if (x1 <= x0) continue;
      const auto a = on.At(stand.table_from_stand * Vec2{x0, slope * (x0 - c)}, top_in);
      const auto b = on.At(stand.table_from_stand * Vec2{x1, slope * (x1 - c)}, top_in);
      if (a && b) list.AddLine(*a, *b, colour, thickness);
    }
  };
  if (pattern % 4 == 1 || pattern % 4 == 3) lines(1);
  if (pattern % 4 == 2 || pattern % 4 == 3) lines(-1);
}

double TopOf(const StandObservation& stand, const Scenario& scenario) {
  const auto kind = static_cast<std::size_t>(stand.kind);
  return stand.ground_in + (kind < scenario.kinds.size() ? scenario.kinds[kind].thickness_in : 0.0);
}

std::vector<Vec2> FootprintOf(const StandObservation& stand, double grown_in) {
  const Box2 box{stand.footprint.width_in + 2 * grown_in, stand.footprint.depth_in + 2 * grown_in};
  return ToPolygon(Corners(stand.table_from_stand, box));
}

// The unit's name; the stand's id where no unit is known.
std::string UnitOf(const StandObservation& stand) {
  return stand.unit.empty() ? stand.stand.text : stand.unit;
}

Stroke StrokeOf(Call call) {
  return call == Call::kHit    ? Stroke::kSolid
         : call == Call::kMiss ? Stroke::kDotted
                               : Stroke::kDashed;
}

ImU32 TerrainColour(const std::string& type) {
  static const std::map<std::string, ImU32> kColours = {
      {"wood", Rgba(70, 130, 70)},   {"rocks", Rgba(140, 134, 124)}, {"house", Rgba(176, 120, 84)},
      {"river", Rgba(72, 132, 190)}, {"road", Rgba(176, 156, 112)},  {"bridge", Rgba(158, 128, 92)},
      {"hill", Rgba(152, 136, 80)},  {"fort", Rgba(146, 110, 104)},  {"field", Rgba(190, 172, 88)},
      {"wall", Rgba(150, 150, 150)}, {"marsh", Rgba(98, 140, 130)}};
  const auto it = kColours.find(type);
  return it == kColours.end() ? Rgba(150, 150, 150) : it->second;
}

// Where the row at `y` enters and leaves a polygon, from west to east.
std::vector<double> CrossingsOf(const Polygon& polygon, double y) {
  std::vector<double> crossings;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 a = polygon[i];
    const Vec2 b = polygon[(i + 1) % polygon.size()];
    if ((a.y <= y) != (b.y <= y)) crossings.push_back(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x));
  }
  std::sort(crossings.begin(), crossings.end());
  return crossings;
}

// Fills any simple polygon row by row. (ImGui fills only convex ones, and rivers bend.)
void FillByRows(ImDrawList& list, const Projection& on, const Polygon& polygon, double height_in,
                ImU32 colour) {
  constexpr double kRow_in = 0.2;
  const auto [low, high] = std::minmax_element(
      polygon.begin(), polygon.end(), [](const Vec2& a, const Vec2& b) { return a.y < b.y; });
  if (low == polygon.end()) return;
  constexpr int kMostRows = 1000;
  const int rows = std::clamp(static_cast<int>((high->y - low->y) / kRow_in), 1, kMostRows);
  const double step = (high->y - low->y) / rows;
  for (int row = 0; row < rows; ++row) {
    const double y = low->y + (row + 0.5) * step;
    const std::vector<double> crossings = CrossingsOf(polygon, y);
    for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
      const auto from = on.At({crossings[i], y + step / 2}, height_in);
      const auto to = on.At({crossings[i + 1], y - step / 2}, height_in);
      if (from && to) list.AddRectFilled(*from, *to, colour);
    }
  }
}

// The width in screen pixels of a band `width_in` wide on the table: at least `least`, at most a
// screen.
float LineWidth(float least, double width_in, float px_per_in) {
  constexpr float kMost_px = 2000;
  const float wide = static_cast<float>(width_in) * px_per_in;
  return wide > least ? std::min(wide, kMost_px) : least;
}

bool OverlapsAny(const ScreenRect& rect, const std::vector<ScreenRect>& others) {
  return std::any_of(others.begin(), others.end(),
                     [&](const ScreenRect& other) { return Overlap(rect, other); });
}

ScreenRect ViewOf(const ImDrawList& list) {
  return {list.GetClipRectMin(), list.GetClipRectMax()};
}

// The size that a label takes, with a gap, so that two side by side are not read as one.
ImVec2 RoomOf(const Theme& theme, const std::string& words, float size_px) {
  const ImVec2 plate = PlateSize(theme, words, size_px);
  return {plate.x + theme.Px(3), plate.y + theme.Px(2)};
}

constexpr float kCrossArm_px = 9;  // of a shot's point
constexpr float kClear_px = kCrossArm_px + 2;
constexpr float kMovingArm_px = 14;  // of a point that is placed by hand

// The number of a shot whose point is not known: it lies about there.
std::string AskedNumber(const ShotShown& shot) {
  return fmt::format("{}?", shot.shot.shot.number);
}
float AskedSize(const Theme& theme, bool chosen) { return theme.Px(chosen ? 22.0F : 16.0F); }

// Where the points of shots are, and the marks on other things that fell: no label goes there.
std::vector<ScreenRect> PointsToSee(const Theme& theme, const Projection& on, const Snapshot& shown,
                                    const ViewState& view) {
  std::vector<ScreenRect> out;
  const auto keep = [&](const std::optional<ImVec2>& at, ImVec2 size) {
    if (at) out.push_back(BoxAbout(*at, size));
  };
  const float cross = 2 * theme.Px(kClear_px);
  const float moving = 2 * theme.Px(kMovingArm_px + 2);
  for (const auto& shot : shown.shots) {
    const bool chosen = shot->shot.shot.number == view.selected_shot;
    const auto at = on.At(shot->shot.point, shot->shot.height_in);
    if (shot->question.empty()) {
      keep(at, {cross, cross});
    } else {
      keep(at, RoomOf(theme, AskedNumber(*shot), AskedSize(theme, chosen)));
    }
    if (chosen && view.moving) keep(on.At(*view.moving, shot->shot.height_in), {moving, moving});
  }
  for (const auto& object : shown.objects)
    keep(on.At(object->middle, 0), RoomOf(theme, "?", theme.Px(16)));
  return out;
}

// Where a line that leads from `at` to a shot's point ends: beside its cross.
ImVec2 BesideCross(const Theme& theme, ImVec2 point, ImVec2 at) {
  const float far = std::max(std::hypot(at.x - point.x, at.y - point.y), 1.0F);
  const float share = std::min(theme.Px(kClear_px) / far, 1.0F);
  return {point.x + share * (at.x - point.x), point.y + share * (at.y - point.y)};
}

// A label that is placed and not yet drawn.
struct Label {
  std::string words;
  ImVec2 at;
  ImU32 colour = 0;
  float size_px = 0;
  std::optional<ImVec2> of;  // a thin line leads there
};

// The leaders first: a plate hides what passes below it.
void DrawLabels(ImDrawList& list, const Theme& theme, const std::vector<Label>& labels) {
  for (const Label& label : labels)
    if (label.of) list.AddLine(label.at, *label.of, Faded(label.colour, 0.8F), theme.Px(1));
  for (const Label& label : labels)
    DrawPlate(list, theme, label.at, label.words, label.colour, label.size_px);
}

// Writes the distance to each stand along its line, where nothing else is written, or beside it;
// the nearest first.
void PlaceDistances(const Theme& theme, const Projection& on, const ShotShown& shot,
                    LabelRoom& room, std::vector<Label>& labels) {
  const double level = shot.shot.height_in;
  const auto from = on.At(shot.shot.point, level);
  if (!from) return;
  const bool counts = !shot.verdict.ruling || !shot.verdict.ruling->no_effect;
  for (const StandVerdict& stand : shot.verdict.stands) {
    const auto to = on.At(stand.measured.nearest, level);
    if (!to) continue;
    Label label;
    label.words = fmt::format("{:.2f}\"", stand.measured.gap.inches);
    label.colour = CallColour(theme, counts ? stand.call : Call::kMiss);
    label.size_px = theme.Px(15);
    const ImVec2 size = RoomOf(theme, label.words, label.size_px);
    std::vector<ImVec2> along;
    for (const float t : {0.5F, 0.8F, 1.1F, 0.3F})
      along.push_back({from->x + t * (to->x - from->x), from->y + t * (to->y - from->y)});
    std::optional<ImVec2> at = room.First(along, size);
    if (!at) {
      // Where the line is too short for its number, a leader says whose it is.
      constexpr float kReach = 8;  // times its height
      at = room.Nearest(along.front(), size, kReach * size.y, /*led=*/true);
      const ImVec2 middle = along.front();
      if (at && std::hypot(at->x - middle.x, at->y - middle.y) > size.y) {
        const bool short_line =
            std::hypot(middle.x - from->x, middle.y - from->y) < theme.Px(kClear_px);
        label.of = short_line ? BesideCross(theme, *from, *at) : middle;
      }
    }
    if (!at) continue;
    label.at = *at;
    labels.push_back(std::move(label));
  }
}

// The shot's number beside its point.
void PlaceNumber(const Theme& theme, const ShotShown& shot, ImVec2 tip, LabelRoom& room,
                 std::vector<Label>& labels) {
  Label label;
  label.words = fmt::format("{}", shot.shot.shot.number);
  label.colour = Rgba(0, 240, 255);
  label.size_px = theme.Px(14);
  const ImVec2 size = RoomOf(theme, label.words, label.size_px);
  const ImVec2 off{size.x / 2 + theme.Px(kClear_px), size.y / 2 + theme.Px(2)};
  const float below = size.y / 2 + theme.Px(kClear_px);
  const std::array<ImVec2, 8> places = {{{tip.x + off.x, tip.y - off.y},
                                         {tip.x - off.x, tip.y - off.y},
                                         {tip.x + off.x, tip.y + off.y},
                                         {tip.x - off.x, tip.y + off.y},
                                         {tip.x + off.x, tip.y},
                                         {tip.x - off.x, tip.y},
                                         {tip.x, tip.y - below},
                                         {tip.x, tip.y + below}}};
  std::optional<ImVec2> at = room.First(places, size);
  if (!at) {
    constexpr float kReach = 8;  // times its height
    at = room.Nearest(tip, size, kReach * size.y, /*led=*/true);
    if (at) label.of = BesideCross(theme, tip, *at);
  }
  if (!at) return;
  label.at = *at;
  labels.push_back(std::move(label));
}

void DrawOneShot(ImDrawList& list, const Theme& theme, const Projection& on, const ShotShown& shot,
                 const Snapshot& shown) {
  const Vec2 point = shot.shot.point;
  const double level = shot.shot.height_in;
  const double sigma = RmsSigma(shot.shot.point_cov);
  const float inch = on.PixelsPerInch(point, level);
  // The band in which the true circle lies nineteen times in twenty.
  const float band = LineWidth(theme.Px(5), 2 * kShownSigmas * sigma, inch);
  const std::vector<ImVec2> ring = Ring(on, point, shot.circle_in, level);
  if (!ring.empty()) {
    list.AddConvexPolyFilled(ring.data(), static_cast<int>(ring.size()), Rgba(255, 255, 255, 26));
  }
  Closed(list, ring, Rgba(255, 214, 64, 120), band);
  Closed(list, ring, Rgba(255, 255, 255), theme.Px(1.5F));
  // Guns and wagons near it are hit by touch: a ring of their own shows how near that is.
  const auto touched =
      std::find_if(shot.verdict.stands.begin(), shot.verdict.stands.end(),
                   [](const StandVerdict& stand) { return stand.rule == HitRule::kTouch; });
  if (touched != shot.verdict.stands.end()) {
    const std::vector<ImVec2> touch = Ring(on, point, touched->limit_in, level);
    Closed(list, touch, Rgba(255, 214, 64, 120), band);
    Closed(list, touch, Rgba(255, 255, 255), theme.Px(1.5F));
  }
  for (const StandVerdict& stand : shot.verdict.stands) {
    const Call call = CallAsItCounts(shot, stand);
    const ImU32 colour = CallColour(theme, call);
    const std::vector<ImVec2> outline =
        Outline(on, FootprintOf(stand.stand, 0), TopOf(stand.stand, shown.facts->scenario));
    Closed(list, outline, colour, theme.Px(call == Call::kMiss ? 2.0F : 3.5F));
    const auto from = on.At(point, level);
    const auto to = on.At(stand.measured.nearest, level);
    if (!from || !to) continue;
    DrawStroke(list, *from, *to, colour, theme.Px(2.5F), StrokeOf(call));
  }
}

// The point while players place it by hand.
void DrawMoving(ImDrawList& list, const Theme& theme, const Projection& on, double level,
                double circle_in, const ViewState& view) {
  if (!view.moving) return;
  const auto at = on.At(*view.moving, level);
  if (!at) return;
  Closed(list, Ring(on, *view.moving, circle_in, level), Rgba(255, 120, 255), theme.Px(2));
  const float arm = theme.Px(kMovingArm_px);
  list.AddLine({at->x - arm, at->y}, {at->x + arm, at->y}, Rgba(255, 120, 255), theme.Px(2));
  list.AddLine({at->x, at->y - arm}, {at->x, at->y + arm}, Rgba(255, 120, 255), theme.Px(2));
}

// What of a unit is needed to write its name.
struct UnitLabel {
  Vec2 sum;  // of the places of its stands
  double top_in = 0;
  ImVec2 low{FLT_MAX, FLT_MAX};  // the box around its stands on the screen
  ImVec2 high{-FLT_MAX, -FLT_MAX};
  int stands = 0;
  int side = 0;
  std::set<std::string> names;
};
// By name and square: units whose names differ only in the number ("Foot1#2") share a label per
// square.
using LabelKey = std::pair<std::string, std::optional<std::pair<int, int>>>;
using UnitLabels = std::map<LabelKey, UnitLabel>;

LabelKey LabelKeyOf(const StandObservation& stand, const TableFrame& frame) {
  const std::string name = UnitOf(stand);
  const std::string family = name.substr(0, name.rfind('#'));
  const auto square = frame.SquareAt(stand.table_from_stand.origin);
  if (family == name || !square) return {name, std::nullopt};
  return {family, std::pair{square->column, square->row}};
}

// Draws one stand and returns the box around it on the screen; empty where it is not seen whole.
std::optional<ScreenRect> DrawStand(ImDrawList& list, const Theme& theme, const Projection& on,
                                    const Scenario& scenario, const StandObservation& stand) {
  const double top = TopOf(stand, scenario);
  const ImU32 colour = SideColour(theme, scenario, stand.side);
  const std::vector<ImVec2> outline = Outline(on, FootprintOf(stand, 0), top);
  if (outline.empty()) return std::nullopt;
  const double doubt = kShownSigmas * RmsSigma(stand.centre_cov);
  const float inch = on.PixelsPerInch(stand.table_from_stand.origin, top);
  if (static_cast<float>(doubt) * inch > 1.5F) {
    Closed(list, Outline(on, FootprintOf(stand, doubt / 2), top), Faded(colour, 0.3F),
           LineWidth(1.5F, doubt, inch));
  }
  list.AddConvexPolyFilled(outline.data(), static_cast<int>(outline.size()),
                           Faded(colour, on.IsMap() ? 0.6F : 0.16F));
  Hatch(list, on, stand, top, stand.side, Faded(colour, on.IsMap() ? 0.95F : 0.5F), theme.Px(1));
  constexpr double kMostlyHidden = 0.5;
  if (stand.visible < kMostlyHidden) {
    for (std::size_t i = 0; i < outline.size(); ++i) {
      DrawStroke(list, outline[i], outline[(i + 1) % outline.size()], colour, theme.Px(2),
                 Stroke::kDashed);
    }
  } else {
    Closed(list, outline, colour, theme.Px(2));
  }
  // A tick on the front edge shows the facing.
  const double front = stand.footprint.depth_in / 2;
  const auto left = on.At(stand.table_from_stand * Vec2{-0.18, front}, top);
  const auto right = on.At(stand.table_from_stand * Vec2{0.18, front}, top);
  const auto tip = on.At(stand.table_from_stand * Vec2{0, front + 0.3}, top);
  if (left && right && tip) list.AddTriangleFilled(*left, *tip, *right, colour);
  ScreenRect box{outline.front(), outline.front()};
  for (const ImVec2 corner : outline) {
    box.low = {std::min(box.low.x, corner.x), std::min(box.low.y, corner.y)};
    box.high = {std::max(box.high.x, corner.x), std::max(box.high.y, corner.y)};
  }
  return box;
}

// Moves a plate that would reach beyond the view back into it.
ImVec2 Inside(const ImDrawList& list, ImVec2 at, ImVec2 plate) {
  const ImVec2 low = list.GetClipRectMin();
  const ImVec2 high = list.GetClipRectMax();
  const auto inside = [](float x, float from, float to) {
    return std::clamp(x, from, std::max(from, to));
  };
  return {inside(at.x, low.x + plate.x / 2, high.x - plate.x / 2),
          inside(at.y, low.y + plate.y / 2, high.y - plate.y / 2)};
}

bool IsSeen(const ImDrawList& list, ImVec2 at) {
  const ImVec2 low = list.GetClipRectMin();
  const ImVec2 high = list.GetClipRectMax();
  return at.x >= low.x && at.x <= high.x && at.y >= low.y && at.y <= high.y;
}

// Writes each unit's name, and where there is room its strength, where it covers neither a name nor
// a stand, else where it covers no name. Where there is no room it is left out, or, where all names
// are wanted, stands off with a line to its unit: the unit is named when it is pointed at or
// chosen.
// points  that are to be seen
// Returns where the names are, and the points.
std::vector<ScreenRect> DrawUnitNames(ImDrawList& list, const Theme& theme, const Projection& on,
                                      const Scenario& scenario, const UnitLabels& units,
                                      const std::vector<ScreenRect>& stands, bool all,
                                      std::vector<ScreenRect> points) {
  LabelRoom room(ViewOf(list), std::move(points));
  std::vector<Label> labels;
  constexpr float kLargeMap_px =
      11;  // to the inch: from here on names are as large as on a picture
  const bool small = on.IsMap() && on.PixelsPerInch({}, 0) < theme.Px(kLargeMap_px);
  const float size = theme.Px(small ? 12.0F : 14.0F);
  for (const auto& [key, unit] : units) {
    const std::string name = unit.names.size() == 1 ? *unit.names.begin() : key.first;
    const auto centre = on.At(unit.sum / unit.stands, unit.top_in);
    if (!centre || !IsSeen(list, *centre)) continue;
    const ImU32 colour = SideColour(theme, scenario, unit.side);
    const auto write = [&](const std::string& words, bool clear_of_stands) {
      const ImVec2 plate = PlateSize(theme, words, size);
      const float gap = theme.Px(2) + plate.y / 2;
      const std::array<ImVec2, 5> places = {{{centre->x, unit.high.y + gap},
                                             {centre->x, unit.low.y - gap},
                                             {unit.high.x + gap + plate.x / 2, centre->y},
                                             {unit.low.x - gap - plate.x / 2, centre->y},
                                             *centre}};
      for (const ImVec2 place : places) {
        const ImVec2 at = Inside(list, place, plate);
        const ScreenRect rect = BoxAbout(at, plate);
        if (clear_of_stands && OverlapsAny(rect, stands)) continue;
        if (!room.First({&at, 1}, plate)) continue;
        labels.push_back({words, at, colour, size, std::nullopt});
        return true;
      }
      return false;
    };
    const auto stand_off = [&](const std::string& words) {
      const ScreenRect view = ViewOf(list);
      const float reach = std::hypot(view.Width(), view.Height());
      const ImVec2 plate = PlateSize(theme, words, size);
      auto at = room.Nearest(*centre, plate, reach, /*led=*/true);
      const bool led = at.has_value();
      if (!at) at = room.Nearest(*centre, plate, reach, /*led=*/false);
      if (!at) return false;
      labels.push_back({words, *at, colour, size, led ? centre : std::nullopt});
      return true;
    };
    const std::string strong = fmt::format("{} \u00d7{}", name, unit.stands);
    (void)((!small && unit.stands > 1 && write(strong, true)) || write(name, true) ||
           write(name, false) || (all && stand_off(name)));
  }
  DrawLabels(list, theme, labels);
  return room.Taken();
}

// A place well inside the polygon: the middle of the longest of its rows.
Vec2 InsideOf(const Polygon& polygon) {
  const auto [low, high] = std::minmax_element(
      polygon.begin(), polygon.end(), [](const Vec2& a, const Vec2& b) { return a.y < b.y; });
  constexpr int kRows = 9;
  Vec2 best = polygon.front();
  double longest = 0;
  for (int row = 0; row < kRows; ++row) {
    const double y = low->y + (row + 0.5) / kRows * (high->y - low->y);
    const std::vector<double> crossings = CrossingsOf(polygon, y);
    for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
      // Of rows as long, the one nearest to the middle.
      const double length =
          crossings[i + 1] - crossings[i] - 1e-3 * std::abs(row - kRows / 2);
      if (length <= longest) continue;
      longest = length;
      best = {(crossings[i] + crossings[i + 1]) / 2, y};
    }
  }
  return best;
}

}  // namespace

const Troop* TroopOf(const StandObservation& stand, const MatchFacts& facts) {
  const auto kind = static_cast<std::size_t>(stand.kind);
  return kind < facts.troops.size() && facts.troops[kind] ? &*facts.troops[kind] : nullptr;
}

std::vector<ImVec2> SquareOutline(const Projection& on, const TableFrame& frame,
                                  const std::string& name) {
  const auto square = ParseSquare(name);
  if (!square || !frame.Contains(*square)) return {};
  const double s = frame.square_in;
  const Vec2 low{square->column * s, square->row * s};
  std::vector<ImVec2> out;
  for (const Vec2 corner : {low, low + Vec2{s, 0}, low + Vec2{s, s}, low + Vec2{0, s}}) {
    const auto at = on.At(corner, 0);
    if (!at) return {};
    out.push_back(*at);
  }
  return out;
}

void Fill(ImDrawList& list, const std::vector<ImVec2>& outline, ImU32 colour) {
  if (!outline.empty()) {
    list.AddConvexPolyFilled(outline.data(), static_cast<int>(outline.size()), colour);
  }
}
void Rim(ImDrawList& list, const std::vector<ImVec2>& outline, ImU32 colour, float thickness) {
  if (!outline.empty()) {
    list.AddPolyline(outline.data(), static_cast<int>(outline.size()), colour, ImDrawFlags_Closed,
                     thickness);
  }
}

void DrawGrid(ImDrawList& list, const Theme& theme, const Projection& on, const Snapshot& shown,
              bool wordless) {
  const TableFrame& frame = shown.facts->table;
  const ImU32 line = on.IsMap() ? theme.cloth_line : Rgba(255, 255, 255, 70);
  const ImU32 edge = on.IsMap() ? theme.text : Rgba(255, 255, 255, 190);
  for (int c = 0; c <= frame.columns; ++c) {
    const bool rim = c == 0 || c == frame.columns;
    const double x = c * frame.square_in;
    TableLine(list, on, {x, 0}, {x, frame.Depth()}, 0, rim ? edge : line,
              theme.Px(rim ? 2.0F : 1.0F));
  }
  for (int r = 0; r <= frame.rows; ++r) {
    const bool rim = r == 0 || r == frame.rows;
    const double y = r * frame.square_in;
    TableLine(list, on, {0, y}, {frame.Width(), y}, 0, rim ? edge : line,
              theme.Px(rim ? 2.0F : 1.0F));
  }
  if (wordless) return;
  // Each square's name in its corner if there is room, else letters and numbers at the edges.
  const float square = on.PixelsPerInch({frame.Width() / 2, frame.Depth() / 2}, 0) *
                       static_cast<float>(frame.square_in);
  const float size = std::clamp(square * 0.2F, theme.Px(11), theme.Px(17));
  const ImFont* font = theme.body != nullptr ? theme.body : ImGui::GetFont();
  const auto write = [&](Vec2 at, const std::string& words, ImU32 colour) {
    const auto place = on.At(at, 0);
    if (!place) return;
    const ImVec2 extent = font->CalcTextSizeA(size, 1e6F, 0, words.c_str());
    const ImVec2 low{place->x - extent.x / 2, place->y - extent.y / 2};
    if (!on.IsMap())
      list.AddText(font, size, {low.x + 1, low.y + 1}, Rgba(0, 0, 0, 200), words.c_str());
    list.AddText(font, size, low, colour, words.c_str());
  };
  if (square > theme.Px(on.IsMap() ? 52 : 46)) {
    const ImU32 name = on.IsMap() ? Faded(theme.text, 0.6F) : Rgba(255, 255, 255, 205);
    for (int c = 0; c < frame.columns; ++c) {
      for (int r = 0; r < frame.rows; ++r) {
        // As far from the corner as the letters are high.
        const double inset =
            std::min(0.5, 0.9 * static_cast<double>(size / square)) * frame.square_in;
        write({c * frame.square_in + inset, (r + 1) * frame.square_in - 0.7 * inset},
              SquareName({c, r}), name);
      }
    }
  } else {
    const ImU32 name = on.IsMap() ? theme.text : Rgba(255, 255, 255, 230);
    for (int c = 0; c < frame.columns; ++c) {
      const std::string column = SquareName({c, 0});
      write({(c + 0.5) * frame.square_in, -0.8}, column.substr(0, column.size() - 1), name);
    }
    for (int r = 0; r < frame.rows; ++r) {
      write({-0.8, (r + 0.5) * frame.square_in}, fmt::format("{}", r + 1), name);
    }
  }
}

void DrawTerrain(ImDrawList& list, const Theme& theme, const Projection& on,
                 const Snapshot& shown) {
  for (const TerrainArea& area : shown.facts->scenario.terrain) {
    const ImU32 colour = TerrainColour(area.type);
    const std::vector<ImVec2> outline = Outline(on, area.polygon, area.height_in);
    if (outline.empty()) continue;
    if (on.IsMap()) {
      FillByRows(list, on, area.polygon, area.height_in, Faded(colour, 0.35F));
    }
    Closed(list, outline, Faded(colour, on.IsMap() ? 0.9F : 0.75F), theme.Px(1.5F));
    if (!on.IsMap()) continue;
    for (const TerrainObject& object : area.objects) {
      const std::vector<ImVec2> shape =
          object.circle ? Ring(on, object.circle->centre, object.circle->radius_in, area.height_in)
                        : Outline(on, object.polygon, area.height_in);
      Closed(list, shape, Faded(colour, 0.9F), theme.Px(1));
    }
  }
}

std::vector<ScreenRect> DrawTerrainNames(ImDrawList& list, const Theme& theme, const Projection& on,
                                         const Snapshot& shown, bool each,
                                         std::vector<ScreenRect> taken) {
  std::vector<std::pair<std::string, ImVec2>> named;
  const float near = theme.Px(150);
  const float size = theme.Px(12);
  for (const TerrainArea& area : shown.facts->scenario.terrain) {
    if (area.polygon.empty() || area.type.empty()) continue;
    const auto at = on.At(InsideOf(area.polygon), area.height_in);
    if (!at) continue;
    // One name is enough for the squares of one wood.
    const bool there = std::any_of(named.begin(), named.end(), [&](const auto& other) {
      return other.first == area.type &&
             std::hypot(other.second.x - at->x, other.second.y - at->y) < near;
    });
    if (!each && there) continue;
    std::string words = KeyInWords(area.type);
    if (each && area.height_in > 0) words += fmt::format(" {:.2g}\"", area.height_in);
    const ImVec2 plate = PlateSize(theme, words, size);
    // In the middle, or a little above or below it.
    for (const float lines : {0.0F, -1.0F, 1.0F}) {
      const ImVec2 place{at->x, at->y + lines * plate.y};
      const ScreenRect rect{{place.x - plate.x / 2, place.y - plate.y / 2},
                            {place.x + plate.x / 2, place.y + plate.y / 2}};
      if (!each && OverlapsAny(rect, taken)) continue;
      named.emplace_back(area.type, *at);
      taken.push_back(rect);
      DrawPlate(list, theme, place, words, Rgba(220, 232, 220), size);
      break;
    }
  }
  return taken;
}

std::vector<ScreenRect> DrawStands(ImDrawList& list, const Theme& theme, const Projection& on,
                                   const Snapshot& shown, const ViewState& view) {
  if (shown.stands == nullptr) return {};
  const Scenario& scenario = shown.facts->scenario;
  UnitLabels units;
  std::vector<ScreenRect> boxes;
  for (const StandObservation& stand : *shown.stands) {
    const auto box = DrawStand(list, theme, on, scenario, stand);
    if (!box) continue;
    // On a picture the models themselves are seen.
    const Troop* troop = on.IsMap() ? TroopOf(stand, *shown.facts) : nullptr;
    if (troop != nullptr)
      DrawTroopSymbol(list, on, stand, TopOf(stand, scenario), troop->symbol, theme.text);
    boxes.push_back(*box);
    UnitLabel& unit = units[LabelKeyOf(stand, shown.facts->table)];
    unit.sum = unit.sum + stand.table_from_stand.origin;
    unit.low = {std::min(unit.low.x, box->low.x), std::min(unit.low.y, box->low.y)};
    unit.high = {std::max(unit.high.x, box->high.x), std::max(unit.high.y, box->high.y)};
    unit.top_in = std::max(unit.top_in, TopOf(stand, scenario));
    unit.side = stand.side;
    unit.names.insert(UnitOf(stand));
    ++unit.stands;
  }
  if (view.names == UnitNames::kNone) return {};
  return DrawUnitNames(list, theme, on, scenario, units, boxes, view.names == UnitNames::kAll,
                       PointsToSee(theme, on, shown, view));
}

void DrawPointedAt(ImDrawList& list, const Theme& theme, const Projection& on,
                   const Snapshot& shown, const std::vector<PieceView>& pieces, ImVec2 pointer) {
  const auto under = on.Table(pointer);
  if (!under || shown.stands == nullptr) return;
  const StandObservation* nearest = nullptr;
  for (const StandObservation& stand : *shown.stands) {
    constexpr double kMargin_in = 0.1;
    if (!Contains(FootprintOf(stand, kMargin_in), *under)) continue;
    if (nearest == nullptr || Distance(stand.table_from_stand.origin, *under) <
                                  Distance(nearest->table_from_stand.origin, *under))
      nearest = &stand;
  }
  if (nearest == nullptr) return;
  const std::string unit = UnitOf(*nearest);
  std::size_t strength = 0;
  for (const StandObservation& stand : *shown.stands) strength += UnitOf(stand) == unit ? 1 : 0;
  std::string words = unit;
  if (const Troop* troop = TroopOf(*nearest, *shown.facts)) words += ", " + troop->name;
  if (strength > 1) words += ", " + Counted(strength, "stand");
  const double bearing_deg = -nearest->table_from_stand.heading_rad * 180 / std::numbers::pi;
  words += fmt::format(", facing {}", FacingName(NearestFacing(bearing_deg)));
  for (const PieceView& piece : pieces) {
    if (piece.id != nearest->stand.text) continue;
    for (const std::string& mark : piece.marks) words += ", " + mark;
  }
  const float size = theme.Px(16);
  const ImVec2 plate = PlateSize(theme, words, size);
  DrawPlate(list, theme, Inside(list, {pointer.x, pointer.y - plate.y - theme.Px(6)}, plate), words,
            SideColour(theme, shown.facts->scenario, nearest->side), size);
}

void DrawShots(ImDrawList& list, const Theme& theme, const Projection& on, const Snapshot& shown,
               const ViewState& view, std::vector<ScreenRect> taken) {
  LabelRoom room(ViewOf(list), std::move(taken));
  for (const ScreenRect& point : PointsToSee(theme, on, shown, view)) room.Keep(point);
  std::vector<Label> labels;
  for (const auto& shot : shown.shots) {
    const bool chosen = shot->shot.shot.number == view.selected_shot;
    const double level = shot->shot.height_in;
    const auto tip = on.At(shot->shot.point, level);
    if (!tip) continue;
    const bool asked = !shot->question.empty();
    if (chosen && view.show_circles && !asked && !shot->withdrawn)
      DrawOneShot(list, theme, on, *shot, shown);
    if (chosen && !view.pointing) DrawMoving(list, theme, on, level, shot->circle_in, view);
    if (asked && view.wordless) continue;
    if (asked) {
      // It lies about there; its point is not known.
      DrawPlate(list, theme, *tip, AskedNumber(*shot), CallColour(theme, Call::kTooClose),
                AskedSize(theme, chosen));
      continue;
    }
    if (on.IsMap()) {
      const auto tail = on.At(shot->shot.tail, level);
      if (tail) list.AddLine(*tip, *tail, Faded(theme.text, 0.85F), theme.Px(2));
    }
    // A cross with a gap in the middle, so that the point itself can be seen.
    const float gap = theme.Px(3);
    const float arm = theme.Px(kCrossArm_px);
    const ImU32 colour = Rgba(0, 240, 255, chosen ? 255 : 170);
    list.AddLine({tip->x - arm, tip->y}, {tip->x - gap, tip->y}, colour, theme.Px(2));
    list.AddLine({tip->x + gap, tip->y}, {tip->x + arm, tip->y}, colour, theme.Px(2));
    list.AddLine({tip->x, tip->y - arm}, {tip->x, tip->y - gap}, colour, theme.Px(2));
    list.AddLine({tip->x, tip->y + gap}, {tip->x, tip->y + arm}, colour, theme.Px(2));
    if (!view.wordless) PlaceNumber(theme, *shot, *tip, room, labels);
  }
  for (const auto& shot : shown.shots) {
    const bool near = on.PixelsPerInch(shot->shot.point, shot->shot.height_in) > theme.Px(26);
    const bool chosen = shot->shot.shot.number == view.selected_shot;
    if (chosen && near && view.show_circles && shot->question.empty() && !shot->withdrawn &&
        !view.wordless)
      PlaceDistances(theme, on, *shot, room, labels);
  }
  // Last, so that nothing covers them.
  DrawLabels(list, theme, labels);
  for (const auto& object : shown.objects) {
    Closed(list, Outline(on, object->outline, 0), CallColour(theme, Call::kTooClose), theme.Px(2));
    if (const auto at = on.At(object->middle, 0))
      DrawPlate(list, theme, *at, "?", CallColour(theme, Call::kTooClose), theme.Px(16));
  }
  if (!view.pointing) return;
  for (const ProjectileSpec& spec : shown.facts->scenario.projectiles) {
    if (ProjectileName(spec.type) == view.projectile)
      DrawMoving(list, theme, on, 0, spec.hit_radius_in, view);
  }
}

}  // namespace fos
