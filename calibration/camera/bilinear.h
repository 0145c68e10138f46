#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <optional>

namespace fos {

// A CV_8UC3 picture between its pixels, bilinear; empty outside.
// value_of  float of a code value: itself, or its light. It is applied before mixing.
template <typename ValueOf>
std::optional<cv::Vec3f> BilinearAt(const cv::Mat& bgr, double x_px, double y_px,
                                    const ValueOf& value_of) {
  if (!(x_px >= 0 && y_px >= 0 && x_px < bgr.cols - 1 && y_px < bgr.rows - 1)) return std::nullopt;
  const int xi = static_cast<int>(x_px);
  const int yi = static_cast<int>(y_px);
  const float fx = static_cast<float>(x_px - xi);
  const float fy = static_cast<float>(y_px - yi);
  const auto* upper = bgr.ptr<cv::Vec3b>(yi) + xi;
  const auto* lower = bgr.ptr<cv::Vec3b>(yi + 1) + xi;
  cv::Vec3f out;
  for (int k = 0; k < 3; ++k) {
    const float a = value_of(upper[0][k]) * (1 - fx) + value_of(upper[1][k]) * fx;
    const float b = value_of(lower[0][k]) * (1 - fx) + value_of(lower[1][k]) * fx;
    out[k] = a * (1 - fy) + b * fy;
  }
  return out;
}

}  // namespace fos
