// SPDX-License-Identifier: MIT
#pragma once

namespace fos {

// Dice by their faces: 1 to 6; 2 3 3 4 4 5; 1 to 12.
enum class DieFaces { kOrdinary, kAverage, kTwelve };

constexpr int SidesOf(DieFaces kind) { return kind == DieFaces::kTwelve ? 12 : 6; }

// Whether a die of this kind can show that number.
constexpr bool HasFace(DieFaces kind, int face) {
  return kind == DieFaces::kAverage ? face >= 2 && face <= 5 : face >= 1 && face <= SidesOf(kind);
}

}  // namespace fos
