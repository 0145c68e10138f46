#pragma once

#include "calibration/camera_model.h"
#include "engine/table/result.h"

namespace fos {

// How far an estimated lens puts the true rays of a picture from where they truly fall.
struct LensScore {
  double raw_rms_px = 0;
  double raw_max_px = 0;
  // After the one turn of all rays that suits the estimate best: a pose found later takes a turn
  // up, so this is what is left on a table.
  double turned_rms_px = 0;
  double turned_max_px = 0;
};

// Over a grid of 33 x 33 pixels that reaches the corners of the picture.
// errors  kBadFormat when the two are of different picture sizes, kDegenerate when the true lens
//         folds over inside the picture.
Result<LensScore> ScoreLens(const CameraModel& truth, const CameraModel& estimate);

}  // namespace fos
