// SPDX-License-Identifier: MIT
#include "calibration/camera/table_camera.h"

#include <algorithm>
#include <cmath>

#include <opencv2/calib3d.hpp>

namespace fos {
namespace {

struct RayHit {
  Vec2 at;
  double depth = 0;
};

// Where the ray of a pixel meets the level z = height_in; empty when it does not.
std::optional<RayHit> Meet(const cv::Matx33d& rotation, const cv::Vec3d& tvec, cv::Vec2d ray,
                           double height_in) {
  const cv::Vec3d direction = rotation.t() * cv::Vec3d(ray[0], ray[1], 1);
  const cv::Vec3d centre = -(rotation.t() * tvec);
  constexpr double kParallel = 1e-9;
  if (std::abs(direction[2]) < kParallel) return std::nullopt;
  const double depth = (height_in - centre[2]) / direction[2];
  if (depth <= 0) return std::nullopt;
  return RayHit{{centre[0] + depth * direction[0], centre[1] + depth * direction[1]}, depth};
}

}  // namespace

TableCamera MakeTableCamera(const CameraModel& lens, const cv::Vec3d& rvec, const cv::Vec3d& tvec,
                            const cv::Matx66d& pose_covariance) {
  TableCamera camera;
  camera.lens = lens;
  camera.rvec = rvec;
  camera.tvec = tvec;
  camera.pose_covariance = pose_covariance;
  cv::Rodrigues(rvec, camera.rotation);
  return camera;
}

TableCamera Cropped(const TableCamera& camera, const cv::Rect& part) {
  TableCamera out = camera;
  out.lens.width_px = part.width;
  out.lens.height_px = part.height;
  out.lens.cx_px -= part.x;
  out.lens.cy_px -= part.y;
  return out;
}

cv::Vec3d CameraCentre(const TableCamera& camera) { return -(camera.rotation.t() * camera.tvec); }

ImagePoint ImageFromTable(const TableCamera& camera, Vec2 at, double height_in) {
  const cv::Vec3d p = camera.rotation * cv::Vec3d(at.x, at.y, height_in) + camera.tvec;
  FOS_CHECK(p[2] > 0);
  return Distort(camera.lens, p[0] / p[2], p[1] / p[2]);
}

double PixelsPerInch(const TableCamera& camera, Vec2 at, double height_in) {
  constexpr double kStep_in = 0.01;
  const ImagePoint o = ImageFromTable(camera, at, height_in);
  const ImagePoint e = ImageFromTable(camera, at + Vec2{kStep_in, 0}, height_in);
  const ImagePoint n = ImageFromTable(camera, at + Vec2{0, kStep_in}, height_in);
  const double area = (e.x_px - o.x_px) * (n.y_px - o.y_px) - (n.x_px - o.x_px) * (e.y_px - o.y_px);
  return std::sqrt(std::abs(area)) / kStep_in;
}

Result<TablePoint> TableFromImage(const TableCamera& camera, ImagePoint at, double height_in,
                                  double sigma_px) {
  const std::optional<cv::Vec2d> ray = Undistort(camera.lens, at);
  if (!ray) return Error{ErrorCode::kDegenerate, "no ray of the lens falls on that pixel"};
  const std::optional<RayHit> hit = Meet(camera.rotation, camera.tvec, *ray, height_in);
  if (!hit) return Error{ErrorCode::kDegenerate, "the ray of that pixel does not meet the table"};
  TablePoint out{hit->at, {}};

  const auto add = [&out](Vec2 derivative, double variance) {
    out.cov = out.cov + variance * Cov2{derivative.x * derivative.x, derivative.x * derivative.y,
                                        derivative.y * derivative.y};
  };
  if (sigma_px > 0) {
    constexpr double kStep_px = 0.01;
    for (const auto& [dx, dy] : {std::pair{kStep_px, 0.0}, std::pair{0.0, kStep_px}}) {
      const auto moved = Undistort(camera.lens, {at.x_px + dx, at.y_px + dy});
      const auto there = moved ? Meet(camera.rotation, camera.tvec, *moved, height_in) : hit;
      if (there) add((there->at - hit->at) / kStep_px, sigma_px * sigma_px);
    }
  }
  if (camera.pose_covariance != cv::Matx66d::zeros()) {
    constexpr double kStep = 1e-5;
    std::array<Vec2, 6> derivative;
    for (int i = 0; i < 6; ++i) {
      cv::Vec3d rvec = camera.rvec;
      cv::Vec3d tvec = camera.tvec;
      (i < 3 ? rvec[i] : tvec[i - 3]) += kStep;
      cv::Matx33d rotation = camera.rotation;
      if (i < 3) cv::Rodrigues(rvec, rotation);
      const auto there = Meet(rotation, tvec, *ray, height_in);
      if (there) derivative[static_cast<std::size_t>(i)] = (there->at - hit->at) / kStep;
    }
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) {
        const Vec2 a = derivative[static_cast<std::size_t>(i)];
        const Vec2 b = derivative[static_cast<std::size_t>(j)];
        const double c = camera.pose_covariance(i, j);
        out.cov = out.cov + Cov2{c * a.x * b.x, c * 0.5 * (a.x * b.y + a.y * b.x), c * a.y * b.y};
      }
    }
    if (camera.lens_covariance != LensMat::zeros()) {
      // The pixel stays where it is, so the ray gives way to the lens.
      const DistortDerivative by = DerivativeOf(camera.lens, (*ray)[0], (*ray)[1]);
      const cv::Matx<double, 2, 9> ray_by_lens = -1.0 * (by.by_ray.inv() * by.by_lens);
      cv::Matx22d at_by_ray;
      for (int axis = 0; axis < 2; ++axis) {
        constexpr double kStepRay = 1e-6;
        cv::Vec2d moved = *ray;
        moved[axis] += kStepRay;
        const auto there = Meet(camera.rotation, camera.tvec, moved, height_in);
        if (!there) continue;
        at_by_ray(0, axis) = (there->at.x - hit->at.x) / kStepRay;
        at_by_ray(1, axis) = (there->at.y - hit->at.y) / kStepRay;
      }
      const cv::Matx<double, 2, 9> by_lens = at_by_ray * ray_by_lens;
      cv::Matx<double, 2, 6> by_pose;
      for (int i = 0; i < 6; ++i) {
        by_pose(0, i) = derivative[static_cast<std::size_t>(i)].x;
        by_pose(1, i) = derivative[static_cast<std::size_t>(i)].y;
      }
      const cv::Matx22d cross = by_lens * camera.lens_pose_covariance * by_pose.t();
      const cv::Matx22d sum = by_lens * camera.lens_covariance * by_lens.t() + cross + cross.t();
      out.cov = out.cov + Cov2{sum(0, 0), 0.5 * (sum(0, 1) + sum(1, 0)), sum(1, 1)};
    }
  }
  return out;
}

double CornersApart(const TableCamera& one, const TableCamera& other, const TableFrame& frame) {
  double apart = 0;
  for (const Vec2 corner : frame.Corners()) {
    const auto there = TableFromImage(other, ImageFromTable(one, corner, 0), 0, 0);
    if (!there.ok()) return INFINITY;
    apart = std::max(apart, Distance(there->at, corner));
  }
  return apart;
}

}  // namespace fos
