// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "engine/table/scenario.h"
#include "engine/table/vec2.h"

namespace fos {

// A straight piece of a base's outline, or the line where the bar meets the rest of the top. In the
// stand's own frame: x to its right, y to its front.
struct BaseEdge {
  Vec2 from, to, outward;
  bool bar_inside = false;  // the bar lies on the inner side, else the rest of the top
  bool to_own_top = false;  // the rest of the top lies on the outer side
  double inside_in = 0;     // how far the paint on the inner side reaches
};

// Front, rear of the bar, rear, then left and right of the bar and of the rest.
// corner_in  how much is left out at each corner, where blur rounds it
inline std::array<BaseEdge, 7> BaseEdges(const KindSpec& kind, double corner_in) {
  const double w = kind.footprint.width_in;
  const double d = kind.footprint.depth_in;
  const double by = d / 2 - kind.bar_depth_in;
  const double c = corner_in;
  return {{
      {{-w / 2 + c, d / 2}, {w / 2 - c, d / 2}, {0, 1}, true, false, kind.bar_depth_in},
      {{-w / 2 + c, by}, {w / 2 - c, by}, {0, -1}, true, true, kind.bar_depth_in},
      {{-w / 2 + c, -d / 2}, {w / 2 - c, -d / 2}, {0, -1}, false, false, d},
      {{-w / 2, d / 2 - c}, {-w / 2, by + 0.5 * c}, {-1, 0}, true, false, w},
      {{w / 2, d / 2 - c}, {w / 2, by + 0.5 * c}, {1, 0}, true, false, w},
      {{-w / 2, by - c}, {-w / 2, -d / 2 + c}, {-1, 0}, false, false, w},
      {{w / 2, by - c}, {w / 2, -d / 2 + c}, {1, 0}, false, false, w},
  }};
}

}  // namespace fos
