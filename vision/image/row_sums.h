// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace fos {

// Adds a row of bytes to sums of rows, at most 257 of them.
void AddRow(const std::uint8_t* row, int count, std::uint16_t* sums);

// What OpenCV makes of each sum of `count` bytes where it takes their mean: the nearest level, the
// even one of two that are as near. By the sum, to 255 times as much as `count`.
std::vector<std::uint8_t> MeansOf(int count);

}  // namespace fos
