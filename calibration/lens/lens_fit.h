#pragma once

#include <vector>

#include "calibration/camera/camera_model.h"
#include "calibration/targets/board_corners.h"

namespace fos {

// How many of a lens's numbers are fitted; the others stay 0.
enum class LensTerms { kK1, kK1K2, kK1K2P1P2, kK1K2P1P2K3, kFisheye };

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

// The lens and the poses that meet all corners best: Levenberg-Marquardt with the views eliminated,
// each view weighed by its own residuals, strays by Huber's weights. Beyond what is seen it holds
// that pixels are square to 0.2 %, that the axis passes within 2 % of the picture's middle and that
// elements are centred (p1, p2 of some 0.001), as makers manage.
// errors  kDegenerate when the views do not fix a lens.
// source  Zhang, A flexible new technique for camera calibration, PAMI 22 (2000).
Result<LensFit> FitLens(const std::vector<BoardView>& views, cv::Size picture, LensTerms terms);

// Best pose of a board seen through a known lens, and its rms in pixels per coordinate pair.
struct PosedView {
  BoardPose pose;
  double rms_px = 0;
};
Result<PosedView> PoseBoard(const BoardView& view, const CameraModel& camera);

}  // namespace fos
