// SPDX-License-Identifier: MIT
#include "calibration/camera/camera_model.h"

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

LensVec NumbersOf(const CameraModel& camera) {
  const auto& d = camera.distortion;
  return {camera.fx_px, camera.fy_px, camera.cx_px, camera.cy_px, d[0], d[1], d[2], d[3], d[4]};
}

CameraModel Moved(const CameraModel& camera, const LensVec& change) {
  CameraModel out = camera;
  out.fx_px += change[0];
  out.fy_px += change[1];
  out.cx_px += change[2];
  out.cy_px += change[3];
  for (std::size_t i = 0; i < out.distortion.size(); ++i) {
    out.distortion[i] += change[static_cast<int>(i) + 4];
  }
  return out;
}

DistortDerivative DerivativeOf(const CameraModel& camera, double x, double y) {
  const auto& d = camera.distortion;
  const double fx = camera.fx_px;
  const double fy = camera.fy_px;
  const double r2 = x * x + y * y;
  DistortDerivative out;
  if (camera.lens == CameraModel::Lens::kFisheye) {
    const double r = std::sqrt(r2);
    constexpr double kAxis = 1e-9;  // on the axis the lens is its focal length and nothing more
    if (r < kAxis) {
      out.by_ray = {fx, 0, 0, fy};
      out.by_lens = {x, 0, 1, 0, 0, 0, 0, 0, 0, 0, y, 0, 1, 0, 0, 0, 0, 0};
      return out;
    }
    const double t = std::atan(r);
    const double t2 = t * t;
    const double bent = t * (1 + t2 * (d[0] + t2 * (d[1] + t2 * (d[2] + t2 * d[3]))));
    const double by_t = 1 + t2 * (3 * d[0] + t2 * (5 * d[1] + t2 * (7 * d[2] + t2 * 9 * d[3])));
    const double scale = bent / r;
    const double by_r = (by_t / (1 + r2) - scale) / r;  // of the scale
    out.by_ray = {fx * (scale + by_r * x * x / r), fx * by_r * x * y / r, fy * by_r * x * y / r,
                  fy * (scale + by_r * y * y / r)};
    out.by_lens = {scale * x, 0, 1, 0, 0, 0, 0, 0, 0, 0, scale * y, 0, 1, 0, 0, 0, 0, 0};
    double power = t;
    for (int k = 0; k < 4; ++k) {
      power *= t2;
      out.by_lens(0, 4 + k) = fx * x * power / r;
      out.by_lens(1, 4 + k) = fy * y * power / r;
    }
    return out;
  }
  const double radial = 1 + r2 * (d[0] + r2 * (d[1] + r2 * d[4]));
  const double by_r2 = d[0] + r2 * (2 * d[1] + 3 * r2 * d[4]);
  const double mixed = 2 * x * y * by_r2 + 2 * d[2] * x + 2 * d[3] * y;
  out.by_ray = {fx * (radial + 2 * x * x * by_r2 + 2 * d[2] * y + 6 * d[3] * x), fx * mixed,
                fy * mixed, fy * (radial + 2 * y * y * by_r2 + 6 * d[2] * y + 2 * d[3] * x)};
  const double xd = x * radial + 2 * d[2] * x * y + d[3] * (r2 + 2 * x * x);
  const double yd = y * radial + d[2] * (r2 + 2 * y * y) + 2 * d[3] * x * y;
  const double r4 = r2 * r2;
  out.by_lens = {xd,
                 0,
                 1,
                 0,
                 fx * x * r2,
                 fx * x * r4,
                 fx * 2 * x * y,
                 fx * (r2 + 2 * x * x),
                 fx * x * r4 * r2,
                 0,
                 yd,
                 0,
                 1,
                 fy * y * r2,
                 fy * y * r4,
                 fy * (r2 + 2 * y * y),
                 fy * 2 * x * y,
                 fy * y * r4 * r2};
  return out;
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
