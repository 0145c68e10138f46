// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <imgui.h>

#include "calibration/camera/table_camera.h"
#include "engine/table/table_frame.h"
#include "ui/window/view_state.h"

namespace fos {

struct ScreenRect {
  ImVec2 low;   // upper left
  ImVec2 high;  // lower right
  float Width() const { return high.x - low.x; }
  float Height() const { return high.y - low.y; }
};

// Where content of width x height is on the screen when it is shown in `area` at that zoom.
struct Placement {
  ImVec2 origin;    // of the content's upper left corner
  float scale = 1;  // screen pixels for one unit of content
  ImVec2 ToScreen(double x, double y) const {
    return {origin.x + scale * static_cast<float>(x), origin.y + scale * static_cast<float>(y)};
  }
};
Placement Place(float width, float height, const ScreenRect& area, const ViewZoom& zoom);
// Keeps the zoom within its limits and the content in the area.
void ClampZoom(float width, float height, const ScreenRect& area, ViewZoom& zoom);
// Magnifies by `factor` so that what is at `pivot` on the screen stays there.
void ZoomAbout(float width, float height, const ScreenRect& area, ImVec2 pivot, float factor,
               ViewZoom& zoom);

// Projects the table to the screen: through the whole camera model, or as a map from above.
class Projection {
 public:
  // camera  borrowed. `placed` maps picture pixels to the screen.
  Projection(const TableCamera& camera, const Placement& placed);
  // A map in inches, north up. `placed` is for content of MapSize().
  Projection(const TableFrame& frame, const Placement& placed);

  // Empty where the camera cannot see: behind it, or so far out that the lens model folds back.
  std::optional<ImVec2> At(Vec2 table, double height_in) const;
  // Screen pixels per inch around there; 0 where nothing is seen.
  float PixelsPerInch(Vec2 table, double height_in) const;
  // The place on the table's surface at that screen position; empty where there is none.
  std::optional<Vec2> Table(ImVec2 screen) const;
  bool IsMap() const { return camera_ == nullptr; }

 private:
  const TableCamera* camera_ = nullptr;
  TableFrame frame_;
  Placement placed_;
};

// Width and height of the map's content, inches: the board and room for its letters and numbers.
inline constexpr double kMapMargin_in = 1.6;
ImVec2 MapSize(const TableFrame& frame);

}  // namespace fos
