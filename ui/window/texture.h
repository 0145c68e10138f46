// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ui/window/overlay_layer.h"
#include "ui/window/picture_cut.h"
#include "ui/window/table_panel.h"
#include "vision/image/frame.h"

namespace fos {

// A part of a frame buffer, in pixels from its upper left corner.
struct PixelRect {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  bool operator==(const PixelRect&) const = default;
};

// What the current window's back buffer shows.
Frame PixelsOfWindow(int width, int height);

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
  // Uploads only that part, halved as often as the cut says.
  void Upload(const std::uint8_t* bgr, int width, int height, std::size_t stride,
              const PictureCut& cut);
  // Shrinks the part that `place` shows to its size on the screen, for SendShrunk.
  // fresh    the pixels are new; otherwise nothing is done while the place is the same.
  // returns  false where there is nothing to show.
  bool Shrink(const std::uint8_t* bgr, int width, int height, std::size_t stride,
              const PicturePlace& place, bool fresh);
  bool IsShrunk() const { return shrunk_; }
  // Sends the shrunk picture, padded with `ground` to `area` and under `layer` if that has its
  // size. Does nothing when the same was sent last time. area      frame buffer pixels. layer_id
  // changes whenever the layer does; 0: no layer.
  void SendShrunk(const PixelRect& area, const float ground[3], const OverlayLayer& layer,
                  std::uint64_t layer_id);
  // Copies what was sent and lies in `part` to the bound frame buffer, `frame_height` pixels high.
  void CopyToScreen(const PixelRect& part, int frame_height) const;
  // The row order of the frame buffer that it is copied to (a store: lowest first; a window:
  // topmost first), so that rows are copied and not drawn one by one.
  void RowsFromTheTop(bool yes) { rows_from_top_ = yes; }
  void Clear();
  ShownPicture Shown() const;

 private:
  // bgra  rows of 4-byte pixels without gaps.
  // as_screen  in the screen's own format, for copying; else in the format for drawing.
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
  std::vector<std::uint8_t> shrunk_pixels_;  // four bytes each
  bool rows_from_top_ = false;
  bool unsent_ = false;         // they are not what was sent the last time
  PixelRect area_;              // sent
  std::uint64_t layer_id_ = 0;  // sent
  unsigned reader_ = 0;         // a frame buffer to copy from
};

// Whether OpenGL runs on the processor (Mesa). Mesa then copies the window's buffer to the screen
// and keeps its content.
bool ProcessorDraws();

// The window's content, kept between frames so that only changes are drawn.
class FrameStore {
 public:
  // itself  the window's own buffer is the store; it must keep its content when it is shown.
  explicit FrameStore(bool itself) : itself_(itself) {}
  ~FrameStore();
  FrameStore(const FrameStore&) = delete;
  FrameStore& operator=(const FrameStore&) = delete;

  // Directs drawing into the store. True when it is new and empty.
  bool Begin(int width, int height);
  // Whether what was drawn is lost when the window system has lost the window's content.
  bool IsWindow() const { return itself_; }
  // Clears a part, in pixels from the upper left corner, and clips drawing to it.
  static void Clear(int x, int y, int width, int height, int frame_height, const float rgb[3]);
  // Makes the whole store transparent.
  static void ClearToNothing();
  // Copies the store into the window.
  void Show() const;
  // Pixels are read from the window from now on. Copying a picture to the screen leaves another
  // frame buffer to be read.
  static void ReadFromWindow();
  // Reads a part, pixels with alpha.
  static std::vector<std::uint8_t> Read(const PixelRect& part, int frame_height, bool from_top);

 private:
  bool itself_;
  unsigned buffer_ = 0;
  unsigned pixels_ = 0;
  int width_ = 0;
  int height_ = 0;
};

}  // namespace fos
