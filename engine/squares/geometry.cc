// SPDX-License-Identifier: MIT
#include "engine/squares/geometry.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "engine/table/result.h"

namespace fos::squares {
namespace {

constexpr std::array<Offset, 8> kSteps = {
    {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}};

// The dot and cross products of DEF-5, doubled.
struct Seen {
  int dot = 0;
  int cross = 0;
};
Seen SeenFrom(Facing facing, Offset to) {
  const Offset f = StepOf(facing);
  return {f.dx * to.dx + f.dy * to.dy, f.dx * to.dy - f.dy * to.dx};
}

}  // namespace

Offset StepOf(Facing direction) { return kSteps[static_cast<std::size_t>(direction)]; }

Cell Board::Step(Cell from, Facing direction) const {
  const SquareIndex at = IndexOf(from);
  const Offset step = StepOf(direction);
  const SquareIndex to{at.column + step.dx, at.row + step.dy};
  return Contains(to) ? At(to) : kNowhere;
}

int TurnBetween(Facing a, Facing b) {
  const int turn = std::abs(static_cast<int>(a) - static_cast<int>(b));
  return std::min(turn, 8 - turn);
}

int Distance(Offset between, int diagonal_cost) {
  const int dx = std::abs(between.dx);
  const int dy = std::abs(between.dy);
  return std::max(dx, dy) * kWhole + std::min(dx, dy) * (diagonal_cost - kWhole);
}

int StepsBetween(Offset between) { return std::max(std::abs(between.dx), std::abs(between.dy)); }
bool Adjacent(Offset between) { return StepsBetween(between) == 1; }

bool Within45(Facing facing, Offset to) {
  const Seen seen = SeenFrom(facing, to);
  return seen.dot > 0 && std::abs(seen.cross) <= seen.dot;
}
bool StraightAhead(Facing facing, Offset to) {
  const Seen seen = SeenFrom(facing, to);
  return seen.dot > 0 && seen.cross == 0;
}
bool OnRays45(Facing facing, Offset to) {
  const Seen seen = SeenFrom(facing, to);
  return seen.dot > 0 && (seen.cross == 0 || std::abs(seen.cross) == seen.dot);
}

Facing NearestDirection(Offset to) {
  FOS_CHECK(to.dx != 0 || to.dy != 0);
  const int longer = std::max(std::abs(to.dx), std::abs(to.dy));
  const int shorter = std::min(std::abs(to.dx), std::abs(to.dy));
  // The boundary is at tan 22.5 degrees = sqrt(2) - 1: compare (shorter + longer)^2 with 2
  // longer^2.
  const bool diagonal = (shorter + longer) * (shorter + longer) > 2 * longer * longer;
  Offset step{(to.dx > 0) - (to.dx < 0), (to.dy > 0) - (to.dy < 0)};
  if (!diagonal && std::abs(to.dx) > std::abs(to.dy)) step.dy = 0;
  if (!diagonal && std::abs(to.dy) > std::abs(to.dx)) step.dx = 0;
  const auto found = std::find(kSteps.begin(), kSteps.end(), step);
  return static_cast<Facing>(found - kSteps.begin());
}

int RelativeDirection(Facing facing, Offset to) {
  return (static_cast<int>(NearestDirection(to)) - static_cast<int>(facing) + 8) % 8;
}

void CellsInTheWay(const Board& board, Cell from, Cell to, std::vector<Cell>& out) {
  out.clear();
  const SquareIndex start = board.IndexOf(from);
  const Offset d = board.Between(from, to);
  const int sx = d.dx < 0 ? -1 : 1;
  const int sy = d.dy < 0 ? -1 : 1;
  const int ax = std::abs(d.dx);
  const int ay = std::abs(d.dy);
  // The line crosses a cell's interior if the cross product of the centre with the segment is below
  // half of |dx| + |dy|. Equality means it passes through a corner.
  for (int i = 0; i <= ax; ++i) {
    for (int j = 0; j <= ay; ++j) {
      if ((i == 0 && j == 0) || (i == ax && j == ay)) continue;
      if (2 * std::abs(i * ay - j * ax) < ax + ay)
        out.push_back(board.At({start.column + sx * i, start.row + sy * j}));
    }
  }
  const auto along = [&](Cell c) {
    const Offset o = board.Between(from, c);
    return o.dx * d.dx + o.dy * d.dy;
  };
  std::sort(out.begin(), out.end(), [&](Cell a, Cell b) { return along(a) < along(b); });
}

std::vector<Cell> CellsInTheWay(const Board& board, Cell from, Cell to) {
  std::vector<Cell> out;
  CellsInTheWay(board, from, to, out);
  return out;
}

std::vector<CornerPassed> CornersInTheWay(const Board& board, Cell from, Cell to) {
  std::vector<CornerPassed> out;
  const SquareIndex start = board.IndexOf(from);
  const Offset d = board.Between(from, to);
  const int sx = d.dx < 0 ? -1 : 1;
  const int sy = d.dy < 0 ? -1 : 1;
  const int ax = std::abs(d.dx);
  const int ay = std::abs(d.dy);
  // The corner beyond cell (i, j) lies at (i + 1/2, j + 1/2) from the first centre.
  for (int i = 0; i < ax; ++i)
    for (int j = 0; j < ay; ++j)
      if ((2 * i + 1) * ay == (2 * j + 1) * ax)
        out.push_back({board.At({start.column + sx * (i + 1), start.row + sy * j}),
                       board.At({start.column + sx * i, start.row + sy * (j + 1)})});
  return out;
}

}  // namespace fos::squares
