// SPDX-License-Identifier: MIT
#include "ui/window/projection.h"

#include <algorithm>
#include <cmath>

namespace fos {
namespace {

constexpr float kMostZoom = 24;

float FitScale(float width, float height, const ScreenRect& area) {
  return std::max(1e-6F, std::min(area.Width() / std::max(width, 1e-6F),
                                  area.Height() / std::max(height, 1e-6F)));
}

// Whether the radial distortion still grows at this distance from the axis. Beyond its turning
// point the model maps what is far outside back into the picture.
bool BeforeTheFold(const CameraModel& lens, double x, double y) {
  if (lens.lens == CameraModel::Lens::kFisheye) return true;
  const double r2 = x * x + y * y;
  const auto& d = lens.distortion;
  for (const double part : {0.25, 0.5, 0.75, 1.0}) {
    const double s = part * r2;
    if (1 + s * (3 * d[0] + s * (5 * d[1] + s * 7 * d[4])) <= 0) return false;
  }
  return true;
}

// ImGui derives segment counts from coordinates, so they must be finite and near the screen.
std::optional<ImVec2> OnAnyScreen(ImVec2 at) {
  constexpr float kMost_px = 1e6F;
  if (!(std::abs(at.x) < kMost_px) || !(std::abs(at.y) < kMost_px)) return std::nullopt;
  return at;
}

}  // namespace

Placement Place(float width, float height, const ScreenRect& area, const ViewZoom& zoom) {
  const float scale = FitScale(width, height, area) * zoom.scale;
  const ImVec2 middle{0.5F * (area.low.x + area.high.x), 0.5F * (area.low.y + area.high.y)};
  return {{middle.x - zoom.x * width * scale, middle.y - zoom.y * height * scale}, scale};
}

void ClampZoom(float width, float height, const ScreenRect& area, ViewZoom& zoom) {
  const auto finite = [](float v, float otherwise) { return std::isfinite(v) ? v : otherwise; };
  zoom.scale = std::clamp(finite(zoom.scale, 1), 1.0F, kMostZoom);
  const float scale = FitScale(width, height, area) * zoom.scale;
  // Half of the area, as a share of the content.
  const float half_x = std::min(0.5F, 0.5F * area.Width() / std::max(width * scale, 1e-3F));
  const float half_y = std::min(0.5F, 0.5F * area.Height() / std::max(height * scale, 1e-3F));
  zoom.x = std::clamp(finite(zoom.x, 0.5F), half_x, 1 - half_x);
  zoom.y = std::clamp(finite(zoom.y, 0.5F), half_y, 1 - half_y);
}

void ZoomAbout(float width, float height, const ScreenRect& area, ImVec2 pivot, float factor,
               ViewZoom& zoom) {
  const Placement before = Place(width, height, area, zoom);
  const float x = (pivot.x - before.origin.x) / before.scale;
  const float y = (pivot.y - before.origin.y) / before.scale;
  zoom.scale = std::clamp(zoom.scale * factor, 1.0F, kMostZoom);
  const Placement after = Place(width, height, area, zoom);
  const ImVec2 now = after.ToScreen(x, y);
  zoom.x += (now.x - pivot.x) / (after.scale * std::max(width, 1e-6F));
  zoom.y += (now.y - pivot.y) / (after.scale * std::max(height, 1e-6F));
  ClampZoom(width, height, area, zoom);
}

Projection::Projection(const TableCamera& camera, const Placement& placed)
    : camera_(&camera), placed_(placed) {}

Projection::Projection(const TableFrame& frame, const Placement& placed)
    : frame_(frame), placed_(placed) {}

std::optional<ImVec2> Projection::At(Vec2 table, double height_in) const {
  if (camera_ == nullptr) {
    return OnAnyScreen(
        placed_.ToScreen(table.x + kMapMargin_in, frame_.Depth() - table.y + kMapMargin_in));
  }
  const cv::Vec3d seen = camera_->rotation * cv::Vec3d(table.x, table.y, height_in) + camera_->tvec;
  constexpr double kLeastDepth_in = 0.5;
  if (!(seen[2] > kLeastDepth_in)) return std::nullopt;
  const double x = seen[0] / seen[2];
  const double y = seen[1] / seen[2];
  if (!BeforeTheFold(camera_->lens, x, y)) return std::nullopt;
  const ImagePoint at = Distort(camera_->lens, x, y);
  // Pixel centres have whole coordinates in the picture; the screen counts from corners.
  return OnAnyScreen(placed_.ToScreen(at.x_px + 0.5, at.y_px + 0.5));
}

std::optional<Vec2> Projection::Table(ImVec2 screen) const {
  if (!(placed_.scale > 0)) return std::nullopt;
  const double x = static_cast<double>((screen.x - placed_.origin.x) / placed_.scale);
  const double y = static_cast<double>((screen.y - placed_.origin.y) / placed_.scale);
  if (camera_ == nullptr) return Vec2{x - kMapMargin_in, frame_.Depth() - (y - kMapMargin_in)};
  const Result<TablePoint> at = TableFromImage(*camera_, {x - 0.5, y - 0.5}, 0, 1);
  if (!at.ok()) return std::nullopt;
  return at->at;
}

float Projection::PixelsPerInch(Vec2 table, double height_in) const {
  if (camera_ == nullptr) return placed_.scale;
  const auto here = At(table, height_in);
  const auto east = At(table + Vec2{1, 0}, height_in);
  const auto north = At(table + Vec2{0, 1}, height_in);
  if (!here || !east || !north) return 0;
  const float area =
      (east->x - here->x) * (north->y - here->y) - (east->y - here->y) * (north->x - here->x);
  return std::sqrt(std::abs(area));
}

ImVec2 MapSize(const TableFrame& frame) {
  return {static_cast<float>(frame.Width() + 2 * kMapMargin_in),
          static_cast<float>(frame.Depth() + 2 * kMapMargin_in)};
}

}  // namespace fos
