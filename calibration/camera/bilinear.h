// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <optional>

namespace fos {

// A picture of `Pixel`s, between its pixels, bilinear; empty outside.
// value_of  float of a channel's value: itself, or the light of a code. It is applied before mixing.
template <typename Pixel, typename ValueOf>
std::optional<cv::Vec<float, Pixel::channels>> BilinearAt(const cv::Mat& picture, double x_px,
                                                          double y_px, const ValueOf& value_of) {
  if (!(x_px >= 0 && y_px >= 0 && x_px < picture.cols - 1 && y_px < picture.rows - 1)) {
    return std::nullopt;
  }
  const int xi = static_cast<int>(x_px);
  const int yi = static_cast<int>(y_px);
  const float fx = static_cast<float>(x_px - xi);
  const float fy = static_cast<float>(y_px - yi);
  const auto* upper = picture.ptr<Pixel>(yi) + xi;
  const auto* lower = picture.ptr<Pixel>(yi + 1) + xi;
  cv::Vec<float, Pixel::channels> out;
  for (int k = 0; k < Pixel::channels; ++k) {
    const float a = value_of(upper[0][k]) * (1 - fx) + value_of(upper[1][k]) * fx;
    const float b = value_of(lower[0][k]) * (1 - fx) + value_of(lower[1][k]) * fx;
    out[k] = a * (1 - fy) + b * fy;
  }
  return out;
}

// Of a CV_8UC3 and of a CV_8UC1 picture.
template <typename ValueOf>
std::optional<cv::Vec3f> BilinearAt(const cv::Mat& bgr, double x_px, double y_px,
                                    const ValueOf& value_of) {
  return BilinearAt<cv::Vec3b>(bgr, x_px, y_px, value_of);
}
template <typename ValueOf>
std::optional<float> GreyBilinearAt(const cv::Mat& grey, double x_px, double y_px,
                                    const ValueOf& value_of) {
  const auto value = BilinearAt<cv::Vec<std::uint8_t, 1>>(grey, x_px, y_px, value_of);
  return value ? std::optional<float>((*value)[0]) : std::nullopt;
}

}  // namespace fos
