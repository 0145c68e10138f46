// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fos {

// The overlay of the picture as pixels. A camera brings thirty pictures a second, but the overlay
// seldom changes. Drawing it once and blending it into each picture costs a tenth of drawing it
// again where there is no graphics card.
class OverlayLayer {
 public:
  // bgra  width x height pixels without gaps, colours premultiplied by alpha.
  void Take(std::vector<std::uint8_t> bgra, int width, int height);
  void Clear();
  int Width() const { return width_; }
  int Height() const { return height_; }

  // Blends it into a picture of the same size.
  // bgra    pixels, alpha ignored and left alone.
  // stride  bytes from one row to the next.
  void Over(std::uint8_t* bgra, std::size_t stride) const;

 private:
  // A run of pixels that are not transparent; most of a picture has none.
  struct Run {
    int row = 0;
    int from = 0;
    int to = 0;
  };
  std::vector<std::uint8_t> pixels_;
  std::vector<Run> runs_;
  int width_ = 0;
  int height_ = 0;
};

}  // namespace fos
