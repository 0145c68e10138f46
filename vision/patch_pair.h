#pragma once

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>

#include "vision/patch.h"

namespace fos {

// A patch before and after, and what changed in it.
struct PatchPair {
  PatchGrid grid;
  cv::Mat before;            // CV_32FC3, brought to the exposure of `after`
  cv::Mat after;             // CV_32FC3
  cv::Mat mask;              // CV_8UC1: where the change is new and still
  double noise = 1;          // grey levels, one sigma
  double picture_ppi = 24;   // pixels an inch of the picture the patch was cut from
  double least_change = 12;  // grey levels
};

// The weakest channel of a colour: high only for what is white.
inline float LeastChannel(const cv::Vec3f& c) { return std::min({c[0], c[1], c[2]}); }
// By how many grey levels two colours differ in the channel where they differ most.
inline float LargestGap(const cv::Vec3f& a, const cv::Vec3f& b) {
  return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])});
}

}  // namespace fos
