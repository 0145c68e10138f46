// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "calibration/camera/camera_model.h"
#include "calibration/targets/board_corners.h"

namespace fos {

// The views' corners as OpenCV's calibration takes them, a list for each view.
struct BoardPoints {
  std::vector<std::vector<cv::Point3f>> board;  // z = 0
  std::vector<std::vector<cv::Point2f>> image;
};
BoardPoints PointsOf(const std::vector<BoardView>& views);

struct BoardPose {
  cv::Vec3d rvec;
  cv::Vec3d tvec;
};

struct LensFit {
  CameraModel camera;            // covariance filled in
  std::vector<BoardPose> poses;  // of each view
  std::vector<double> sigma_px;  // of a corner, for each view: blurred and bent ones say less
  double rms_px = 0;             // over all corners that were not thrown out
};

// The most probable lens and poses (MAP): Levenberg-Marquardt with the views eliminated, each view
// weighed by its own residuals, strays by Huber's weights. All numbers of the model are fitted,
// with priors from what lenses commonly are: pixels square to 0.2 %, the axis within 3 % of the
// picture's middle, elements centred (p1, p2 of some 0.002), and each term of the bend no larger
// than in a lens that is true to angles. Where no view shows the board the covariance is that of
// these priors. errors  kDegenerate when the views do not fix a lens. source  Zhang, A flexible new
// technique for camera calibration, PAMI 22 (2000).
Result<LensFit> FitLens(const std::vector<BoardView>& views, cv::Size picture,
                        CameraModel::Lens lens);

// Best pose of a board seen through a known lens.
struct PosedView {
  BoardPose pose;
  double rms_px = 0;                // over the corners, corrected for the six numbers of the pose
  std::vector<double> distance_px;  // of each corner from where the pose puts it
};
Result<PosedView> PoseBoard(const BoardView& view, const CameraModel& camera);

}  // namespace fos
