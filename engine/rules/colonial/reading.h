#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/rules/colonial/setup.h"
#include "engine/table/shapes.h"

// What the camera measures, as these rules read it. Millimetres from the table's south-west corner,
// bearings in degrees clockwise from north.
namespace fos::colonial {

// COL-1.2. No cell: off the table. Doubtful: so near a grid line that the players are asked.
struct SquareReading {
  std::optional<Cell> cell;
  bool doubtful = false;
};
SquareReading ReadSquare(const Tables& tables, const Settings& settings, const Board& board,
                         double x_mm, double y_mm);

// COL-1.3: does a stand's centre lie ahead of its square's middle, as the front one's of two does?
bool InFrontHalf(const Tables& tables, const Board& board, Cell cell, Facing facing,
                 Vec2 centre_mm);

// COL-1.6. Doubtful: between `facing` and `other`, the players are asked.
struct FacingReading {
  Facing facing = Facing::kNorth;
  Facing other = Facing::kNorth;
  bool doubtful = false;
};
FacingReading ReadFacing(const Settings& settings, double bearing_deg);

// COL-1.5: a warning when a stand does not measure what its type should, else empty.
std::string FootprintNote(const Tables& tables, const Settings& settings, int type, double width_mm,
                          double depth_mm);

// COL-1.4: the squares that an outline covers by at least the settings' share, by number.
std::vector<Cell> CellsTaken(const Tables& tables, const Settings& settings, const Board& board,
                             const Polygon& outline_mm);
// COL-1.4: what an outline runs along for at least the settings' share of an edge lies on it.
void AddEdgesUnder(Setup& setup, const Polygon& outline_mm, EdgeBit bit);

}  // namespace fos::colonial
