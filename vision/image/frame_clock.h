// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace fos {

// Gives each frame of a recording its time in seconds from the first one, from the time stamps of
// its container. It follows frames that come late or are left out. Where the stamps stand still, go
// back or are missing, it goes on at the nominal rate.
class FrameClock {
 public:
  // fps  the nominal rate, above 0.
  explicit FrameClock(double fps) : period_s_(1 / fps) {}
  // stamp_s  of the next frame, by the container's own clock; not finite when there is none.
  // Returns more than for the frame before.
  double Next(double stamp_s);

 private:
  double period_s_;
  bool running_ = false;
  double stamp_s_ = 0;   // of the frame before
  double offset_s_ = 0;  // time = stamp + offset
  double time_s_ = 0;    // of the frame before
  // Containers round stamps, mostly to a millisecond. So time is counted in periods from here for
  // as long as the stamps agree with that.
  double counted_from_s_ = 0;
  std::int64_t counted_ = 0;
};

}  // namespace fos
