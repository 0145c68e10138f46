// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>

namespace fos {

// Counts time in pictures of the rate that a source promises. Webcams in the dark deliver fewer,
// and a slow computer takes fewer: each of those counts for several.
class FrameSteps {
 public:
  // Steps a second. Slower sources count as this one: things come to rest no slower before them.
  static double PerSecond(double fps) { return std::max(fps, 15.0); }

  // fps  the promised rate
  explicit FrameSteps(double fps)
      : per_s_(PerSecond(fps)), most_(static_cast<int>(std::ceil(kMost_s * per_s_))) {}

  // From the picture before to this one; 1 for the first.
  // time_s   of this one
  // skipped  pictures between them that showed the same
  int Next(double time_s, int skipped = 0) {
    const double since_s = any_ ? time_s - last_s_ : 0;
    any_ = true;
    last_s_ = time_s;
    const double pictures = 1 + skipped;
    return static_cast<int>(std::clamp(std::round(since_s * per_s_), pictures, pictures * most_));
  }

 private:
  // No picture counts for longer: what has been still for a fifth of a second has been seen still
  // in two more pictures.
  static constexpr double kMost_s = 0.1;

  double per_s_;
  int most_;
  bool any_ = false;
  double last_s_ = 0;  // of the picture before
};

}  // namespace fos
