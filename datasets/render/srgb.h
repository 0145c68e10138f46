// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>

#include <opencv2/core.hpp>

#include "engine/table/scenario.h"

// The transfer function of sRGB. source  IEC 61966-2-1:1999, 5.2
namespace fos {

// value  0 to 1 of a picture's level; light of the same range comes back.
inline double LightOfSrgb(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}
inline double SrgbOfLight(double light) {
  return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}
// Blue, green, red.
inline cv::Vec3f LightOfSrgb(Colour c) {
  return {static_cast<float>(LightOfSrgb(c.b / 255.0)),
          static_cast<float>(LightOfSrgb(c.g / 255.0)),
          static_cast<float>(LightOfSrgb(c.r / 255.0))};
}
// The same of 8-bit values.
inline cv::Vec3f PaintOf(int r, int g, int b) {
  return LightOfSrgb(
      {static_cast<std::uint8_t>(r), static_cast<std::uint8_t>(g), static_cast<std::uint8_t>(b)});
}

}  // namespace fos
