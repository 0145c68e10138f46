// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <opencv2/core.hpp>

#include "calibration/camera/camera_model.h"
#include "engine/files/whole_file.h"

namespace fos {
namespace {

// A camera.yaml holds a few dozen numbers; anything much larger is another file.
constexpr std::uintmax_t kLargestFile_bytes = 1 << 20;
// From a postage stamp to beyond any camera on sale.
constexpr int kSmallestSide_px = 16;
constexpr int kLargestSide_px = 20000;
// Focal length over the longer side: 0.1 is a view of 157 degrees, 100 one of half a degree.
constexpr double kShortestFocal = 0.1;
constexpr double kLongestFocal = 100.0;

// What is wrong with the file, thrown inside this file only and handed out as an Error.
struct Refusal : std::runtime_error {
  Refusal(ErrorCode code_in, const std::string& what) : std::runtime_error(what), code(code_in) {}
  ErrorCode code;
};

double Number(const cv::FileNode& node, const std::string& key) {
  if (!node.isInt() && !node.isReal()) {
    throw Refusal(ErrorCode::kBadFormat, fmt::format("{} should be a number", key));
  }
  const double value = static_cast<double>(node);
  if (!std::isfinite(value)) {
    throw Refusal(ErrorCode::kOutOfRange, fmt::format("{} is not a finite number", key));
  }
  return value;
}

int Side(const cv::FileStorage& file, const std::string& key) {
  const cv::FileNode node = file[key];
  if (node.empty()) throw Refusal(ErrorCode::kBadFormat, fmt::format("{} is missing", key));
  if (!node.isInt()) {
    throw Refusal(ErrorCode::kBadFormat, fmt::format("{} should be a whole number", key));
  }
  const int value = static_cast<int>(node);
  if (value < kSmallestSide_px || value > kLargestSide_px) {
    throw Refusal(ErrorCode::kOutOfRange, fmt::format("{} is {}, should be {} to {} pixels", key,
                                                      value, kSmallestSide_px, kLargestSide_px));
  }
  return value;
}

struct Numbers {
  int rows = 0;
  int cols = 0;
  std::vector<double> data;
};

// An opencv-matrix, or a plain list of numbers. Read number by number: the sizes a hostile file
// states are never believed before they are checked.
Numbers MatrixOf(const cv::FileNode& node, const std::string& key, std::size_t largest) {
  if (node.empty()) throw Refusal(ErrorCode::kBadFormat, fmt::format("{} is missing", key));
  Numbers out;
  cv::FileNode list = node;
  if (node.isMap()) {
    out.rows = static_cast<int>(Number(node["rows"], key + ".rows"));
    out.cols = static_cast<int>(Number(node["cols"], key + ".cols"));
    list = node["data"];
  }
  if (!list.isSeq()) {
    throw Refusal(ErrorCode::kBadFormat, fmt::format("{} should be a matrix of numbers", key));
  }
  if (list.size() > largest) {
    throw Refusal(ErrorCode::kBadFormat, fmt::format("{} has {} numbers, at most {} make sense",
                                                     key, list.size(), largest));
  }
  for (const cv::FileNode& number : list) out.data.push_back(Number(number, key));
  if (!node.isMap()) {
    out.rows = 1;
    out.cols = static_cast<int>(out.data.size());
  }
  if (out.rows < 0 || out.cols < 0 ||
      static_cast<std::size_t>(out.rows) * static_cast<std::size_t>(out.cols) != out.data.size()) {
    throw Refusal(ErrorCode::kBadFormat, fmt::format("{} says {} x {} but holds {} numbers", key,
                                                     out.rows, out.cols, out.data.size()));
  }
  return out;
}

// Numbers that no lens has.
void CheckLens(const CameraModel& camera) {
  const double side = std::max(camera.width_px, camera.height_px);
  for (const auto& [name, f] : {std::pair{"fx", camera.fx_px}, std::pair{"fy", camera.fy_px}}) {
    if (f < kShortestFocal * side || f > kLongestFocal * side) {
      throw Refusal(ErrorCode::kOutOfRange,
                    fmt::format("camera_matrix: {} is {:g} px, no lens of a {} px picture has that",
                                name, f, side));
    }
  }
  // A centre out of the picture is a file of another size.
  if (camera.cx_px < 0 || camera.cx_px > camera.width_px || camera.cy_px < 0 ||
      camera.cy_px > camera.height_px) {
    throw Refusal(ErrorCode::kOutOfRange,
                  fmt::format("camera_matrix: the centre ({:g}, {:g}) is out of the picture",
                              camera.cx_px, camera.cy_px));
  }
  // A lens sees something in every corner of its own picture. Where the polynomial folds over, it
  // does not, and the numbers belong to no lens.
  const double right = camera.width_px - 1;
  const double bottom = camera.height_px - 1;
  for (const ImagePoint at : {ImagePoint{0, 0},
                              {right, 0},
                              {0, bottom},
                              {right, bottom},
                              {right / 2, 0},
                              {right / 2, bottom},
                              {0, bottom / 2},
                              {right, bottom / 2}}) {
    if (!Undistort(camera, at)) {
      throw Refusal(
          ErrorCode::kOutOfRange,
          fmt::format("distortion_coefficients: the lens folds over at pixel ({:.0f}, {:.0f})",
                      at.x_px, at.y_px));
    }
  }
}

void ReadIntrinsics(const cv::FileStorage& file, CameraModel& camera) {
  const Numbers m = MatrixOf(file["camera_matrix"], "camera_matrix", 9);
  if (m.rows != 3 || m.cols != 3) {
    throw Refusal(ErrorCode::kBadFormat,
                  fmt::format("camera_matrix is {} x {}, should be 3 x 3", m.rows, m.cols));
  }
  camera.fx_px = m.data[0];
  camera.cx_px = m.data[2];
  camera.fy_px = m.data[4];
  camera.cy_px = m.data[5];
  constexpr double kNoSkew = 1e-6;
  const double side = std::max(camera.width_px, camera.height_px);
  if (std::abs(m.data[1]) > kNoSkew * side || std::abs(m.data[3]) > kNoSkew * side ||
      m.data[6] != 0 || m.data[7] != 0 || m.data[8] != 1) {
    throw Refusal(ErrorCode::kBadFormat, "camera_matrix should be [fx 0 cx; 0 fy cy; 0 0 1]");
  }
}

void ReadDistortion(const cv::FileStorage& file, CameraModel& camera) {
  const std::string key = "distortion_coefficients";
  constexpr std::size_t kMostOfOpenCv = 14;
  const Numbers d = MatrixOf(file[key], key, kMostOfOpenCv);
  if (d.data.size() < 4) {
    throw Refusal(ErrorCode::kBadFormat,
                  fmt::format("{} has {} numbers, should have 4 or 5", key, d.data.size()));
  }
  for (std::size_t i = 0; i < d.data.size(); ++i) {
    if (i < camera.distortion.size()) {
      camera.distortion[i] = d.data[i];
    } else if (d.data[i] != 0) {
      throw Refusal(
          ErrorCode::kUnsupported,
          fmt::format("{}: only k1 k2 p1 p2 k3 can be used, number {} is not 0", key, i + 1));
    }
  }
  if (camera.lens == CameraModel::Lens::kFisheye && camera.distortion[4] != 0) {
    throw Refusal(ErrorCode::kBadFormat, key + ": a fisheye lens has 4 numbers");
  }
}

void CheckCovariance(const LensMat& covariance) {
  for (int i = 0; i < 9; ++i) {
    if (covariance(i, i) < 0) {
      throw Refusal(ErrorCode::kOutOfRange, "covariance has a variance below 0");
    }
    for (int j = 0; j < i; ++j) {
      const double bound = std::sqrt(covariance(i, i) * covariance(j, j));
      const double slack = 1e-9 + 1e-6 * bound;
      if (std::abs(covariance(i, j) - covariance(j, i)) > slack ||
          std::abs(covariance(i, j)) > bound + slack) {
        throw Refusal(ErrorCode::kOutOfRange, "covariance is not a covariance");
      }
    }
  }
}

void ReadOurOwn(const cv::FileStorage& file, CameraModel& camera) {
  if (const cv::FileNode node = file["rms_px"]; !node.empty()) {
    camera.rms_px = Number(node, "rms_px");
    if (camera.rms_px < 0) throw Refusal(ErrorCode::kOutOfRange, "rms_px is below 0");
  }
  const cv::FileNode node = file["covariance"];
  if (node.empty()) return;
  const Numbers c = MatrixOf(node, "covariance", 81);
  if (c.rows != 9 || c.cols != 9) {
    throw Refusal(ErrorCode::kBadFormat,
                  fmt::format("covariance is {} x {}, should be 9 x 9", c.rows, c.cols));
  }
  cv::Matx<double, 9, 9> covariance;
  std::copy(c.data.begin(), c.data.end(), covariance.val);
  CheckCovariance(covariance);
  camera.covariance = covariance;
}

CameraModel Parse(const std::string& text) {
  const cv::FileStorage file(text, cv::FileStorage::READ | cv::FileStorage::MEMORY);
  if (!file.isOpened()) {
    throw Refusal(ErrorCode::kBadFormat, "not a file of OpenCV's FileStorage");
  }
  CameraModel camera;
  camera.width_px = Side(file, "image_width");
  camera.height_px = Side(file, "image_height");
  if (const cv::FileNode node = file["lens"]; !node.empty()) {
    const std::string lens = node.isString() ? static_cast<std::string>(node) : std::string();
    if (lens == "fisheye") {
      camera.lens = CameraModel::Lens::kFisheye;
    } else if (lens != "brown_conrady") {
      throw Refusal(ErrorCode::kBadFormat, "lens should be \"brown_conrady\" or \"fisheye\"");
    }
  }
  ReadIntrinsics(file, camera);
  ReadDistortion(file, camera);
  CheckLens(camera);
  ReadOurOwn(file, camera);
  return camera;
}

std::string Format(const CameraModel& camera) {
  cv::FileStorage file(".yaml", cv::FileStorage::WRITE | cv::FileStorage::MEMORY);
  file << "image_width" << camera.width_px << "image_height" << camera.height_px;
  file << "camera_matrix" << cv::Mat(camera.Matrix());
  const bool fisheye = camera.lens == CameraModel::Lens::kFisheye;
  file << "lens" << (fisheye ? "fisheye" : "brown_conrady");
  cv::Mat distortion(1, fisheye ? 4 : 5, CV_64F);
  for (int i = 0; i < distortion.cols; ++i) {
    distortion.at<double>(i) = camera.distortion[static_cast<std::size_t>(i)];
  }
  file << "distortion_coefficients" << distortion;
  if (camera.rms_px > 0) file << "rms_px" << camera.rms_px;
  if (camera.covariance) file << "covariance" << cv::Mat(*camera.covariance);
  return file.releaseAndGetString();
}

// OpenCV's parsers of YAML, JSON and XML recurse for each level. A camera file has three.
bool NestsTooDeep(std::string_view text) {
  constexpr int kMostLevels = 32;
  constexpr std::size_t kMostIndent = 200;
  int brackets = 0;
  int tags = 0;
  int dashes = 0;          // lists that begin in this line: "- - 1"
  std::size_t indent = 0;  // of this line
  bool at_start = true;    // of this line
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\n') {
      dashes = 0;
      indent = 0;
      at_start = true;
      continue;
    }
    if (c == '[' || c == '{') ++brackets;
    if (c == ']' || c == '}') brackets = std::max(brackets - 1, 0);
    if (c == '<') tags += text.substr(at + 1, 1) == "/" ? -1 : 1;
    if (c == '-') ++dashes;
    if (at_start && c == ' ') ++indent;
    if (c != ' ') at_start = false;
    // A line of a matrix holds as many signs as numbers.
    if (brackets > kMostLevels || tags > kMostLevels || indent > kMostIndent) return true;
    if (dashes > kMostLevels && brackets == 0) return true;
  }
  return false;
}

constexpr const char* kMend = "run `fallofshot calibrate lens` to make a new one";

}  // namespace

Status CheckCamera(const CameraModel& camera) {
  try {
    CheckLens(camera);
    if (camera.covariance) CheckCovariance(*camera.covariance);
    return Ok();
  } catch (const Refusal& refusal) {
    return Error{refusal.code, refusal.what()};
  }
}

Result<CameraModel> ReadCamera(const std::filesystem::path& path) {
  std::error_code missing;
  if (!std::filesystem::is_regular_file(path, missing)) {
    return Error{ErrorCode::kNotFound, fmt::format("{}: no such file; {}", path.string(), kMend)};
  }
  const std::uintmax_t size = std::filesystem::file_size(path, missing);
  if (missing || size > kLargestFile_bytes) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{}: too large for a camera file; {}", path.string(), kMend)};
  }
  std::ifstream in(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(size), '\0');
  in.read(text.data(), static_cast<std::streamsize>(size));
  if (!in) {
    return Error{ErrorCode::kIo,
                 fmt::format("{}: cannot be read; check the permissions", path.string())};
  }
  // FileStorage takes YAML with its header, XML and JSON; it asserts on anything else.
  const bool known =
      text.starts_with("%YAML") || text.starts_with("<?xml") || text.starts_with("{");
  if (!known || text.find('\0') != std::string::npos) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{}: line 1: should be %YAML:1.0, as OpenCV's FileStorage writes; {}",
                             path.string(), kMend)};
  }
  if (NestsTooDeep(text)) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{}: nested deeper than any camera file; {}", path.string(), kMend)};
  }
  try {
    return Parse(text);
  } catch (const Refusal& refusal) {
    return Error{refusal.code, fmt::format("{}: {}; {}", path.string(), refusal.what(), kMend)};
  } catch (const cv::Exception& e) {
    std::string why = e.err.empty() ? std::string("broken") : e.err;
    why = why.substr(0, why.find('\n'));
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{}: not readable as YAML ({}); {}", path.string(), why, kMend)};
  } catch (const std::exception&) {
    // OpenCV's parser asks for texts of impossible lengths.
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{}: not readable as YAML; {}", path.string(), kMend)};
  }
}

Status WriteCamera(const CameraModel& camera, const std::filesystem::path& path) try {
  const std::string text = Format(camera);
  try {
    Parse(text);
  } catch (const Refusal& refusal) {
    return Error{refusal.code, fmt::format("{}: not written, it could not be read again: {}",
                                           path.string(), refusal.what())};
  }
  return WriteWholeFile(path, text);
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kIo, fmt::format("{}: cannot be written: {}", path.string(), e.err)};
}

}  // namespace fos
