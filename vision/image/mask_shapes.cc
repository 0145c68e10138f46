// SPDX-License-Identifier: MIT
#include "vision/image/mask_shapes.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace fos {

int PixelsFor(double inches, double px_per_in2) {
  return std::max(1, static_cast<int>(std::lround(inches * std::sqrt(px_per_in2))));
}

cv::Mat Disc(int radius_px) {
  return cv::getStructuringElement(cv::MORPH_ELLIPSE, {2 * radius_px + 1, 2 * radius_px + 1});
}

cv::Mat Grown(const cv::Mat& mask, int by_px) {
  cv::Mat out;
  cv::dilate(mask, out, Disc(by_px), {-1, -1}, 1, cv::BORDER_CONSTANT | cv::BORDER_ISOLATED,
             cv::morphologyDefaultBorderValue());
  return out;
}

bool IsAsWideAs(double inches, const cv::Mat& it, double px_per_in2) {
  cv::Mat wide;
  cv::erode(it, wide, Disc(PixelsFor(inches / 2, px_per_in2)));
  return cv::countNonZero(wide) > 0;
}

cv::Rect Widened(const cv::Rect& rect, int margin_px, cv::Size picture) {
  return cv::Rect(rect.x - margin_px, rect.y - margin_px, rect.width + 2 * margin_px,
                  rect.height + 2 * margin_px) &
         cv::Rect({}, picture);
}

}  // namespace fos
