// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>

namespace fos {

// How many pixels of the shrunk picture a length on the table has, at least one.
// px_per_in2  pixels of that picture on a square inch
int PixelsFor(double inches, double px_per_in2);

// What cv::dilate and cv::erode take for so much about each pixel.
cv::Mat Disc(int radius_px);

// A mask, and so much about all that is in it. Of a picture of which it is a part nothing is read.
cv::Mat Grown(const cv::Mat& mask, int by_px);

// Whether something is somewhere as wide as this, inches. What the picture's edge cuts may be
// wider.
// it  CV_8UC1, not 0 where it is
bool IsAsWideAs(double inches, const cv::Mat& it, double px_per_in2);

// A rectangle and so much about it, as far as it is in a picture.
cv::Rect Widened(const cv::Rect& rect, int margin_px, cv::Size picture);

}  // namespace fos
