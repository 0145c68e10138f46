#pragma once

#include <optional>
#include <vector>

#include "engine/rules/colonial/action.h"
#include "engine/table/clause.h"

// Section 5: steps, moves, withdrawals.
namespace fos::colonial {

// Why a step from a square to a neighbour is not allowed; empty when it is (COL-5.3 to 5.6, 5.10).
std::optional<Refusal> StepFault(const State& s, PieceNo stand, Cell from, Cell to);
// What it takes off the allowance, hundredths of a square (COL-5.2, 5.8, 5.10).
int StepCost(const State& s, Cell from, Cell to);

// A square a stand can come to with what is left of its move, by a cheapest path.
struct Reached {
  Cell cell = kNowhere;
  int cost = 0;
  bool by_road = false;    // every step along a road (COL-5.7)
  std::vector<Cell> path;  // the start left out
};
// Whether it may stop there is ArrivalFault's to say. The start comes first, with no path.
std::vector<Reached> Reach(const State& s, PieceNo stand);
// Hundredths of a square that are left of its move; below 0 where a road lent one.
int AllowanceLeft(const State& s, const Stand& stand);

// May these stands (one, or a pair) stop in this square, facing that way? COL-1.3, 1.6. Those of
// the movers who stand there now count as gone; so does `leaving`, who moves elsewhere with them.
std::optional<Refusal> ArrivalFault(const State& s, const std::vector<PieceNo>& movers, Cell cell,
                                    Facing facing, PieceNo leaving = kNoPiece);
// COL-1.3: do two stands fit behind each other?
bool FitTogether(const State& s, PieceNo a, PieceNo b);

// Is it the stand's time to act, or may it be activated now (COL-3.3 to 3.5, 4.1, 4.2)?
std::optional<Refusal> ActivationFault(const State& s, const std::vector<PieceNo>& stands);
std::optional<Refusal> TimeToMove(const State& s, PieceNo stand);
// COL-3.4: where pairs may not split, one of a pair that acts together stays with the other.
bool MayLeavePartner(const State& s, PieceNo stand);

// One way of moving a stand, checked whole; `facing` at its end. Cost and road as they come out.
struct MoveCost {
  int cost = 0;
  bool by_road = false;
};
std::optional<Refusal> PathFault(const State& s, PieceNo stand, const std::vector<Cell>& path,
                                 Facing facing, MoveCost& out);
// A path to a square as `move ... to` takes it: a cheapest legal one, else the straight way there,
// for the refusal to say what is wrong with it.
std::vector<Cell> PathTo(const State& s, PieceNo stand, Cell to);

// COL-5.13.
std::optional<Refusal> RemountFault(const State& s, PieceNo stand, bool mounted);

// COL-5.11: the ways back, one for each square it may go to, the engine's own choice first. Empty:
// it is destroyed (COL-5.12). A path of no squares: it stays.
std::vector<std::vector<Cell>> Withdrawals(const State& s, PieceNo stand);

}  // namespace fos::colonial
