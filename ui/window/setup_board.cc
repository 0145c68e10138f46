// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "ui/window/canvas.h"
#include "ui/window/overlay.h"
#include "ui/window/setup_screen.h"
#include "ui/window/widgets.h"

namespace fos {
namespace {

constexpr ImU32 kPen = Rgba(255, 120, 255);
constexpr ImU32 kWhite = Rgba(255, 255, 255);

void Cross(ImDrawList& list, const Theme& theme, ImVec2 at, ImU32 colour) {
  const float gap = theme.Px(3);
  const float arm = theme.Px(13);
  for (const auto& [colour_now, wide] :
       {std::pair{Rgba(0, 0, 0, 200), 4.0F}, std::pair{colour, 2.0F}}) {
    list.AddLine({at.x - arm, at.y}, {at.x - gap, at.y}, colour_now, theme.Px(wide));
    list.AddLine({at.x + gap, at.y}, {at.x + arm, at.y}, colour_now, theme.Px(wide));
    list.AddLine({at.x, at.y - arm}, {at.x, at.y - gap}, colour_now, theme.Px(wide));
    list.AddLine({at.x, at.y + gap}, {at.x, at.y + arm}, colour_now, theme.Px(wide));
  }
}

// Draws an outline on the cloth, which the lens bends.
void Outline(ImDrawList& list, const Theme& theme, const Projection& on, const Polygon& corners,
             bool closed, ImU32 colour = kPen, float wide = 2.5F) {
  constexpr double kStep_in = 2;
  const std::size_t edges = closed ? corners.size() : std::max<std::size_t>(corners.size(), 1) - 1;
  for (std::size_t i = 0; i < edges; ++i) {
    const Vec2 from = corners[i];
    const Vec2 to = corners[(i + 1) % corners.size()];
    const int steps = std::clamp(static_cast<int>(std::ceil(Distance(from, to) / kStep_in)), 1, 64);
    auto before = on.At(from, 0);
    for (int k = 1; k <= steps; ++k) {
      const auto after = on.At(from + (static_cast<double>(k) / steps) * (to - from), 0);
      if (before && after) list.AddLine(*before, *after, colour, theme.Px(wide));
      before = after;
    }
  }
}

void Handle(ImDrawList& list, const Theme& theme, ImVec2 at, bool chosen) {
  const float r = theme.Px(chosen ? 8 : 5);
  list.AddRectFilled({at.x - r, at.y - r}, {at.x + r, at.y + r}, chosen ? kWhite : kPen);
  list.AddRect({at.x - r, at.y - r}, {at.x + r, at.y + r}, Rgba(0, 0, 0), 0, 0, theme.Px(1));
}

void DrawTerrainPen(ImDrawList& list, const Theme& theme, const Projection& on,
                    const Snapshot& shown, const SetupHand& hand) {
  if (hand.Drawing()) {
    Polygon outline = hand.Outline();
    for (const Vec2 corner : outline) {
      if (const auto at = on.At(corner, 0)) Handle(list, theme, *at, false);
    }
    outline.push_back(hand.Cursor());
    Outline(list, theme, on, outline, false);
  }
  const auto& terrain = shown.facts->scenario.terrain;
  if (hand.Area() >= 0 && static_cast<std::size_t>(hand.Area()) < terrain.size()) {
    const TerrainArea& area = terrain[static_cast<std::size_t>(hand.Area())];
    Outline(list, theme, on, area.polygon, true);
    for (std::size_t i = 0; i < area.polygon.size(); ++i) {
      const auto at = on.At(area.polygon[i], 0);
      if (at) Handle(list, theme, *at, static_cast<int>(i) == hand.Corner());
    }
  } else if (const auto at = on.At(hand.Cursor(), 0)) {
    Cross(list, theme, *at, kPen);
  }
}

// Outlines every piece of terrain on a picture.
void OutlineTerrain(ImDrawList& list, const Theme& theme, const Projection& on,
                    const Snapshot& shown) {
  if (on.IsMap()) return;
  for (const TerrainArea& area : shown.facts->scenario.terrain) {
    if (area.polygon.empty()) continue;
    Outline(list, theme, on, area.polygon, true, Rgba(255, 244, 200, 210), 1.5F);
  }
}

// Outlines the square of the chosen unit and shows its facing.
void DrawChosenUnit(ImDrawList& list, const Theme& theme, const Projection& on,
                    const Snapshot& shown, const SetupHand& hand) {
  const auto& units = shown.facts->scenario.units;
  if (hand.Unit() < 0 || static_cast<std::size_t>(hand.Unit()) >= units.size()) return;
  const UnitSpec& unit = units[static_cast<std::size_t>(hand.Unit())];
  const TableFrame& frame = shown.facts->table;
  const Vec2 low{unit.square.column * frame.square_in, unit.square.row * frame.square_in};
  const double s = frame.square_in;
  Outline(list, theme, on, {low, low + Vec2{s, 0}, low + Vec2{s, s}, low + Vec2{0, s}}, true);
  const double heading = HeadingFromBearing(BearingOf(unit.facing));
  const Vec2 front{-std::sin(heading), std::cos(heading)};
  const Vec2 middle = frame.CentreOf(unit.square);
  const auto from = on.At(middle + 0.32 * s * front, 0);
  const auto to = on.At(middle + 0.72 * s * front, 0);
  if (!from || !to) return;
  list.AddLine(*from, *to, kPen, theme.Px(3));
  list.AddCircleFilled(*to, theme.Px(5), kPen);
}

// Draws the errors of the crossings that the fit did not use, fifty times enlarged.
void DrawResiduals(ImDrawList& list, const Theme& theme, const Projection& on,
                   const TableRegistration& table) {
  constexpr double kEnlarged = 50;
  constexpr double kFine_in = 0.04;
  for (const TableRegistration::Residual& one : table.held_out) {
    const auto from = on.At(one.at, 0);
    const auto to = on.At(one.at + kEnlarged * one.error_in, 0);
    if (!from || !to) continue;
    const bool fine = Norm(one.error_in) <= kFine_in;
    const ImU32 colour = fine ? Rgba(90, 240, 120) : Rgba(255, 90, 80);
    list.AddLine(*from, *to, colour, theme.Px(fine ? 2.0F : 4.0F));
    list.AddCircleFilled(*from, theme.Px(3), colour);
  }
}

// Draws the thirds of the picture in which the calibration board has been seen, and its corners
// now.
void DrawViews(ImDrawList& list, const Theme& theme, const LensCollection& views, ImVec2 size,
               const Placement& placed) {
  for (std::size_t i = 0; i < views.covered.size(); ++i) {
    const float w = size.x / 3;
    const float h = size.y / 3;
    const float x = static_cast<float>(i % 3) * w;
    const float y = static_cast<float>(i / 3) * h;
    const ImVec2 low = placed.ToScreen(static_cast<double>(x), static_cast<double>(y));
    const ImVec2 high = placed.ToScreen(static_cast<double>(x + w), static_cast<double>(y + h));
    list.AddRectFilled(low, high,
                       views.covered[i] ? Rgba(60, 220, 110, 46) : Rgba(255, 190, 60, 40));
    list.AddRect(low, high, Rgba(255, 255, 255, 90), 0, 0, theme.Px(1));
    DrawPlate(list, theme, {(low.x + high.x) / 2, low.y + theme.Px(14)},
              views.covered[i] ? "seen" : "not yet", kWhite, theme.Px(13));
  }
  for (const ImagePoint& corner : views.corners) {
    list.AddCircleFilled(placed.ToScreen(corner.x_px + 0.5, corner.y_px + 0.5), theme.Px(3),
                         Rgba(255, 230, 60));
  }
}

void DrawClicks(ImDrawList& list, const Theme& theme, const Placement& placed,
                const SetupView& setup) {
  for (std::size_t i = 0; i < setup.clicks.size(); ++i) {
    const ImVec2 at = placed.ToScreen(setup.clicks[i].x_px + 0.5, setup.clicks[i].y_px + 0.5);
    Cross(list, theme, at, Rgba(90, 240, 120));
    DrawPlate(list, theme, {at.x + theme.Px(18), at.y - theme.Px(16)}, fmt::format("{}", i + 1),
              Rgba(90, 240, 120), theme.Px(14));
  }
  if (setup.clicking) {
    Cross(list, theme, placed.ToScreen(setup.cursor.x_px + 0.5, setup.cursor.y_px + 0.5), kPen);
  }
}

// Handles presses, drags and clicks on the table.
void TakeTable(const Theme& theme, const Projection& on, SetupHand& hand, const SetupView& setup) {
  const ImGuiIO& io = ImGui::GetIO();
  const float still = theme.Px(6);
  const auto reach = [&](Vec2 at) {
    constexpr float kFinger_px = 14;
    const float inch = on.PixelsPerInch(at, 0);
    return inch > 0 ? static_cast<double>(theme.Px(kFinger_px) / inch) : 0.0;
  };
  const std::optional<Vec2> at =
      ImGui::IsMousePosValid() ? on.Table(io.MousePos) : std::optional<Vec2>();
  if (ImGui::IsItemActivated() && at) {
    if (setup.step == SetupStep::kTerrain) hand.PressTerrain(*at, reach(*at));
    if (setup.step == SetupStep::kArmies) hand.PressArmies(*at);
  }
  if (ImGui::IsItemActive() && hand.Gripping() && at && LeftItsPlace(still)) hand.Drag(*at);
  if (ImGui::IsItemDeactivated()) {
    if (ClickedInPlace(still) && at && setup.step == SetupStep::kTerrain) {
      hand.ClickTerrain(*at, reach(*at));
    }
    hand.Release();
  }
}

}  // namespace

bool ShowsMap(const CameraSeen& seen, const SetupView& setup) {
  const bool needs_picture = setup.step == SetupStep::kCamera || setup.step == SetupStep::kLens ||
                             setup.step == SetupStep::kTable;
  if (seen.frame.bgr.empty()) return true;
  // Until the table is found, only the map has places of the table.
  if (!needs_picture && seen.found == nullptr) return true;
  return setup.map && !needs_picture;
}

void DrawSetupBoard(const Theme& theme, const Snapshot& shown, const CameraSeen& seen,
                    PictureFeed& pictures, SetupHand& hand, ViewState& view, SetupView& setup,
                    const ScreenRect& area) {
  const bool map = ShowsMap(seen, setup);
  Canvas canvas("set-up board", area, 0);
  ImDrawList& list = canvas.List();
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 size = map ? MapSize(shown.facts->table) : pictures.Size();
  if (!(size.x > 0) || !(size.y > 0)) return;
  if (!map && shown.table != nullptr && !view.board_found && setup.step > SetupStep::kTable) {
    view.board_found = true;
    LookAtBoard(shown, area, view);
  }
  ViewZoom& zoom = map ? view.map : view.picture;
  // The hand comes first: dragging a piece must not move the view.
  const bool hands_on = setup.step == SetupStep::kTerrain || setup.step == SetupStep::kArmies;
  const Placement before = Place(size.x, size.y, area, zoom);
  const bool table_seen = map || (seen.found != nullptr && shown.table != nullptr);
  const auto projection = [&](const Placement& placed) {
    return map ? Projection(shown.facts->table, placed) : Projection(shown.table->camera, placed);
  };
  setup.under_pointer.reset();
  if (table_seen) {
    const Projection on = projection(before);
    if (hands_on) TakeTable(theme, on, hand, setup);
    const bool inside = ImGui::IsMousePosValid() && io.MousePos.x >= area.low.x &&
                        io.MousePos.x < area.high.x && io.MousePos.y >= area.low.y &&
                        io.MousePos.y < area.high.y;
    if (inside) setup.under_pointer = on.Table(io.MousePos);
  }
  TakePointer(size.x, size.y, area, zoom, !hand.Gripping());
  const Placement placed = Place(size.x, size.y, area, zoom);
  if (!map) {
    if (setup.clicking && ClickedInPlace(theme.Px(6)) && placed.scale > 0) {
      setup.cursor = {static_cast<double>((io.MousePos.x - placed.origin.x) / placed.scale) - 0.5,
                      static_cast<double>((io.MousePos.y - placed.origin.y) / placed.scale) - 0.5};
      setup.clicks.push_back(setup.cursor);
    }
    pictures.Paint(list,
                   CutFor(static_cast<int>(size.x), static_cast<int>(size.y), area, view.picture),
                   placed, area);
    if (setup.step == SetupStep::kLens && seen.collecting) {
      DrawViews(list, theme, seen.views, size, placed);
    }
    if (setup.clicking || setup.ask_north) DrawClicks(list, theme, placed, setup);
  }
  // While the lens is calibrated or corners are clicked, the old result would be in the way.
  const bool overlay = table_seen && !(setup.step == SetupStep::kLens && !map) && !setup.clicking;
  if (overlay) {
    const Projection on = projection(placed);
    if (map) {
      const auto low = on.At({0, shown.facts->table.Depth()}, 0);
      const auto high = on.At({shown.facts->table.Width(), 0}, 0);
      if (low && high) list.AddRectFilled(*low, *high, theme.cloth);
    }
    // At the steps that look at the camera itself the plan would be in the way.
    const bool plan = map || (setup.step != SetupStep::kCamera && setup.step != SetupStep::kTable);
    if (plan) DrawTerrain(list, theme, on, shown);
    DrawGrid(list, theme, on, shown);
    if (plan) {
      const UnitNames names = view.names;
      if (setup.step == SetupStep::kTerrain) view.names = UnitNames::kNone;
      DrawStands(list, theme, on, shown, view);
      view.names = names;
    }
    if (setup.step == SetupStep::kTerrain) {
      OutlineTerrain(list, theme, on, shown);
      DrawTerrainNames(list, theme, on, shown, /*each=*/true, {});
      DrawTerrainPen(list, theme, on, shown, hand);
    }
    if (setup.step == SetupStep::kArmies) {
      DrawChosenUnit(list, theme, on, shown, hand);
      if (const ArmySpot* spot = SpotAsked(setup)) {
        Rim(list, SquareOutline(on, shown.facts->table, SquareName(spot->square)), kPen,
            theme.Px(4));
      }
      if (setup.dragged_row && setup.under_pointer) {
        Cross(list, theme, io.MousePos, kPen);
      }
    }
    if (setup.step == SetupStep::kTable && !map) DrawResiduals(list, theme, on, *shown.table);
  }
  if (!seen.busy.empty()) {
    DrawPlate(list, theme, {(area.low.x + area.high.x) / 2, area.low.y + theme.Px(24)}, seen.busy,
              Rgba(255, 214, 64), theme.Px(18));
  }
}

}  // namespace fos
