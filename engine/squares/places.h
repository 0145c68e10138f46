// SPDX-License-Identifier: MIT
#pragma once

#include "engine/table/table_frame.h"
#include "engine/table/vec2.h"

namespace fos::squares {

// Where to draw the k-th of n pieces when only their square is known: in even rows from the
// north-west, about as many columns as rows. Inches.
Vec2 PlaceInSquare(const TableFrame& frame, SquareIndex square, int k, int n);

}  // namespace fos::squares
