// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <opencv2/core/hal/intrin.hpp>

// Four neighbouring pixels of a row at once, by OpenCV's universal intrinsics. Each value is what
// one pixel alone would come to, to the last bit.
namespace fos {

using Four = cv::v_float32x4;
inline constexpr int kAtOnce = 4;

inline Four AllFour(float value) { return cv::v_setall_f32(value); }
inline Four FourOf(const std::array<double, kAtOnce>& values) {
  return cv::v_cvt_f32(cv::v_load(values.data()), cv::v_load(values.data() + 2));
}
inline std::array<float, kAtOnce> EachOf(const Four& values) {
  std::array<float, kAtOnce> out;
  cv::v_store(out.data(), values);
  return out;
}
// calculate(i)  a pixel's value
template <typename Calculate>
Four FourBy(const Calculate& calculate) {
  return FourOf({calculate(0), calculate(1), calculate(2), calculate(3)});
}

}  // namespace fos
