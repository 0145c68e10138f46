// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>

// Which pixels of a row a shape can cover, so that the others need not be looked at.
namespace fos {

// A stretch of a picture's row, pixels; nothing where it ends before it begins.
struct RowPart {
  double from = 1e9;
  double to = -1e9;

  RowPart operator+(double x) const { return {from + x, to + x}; }
  RowPart operator|(const RowPart& other) const {
    return {std::min(from, other.from), std::max(to, other.to)};
  }
  // Whole pixels that hold all of it, of those from `low` to `high`; low + k * stride.
  int First(int low, int high, int stride = 1) const {
    const double at = std::clamp<double>(std::floor(from), low, high + 1);
    return low + (static_cast<int>(at) - low + stride - 1) / stride * stride;
  }
  int Last(int low, int high) const {
    return static_cast<int>(std::clamp<double>(std::ceil(to), low - 1, high));
  }
};

// Of a disc about zero, in the row at y.
inline RowPart InDisc(double radius, double y) {
  const double square = radius * radius - y * y;
  if (square < 0) return {};
  const double half = std::sqrt(square);
  return {-half, half};
}

// Of a rectangle about zero that reaches `along` to both sides in the direction u and `across` to
// both sides of that.
inline RowPart InRectangle(const cv::Point2d& u, double along, double across, double y) {
  RowPart out{-1e9, 1e9};
  // |slope * x + offset| <= reach
  const auto cut = [&](double slope, double offset, double reach) {
    constexpr double kParallel = 1e-6;
    constexpr double kPixel = 1;  // on the safe side
    if (std::abs(slope) < kParallel) {
      if (std::abs(offset) > reach + kPixel) out = {};
      return;
    }
    const double one = (-reach - offset) / slope;
    const double other = (reach - offset) / slope;
    out.from = std::max(out.from, std::min(one, other));
    out.to = std::min(out.to, std::max(one, other));
  };
  cut(u.x, u.y * y, along);
  cut(-u.y, u.x * y, across);
  return out.from <= out.to ? out : RowPart{};
}

}  // namespace fos
