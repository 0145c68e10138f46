// SPDX-License-Identifier: MIT
#include "vision/change/quiet_gate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <opencv2/core/hal/intrin.hpp>

#include "engine/table/result.h"

namespace fos {
namespace {

constexpr int kWidth_px = 16;  // of a block: a vector of bytes
constexpr int kStep_rows = 2;  // every other row: nothing new is one row high
constexpr std::size_t kChannels = 3;
// Luma as ITU-R BT.601 weighs blue, green and red, to a tenth.
constexpr std::uint32_t kBlue = 1;
constexpr std::uint32_t kGreen = 6;
constexpr std::uint32_t kRed = 3;
constexpr std::uint32_t kAll = kBlue + kGreen + kRed;

// Of a block's row.
std::uint32_t SumOfRow(const std::uint8_t* bgr) {
#if CV_SIMD128
  cv::v_uint8x16 blue;
  cv::v_uint8x16 green;
  cv::v_uint8x16 red;
  cv::v_load_deinterleave(bgr, blue, green, red);
  return kBlue * cv::v_reduce_sum(blue) + kGreen * cv::v_reduce_sum(green) +
         kRed * cv::v_reduce_sum(red);
#else
  std::uint32_t sum = 0;
  for (int x = 0; x < kWidth_px; ++x, bgr += kChannels)
    sum += kBlue * bgr[0] + kGreen * bgr[1] + kRed * bgr[2];
  return sum;
#endif
}

}  // namespace

QuietGate::QuietGate(cv::Size picture, double pixels_per_inch, double least_change)
    : picture_(picture), least_change_(least_change) {
  constexpr double kHeight_in = 0.35;  // less than a shell: it covers a good part of some block
  rows_ = std::clamp(static_cast<int>(std::lround(kHeight_in * pixels_per_inch)), 4, kWidth_px);
  blocks_ = {picture.width / kWidth_px, picture.height / rows_};
  then_.resize(static_cast<std::size_t>(blocks_.area()));
  now_.resize(then_.size());
}

void QuietGate::Measure(const cv::Mat& bgr, std::vector<std::uint32_t>& sums) const {
  FOS_CHECK(bgr.type() == CV_8UC3 && bgr.size() == picture_);
  std::fill(sums.begin(), sums.end(), 0U);
  for (int row = 0; row < blocks_.height * rows_; row += kStep_rows) {
    const auto* pixels = bgr.ptr<std::uint8_t>(row);
    std::uint32_t* to = sums.data() + static_cast<std::size_t>(row / rows_ * blocks_.width);
    for (int block = 0; block < blocks_.width; ++block, pixels += kChannels * kWidth_px)
      to[block] += SumOfRow(pixels);
  }
}

double QuietGate::LargestDifference() const {
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < now_.size(); ++i)
    most = std::max(most, std::max(now_[i], then_[i]) - std::min(now_[i], then_[i]));
  // Of a block of an odd number of rows every other row is one less now and then.
  const int rows = std::max(1, rows_ / kStep_rows);
  return static_cast<double>(most) / (kAll * static_cast<std::uint32_t>(kWidth_px * rows));
}

void QuietGate::Remember(const cv::Mat& bgr) {
  Measure(bgr, now_);
  if (remembered_) {
    // The largest of the last pictures, so that neither a calm moment nor a whole picture of the
    // codec's among them counts for ever.
    constexpr double kForget = 0.97;
    usual_ = std::max(LargestDifference(), kForget * usual_);
    ++learnt_;
  }
  std::swap(then_, now_);
  remembered_ = true;
}

bool QuietGate::ShowsTheSame(const cv::Mat& bgr) {
  constexpr int kLeastLearnt = 10;
  // The largest of ten thousand blocks and of a few dozen pictures is seldom exceeded by as much.
  constexpr double kRoom = 1.25;
  // A thing that covers half a block must show, or the gate is of no use.
  const double most = kRoom * usual_;
  if (!remembered_ || learnt_ < kLeastLearnt || most > 0.5 * least_change_) return false;
  Measure(bgr, now_);
  return LargestDifference() <= most;
}

}  // namespace fos
