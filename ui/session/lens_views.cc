// SPDX-License-Identifier: MIT
#include "ui/session/lens_views.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <system_error>

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

std::vector<fs::path> PictureFiles(const fs::path& folder) {
  constexpr std::array<std::string_view, 3> kEndings = {".jpg", ".jpeg", ".png"};
  std::vector<fs::path> pictures;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    std::string ending = it->path().extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool picture = std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
    std::error_code unknown;
    if (picture && fs::is_regular_file(it->path(), unknown)) pictures.push_back(it->path());
  }
  std::sort(pictures.begin(), pictures.end());
  return pictures;
}

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
