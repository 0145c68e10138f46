// SPDX-License-Identifier: MIT
#include "vision/change/quiet_gate.h"

#include <algorithm>
#include <array>
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
constexpr std::uint8_t kBlue = 1;
constexpr std::uint8_t kGreen = 6;
constexpr std::uint8_t kRed = 3;
constexpr std::uint32_t kAll = kBlue + kGreen + kRed;

// Of every other row of a block.
// step  bytes from a row to the next but one
std::uint32_t SumOf(const std::uint8_t* bgr, int rows, std::size_t step) {
#if CV_SIMD128
  // A row is three vectors; each begins with another channel.
  static_assert(kWidth_px == cv::v_uint8x16::nlanes);
  constexpr std::size_t kVectors = kChannels;
  static const auto kWeights = [] {
    std::array<std::uint8_t, kChannels * kWidth_px> out{};
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = std::array{kBlue, kGreen, kRed}[i % kChannels];
    return out;
  }();
  std::array<cv::v_uint8x16, kVectors> weights;
  for (std::size_t i = 0; i < kVectors; ++i)
    weights[i] = cv::v_load(kWeights.data() + i * kWidth_px);
  cv::v_uint32x4 sum = cv::v_setzero_u32();
  for (int row = 0; row < rows; ++row, bgr += step)
    for (std::size_t i = 0; i < kVectors; ++i)
      sum = cv::v_dotprod_expand(cv::v_load(bgr + i * kWidth_px), weights[i], sum);
  return cv::v_reduce_sum(sum);
#else
  std::uint32_t sum = 0;
  for (int row = 0; row < rows; ++row, bgr += step)
    for (std::size_t x = 0; x < kChannels * kWidth_px; x += kChannels)
      sum += kBlue * bgr[x] + kGreen * bgr[x + 1] + kRed * bgr[x + 2];
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
  std::uint32_t* to = sums.data();
  for (int y = 0; y < blocks_.height; ++y) {
    // Of a block of an odd number of rows every other row is one less now and then.
    const int first = (y * rows_ + kStep_rows - 1) / kStep_rows * kStep_rows;
    const int rows = ((y + 1) * rows_ - first + kStep_rows - 1) / kStep_rows;
    const auto* pixels = bgr.ptr<std::uint8_t>(first);
    for (int x = 0; x < blocks_.width; ++x, pixels += kChannels * kWidth_px)
      *to++ = SumOf(pixels, rows, kStep_rows * bgr.step[0]);
  }
}

double QuietGate::LargestDifference() const {
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < now_.size(); ++i)
    most = std::max(most, std::max(now_[i], then_[i]) - std::min(now_[i], then_[i]));
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
