// SPDX-License-Identifier: MIT
#include "ui/window/picture_cut.h"

#include <algorithm>
#include <cmath>

namespace fos {

PictureCut CutFor(int width, int height, const ScreenRect& area, const ViewZoom& zoom) {
  PictureCut out;
  if (width <= 0 || height <= 0 || !(area.Width() > 0) || !(area.Height() > 0)) return out;
  const Placement placed = Place(static_cast<float>(width), static_cast<float>(height), area, zoom);
  if (!(placed.scale > 0)) return out;
  // Corners on a raster of their own, so that a slow pan does not make a new texture every frame,
  // and halving meets no half pixel.
  constexpr int kRaster_px = 64;
  const auto from = [&](float screen, float origin, int most) {
    const float at = std::clamp((screen - origin) / placed.scale, 0.0F, static_cast<float>(most));
    return static_cast<int>(at) / kRaster_px * kRaster_px;
  };
  const auto to = [&](float screen, float origin, int most) {
    const float at = std::clamp((screen - origin) / placed.scale, 0.0F, static_cast<float>(most));
    const int up = (static_cast<int>(std::ceil(at)) + kRaster_px - 1) / kRaster_px * kRaster_px;
    return std::min(up, most);
  };
  out.x_px = from(area.low.x, placed.origin.x, width);
  out.y_px = from(area.low.y, placed.origin.y, height);
  out.width_px = to(area.high.x, placed.origin.x, width) - out.x_px;
  out.height_px = to(area.high.y, placed.origin.y, height) - out.y_px;
  if (out.width_px <= 0 || out.height_px <= 0) return {};
  // Halved while that leaves at least four pixels of the picture for five of the screen: what a
  // screen shows of anything finer is aliasing.
  constexpr float kCoarsest = 1.25F;
  constexpr int kMostHalvings = 4;
  for (float scale = placed.scale; 2 * scale <= kCoarsest && out.halvings < kMostHalvings;
       scale *= 2) {
    ++out.halvings;
  }
  return out;
}

PicturePlace PlaceFor(int width, int height, const ScreenRect& area, const Placement& placed,
                      ImVec2 frame_scale) {
  PicturePlace out;
  if (width <= 0 || height <= 0 || !(placed.scale > 0)) return out;
  struct Span {
    int from = 0;
    int length = 0;
    int to = 0;
    int to_length = 0;
  };
  // Widened to a raster that keeps three halvings even: OpenCV takes twenty times as long to halve
  // an odd number of pixels. What then lies beside the area is cut off as it is drawn.
  constexpr int kRaster_px = 8;
  const auto span = [&](float low, float high, float origin, float pixels, int most) {
    const float from = std::clamp((low - origin) / placed.scale, 0.0F, static_cast<float>(most));
    const float end = std::clamp((high - origin) / placed.scale, 0.0F, static_cast<float>(most));
    Span one;
    one.from = static_cast<int>(from) / kRaster_px * kRaster_px;
    const int up = (static_cast<int>(std::ceil(end)) + kRaster_px - 1) / kRaster_px * kRaster_px;
    one.length = std::min(up, most) - one.from;
    if (!(end > from)) one.length = 0;
    const auto screen = [&](int at) {
      return static_cast<int>(
          std::lround((origin + placed.scale * static_cast<float>(at)) * pixels));
    };
    one.to = screen(one.from);
    one.to_length = screen(one.from + one.length) - one.to;
    return one;
  };
  const Span across = span(area.low.x, area.high.x, placed.origin.x, frame_scale.x, width);
  const Span down = span(area.low.y, area.high.y, placed.origin.y, frame_scale.y, height);
  if (across.length <= 0 || down.length <= 0 || across.to_length <= 0 || down.to_length <= 0) {
    return out;
  }
  return {across.from, down.from, across.length,    down.length,
          across.to,   down.to,   across.to_length, down.to_length};
}

}  // namespace fos
