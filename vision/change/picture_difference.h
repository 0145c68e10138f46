// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>

namespace fos {

// The largest channel difference of the means of 3 x 3 pixels of two pictures: what is noise in
// them cancels.
// a, b  CV_8UC3, of one size
// out   CV_8UC1; written over where it has the size already
void Difference(const cv::Mat& a, const cv::Mat& b, cv::Mat& out);
cv::Mat Difference(const cv::Mat& a, const cv::Mat& b);

}  // namespace fos
