// SPDX-License-Identifier: MIT
#include "ui/window/overlay_layer.h"

#include <utility>

namespace fos {

void OverlayLayer::Take(std::vector<std::uint8_t> bgra, int width, int height) {
  Clear();
  const auto pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  if (width <= 0 || height <= 0 || bgra.size() != 4 * pixels) return;
  pixels_ = std::move(bgra);
  width_ = width;
  height_ = height;
  const std::uint8_t* at = pixels_.data();
  for (int y = 0; y < height; ++y) {
    int from = -1;
    for (int x = 0; x < width; ++x, at += 4) {
      const bool something = (at[0] | at[1] | at[2] | at[3]) != 0;
      if (something && from < 0) from = x;
      if (something || from < 0) continue;
      runs_.push_back({y, from, x});
      from = -1;
    }
    if (from >= 0) runs_.push_back({y, from, width});
  }
}

void OverlayLayer::Clear() {
  pixels_.clear();
  runs_.clear();
  width_ = 0;
  height_ = 0;
}

void OverlayLayer::Over(std::uint8_t* bgra, std::size_t stride) const {
  for (const Run& run : runs_) {
    const std::size_t from = 4 * static_cast<std::size_t>(run.from);
    const std::uint8_t* over =
        pixels_.data() + 4 * static_cast<std::size_t>(run.row) * static_cast<std::size_t>(width_) +
        from;
    std::uint8_t* under = bgra + static_cast<std::size_t>(run.row) * stride + from;
    for (int x = run.from; x < run.to; ++x, over += 4, under += 4) {
      const unsigned rest = 255U - over[3];
      for (int c = 0; c < 3; ++c) {
        // Rounded division by 255, exact for all products of two bytes.
        const unsigned product = under[c] * rest + 128U;
        const unsigned left = (product + (product >> 8)) >> 8;
        const unsigned sum = over[c] + left;
        under[c] = static_cast<std::uint8_t>(sum < 255U ? sum : 255U);
      }
    }
  }
}

}  // namespace fos
