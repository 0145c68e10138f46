// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <opencv2/core.hpp>
#include <vector>

#include "vision/image/frame.h"

namespace fos {

// Tells when the picture has stopped moving, while there is no known table to compare it with.
// Compares consecutive frames, each way shrunk to an eighth.
class StillPicture {
 public:
  static constexpr int kShrink = 8;

  // least_change  grey levels that two pixels must differ by to count as changed
  explicit StillPicture(double least_change) : least_change_(least_change) {}

  // Takes the next frame.
  void Add(const Frame& frame);
  // How many frames in a row have shown the same picture; at least 1 after a frame was added.
  int Frames() const { return still_steps_ + 1; }
  // Counts from the next frame on.
  void Recount() { still_steps_ = 0; }
  // Whether what lies inside an outline has shown the same for at least that many frames, whatever
  // moves beside it. outline  pixels of the frames, in order round it.
  bool StillInside(const std::vector<cv::Point>& outline, int frames) const;
  // Forgets the frames as well.
  void Reset();

  // Whether something moves over a table that is at rest itself: between the last two frames at
  // least least_px small pixels changed away from edges, while most tiles that have edges stayed
  // as they were. A swinging camera changes nearly all of those tiles.
  bool MovesOverStillTable(double least_px) const;

 private:
  double least_change_;
  std::deque<cv::Mat> thumbnails_;  // CV_8UC1, the last two
  cv::Mat still_frames_;            // CV_16UC1, of each small pixel: frames since it changed
  int still_steps_ = 0;             // from frame to frame without a change
};

}  // namespace fos
