#include "calibration/camera_model.h"

#include <algorithm>
#include <cmath>

#include <opencv2/calib3d.hpp>

namespace fos {

ImagePoint Distort(const CameraModel& camera, double x, double y) {
  const auto& d = camera.distortion;
  if (camera.lens == CameraModel::Lens::kFisheye) {
    const double r = std::hypot(x, y);
    const double theta = std::atan(r);
    const double t2 = theta * theta;
    const double bent = theta * (1 + t2 * (d[0] + t2 * (d[1] + t2 * (d[2] + t2 * d[3]))));
    const double scale = r > 1e-12 ? bent / r : 1.0;
    return {camera.fx_px * x * scale + camera.cx_px, camera.fy_px * y * scale + camera.cy_px};
  }
  const double r2 = x * x + y * y;
  const double radial = 1 + r2 * (d[0] + r2 * (d[1] + r2 * d[4]));
  const double xd = x * radial + 2 * d[2] * x * y + d[3] * (r2 + 2 * x * x);
  const double yd = y * radial + d[2] * (r2 + 2 * y * y) + 2 * d[3] * x * y;
  return {camera.fx_px * xd + camera.cx_px, camera.fy_px * yd + camera.cy_px};
}

std::optional<cv::Vec2d> Undistort(const CameraModel& camera, ImagePoint at) {
  // Newton's method on Distort: OpenCV's fixed-point iteration stops short on strong barrel lenses.
  const double xd = (at.x_px - camera.cx_px) / camera.fx_px;
  const double yd = (at.y_px - camera.cy_px) / camera.fy_px;
  double x = xd;
  double y = yd;
  constexpr int kSteps = 20;  // quadratic convergence needs 4 to 6
  constexpr double kDifference = 1e-6;
  constexpr double kCloseEnough_px = 1e-7;
  for (int i = 0; i < kSteps; ++i) {
    const ImagePoint here = Distort(camera, x, y);
    const double ex = here.x_px - at.x_px;
    const double ey = here.y_px - at.y_px;
    if (std::abs(ex) < kCloseEnough_px && std::abs(ey) < kCloseEnough_px) return cv::Vec2d{x, y};
    const ImagePoint px = Distort(camera, x + kDifference, y);
    const ImagePoint py = Distort(camera, x, y + kDifference);
    const double a = (px.x_px - here.x_px) / kDifference;
    const double b = (py.x_px - here.x_px) / kDifference;
    const double c = (px.y_px - here.y_px) / kDifference;
    const double d = (py.y_px - here.y_px) / kDifference;
    const double det = a * d - b * c;
    if (!(det > 0)) return std::nullopt;  // past the fold of the polynomial: no ray lands there
    x -= (d * ex - b * ey) / det;
    y -= (a * ey - c * ex) / det;
  }
  return std::nullopt;
}

}  // namespace fos
