#pragma once

#include <filesystem>
#include <vector>

#include "calibration/lens/lens_calibration.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"

namespace fos {

// The pictures in a folder, by name; where it has none, a clip's own views of the board. Empty for
// anything else.
std::vector<std::filesystem::path> LensPictures(const std::filesystem::path& folder);

// The lens from pictures of the ChArUco board on disk.
// errors  kBadFormat: a file that is no picture; those of CalibrateLens, with the folder named.
Result<LensCalibration> CalibrateFromPictures(const std::vector<std::filesystem::path>& pictures,
                                              const CharucoSpec& board);
// The same from pictures of a plain chessboard.
Result<LensCalibration> CalibrateFromPictures(const std::vector<std::filesystem::path>& pictures,
                                              const ChessboardSpec& board);
// The same from pictures of a board of markers.
Result<LensCalibration> CalibrateFromPictures(const std::vector<std::filesystem::path>& pictures,
                                              const MarkerGridSpec& board);

}  // namespace fos
