// SPDX-License-Identifier: MIT
#include "vision/image/row_sums.h"

#include <cstddef>
#include <opencv2/core.hpp>
#include <opencv2/core/hal/intrin.hpp>

namespace fos {

void AddRow(const std::uint8_t* row, int count, std::uint16_t* sums) {
  int i = 0;
#if CV_SIMD128
  for (; i + cv::v_uint8x16::nlanes <= count; i += cv::v_uint8x16::nlanes) {
    cv::v_uint16x8 low;
    cv::v_uint16x8 high;
    cv::v_expand(cv::v_load(row + i), low, high);
    cv::v_store(sums + i, cv::v_load(sums + i) + low);
    cv::v_store(sums + i + cv::v_uint16x8::nlanes,
                cv::v_load(sums + i + cv::v_uint16x8::nlanes) + high);
  }
#endif
  for (; i < count; ++i) sums[i] = static_cast<std::uint16_t>(sums[i] + row[i]);
}

std::vector<std::uint8_t> MeansOf(int count) {
  std::vector<std::uint8_t> out(static_cast<std::size_t>(255 * count + 1));
  for (std::size_t sum = 0; sum < out.size(); ++sum)
    out[sum] =
        cv::saturate_cast<std::uint8_t>(static_cast<float>(sum) * static_cast<float>(1.0 / count));
  return out;
}

}  // namespace fos
