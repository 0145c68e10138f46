// SPDX-License-Identifier: MIT
#include "vision/image/frame_clock.h"

#include <algorithm>
#include <cmath>

namespace fos {
namespace {

// A longer step is a clock that was set, not a pause between two frames.
constexpr double kLongestStep_s = 3600;

}  // namespace

double FrameClock::Next(double stamp_s) {
  if (!running_) {
    running_ = true;
    stamp_s_ = stamp_s;
    offset_s_ = -stamp_s;
    return time_s_;
  }
  const double due_s = counted_from_s_ + static_cast<double>(++counted_) * period_s_;
  const double step_s = stamp_s - stamp_s_;
  if (!(step_s > 0 && step_s < kLongestStep_s)) offset_s_ = due_s - stamp_s;
  stamp_s_ = stamp_s;
  const double stamped_s = stamp_s + offset_s_;
  // Half a period: beyond it, another frame is nearer to this stamp.
  if (std::abs(stamped_s - due_s) >= period_s_ / 2) {
    constexpr double kLeastStep_s = 1e-3;
    counted_from_s_ = std::max(stamped_s, time_s_ + kLeastStep_s);
    counted_ = 0;
    time_s_ = counted_from_s_;
  } else {
    time_s_ = due_s;
  }
  return time_s_;
}

}  // namespace fos
