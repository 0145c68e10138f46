#pragma once

#include <opencv2/core.hpp>

#include "engine/table/ids.h"

namespace fos {

// One picture of the source.
struct Frame {
  FrameId id;
  double time_s = 0;  // the source's own clock, from its first frame; never the wall clock
  cv::Mat bgr;        // CV_8UC3, not written to after it was handed over
};

}  // namespace fos
