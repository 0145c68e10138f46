// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/table/table_frame.h"

// Exact geometry of grid games in integers, so that rounding decides nothing.
namespace fos::squares {

// A square of the grid by number, row by row from the south-west corner. Called a cell wherever
// "square" could mean the formation.
using Cell = std::int16_t;
constexpr Cell kNowhere = -1;

// A step on the board or the offset between two cells, in squares: east and north positive.
struct Offset {
  int dx = 0;
  int dy = 0;
  friend constexpr bool operator==(Offset a, Offset b) = default;
};

// Distances and move costs are hundredths of a square side.
constexpr int kWhole = 100;

struct Board {
  int columns = 0;
  int rows = 0;

  int Cells() const { return columns * rows; }
  Cell At(SquareIndex s) const { return static_cast<Cell>(s.row * columns + s.column); }
  SquareIndex IndexOf(Cell c) const { return {c % columns, c / columns}; }
  bool Contains(SquareIndex s) const {
    return s.column >= 0 && s.row >= 0 && s.column < columns && s.row < rows;
  }
  // kNowhere beyond the edge.
  Cell Step(Cell from, Facing direction) const;
  Offset Between(Cell from, Cell to) const {
    const SquareIndex a = IndexOf(from);
    const SquareIndex b = IndexOf(to);
    return {b.column - a.column, b.row - a.row};
  }
  friend constexpr bool operator==(Board a, Board b) = default;
};

// The unit step of a facing; components are -1, 0 or 1.
Offset StepOf(Facing direction);
constexpr bool IsDiagonal(Facing direction) { return static_cast<int>(direction) % 2 == 1; }
// Turns clockwise by `turns` eighths of a circle; negative values turn the other way.
constexpr Facing Turned(Facing facing, int turns) {
  return static_cast<Facing>(((static_cast<int>(facing) + turns) % 8 + 8) % 8);
}
// The smaller turn between two facings, in eighths of a circle: 0 to 4.
int TurnBetween(Facing a, Facing b);
constexpr Facing Opposite(Facing facing) { return Turned(facing, 4); }

// DEF-3: the longer side plus the extra diagonal cost for each unit of the shorter; hundredths.
int Distance(Offset between, int diagonal_cost);
// max(|dx|, |dy|): the number of steps of any kind.
int StepsBetween(Offset between);
bool Adjacent(Offset between);

// DEF-5; both limits are inside.
bool Within45(Facing facing, Offset to);
bool StraightAhead(Facing facing, Offset to);
// The alternative arc (setting "rays"): only the rays at 0 and 45 degrees.
bool OnRays45(Facing facing, Offset to);

// The nearest of the eight directions to a non-zero vector. Integer vectors never tie, because the
// boundary between two directions has an irrational slope.
Facing NearestDirection(Offset to);

// DEF-10: the direction of `to` (a neighbour) relative to the facing, in eighths clockwise, 0 to 7.
int RelativeDirection(Facing facing, Offset to);

// DEF-6: the cells whose interior the segment between two cells' centres crosses, without both
// ends, in order from the first.
void CellsInTheWay(const Board& board, Cell from, Cell to, std::vector<Cell>& out);
std::vector<Cell> CellsInTheWay(const Board& board, Cell from, Cell to);

// The places where that segment passes exactly through a grid corner: the two cells it touches
// there without entering them.
struct CornerPassed {
  Cell one = kNowhere;
  Cell other = kNowhere;
};
std::vector<CornerPassed> CornersInTheWay(const Board& board, Cell from, Cell to);

}  // namespace fos::squares
