// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>

// Draws that come out the same with every standard library; those of <random> do not.
namespace fos {

using Random = std::mt19937;

inline double Uniform(Random& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random()) / 4294967295.0;
}
// A whole number from 0 to count - 1.
inline int Pick(Random& random, int count) {
  return static_cast<int>(random() % static_cast<std::uint32_t>(count));
}
// Approximately normal: the sum of twelve uniform draws.
inline double Normal(Random& random, double sigma) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += Uniform(random, 0, 1);
  return sigma * sum;
}

}  // namespace fos
