#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ui/window/overlay_layer.h"
#include "ui/window/picture_cut.h"
#include "ui/window/table_panel.h"

namespace fos {

// Of a frame buffer, in pixels from its upper left corner.
struct PixelRect {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  bool operator==(const PixelRect&) const = default;
};

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
  // Shrinks what `place` shows of it to the size it has there, to be sent by SendShrunk.
  // fresh  the pixels are others than the last time; else nothing is done while the place is the
  //        same. returns false where there is nothing to show.
  bool Shrink(const std::uint8_t* bgr, int width, int height, std::size_t stride,
              const PicturePlace& place, bool fresh);
  bool IsShrunk() const { return shrunk_; }
  // Sends it, filled up with `ground` to `area`, under `layer` where there is one of that size.
  // Nothing is done when that is what was sent the last time.
  // area      pixels of the frame buffer.
  // layer_id  another whenever the layer is; 0: no layer.
  void SendShrunk(const PixelRect& area, const float ground[3], const OverlayLayer& layer,
                  std::uint64_t layer_id);
  // The part of what was sent that lies in `part` of the bound frame buffer, `frame_height` pixels
  // high.
  void CopyToScreen(const PixelRect& part, int frame_height) const;
  // Rows as the frame buffer it is copied to has them: a store's lowest first, a window's topmost,
  // so that they are copied as they are and not drawn one by one.
  void RowsFromTheTop(bool yes) { rows_from_top_ = yes; }
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
  std::vector<std::uint8_t> shrunk_pixels_;  // four bytes each
  bool rows_from_top_ = false;
  bool unsent_ = false;         // they are not what was sent the last time
  PixelRect area_;              // sent
  std::uint64_t layer_id_ = 0;  // sent
  unsigned reader_ = 0;         // a frame buffer to copy from
};

// Does the processor do the graphics card's work? Mesa then copies the window's own buffer to the
// screen and leaves it as it is.
bool ProcessorDraws();

// What the window shows, kept from one frame to the next so that only what changed is drawn.
class FrameStore {
 public:
  // itself  the window's own buffer is the store, which must keep what it holds when it is shown.
  explicit FrameStore(bool itself) : itself_(itself) {}
  ~FrameStore();
  FrameStore(const FrameStore&) = delete;
  FrameStore& operator=(const FrameStore&) = delete;

  // What is drawn from here on is drawn into it. True when it is new and holds nothing yet.
  bool Begin(int width, int height);
  // Clears a part, in pixels from the upper left corner, and draws no more outside of it.
  static void Clear(int x, int y, int width, int height, int frame_height, const float rgb[3]);
  // Makes all of it transparent.
  static void ClearToNothing();
  // Copies it into the window.
  void Show() const;
  // Takes a part out, pixels with alpha.
  static std::vector<std::uint8_t> Read(const PixelRect& part, int frame_height, bool from_top);

 private:
  bool itself_;
  unsigned buffer_ = 0;
  unsigned pixels_ = 0;
  int width_ = 0;
  int height_ = 0;
};

}  // namespace fos
