// SPDX-License-Identifier: MIT
#include "ui/session/lens_views.h"

#include <string>

#include <fmt/format.h>

#include <opencv2/imgcodecs.hpp>

#include "vision/image/picture_file.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

Result<std::vector<LensView>> Load(const std::vector<fs::path>& pictures) {
  std::vector<LensView> views;
  for (const fs::path& path : pictures) {
    const cv::Mat grey = ReadPicture(path, cv::IMREAD_GRAYSCALE | cv::IMREAD_IGNORE_ORIENTATION);
    if (grey.empty()) {
      return Error{ErrorCode::kBadFormat,
                   fmt::format("{}: cannot be read as a picture; take the view again or remove "
                               "the file",
                               path.string())};
    }
    views.push_back({path.filename().string(), grey});
  }
  return views;
}

template <typename Board>
Result<LensCalibration> Calibrate(const std::vector<fs::path>& pictures, const Board& board) {
  const auto views = Load(pictures);
  if (!views.ok()) return views.error();
  auto lens = CalibrateLens(*views, board);
  if (lens.ok() || pictures.empty()) return lens;
  return Error{lens.error().code, fmt::format("{}: {}", pictures.front().parent_path().string(),
                                              lens.error().message)};
}

}  // namespace

std::vector<std::filesystem::path> LensPictures(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> pictures = PictureFiles(folder);
  return pictures.empty() ? PictureFiles(folder / "lens") : pictures;
}

Result<LensCalibration> CalibrateFromPictures(const std::vector<fs::path>& pictures,
                                              const CharucoSpec& board) {
  return Calibrate(pictures, board);
}

Result<LensCalibration> CalibrateFromPictures(const std::vector<fs::path>& pictures,
                                              const ChessboardSpec& board) {
  return Calibrate(pictures, board);
}

Result<LensCalibration> CalibrateFromPictures(const std::vector<fs::path>& pictures,
                                              const MarkerGridSpec& board) {
  return Calibrate(pictures, board);
}

}  // namespace fos
