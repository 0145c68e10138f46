// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace fos {

// The value below which `share` of the values lie, linearly interpolated: 0.5 is the median, 1 the
// maximum. Empty if there are no values.
inline std::optional<double> Quantile(std::vector<double> values, double share) {
  if (values.empty()) return std::nullopt;
  const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::ptrdiff_t>(at);
  std::nth_element(values.begin(), values.begin() + below, values.end());
  const double low = values[static_cast<std::size_t>(below)];
  const double part = at - static_cast<double>(below);
  if (part <= 0) return low;
  return low + part * (*std::min_element(values.begin() + below + 1, values.end()) - low);
}

// The middle one of the values, the upper of two; reorders them. For large samples of one type,
// where interpolation gains nothing. There must be some.
template <typename T>
T UpperMedian(std::vector<T>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace fos
