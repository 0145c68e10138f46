// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>

namespace fos {

// A frame's shrunk picture beside the background's, and what it takes to compare them. Holds no
// pixels: for the call only.
struct PicturePair {
  const cv::Mat& now;    // CV_8UC3
  const cv::Mat& known;  // CV_8UC3, of its size, in its own exposure
  cv::Vec3d gain;        // the exposure of the first over the second's, by channel
  double threshold = 0;  // grey levels by which pixels differ that show something else
  double px_per_in2 = 0;
};

}  // namespace fos
