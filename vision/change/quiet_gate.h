// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <vector>

namespace fos {

// Whether a picture still shows what an earlier one does, told in a fraction of the time that it
// takes to look for what has changed. Compares the mean luma of blocks a good third of an inch high
// and somewhat wider, and learns how much these differ while nothing happens. Says "no" where it is
// not sure: whoever is told "no" looks for himself. Makes no pictures: it needs no memory but what
// it was made with.
class QuietGate {
 public:
  // picture          of all that are compared
  // pixels_per_inch  at the table's middle
  // least_change     grey levels by which what is new differs
  QuietGate(cv::Size picture, double pixels_per_inch, double least_change);

  // Takes this picture for the one that others are compared with. It was looked at, and nothing is
  // new in it. bgr: CV_8UC3.
  void Remember(const cv::Mat& bgr);
  // Whether no block differs from the remembered picture by more than noise and coding make it.
  // False where nothing is remembered, or not enough is known of these. bgr: CV_8UC3.
  bool ShowsTheSame(const cv::Mat& bgr);
  // Something happens.
  void Forget() { remembered_ = false; }

 private:
  // The weighted sums of every other row of each block.
  void Measure(const cv::Mat& bgr, std::vector<std::uint32_t>& sums) const;
  // Of the block that differs most between then_ and now_, grey levels.
  double LargestDifference() const;

  cv::Size picture_;
  double least_change_;
  int rows_;  // of a block
  cv::Size blocks_;
  bool remembered_ = false;
  int learnt_ = 0;    // from how many pictures
  double usual_ = 0;  // the largest difference while nothing happened, grey levels
  std::vector<std::uint32_t> then_;
  std::vector<std::uint32_t> now_;
};

}  // namespace fos
