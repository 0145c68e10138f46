// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "vision/image/frame.h"

// What lamps, cameras, recorders and people do to the pictures of a table.
namespace fos::test {

// One fault, from from_s to to_s of the recording's time.
struct ViewFault {
  std::string name;
  // What becomes of a frame: any number of frames, whose ids are set later. Where they last longer
  // than the frame, what follows comes later.
  // since_s  of the fault's beginning
  std::function<std::vector<Frame>(const Frame& frame, double since_s)> apply;
};

// All of them, each by a name such as "flicker_12". Fixed seeds: the same frames each time.
std::vector<std::string> ViewFaultNames();
// FOS_CHECKs that the name is one of them.
ViewFault MakeViewFault(const std::string& name);

// Applies a fault to frame after frame, and numbers what comes out.
class FaultyView {
 public:
  FaultyView(const std::string& fault, double from_s, double to_s);
  // The frames that come instead of this one.
  std::vector<Frame> Take(const Frame& frame);

 private:
  ViewFault fault_;
  double from_s_;
  double to_s_;
  std::int64_t next_ = 0;
  double late_s_ = 0;
};

}  // namespace fos::test
