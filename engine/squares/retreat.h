#pragma once

#include <functional>
#include <vector>

#include "engine/squares/geometry.h"

// DEF-13 of the Napoleonic catalogue: how a unit falls back on a grid. The Ancient rules share it.
namespace fos::squares {

enum class RetreatTie { kClockwise, kOwnerChoice };

struct RetreatProblem {
  Board board;
  Cell from = kNowhere;
  Facing direction = Facing::kNorth;
  int steps = 0;
  int max_turns = 2;         // eighths of a circle either side of `direction`
  bool extend = true;        // a friend on the last square lengthens the retreat; else he blocks it
  std::vector<bool> enemy;   // by cell: holds enemy stands
  std::vector<bool> barred;  // by cell: impassable for this unit
  std::vector<bool> occupied;  // by cell: no room for this unit at the end
};

// Squares passed, the start left out. A retreat over the edge ends with kNowhere.
using RetreatPath = std::vector<Cell>;

struct RetreatAnswer {
  // Empty: no way back, the unit is destroyed. The first is the one "clockwise" takes; the others
  // are as good but for the side they turn to, and end on another square.
  std::vector<RetreatPath> paths;
};

RetreatAnswer FindRetreat(const RetreatProblem& problem);

}  // namespace fos::squares
