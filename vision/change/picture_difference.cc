// SPDX-License-Identifier: MIT
#include "vision/change/picture_difference.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <opencv2/core/hal/intrin.hpp>

namespace fos {

void Difference(const cv::Mat& a, const cv::Mat& b, cv::Mat& out) {
  out.create(a.size(), CV_8UC1);
  const int values = 3 * a.cols;
  // Differences of three rows, the sums of their columns with a pixel's room at both ends, and the
  // sums of nine pixels.
  cv::AutoBuffer<std::int16_t, 16384> buffer(static_cast<std::size_t>(5 * values + 6));
  std::array<std::int16_t*, 3> rows{buffer.data(), buffer.data() + values,
                                    buffer.data() + 2 * values};
  std::int16_t* const columns = buffer.data() + 3 * values + 3;
  std::int16_t* const nine = buffer.data() + 4 * values + 6;
  const auto subtract = [&](int row, std::int16_t* to) {
    row = std::clamp(row, 0, a.rows - 1);
    const auto* pa = a.ptr<std::uint8_t>(row);
    const auto* pb = b.ptr<std::uint8_t>(row);
    for (int i = 0; i < values; ++i) to[i] = static_cast<std::int16_t>(pa[i] - pb[i]);
  };
  subtract(0, rows[0]);
  subtract(0, rows[1]);
  for (int row = 0; row < a.rows; ++row) {
    subtract(row + 1, rows[2]);
    for (int i = 0; i < values; ++i)
      columns[i] = static_cast<std::int16_t>(rows[0][i] + rows[1][i] + rows[2][i]);
    for (int c = 0; c < 3; ++c) {
      columns[c - 3] = columns[c];
      columns[values + c] = columns[values + c - 3];
    }
    for (int i = 0; i < values; ++i)
      nine[i] = static_cast<std::int16_t>(columns[i - 3] + columns[i] + columns[i + 3]);
    auto* po = out.ptr<std::uint8_t>(row);
    int column = 0;
    // A ninth, rounded, as a multiple of 2^-16: exact up to nine times 255.
    constexpr std::uint16_t kNinth = 7282;
    constexpr std::uint16_t kHalf = 4;
#if CV_SIMD128
    const auto eight = [](const std::int16_t* from) {
      cv::v_int16x8 d0, d1, d2;
      cv::v_load_deinterleave(from, d0, d1, d2);
      const cv::v_uint16x8 most = cv::v_max(cv::v_max(cv::v_abs(d0), cv::v_abs(d1)), cv::v_abs(d2));
      return cv::v_mul_hi(most + cv::v_setall_u16(kHalf), cv::v_setall_u16(kNinth));
    };
    for (; column + 16 <= a.cols; column += 16) {
      const std::int16_t* const from = nine + 3 * column;
      cv::v_store(po + column, cv::v_pack(eight(from), eight(from + 24)));
    }
#endif
    for (; column < a.cols; ++column) {
      const std::int16_t* const d = nine + 3 * column;
      const int most = std::max({std::abs(d[0]), std::abs(d[1]), std::abs(d[2])});
      po[column] = static_cast<std::uint8_t>((most + kHalf) * kNinth >> 16);
    }
    std::rotate(rows.begin(), rows.begin() + 1, rows.end());
  }
}

cv::Mat Difference(const cv::Mat& a, const cv::Mat& b) {
  cv::Mat out;
  Difference(a, b, out);
  return out;
}

}  // namespace fos
