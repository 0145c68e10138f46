// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <opencv2/core.hpp>
#include <vector>

#include "vision/image/frame.h"
#include "vision/image/veil.h"

namespace fos {

// The last few frames. Their mean is the settled picture: it has less noise than any one of them.
class RecentFrames {
 public:
  // Adds a frame and keeps the last `keep`.
  void Add(const Frame& frame, std::size_t keep) {
    if (frames_.empty()) since_s_ = frame.time_s;
    while (!frames_.empty() && frames_.size() >= keep) frames_.erase(frames_.begin());
    frames_.push_back(frame);
  }
  // Adds a frame and keeps those of the last `span_s` seconds, and at least `least`.
  void AddWithin(const Frame& frame, double span_s, std::size_t least) {
    if (frames_.empty()) since_s_ = frame.time_s;
    while (frames_.size() >= least && frame.time_s - frames_.front().time_s > span_s)
      frames_.erase(frames_.begin());
    frames_.push_back(frame);
  }
  void Clear() { frames_.clear(); }
  // Takes a veil off each of them.
  void TakeOff(const Veil& veil) {
    for (Frame& frame : frames_) frame.bgr = WithoutVeil(frame.bgr, veil);
  }
  bool empty() const { return frames_.empty(); }
  std::size_t size() const { return frames_.size(); }
  const Frame& Oldest() const { return frames_.front(); }
  // Frames a second; 0 where too few tell it.
  double Rate_fps() const {
    if (frames_.size() < 2) return 0;
    const double span_s = frames_.back().time_s - frames_.front().time_s;
    return span_s > 0 ? static_cast<double>(frames_.size() - 1) / span_s : 0;
  }
  // From the first frame that was added after the last Clear to the newest.
  double Watched_s() const { return frames_.empty() ? 0 : frames_.back().time_s - since_s_; }
  const Frame& Newest() const { return frames_.back(); }
  auto begin() const { return frames_.begin(); }
  auto end() const { return frames_.end(); }
  const Frame& BeforeNewest() const { return frames_[frames_.size() - 2]; }  // of at least two

  // CV_8UC3. part: of the whole picture.
  cv::Mat Mean(const cv::Rect& part) const;
  cv::Mat Mean() const { return Mean(cv::Rect({}, frames_.back().bgr.size())); }

 private:
  double since_s_ = 0;
  std::vector<Frame> frames_;  // a handful; takes no memory anew for each
};

}  // namespace fos
