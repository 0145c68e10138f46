// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <opencv2/core.hpp>

#include "vision/image/frame.h"

namespace fos {

// The last few frames. Their mean is the settled picture: it has less noise than any one of them.
class RecentFrames {
 public:
  // Adds a frame and keeps the last `keep`.
  void Add(const Frame& frame, std::size_t keep) {
    frames_.push_back(frame);
    while (frames_.size() > keep) frames_.pop_front();
  }
  void Clear() { frames_.clear(); }
  bool empty() const { return frames_.empty(); }
  std::size_t size() const { return frames_.size(); }
  const Frame& Oldest() const { return frames_.front(); }
  const Frame& Newest() const { return frames_.back(); }
  const Frame& BeforeNewest() const { return frames_[frames_.size() - 2]; }  // of at least two

  // CV_8UC3. part: of the whole picture.
  cv::Mat Mean(const cv::Rect& part) const;
  cv::Mat Mean() const { return Mean(cv::Rect({}, frames_.back().bgr.size())); }

 private:
  std::deque<Frame> frames_;
};

}  // namespace fos
