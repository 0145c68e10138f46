#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fos {

// What is drawn over the picture, as pixels of its own. A camera brings thirty pictures a second
// and what lies over them changes now and then: drawn once and laid over each picture by the
// processor, it costs a tenth of drawing it again where the processor does a graphics card's work.
class OverlayLayer {
 public:
  // bgra  width x height pixels without gaps, colours multiplied by their own alpha, as drawing on
  //       a transparent ground leaves them.
  void Take(std::vector<std::uint8_t> bgra, int width, int height);
  void Clear();
  int Width() const { return width_; }
  int Height() const { return height_; }

  // Lays it over a picture of the same size.
  // bgra    pixels, alpha ignored and left alone.
  // stride  bytes from one row to the next.
  void Over(std::uint8_t* bgra, std::size_t stride) const;

 private:
  // Pixels side by side in which there is something: the most of a picture is left as it is.
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
