// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/shots/fall_of_shot.h"
#include "engine/table/clause.h"
#include "engine/table/result.h"

// Applies the rules to what the camera measured, for any rule set.
namespace fos {

// Pieces of one side that moved together: from one square to another, or, under rules that measure,
// the pieces of one unit, wherever they went.
struct SeenMove {
  std::vector<StandId> pieces;
  SquareIndex from;
  SquareIndex to;
  double bearing_deg = 0;  // after the move
  // The pieces after the move with their uncertainty, for rules that measure. Not needed on
  // squares.
  std::vector<StandObservation> after = {};
};
// A remark to the players, which they may overrule.
struct MoveRuling {
  std::optional<Refusal> refused;
  std::string text;  // one sentence: the cost of the move, or why it is refused
  std::string line;  // the script line of this move (docs/scripts.md)
};

// JudgeShot followed by the ruling of the scenario's rule set. `ruling` is then set, `choice` and
// `text` are the rule set's, and the calls of single stands stay as measured.
ShotVerdict JudgeShotUnderRules(const ShotObservation& shot,
                                const std::vector<StandObservation>& stands,
                                const ProjectileSpec& spec, const Scenario& scenario,
                                const TableFrame& frame, const DecisionPolicy& policy);

// Groups the stands that moved together, in the order of the first stand of each group. Leaves out
// stands off the board and, on squares, stands that stayed in their square.
std::vector<SeenMove> MovesSeen(const std::vector<StandMoved>& moved, const Scenario& scenario,
                                const TableFrame& frame);

// The rules' remark on a move the camera saw; empty if they have none (a gun alone, a nudge).
// stands  the position before the move.
Result<std::optional<MoveRuling>> JudgeMoveUnderRules(const SeenMove& move,
                                                      const std::vector<StandObservation>& stands,
                                                      const Scenario& scenario,
                                                      const TableFrame& frame);

// By kind of the scenario: how far a piece may be from its old place after one move, straight-line
// inches. Infinite if its rules do not count squares or do not know the kind.
std::vector<double> ReachesInOneMove(const Scenario& scenario, const TableFrame& frame);

// All moves found in one look, judged.
struct RuledMoves {
  struct One {
    SeenMove move;
    MoveRuling ruling;
  };
  std::vector<One> moves;  // the moves with a remark
  // Why the rules cannot judge, and the stand where that happened. Moves from there on are not
  // judged.
  struct None {
    StandId stand;
    std::string why;
  };
  std::optional<None> none;
  // The remark on this stand's move; nullptr if there is none.
  const MoveRuling* Of(const StandId& stand) const;
};
RuledMoves JudgeMovesUnderRules(const std::vector<StandMoved>& moved,
                                const std::vector<StandObservation>& stands,
                                const Scenario& scenario, const TableFrame& frame);

// Faults of the deployment before the first turn, by the scenario's rules.
Result<std::vector<std::string>> CheckSetupUnderRules(const std::vector<StandObservation>& stands,
                                                      const Scenario& scenario,
                                                      const TableFrame& frame);

// The script lines that place every stand where the camera saw it, as far as the scenario's game
// takes them; none if the scenario's squares are enough.
Result<std::vector<std::string>> PlacementUnderRules(const std::vector<StandObservation>& stands,
                                                     const Scenario& scenario,
                                                     const TableFrame& frame);

}  // namespace fos
