// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/table/vec2.h"

namespace fos {

// A square of the grid, from 0: column from the west, row from the south.
struct SquareIndex {
  int column = 0;
  int row = 0;
  friend constexpr bool operator==(SquareIndex a, SquareIndex b) = default;
};

// The most squares of a board: 100 by 100. The rules number them in 16 bits, and look at each.
constexpr int kMostSquaresOfBoard = 10'000;

// The playing area (contract, section 1). Inches, right-handed: origin at the south-west corner on
// the surface, x east, y north, z up.
struct TableFrame {
  int columns = 0;
  int rows = 0;
  double square_in = 4.0;

  double Width() const { return columns * square_in; }
  double Depth() const { return rows * square_in; }
  // Around the board: south-west, south-east, north-east, north-west.
  std::array<Vec2, 4> Corners() const {
    return {{{0, 0}, {Width(), 0}, {Width(), Depth()}, {0, Depth()}}};
  }
  bool Contains(Vec2 p) const { return p.x >= 0 && p.y >= 0 && p.x <= Width() && p.y <= Depth(); }
  bool Contains(SquareIndex s) const {
    return s.column >= 0 && s.row >= 0 && s.column < columns && s.row < rows;
  }
  // The square that contains p; none if p is off the board. The north and east edges belong to the
  // last row and column.
  std::optional<SquareIndex> SquareAt(Vec2 p) const;
  Vec2 CentreOf(SquareIndex s) const {
    return {(s.column + 0.5) * square_in, (s.row + 0.5) * square_in};
  }
};

// "A1" is the south-west square; after column Z comes AA.
std::string SquareName(SquareIndex square);
// Empty unless `name` is letters followed by a row number from 1.
std::optional<SquareIndex> ParseSquare(std::string_view name);
// Why `name` is no square of a board of that size, and which are: "`k3` is not a square ...".
std::string NotASquare(std::string_view name, int columns, int rows);

// One of N NE E SE S SW W NW, counted clockwise from north.
enum class Facing { kNorth, kNorthEast, kEast, kSouthEast, kSouth, kSouthWest, kWest, kNorthWest };
std::string_view FacingName(Facing facing);
std::optional<Facing> ParseFacing(std::string_view name);
// The facing nearest to a bearing in degrees clockwise from north.
Facing NearestFacing(double bearing_deg);
double BearingOf(Facing facing);  // degrees

}  // namespace fos
