// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "engine/squares/geometry.h"

// Retreat on a grid (DEF-13 of the Napoleonic catalogue; the Ancient rules share it).
namespace fos::squares {

enum class RetreatTie { kClockwise, kOwnerChoice };

struct RetreatProblem {
  Board board;
  Cell from = kNowhere;
  Facing direction = Facing::kNorth;
  int steps = 0;
  int max_turns = 2;         // largest deviation, eighths of a circle
  bool extend = true;        // a friend on the last square lengthens the retreat; false: blocks it
  std::vector<bool> enemy;   // by cell: holds enemy stands
  std::vector<bool> barred;  // by cell: impassable for this unit
  std::vector<bool> occupied;  // by cell: no room for this unit to end there
};

// The squares of the path without its start. A retreat over the edge ends with kNowhere.
using RetreatPath = std::vector<Cell>;

struct RetreatAnswer {
  // Empty: there is no way back and the unit is destroyed. The first is the "clockwise" choice; the
  // others cost the same but turn to the other side and end on another square.
  std::vector<RetreatPath> paths;
};

RetreatAnswer FindRetreat(const RetreatProblem& problem);

}  // namespace fos::squares
