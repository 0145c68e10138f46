// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <opencv2/core/hal/intrin.hpp>
#include <opencv2/core/matx.hpp>

// Functions that are called for every pixel of every pose that is tried, looked up in tables.
namespace fos {

// A function looked up between evenly spaced samples.
template <std::size_t kSteps>
class Sampled {
 public:
  template <typename Function>
  Sampled(double low, double high, Function function)
      : low_(static_cast<float>(low)), scale_(static_cast<float>(kSteps / (high - low))) {
    for (std::size_t i = 0; i <= kSteps; ++i) {
      values_[i] = static_cast<float>(
          function(low + (high - low) * static_cast<double>(i) / static_cast<double>(kSteps)));
    }
    values_[kSteps + 1] = values_[kSteps];
  }
  float operator()(float x) const {
    const float at = std::clamp((x - low_) * scale_, 0.F, static_cast<float>(kSteps));
    const auto i = static_cast<std::size_t>(at);
    return values_[i] + (at - static_cast<float>(i)) * (values_[i + 1] - values_[i]);
  }
  // Four at once, each as above.
  cv::v_float32x4 operator()(const cv::v_float32x4& x) const {
    const cv::v_float32x4 at = cv::v_min(
        cv::v_max((x - cv::v_setall_f32(low_)) * cv::v_setall_f32(scale_), cv::v_setzero_f32()),
        cv::v_setall_f32(kSteps));
    const cv::v_int32x4 i = cv::v_trunc(at);
    const cv::v_float32x4 here = cv::v_lut(values_.data(), i);
    const cv::v_float32x4 next = cv::v_lut(values_.data() + 1, i);
    return here + (at - cv::v_cvt_f32(i)) * (next - here);
  }

 private:
  float low_;
  float scale_;
  std::array<float, kSteps + 2> values_{};
};

extern const Sampled<4096> kCodeOfRootOfLight;
extern const Sampled<4096> kBelowSigmas;

// The code value of linear light, 0 to 255 of 0 to 1 (IEC 61966-2-1).
inline double CodeOfLight(double light) {
  // By the square root of light, in which the curve is nearly straight.
  return kCodeOfRootOfLight(std::sqrt(std::max(static_cast<float>(light), 0.F)));
}
// Of three channels.
inline cv::Vec3f CodesOfLight(const cv::v_float32x4& light) {
  std::array<float, 4> codes;
  cv::v_store(codes.data(), kCodeOfRootOfLight(cv::v_sqrt(cv::v_max(light, cv::v_setzero_f32()))));
  return {codes[0], codes[1], codes[2]};
}
// The share of a Gaussian blur that lies below x sigmas.
inline float BelowSigmas(float x) { return kBelowSigmas(x); }

}  // namespace fos
