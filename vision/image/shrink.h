// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>

namespace fos {

// The mean of each whole block of `scale` by `scale` pixels, as cv::resize has it with INTER_AREA,
// in a third of the time; the remainder at the right and below is cut off. A part that is shrunk
// alone matches the same part of the whole picture exactly.
// picture  8 bits, one or three channels
// out      is written over where it has the size already; not `picture`
void Shrink(const cv::Mat& picture, int scale, cv::Mat& out);
cv::Mat Shrunk(const cv::Mat& picture, int scale);

}  // namespace fos
