// SPDX-License-Identifier: MIT
#include "vision/pipeline/recent_frames.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "vision/image/row_sums.h"

namespace fos {

cv::Mat RecentFrames::Mean(const cv::Rect& part) const {
  cv::Mat out(part.size(), CV_8UC3);
  const std::vector<std::uint8_t> mean = MeansOf(static_cast<int>(frames_.size()));
  const int wide = part.width * out.channels();
  std::vector<std::uint16_t> sums(static_cast<std::size_t>(wide));
  for (int y = 0; y < part.height; ++y) {
    std::fill(sums.begin(), sums.end(), std::uint16_t{0});
    for (const Frame& frame : frames_)
      AddRow(frame.bgr(part).ptr<std::uint8_t>(y), wide, sums.data());
    std::transform(sums.begin(), sums.end(), out.ptr<std::uint8_t>(y),
                   [&](std::uint16_t sum) { return mean[sum]; });
  }
  return out;
}

}  // namespace fos
