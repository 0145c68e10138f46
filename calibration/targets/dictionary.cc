// SPDX-License-Identifier: MIT
#include "calibration/targets/dictionary.h"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace fos {

Result<cv::Ptr<cv::aruco::Dictionary>> DictionaryNamed(const std::string& name) {
  using cv::aruco::PREDEFINED_DICTIONARY_NAME;
  static constexpr std::array<std::pair<const char*, PREDEFINED_DICTIONARY_NAME>, 21> kNames = {{
      {"DICT_4X4_50", cv::aruco::DICT_4X4_50},
      {"DICT_4X4_100", cv::aruco::DICT_4X4_100},
      {"DICT_4X4_250", cv::aruco::DICT_4X4_250},
      {"DICT_4X4_1000", cv::aruco::DICT_4X4_1000},
      {"DICT_5X5_50", cv::aruco::DICT_5X5_50},
      {"DICT_5X5_100", cv::aruco::DICT_5X5_100},
      {"DICT_5X5_250", cv::aruco::DICT_5X5_250},
      {"DICT_5X5_1000", cv::aruco::DICT_5X5_1000},
      {"DICT_6X6_50", cv::aruco::DICT_6X6_50},
      {"DICT_6X6_100", cv::aruco::DICT_6X6_100},
      {"DICT_6X6_250", cv::aruco::DICT_6X6_250},
      {"DICT_6X6_1000", cv::aruco::DICT_6X6_1000},
      {"DICT_7X7_50", cv::aruco::DICT_7X7_50},
      {"DICT_7X7_100", cv::aruco::DICT_7X7_100},
      {"DICT_7X7_250", cv::aruco::DICT_7X7_250},
      {"DICT_7X7_1000", cv::aruco::DICT_7X7_1000},
      {"DICT_ARUCO_ORIGINAL", cv::aruco::DICT_ARUCO_ORIGINAL},
      {"DICT_APRILTAG_16h5", cv::aruco::DICT_APRILTAG_16h5},
      {"DICT_APRILTAG_25h9", cv::aruco::DICT_APRILTAG_25h9},
      {"DICT_APRILTAG_36h10", cv::aruco::DICT_APRILTAG_36h10},
      {"DICT_APRILTAG_36h11", cv::aruco::DICT_APRILTAG_36h11},
  }};
  std::string known;
  for (const auto& [key, id] : kNames) {
    if (name == key) return cv::aruco::getPredefinedDictionary(id);
    known += known.empty() ? key : std::string(", ") + key;
  }
  return Error{ErrorCode::kBadFormat,
               fmt::format("\"{}\" is no marker dictionary; use one of {}", name, known)};
}

}  // namespace fos
