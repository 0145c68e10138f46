// SPDX-License-Identifier: MIT
#pragma once

namespace fos {

// Six-sided dice by their faces: 1 to 6, or 2 3 3 4 4 5.
enum class DieFaces { kOrdinary, kAverage };

// Whether a die of this kind can show that number.
constexpr bool HasFace(DieFaces kind, int face) {
  return kind == DieFaces::kAverage ? face >= 2 && face <= 5 : face >= 1 && face <= 6;
}

}  // namespace fos
