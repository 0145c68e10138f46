// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace fos {

// A stand on the table by its name: the unit's id, '#', a number from 1 ("F-1L1#3").
struct StandId {
  std::string text;
  friend auto operator<=>(const StandId&, const StandId&) = default;
};

// The n-th shot of a clip or game, from 1.
struct ShotId {
  int number = 0;
  friend auto operator<=>(const ShotId&, const ShotId&) = default;
};

// A frame of the video, from 0.
struct FrameId {
  std::int64_t index = 0;
  friend auto operator<=>(const FrameId&, const FrameId&) = default;
};

}  // namespace fos
