#pragma once

#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/camera_model.h"
#include "calibration/targets/board_corners.h"
#include "engine/table/scenario.h"

namespace fos {

struct LensView {
  std::string name;  // file name or frame number, for messages
  cv::Mat grey;      // CV_8UC1
};

struct LensCalibration {
  CameraModel camera;          // rms_px (held out) and covariance filled in
  double fit_rms_px = 0;       // over the views of the fit
  double held_out_rms_px = 0;  // over views left out, by cross-validation
  std::string model;           // which terms the left-out views asked for, "k1 k2 p1 p2"
  std::vector<std::string> used;
  std::vector<std::string> left_out;  // "03.jpg: blurred", one line a view
};

// The lens from views of a ChArUco board, or of a plain chessboard. Bad views (blurred, hardly in
// the picture, not agreeing with the others) are thrown out and named. How many terms the
// distortion has, and whether the lens is a fisheye, is decided on views left out of the fit.
// errors  kNotFound (no board seen), kDegenerate (views that determine nothing: all parallel, too
//         few, a corner of the picture never covered, all blurred), kBadFormat (views of different
//         sizes). The sentence says which views to add.
Result<LensCalibration> CalibrateLens(const std::vector<LensView>& views, const CharucoSpec& board);
Result<LensCalibration> CalibrateLens(const std::vector<LensView>& views,
                                      const ChessboardSpec& board);
Result<LensCalibration> CalibrateLens(const std::vector<LensView>& views,
                                      const MarkerGridSpec& board);

// The same from views whose corners have been found already, in pictures of that size.
Result<LensCalibration> CalibrateLens(const std::vector<BoardView>& views, cv::Size picture);

// What the lens's own covariance leaves wrong at the corners of a table that fills the picture,
// once the pose found later has taken up what it can: root mean square, pixels. 0 without a
// covariance.
double TableErrorOfLens(const CameraModel& camera);

}  // namespace fos
