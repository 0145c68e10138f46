#pragma once

#include <cstddef>
#include <cstdint>

#include "ui/picture_cut.h"
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
  // Only that part of it, halved as often as it says.
  void Upload(const std::uint8_t* bgr, int width, int height, std::size_t stride,
              const PictureCut& cut);
  // Shrinks what `place` shows of it to the size it has there, to be copied by CopyToScreen.
  // fresh  the pixels are others than the last time; else nothing is done while the place is the
  //        same. returns false where there is nothing to show.
  bool UploadShrunk(const std::uint8_t* bgr, int width, int height, std::size_t stride,
                    const PicturePlace& place, bool fresh);
  bool IsShrunk() const { return shrunk_; }
  // Into the bound frame buffer, which is `frame_height` pixels high.
  void CopyToScreen(const PicturePlace& place, int frame_height) const;
  void Clear();
  ShownPicture Shown() const;

 private:
  // bgra  rows of 4-byte pixels without gaps.
  // as_screen  in the screen's own format, for copying; else in the one for drawing with.
  void Send(const std::uint8_t* bgra, int width, int height, bool as_screen);

  unsigned id_ = 0;
  int width_ = 0;  // of the texture
  int height_ = 0;
  int whole_width_ = 0;  // of the picture it is a part of
  int whole_height_ = 0;
  PictureCut cut_;
  bool shrunk_ = false;
  bool as_screen_ = false;
  PicturePlace place_;
  unsigned reader_ = 0;  // a frame buffer to copy from
};

// What the window shows, kept from one frame to the next so that only what changed is drawn.
class FrameStore {
 public:
  FrameStore() = default;
  ~FrameStore();
  FrameStore(const FrameStore&) = delete;
  FrameStore& operator=(const FrameStore&) = delete;

  // What is drawn from here on is drawn into it. True when it is new and holds nothing yet.
  bool Begin(int width, int height);
  // Clears a part, in pixels from the upper left corner, and draws no more outside of it.
  static void Clear(int x, int y, int width, int height, int frame_height, const float rgb[3]);
  // Copies it into the window.
  void Show() const;

 private:
  unsigned buffer_ = 0;
  unsigned pixels_ = 0;
  int width_ = 0;
  int height_ = 0;
};

}  // namespace fos
