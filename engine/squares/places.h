#pragma once

#include "engine/table/table_frame.h"
#include "engine/table/vec2.h"

namespace fos::squares {

// Where the k-th of n pieces of one square is drawn when only the square is known: in even rows
// from the north-west, as wide as deep. Inches.
Vec2 PlaceInSquare(const TableFrame& frame, SquareIndex square, int k, int n);

}  // namespace fos::squares
