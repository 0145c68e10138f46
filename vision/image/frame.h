// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>

#include "engine/table/ids.h"

namespace fos {

// One picture of the source.
struct Frame {
  FrameId id;
  // From the first frame: the clock of a recording; a camera has none, so when the picture came.
  double time_s = 0;
  cv::Mat bgr;  // CV_8UC3, not written to after it was handed over
};

}  // namespace fos
