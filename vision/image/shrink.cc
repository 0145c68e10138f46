// SPDX-License-Identifier: MIT
#include "vision/image/shrink.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <opencv2/core/hal/intrin.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "engine/table/result.h"
#include "vision/image/row_sums.h"

namespace fos {
namespace {

// Adds to each value its next scale - 1 of the same channel.
// sums  count values, and as many more as are read beyond them
void AddAcross(int count, int channels, int scale, std::uint16_t* sums) {
  int i = 0;
#if CV_SIMD128
  for (; i < count; i += cv::v_uint16x8::nlanes) {
    cv::v_uint16x8 sum = cv::v_load(sums + i);
    for (int k = 1; k < scale; ++k) sum += cv::v_load(sums + i + channels * k);
    cv::v_store(sums + i, sum);
  }
#endif
  for (; i < count; ++i)
    for (int k = 1; k < scale; ++k)
      sums[i] = static_cast<std::uint16_t>(sums[i] + sums[i + channels * k]);
}

}  // namespace

void Shrink(const cv::Mat& picture, int scale, cv::Mat& out) {
  const int channels = picture.channels();
  FOS_CHECK(picture.depth() == CV_8U && channels <= 3 && scale >= 1);
  if (scale == 1) {
    picture.copyTo(out);
    return;
  }
  const cv::Size small{picture.cols / scale, picture.rows / scale};
  // OpenCV rounds halves of four pixels up; more than 16 by 16 need wider sums.
  constexpr int kLeast = 3;
  constexpr int kMost = 16;
  if (scale < kLeast || scale > kMost) {
    cv::resize(picture({0, 0, small.width * scale, small.height * scale}), out, small, 0, 0,
               cv::INTER_AREA);
    return;
  }
  out.create(small, picture.type());
  const std::vector<std::uint8_t> mean = MeansOf(scale * scale);
  const int wide = small.width * scale * channels;
  constexpr std::size_t kBeyond = 8 + 3 * kMost;
  std::vector<std::uint16_t> sums(static_cast<std::size_t>(wide) + kBeyond);
  for (int y = 0; y < small.height; ++y) {
    std::fill(sums.begin(), sums.end(), std::uint16_t{0});
    for (int k = 0; k < scale; ++k)
      AddRow(picture.ptr<std::uint8_t>(y * scale + k), wide, sums.data());
    AddAcross(wide, channels, scale, sums.data());
    auto* to = out.ptr<std::uint8_t>(y);
    const std::uint16_t* from = sums.data();
    for (int x = 0; x < small.width; ++x, to += channels, from += channels * scale)
      for (int c = 0; c < channels; ++c) to[c] = mean[from[c]];
  }
}

cv::Mat Shrunk(const cv::Mat& picture, int scale) {
  cv::Mat out;
  Shrink(picture, scale, out);
  return out;
}

}  // namespace fos
