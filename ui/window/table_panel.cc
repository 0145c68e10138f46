// SPDX-License-Identifier: MIT
#include "ui/window/table_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "ui/window/canvas.h"
#include "ui/window/game_input.h"
#include "ui/window/game_overlay.h"
#include "ui/window/overlay.h"
#include "ui/window/widgets.h"

namespace fos {
namespace {

// A press and release in one place is a click on the table. A longer drag moves a unit that may act;
// else it has moved the view.
void TakeTableClick(const Theme& theme, const Projection& on, ViewState& view) {
  const ImGuiIO& io = ImGui::GetIO();
  const float still = theme.Px(6);
  if (ClickedInPlace(still)) {
    view.clicked = on.Table(io.MousePos);
    view.menu_asked = io.MouseDownDurationPrev[0] >= kLongPress_s;
  } else if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    view.clicked = on.Table(io.MousePos);
    view.menu_asked = true;
  }
  if (view.menu_asked) view.game_panel.menu_at = {io.MousePos.x, io.MousePos.y};
  if (!view.dragged_from) return;
  if (ImGui::IsItemActive() && LeftItsPlace(still)) view.dragged_to = on.Table(io.MousePos);
  if (ImGui::IsItemDeactivated()) {
    view.dropped = view.dragged_to.has_value() && LeftItsPlace(still);
    if (!view.dropped) view.dragged_from.reset();
  }
}

// A press on a unit that may act takes hold of it.
void TakeUnit(const Projection& on, const Snapshot& shown, const GameController* controller,
              ViewState& view) {
  if (controller == nullptr || !ImGui::IsItemActivated() || view.moving || view.pointing) return;
  const auto at = on.Table(ImGui::GetIO().MousePos);
  view.dragged_from = at && MayDragUnit(shown, *controller, *at) ? at : std::nullopt;
  view.dragged_to.reset();
}

void NamePointedAt(ImDrawList& list, const Theme& theme, const Projection& on,
                   const Snapshot& shown, const GameController* controller, const ViewState& view) {
  if (!view.show_stands || !ImGui::IsItemHovered() || ImGui::IsItemActive()) return;
  static const std::vector<PieceView> kNoPieces;
  DrawPointedAt(list, theme, on, shown,
                controller != nullptr ? controller->Now()->view.pieces : kNoPieces,
                ImGui::GetIO().MousePos);
}

void MarkActive(ImDrawList& list, const Theme& theme, const ScreenRect& area, bool active) {
  if (!active) return;
  list.AddRect(area.low, area.high, Faded(theme.accent, 0.8F), theme.Px(4), 0, theme.Px(2));
}

const ShotShown* Chosen(const Snapshot& shown, const ViewState& view) {
  for (const auto& shot : shown.shots) {
    if (shot->shot.shot.number == view.selected_shot) return shot.get();
  }
  return nullptr;
}

}  // namespace

void DrawPicture(const Theme& theme, const Snapshot& shown, PictureFeed& pictures,
                 GameController* controller, ViewState& view, const ScreenRect& area) {
  Canvas canvas("picture", area, 0);
  ImDrawList& list = canvas.List();
  const ImVec2 size = pictures.Size();
  if (!(size.x > 0) || !(size.y > 0)) {
    DrawPlate(list, theme, {0.5F * (area.low.x + area.high.x), 0.5F * (area.low.y + area.high.y)},
              "Waiting for the first picture.", Rgba(255, 255, 255), theme.Px(20));
    return;
  }
  if (shown.table != nullptr && !view.board_found) {
    view.board_found = true;
    LookAtBoard(shown, area, view);
  }
  if (shown.table != nullptr) {
    const Projection before(shown.table->camera, Place(size.x, size.y, area, view.picture));
    TakeUnit(before, shown, controller, view);
  }
  TakePointer(size.x, size.y, area, view.picture, !view.dragged_from);
  if (ImGui::IsItemClicked()) view.map_active = false;
  const Placement placed = Place(size.x, size.y, area, view.picture);
  pictures.Paint(list,
                 CutFor(static_cast<int>(size.x), static_cast<int>(size.y), area, view.picture),
                 placed, area);
  if (shown.table != nullptr) {
    const Projection on(shown.table->camera, placed);
    if (view.show_grid) {
      DrawTerrain(list, theme, on, shown);
      DrawGrid(list, theme, on, shown);
    }
    std::vector<ScreenRect> marks;
    if (controller != nullptr) marks = DrawGameGround(list, theme, on, shown, *controller, view);
    std::vector<ScreenRect> names;
    if (view.show_stands) names = DrawStands(list, theme, on, shown, view);
    names.insert(names.end(), marks.begin(), marks.end());
    if (controller != nullptr) DrawGameOverlay(list, theme, on, shown, *controller, view);
    DrawShots(list, theme, on, shown, view, std::move(names));
    NamePointedAt(list, theme, on, shown, controller, view);
    TakeTableClick(theme, on, view);
  }
  MarkActive(list, theme, area, view.arrangement == Arrangement::kBoth && !view.map_active);
}

void DrawMap(const Theme& theme, const Snapshot& shown, GameController* controller, ViewState& view,
             const ScreenRect& area) {
  Canvas canvas("map", area, 0);
  ImDrawList& list = canvas.List();
  const TableFrame& frame = shown.facts->table;
  const ImVec2 size = MapSize(frame);
  TakeUnit(Projection(frame, Place(size.x, size.y, area, view.map)), shown, controller, view);
  TakePointer(size.x, size.y, area, view.map, !view.dragged_from);
  if (ImGui::IsItemClicked()) view.map_active = true;
  const Projection on(frame, Place(size.x, size.y, area, view.map));
  const auto low = on.At({0, frame.Depth()}, 0);
  const auto high = on.At({frame.Width(), 0}, 0);
  if (low && high) list.AddRectFilled(*low, *high, theme.cloth);
  TakeTableClick(theme, on, view);
  DrawTerrain(list, theme, on, shown);
  DrawGrid(list, theme, on, shown);
  std::vector<ScreenRect> marks;
  if (controller != nullptr) marks = DrawGameGround(list, theme, on, shown, *controller, view);
  std::vector<ScreenRect> names;
  if (view.show_stands) names = DrawStands(list, theme, on, shown, view);
  names.insert(names.end(), marks.begin(), marks.end());
  if (view.show_grid)
    names = DrawTerrainNames(list, theme, on, shown, /*each=*/false, std::move(names));
  if (controller != nullptr) DrawGameOverlay(list, theme, on, shown, *controller, view);
  DrawShots(list, theme, on, shown, view, std::move(names));
  NamePointedAt(list, theme, on, shown, controller, view);
  // The arrow to the north.
  const ImVec2 at{area.high.x - theme.Px(20), area.low.y + theme.Px(34)};
  list.AddTriangleFilled({at.x, at.y - theme.Px(14)}, {at.x + theme.Px(6), at.y},
                         {at.x - theme.Px(6), at.y}, theme.text);
  const ImVec2 n = ImGui::CalcTextSize("N");
  list.AddText({at.x - n.x / 2, at.y - theme.Px(14) - n.y}, theme.text, "N");
  MarkActive(list, theme, area, view.arrangement == Arrangement::kBoth && view.map_active);
}

void DrawEvidenceLens(const Theme& theme, const Snapshot& shown, const ShownPicture& before,
                      const ShownPicture& after, ViewState& view, const ScreenRect& area) {
  const ShotShown* shot = Chosen(shown, view);
  if (shot == nullptr) {
    view.show_evidence = false;
    return;
  }
  Canvas canvas("evidence", area, Rgba(16, 18, 22));
  ImDrawList& list = canvas.List();
  if (ImGui::IsItemClicked()) view.show_evidence = false;
  const float line = theme.Px(26);
  const float gap = theme.Px(8);
  const float side = std::min((area.Width() - 3 * gap) / 2, area.Height() - 2 * line - 2 * gap);
  const ImVec2 middle{0.5F * (area.low.x + area.high.x), 0.5F * (area.low.y + area.high.y)};
  DrawPlate(
      list, theme, {middle.x, area.low.y + line},
      fmt::format("Shot {}: {} in {}", shot->shot.shot.number, shot->projectile,
                  shot->verdict.ground.square.empty() ? "no square" : shot->verdict.ground.square),
      Rgba(255, 255, 255), theme.Px(20));
  if (before.texture == ImTextureID{} || after.texture == ImTextureID{}) {
    DrawPlate(list, theme, middle, "The pictures are being drawn.", Rgba(255, 255, 255),
              theme.Px(18));
    return;
  }
  const float top = middle.y - side / 2 + line / 2;
  list.AddImage(before.texture, {middle.x - gap / 2 - side, top}, {middle.x - gap / 2, top + side});
  list.AddImage(after.texture, {middle.x + gap / 2, top}, {middle.x + gap / 2 + side, top + side});
  DrawPlate(list, theme, {middle.x, area.high.y - line / 2},
            "E, Esc or a click goes back to the table.", Rgba(200, 208, 220), theme.Px(14));
}

void LookAtBoard(const Snapshot& shown, const ScreenRect& area, ViewState& view) {
  if (shown.table == nullptr) return;
  const TableFrame& frame = shown.facts->table;
  const TableCamera& camera = shown.table->camera;
  const auto width = static_cast<float>(camera.lens.width_px);
  const auto height = static_cast<float>(camera.lens.height_px);
  const Placement plain;
  const Projection on(camera, plain);
  ImVec2 low{width, height};
  ImVec2 high{0, 0};
  constexpr double kRim_in = 1.5;  // the letters and numbers outside
  for (const double x : {-kRim_in, frame.Width() / 2, frame.Width() + kRim_in}) {
    for (const double y : {-kRim_in, frame.Depth() / 2, frame.Depth() + kRim_in}) {
      const auto at = on.At({x, y}, 0);
      if (!at) continue;
      low = {std::min(low.x, at->x), std::min(low.y, at->y)};
      high = {std::max(high.x, at->x), std::max(high.y, at->y)};
    }
  }
  if (!(high.x > low.x) || !(high.y > low.y)) return;
  const Placement whole = Place(width, height, area, {});
  view.picture.scale = std::min(area.Width() / ((high.x - low.x) * whole.scale),
                                area.Height() / ((high.y - low.y) * whole.scale));
  view.picture.x = 0.5F * (low.x + high.x) / width;
  view.picture.y = 0.5F * (low.y + high.y) / height;
}

void LookAtShot(const Snapshot& shown, ViewState& view) {
  const ShotShown* shot = Chosen(shown, view);
  if (shot == nullptr) return;
  constexpr double kShown_in = 9;  // the circle, its stands and some ground about them
  const TableFrame& frame = shown.facts->table;
  const ImVec2 map = MapSize(frame);
  view.map.scale = map.x / static_cast<float>(kShown_in);
  view.map.x = static_cast<float>(shot->shot.point.x + kMapMargin_in) / map.x;
  view.map.y = static_cast<float>(frame.Depth() - shot->shot.point.y + kMapMargin_in) / map.y;
  if (shown.table == nullptr) return;
  const TableCamera& camera = shown.table->camera;
  const auto width = static_cast<float>(camera.lens.width_px);
  const auto height = static_cast<float>(camera.lens.height_px);
  Placement plain;
  const Projection on(camera, plain);
  const auto at = on.At(shot->shot.point, shot->shot.height_in);
  const float inch = on.PixelsPerInch(shot->shot.point, shot->shot.height_in);
  if (!at || inch <= 0) return;
  view.picture.scale = width / (inch * static_cast<float>(kShown_in));
  view.picture.x = at->x / width;
  view.picture.y = at->y / height;
}

}  // namespace fos
