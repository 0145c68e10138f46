// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <opencv2/core/mat.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/scenario.h"

namespace fos {

// Exposure and focus as one picture shows them.
struct PictureHints {
  double burnt = 0;   // share of the pixels that are saturated in every channel
  double dark = 0;    // share in which no channel is light enough to tell paints by
  double bright = 0;  // the lightest channel of all but the lightest fiftieth of the pixels, [0, 1]
  // Blur of the sharpest edges, one standard deviation; empty if too few edges are seen.
  std::optional<double> blur_px;
};
// bgr    CV_8UC3.
// board  CV_8UC1 of the same size, non-zero where it counts; empty: everywhere.
PictureHints LookAtPicture(const cv::Mat& bgr, const cv::Mat& board = {});

// The camera's pose over a table that was found.
struct ViewHints {
  double height_in = 0;         // of its eye above the cloth
  double tilt_deg = 0;          // of its axis from straight down
  double least_px_per_in = 0;   // at the corner of the board that is farthest off
  int corners_outside = 0;      // of the board, beyond the picture's edge
  int markers_outside = 0;      // a marker's centre likewise
  double share_of_picture = 0;  // that the board covers
  double veil = 0;              // light that the lens scatters over it, of full light (VeilOf)
};
// bgr  CV_8UC3, the whole picture; or empty: nothing is said of a veil.
ViewHints LookAtView(const TableCamera& camera, const TableSpec& table, const cv::Mat& bgr = {});
// Where the board is in the picture: CV_8UC1, 255 on it.
cv::Mat BoardMask(const TableCamera& camera, const TableFrame& frame);

// One line for the players: what is good, what could be better or must be mended, and how.
struct Hint {
  enum class Tone { kGood, kCould, kMust } tone = Tone::kGood;
  std::string text;
};
std::vector<Hint> HintsOf(const PictureHints& picture, const std::optional<ViewHints>& view);

}  // namespace fos
