// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>
#include <vector>

namespace fos {

// One connected piece of what has changed in the picture.
struct ChangedComponent {
  int label = 0;
  cv::Rect rect;
  int area_px = 0;
  int board_px = 0;
  int outside_px = 0;      // off the playing area
  int youngest = 255;      // frames since any of it moved, apart from flickering pixels
  int still_frames = 255;  // since it moved as a whole
  int under_hand_px = 0;
  int unseen_px = 0;  // of these, where no hand was seen
  int cut_px = 0;  // at the picture's edge
  bool at_edge = false;
};

// The table was not seen there for a while, but no hand was seen there.
inline constexpr std::uint8_t kUnseen = 128;

// All of one size, CV_8UC1.
struct ChangeMaps {
  const cv::Mat& changed;
  const cv::Mat& board;
  const cv::Mat& age;  // frames since each pixel last moved, at most 255
  const cv::Mat& under_hand;  // kUnseen or 255 where a hand may have been
};

// The connected components of a mask, and their numbers, as cv::connectedComponentsWithStats gives
// them, in the time that the part of the picture takes in which there are any. mask: CV_8UC1.
void LabelComponents(const cv::Mat& mask, cv::Mat& labels, cv::Mat& stats);

// A component's rectangle. stats: of cv::connectedComponentsWithStats
cv::Rect RectOf(const cv::Mat& stats, int label);

// Measures the components of at least least_px changed pixels.
// labels, stats  of cv::connectedComponentsWithStats
std::vector<ChangedComponent> MeasureComponents(const cv::Mat& labels, const cv::Mat& stats,
                                                const ChangeMaps& maps, double least_px);

}  // namespace fos
