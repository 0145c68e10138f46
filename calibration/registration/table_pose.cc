// SPDX-License-Identifier: MIT
#include "calibration/registration/table_pose.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <opencv2/calib3d.hpp>

namespace fos::registration {

TableCamera CameraOf(const PoseFit& fit) {
  TableCamera camera = MakeTableCamera(fit.lens, fit.rvec, fit.tvec, fit.covariance);
  camera.lens_covariance = fit.lens_covariance;
  camera.lens_pose_covariance = fit.lens_pose_covariance;
  return camera;
}

Result<PoseFit> FitPose(Evidence evidence, const Pose& start) {
  evidence.priors.lens_now = start.lens;
  return fos::FitPose(evidence.sights, start.rvec, start.tvec, evidence.priors);
}

std::optional<Pose> FirstPose(const std::vector<cv::Point3d>& table,
                              const std::vector<cv::Point2d>& rays, const CameraModel& lens) {
  std::vector<cv::Mat> rvecs;
  std::vector<cv::Mat> tvecs;
  cv::solvePnPGeneric(table, rays, cv::Matx33d::eye(), cv::noArray(), rvecs, tvecs, false,
                      cv::SOLVEPNP_IPPE);
  for (std::size_t i = 0; i < rvecs.size(); ++i) {  // best first
    Pose pose;
    pose.lens = lens;
    rvecs[i].reshape(1, 3).convertTo(rvecs[i], CV_64F);
    tvecs[i].reshape(1, 3).convertTo(tvecs[i], CV_64F);
    for (int j = 0; j < 3; ++j) {
      pose.rvec[j] = rvecs[i].at<double>(j);
      pose.tvec[j] = tvecs[i].at<double>(j);
    }
    cv::Matx33d rotation;
    cv::Rodrigues(pose.rvec, rotation);
    if (pose.tvec[2] > 0 && rotation(2, 2) < 0) return pose;
  }
  return std::nullopt;
}

Pose Turned(const Pose& pose, const TableFrame& frame, int quarters) {
  cv::Matx33d rotation;
  cv::Rodrigues(pose.rvec, rotation);
  const double angle = quarters * CV_PI / 2;
  const cv::Matx33d turn(std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle), 0,
                         0, 0, 1);
  const double x = quarters == 3 ? 0 : frame.Width();
  const double y = quarters == 1 ? 0 : frame.Depth();
  Pose out = pose;
  if (quarters == 0) return out;
  out.tvec = rotation * cv::Vec3d(x, y, 0) + pose.tvec;
  cv::Rodrigues(rotation * turn, out.rvec);
  return out;
}

double WorstSigma(const TableCamera& camera, const TableFrame& frame) {
  const auto in_picture = [&](ImagePoint p) {
    return p.x_px >= 0 && p.y_px >= 0 && p.x_px <= camera.lens.width_px - 1 &&
           p.y_px <= camera.lens.height_px - 1;
  };
  constexpr int kSteps = 8;  // corners, middles and what lies between them
  double worst = 0;
  bool any = false;
  for (int i = 0; i <= kSteps; ++i) {
    for (int j = 0; j <= kSteps; ++j) {
      const Vec2 at{frame.Width() * i / kSteps, frame.Depth() * j / kSteps};
      const cv::Vec3d p = camera.rotation * cv::Vec3d(at.x, at.y, 0) + camera.tvec;
      if (!(p[2] > 0)) return INFINITY;
      const ImagePoint seen_at = ImageFromTable(camera, at, 0);
      if (!in_picture(seen_at)) continue;
      const auto seen = TableFromImage(camera, seen_at, 0, 0);
      if (!seen.ok()) return INFINITY;
      worst = std::max(worst, RmsSigma(seen->cov));
      any = true;
    }
  }
  return any ? worst : INFINITY;
}

}  // namespace fos::registration
