// SPDX-License-Identifier: MIT
#pragma once

#include "ui/window/projection.h"
#include "ui/window/view_state.h"

namespace fos {

// The part of a picture that one view needs on the graphics card: what is seen, no finer than the
// screen can show.
struct PictureCut {
  int x_px = 0;  // of the whole picture, its upper left corner
  int y_px = 0;
  int width_px = 0;
  int height_px = 0;
  int halvings = 0;  // how often the part is halved before the upload
  friend bool operator==(const PictureCut&, const PictureCut&) = default;
};

// area, zoom  where and how the whole picture of width x height is shown.
// returns     a part of the picture; empty for a picture or an area without size.
PictureCut CutFor(int width, int height, const ScreenRect& area, const ViewZoom& zoom);

// A picture that is shown smaller than it is, in whole pixels of the frame buffer.
struct PicturePlace {
  // The part of the picture that is seen, and up to a few pixels beside it.
  int x_px = 0;
  int y_px = 0;
  int width_px = 0;
  int height_px = 0;
  // On the frame buffer, from its upper left corner.
  int to_x = 0;
  int to_y = 0;
  int to_width = 0;
  int to_height = 0;
  friend bool operator==(const PicturePlace&, const PicturePlace&) = default;
};
// Rounded to whole pixels of both, so that nothing moves by more than half a screen pixel.
// frame_scale  frame buffer pixels per screen unit.
PicturePlace PlaceFor(int width, int height, const ScreenRect& area, const Placement& placed,
                      ImVec2 frame_scale);

}  // namespace fos
