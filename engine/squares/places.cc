// SPDX-License-Identifier: MIT
#include "engine/squares/places.h"

namespace fos::squares {

Vec2 PlaceInSquare(const TableFrame& frame, SquareIndex square, int k, int n) {
  int columns = 1;
  while (columns * columns < n) ++columns;
  const int rows = (n + columns - 1) / columns;
  const Vec2 centre = frame.CentreOf(square);
  return {centre.x + frame.square_in * ((k % columns + 0.5) / columns - 0.5),
          centre.y - frame.square_in * ((k / columns + 0.5) / rows - 0.5)};
}

}  // namespace fos::squares
