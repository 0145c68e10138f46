#pragma once

#include "ui/window/projection.h"
#include "ui/window/view_state.h"

namespace fos {

// What of a picture has to reach the graphics card for one view of it: the part that is seen, no
// finer than the screen can show.
struct PictureCut {
  int x_px = 0;  // of the whole picture, its upper left corner
  int y_px = 0;
  int width_px = 0;
  int height_px = 0;
  int halvings = 0;  // how often the part is halved before it goes up
  friend bool operator==(const PictureCut&, const PictureCut&) = default;
};

// area, zoom  where and how the whole picture of width x height is shown.
// returns     a part within the picture; empty for a picture or an area without size.
PictureCut CutFor(int width, int height, const ScreenRect& area, const ViewZoom& zoom);

// A picture that is shown smaller than it is, in whole pixels of the frame buffer.
struct PicturePlace {
  // Of the picture: what is seen of it.
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
// Rounded to whole pixels of both, so nothing moves by more than half a pixel of the screen.
// frame_scale  pixels of the frame buffer for one of the screen's units.
PicturePlace PlaceFor(int width, int height, const ScreenRect& area, const Placement& placed,
                      ImVec2 frame_scale);

}  // namespace fos
