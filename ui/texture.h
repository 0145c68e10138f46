#pragma once

#include <cstddef>
#include <cstdint>

#include "ui/table_panel.h"

namespace fos {

// A picture on the graphics card. Made and used with the window's GL context current.
class Texture {
 public:
  Texture() = default;
  ~Texture();
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;

  // bgr      rows of 3-byte pixels, blue first.
  // stride   bytes from one row to the next.
  void Upload(const std::uint8_t* bgr, int width, int height, std::size_t stride);
  void Clear();
  ShownPicture Shown() const;

 private:
  unsigned id_ = 0;
  int width_ = 0;
  int height_ = 0;
};

}  // namespace fos
