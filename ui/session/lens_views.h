// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "calibration/lens/lens_calibration.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"

namespace fos {

// The folder's pictures (PictureFiles), or those in its lens/ folder when it has none.
std::vector<std::filesystem::path> LensPictures(const std::filesystem::path& folder);

// Calibrates the lens from pictures of the ChArUco board.
// errors  kBadFormat: a file is not a picture; those of CalibrateLens, with the folder's name.
Result<LensCalibration> CalibrateFromPictures(const std::vector<std::filesystem::path>& pictures,
                                              const CharucoSpec& board);
// The same with a plain chessboard.
Result<LensCalibration> CalibrateFromPictures(const std::vector<std::filesystem::path>& pictures,
                                              const ChessboardSpec& board);
// The same with a grid of markers.
Result<LensCalibration> CalibrateFromPictures(const std::vector<std::filesystem::path>& pictures,
                                              const MarkerGridSpec& board);

}  // namespace fos
