// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace fos::test {

using ColourBlindness = std::array<std::array<double, 3>, 3>;
// Protanopia, deuteranopia, tritanopia at full strength, in linear light.
// source  Machado, Oliveira & Fernandes, IEEE TVCG 15(6), 2009, table 1.
inline constexpr std::array<ColourBlindness, 3> kColourBlind = {
    {{{{0.152286, 1.052583, -0.204868},
       {0.114503, 0.786281, 0.099216},
       {-0.003882, -0.048116, 1.051998}}},
     {{{0.367322, 0.860646, -0.227968},
       {0.280085, 0.672501, 0.047413},
       {-0.011820, 0.042940, 0.968881}}},
     {{{1.255528, -0.076749, -0.178779},
       {-0.078411, 0.930809, 0.147602},
       {0.004733, 0.691367, 0.303900}}}}};

// CIE L*a*b* of a colour as such a player sees it. srgb  red, green, blue, 0 to 1.
inline std::array<double, 3> AsSeen(const std::array<double, 3>& srgb, const ColourBlindness& by) {
  std::array<double, 3> light{};
  for (std::size_t i = 0; i < 3; ++i)
    light[i] = srgb[i] <= 0.04045 ? srgb[i] / 12.92 : std::pow((srgb[i] + 0.055) / 1.055, 2.4);
  std::array<double, 3> seen{};
  for (std::size_t i = 0; i < 3; ++i)
    seen[i] = std::clamp(by[i][0] * light[0] + by[i][1] * light[1] + by[i][2] * light[2], 0.0, 1.0);
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = f((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.9505);
  const double y = f(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]);
  const double z = f((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.089);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

// How different two colours look to such a player: ten is seen at a glance.
inline double DifferenceSeen(const std::array<double, 3>& one, const std::array<double, 3>& other,
                             const ColourBlindness& by) {
  const std::array<double, 3> a = AsSeen(one, by);
  const std::array<double, 3> b = AsSeen(other, by);
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

}  // namespace fos::test
