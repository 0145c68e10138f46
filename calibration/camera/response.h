// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace fos {

// Linear light, 0 to 1, of a camera's code value. Webcams apply the curve of sRGB, near enough.
// source  IEC 61966-2-1.
inline const std::array<float, 256>& LightOfSrgbCode() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> t{};
    for (std::size_t i = 0; i < t.size(); ++i) {
      const float v = static_cast<float>(i) / 255;
      t[i] = v <= 0.04045F ? v / 12.92F : std::pow((v + 0.055F) / 1.055F, 2.4F);
    }
    return t;
  }();
  return table;
}
// The code value, 0 to 255, of linear light, 0 to 1; light beyond is cut off. Not rounded.
inline double SrgbCodeOfLight(double light) {
  const double l = std::clamp(light, 0.0, 1.0);
  return 255 * (l <= 0.0031308 ? 12.92 * l : 1.055 * std::pow(l, 1 / 2.4) - 0.055);
}

}  // namespace fos
