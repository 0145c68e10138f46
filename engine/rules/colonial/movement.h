// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/rules/colonial/action.h"
#include "engine/table/clause.h"

// Section 5: steps, moves and withdrawals.
namespace fos::colonial {

// Why a step to an adjacent square is not allowed; empty if it is (COL-5.3 to 5.6, 5.10).
std::optional<Refusal> StepFault(const State& s, PieceNo stand, Cell from, Cell to);
// The cost of a step in hundredths of a square (COL-5.2, 5.8, 5.10).
int StepCost(const State& s, Cell from, Cell to);

// A square that a stand can reach with the rest of its move.
struct ReachedSquare {
  Cell cell = kNowhere;
  int cost = 0;
  bool by_road = false;  // every step along a road (COL-5.7)
};
// The same, with a cheapest path.
struct Reached : ReachedSquare {
  std::vector<Cell> path;  // without the start
};
// ArrivalFault decides whether it may stop there. The start comes first, with an empty path.
std::vector<Reached> Reach(const State& s, PieceNo stand);
// The same squares in the same order, with their paths left out until they are asked for.
class ReachMap {
 public:
  ReachMap(const State& s, PieceNo stand);
  const std::vector<ReachedSquare>& Squares() const { return squares_; }
  std::vector<Cell> PathTo(const ReachedSquare& square) const;
  bool IsStart(const ReachedSquare& square) const { return square.cell == start_; }

 private:
  Cell start_;
  std::vector<Cell> came_,
      road_came_;  // the square before each on its path, by any way and by road
  std::vector<ReachedSquare> squares_;
};
// What is left of its move in hundredths of a square; negative if it has used the road bonus.
int AllowanceLeft(const State& s, const Stand& stand);

// Why these stands (one or a pair) may not stop in this square with this facing (COL-1.3, 1.6).
// Movers that are there now count as gone, and so does `leaving`, which moves elsewhere with them.
std::optional<Refusal> ArrivalFault(const State& s, const std::vector<PieceNo>& movers, Cell cell,
                                    Facing facing, PieceNo leaving = kNoPiece);
bool MayArrive(const State& s, std::span<const PieceNo> movers, Cell cell, Facing facing,
               PieceNo leaving = kNoPiece);
// COL-1.3: whether two stands fit one behind the other.
bool FitTogether(const State& s, PieceNo a, PieceNo b);

// Why these stands cannot be activated or may not act now (COL-3.3 to 3.5, 4.1, 4.2).
std::optional<Refusal> ActivationFault(const State& s, const std::vector<PieceNo>& stands);
std::optional<Refusal> TimeToMove(const State& s, PieceNo stand);
bool MayMoveNow(const State& s, PieceNo stand);  // the same without words
// COL-3.4: if pairs may not split, the stands of a pair activated together stay together.
bool MayLeavePartner(const State& s, PieceNo stand);

// Checks a whole move of a stand with its final facing, and returns its cost and whether it is by
// road.
struct MoveCost {
  int cost = 0;
  bool by_road = false;
};
std::optional<Refusal> PathFault(const State& s, PieceNo stand, const std::vector<Cell>& path,
                                 Facing facing, MoveCost& out);
// The path for `move ... to`: a cheapest legal one, else the straight path, so the refusal can say
// what is wrong with it.
std::vector<Cell> PathTo(const State& s, PieceNo stand, Cell to);

// COL-5.13.
std::optional<Refusal> RemountFault(const State& s, PieceNo stand, bool mounted);

// COL-5.11: the withdrawals, one for each possible square, the engine's choice first. Empty: the
// stand is destroyed (COL-5.12). An empty path: it stays.
std::vector<std::vector<Cell>> Withdrawals(const State& s, PieceNo stand);

}  // namespace fos::colonial
