// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/pose_fit.h"
#include "calibration/camera/table_camera.h"
#include "engine/table/result.h"
#include "engine/table/table_frame.h"

// What the ways to register a table share: where the camera may hang, what is known before the
// table is seen, and what one fit is made of.
namespace fos::registration {

// Where the camera may hang, and its lens as far as the table has told it.
struct Pose {
  cv::Vec3d rvec;
  cv::Vec3d tvec;
  CameraModel lens;
};
inline TableCamera CameraOf(const Pose& pose) {
  return MakeTableCamera(pose.lens, pose.rvec, pose.tvec);
}
inline Pose PoseOf(const PoseFit& fit) { return {fit.rvec, fit.tvec, fit.lens}; }
// With its covariances.
TableCamera CameraOf(const PoseFit& fit);

// What is known before the table is seen.
struct Known {
  LensPrior lens;
  std::optional<TapedHeight> height;
  double refocus_sigma = 0;  // as PosePriors

  PosePriors Priors() const {
    PosePriors priors;
    priors.lens = lens;
    priors.refocus_sigma = refocus_sigma;
    priors.height = height;
    return priors;
  }
};

// What one fit is made of.
struct Evidence {
  std::vector<LineSight> sights;
  PosePriors priors;
};
// errors  those of fos::FitPose.
Result<PoseFit> FitPose(Evidence evidence, const Pose& start);

// A first pose from points of the cloth, camera above the table; empty when there is none.
// rays  where the camera sees them, at distance one.
std::optional<Pose> FirstPose(const std::vector<cv::Point3d>& table,
                              const std::vector<cv::Point2d>& rays, const CameraModel& lens);
// The same picture read with the board turned a quarter (square boards) or half a turn.
Pose Turned(const Pose& pose, const TableFrame& frame, int quarters);

// Largest one-sigma error that the pose's covariance allows, inches, over what the picture shows of
// the playing area; infinite where it shows nothing of it or looks away from part of it.
double WorstSigma(const TableCamera& camera, const TableFrame& frame);

}  // namespace fos::registration
