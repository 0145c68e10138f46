#pragma once

#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera_model.h"
#include "engine/table/scenario.h"

namespace fos {

struct LensView {
  std::string name;  // file name or frame number, for messages
  cv::Mat grey;      // CV_8UC1
};

struct LensCalibration {
  CameraModel camera;          // rms_px and covariance filled in
  double fit_rms_px = 0;       // over the views of the fit
  double held_out_rms_px = 0;  // over views left out, by cross-validation
  std::vector<std::string> used;
  std::vector<std::string> left_out;  // "03.jpg: blurred", one line a view
};

// The lens from views of a ChArUco board. Bad views are thrown out and named.
// errors  kNotFound (no board seen), kDegenerate (views that determine nothing: all parallel, too
// few,
//         a corner of the picture never covered), kBadFormat (views of different sizes).
Result<LensCalibration> CalibrateLens(const std::vector<LensView>& views, const CharucoSpec& board);

}  // namespace fos
