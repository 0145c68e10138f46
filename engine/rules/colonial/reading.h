// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/rules/colonial/setup.h"
#include "engine/table/shapes.h"

// Camera measurements as squares and facings. Millimetres from the table's south-west corner,
// bearings in degrees clockwise from north.
namespace fos::colonial {

// COL-1.2. No cell: off the table. Doubtful: so near a grid line that the players must decide.
struct SquareReading {
  std::optional<Cell> cell;
  bool doubtful = false;
  std::vector<Cell> near;  // the other squares it may be in, if doubtful
};
SquareReading ReadSquare(const Tables& tables, const Settings& settings, const Board& board,
                         double x_mm, double y_mm);

// COL-1.3: whether a stand's centre is ahead of its square's middle, as for the front stand of two.
bool InFrontHalf(const Tables& tables, const Board& board, Cell cell, Facing facing,
                 Vec2 centre_mm);

// COL-1.6. Doubtful: the players must decide between `facing` and `other`.
struct FacingReading {
  Facing facing = Facing::kNorth;
  Facing other = Facing::kNorth;
  bool doubtful = false;
};
FacingReading ReadFacing(const Settings& settings, double bearing_deg);

// COL-1.5: a warning if a stand has not the size of its type; else empty.
std::string FootprintNote(const Tables& tables, const Settings& settings, int type, double width_mm,
                          double depth_mm);

// COL-1.4: the squares of which an outline covers at least the share in the settings, in order.
std::vector<Cell> CellsTaken(const Tables& tables, const Settings& settings, const Board& board,
                             const Polygon& outline_mm);
// COL-1.4: marks the edges along which the outline runs for at least the share in the settings.
void AddEdgesUnder(Setup& setup, const Polygon& outline_mm, EdgeBit bit);

}  // namespace fos::colonial
