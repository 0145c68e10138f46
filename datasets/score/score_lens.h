// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "calibration/camera/camera_model.h"
#include "calibration/lens/lens_calibration.h"
#include "engine/table/result.h"

namespace fos {

// How far an estimated lens puts the true rays of a picture from where they truly fall.
struct LensScore {
  double raw_rms_px = 0;
  double raw_max_px = 0;
  // After the rotation of all rays that suits the estimate best: a pose found later absorbs a
  // rotation, so this error is what remains on a table.
  double turned_rms_px = 0;
  double turned_max_px = 0;
};

// Over a grid of 33 x 33 pixels that reaches the corners of the picture.
// errors  kBadFormat when the two are of different picture sizes, kDegenerate when the true lens
//         folds over inside the picture.
Result<LensScore> ScoreLens(const CameraModel& truth, const CameraModel& estimate);

// One camera's views of the board, calibrated from and scored.
struct LensSetScore {
  std::string name;
  std::string error;  // why it could not be
  LensScore lens;
  double held_out_rms_px = 0;  // as the calibration itself says
  int views_used = 0;
  int views_left_out = 0;
  int bad_views_used = 0;  // of those that are bad on purpose
};

// Calibrates from lens/ of every folder below root that holds a truth_camera.yaml, in the order of
// paths; empty when there is none. The board is that of the folder's own table.toml, or the
// contract's (section 2.1) where it has none.
std::vector<LensSetScore> ScoreLensSets(const std::filesystem::path& root);

// A folder of views with the lens that took them: it holds truth_camera.yaml.
bool IsLensSet(const std::filesystem::path& folder);
// The board of such a set.
// errors  those of ReadTable.
Result<CharucoSpec> BoardOfLensSet(const std::filesystem::path& set);

// The pictures of a folder in the order of their names, grey; other files are passed over.
std::vector<LensView> ReadGreyViews(const std::filesystem::path& folder);

}  // namespace fos
