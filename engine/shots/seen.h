#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/shots/fall_of_shot.h"
#include "engine/table/clause.h"
#include "engine/table/result.h"

// Where vision meets the rules, whatever the rule set: what was measured and what was seen to move.
namespace fos {

// Pieces of one side that went together: from one square to another, or, under rules that measure,
// those of one unit, wherever they went.
struct SeenMove {
  std::vector<StandId> pieces;
  SquareIndex from;
  SquareIndex to;
  double bearing_deg = 0;  // as they stand now
  // The pieces as they stand now, with their doubt, for rules that measure; those on squares do
  // without.
  std::vector<StandObservation> after = {};
};
// A remark to the players, who may overrule it.
struct MoveRuling {
  std::optional<Refusal> refused;
  std::string text;  // one sentence: the cost, or what is wrong with it
  std::string line;  // what a game of this scenario would be told (docs/scripts.md)
};

// JudgeShot and, on top of it, what the scenario's rule set makes of the shot: then `ruling` is
// there, `choice` and `text` are the rules', and the calls of the single stands stay as measured.
ShotVerdict JudgeShotUnderRules(const ShotObservation& shot,
                                const std::vector<StandObservation>& stands,
                                const ProjectileSpec& spec, const Scenario& scenario,
                                const TableFrame& frame, const DecisionPolicy& policy);

// Which of these went together, in the order of the first of each; nothing for what stands off the
// board or, on squares, in the square where it stood.
std::vector<SeenMove> MovesSeen(const std::vector<StandMoved>& moved, const Scenario& scenario,
                                const TableFrame& frame);

// What the rules say to a move that the camera saw, stands being the position before it; nothing
// where they say nothing (a gun alone, a brush of the sleeve).
Result<std::optional<MoveRuling>> JudgeMoveUnderRules(const SeenMove& move,
                                                      const std::vector<StandObservation>& stands,
                                                      const Scenario& scenario,
                                                      const TableFrame& frame);

// By kind of the scenario, how far a piece of it may stand at most from where it stood when it has
// moved once, inches as the crow flies; infinite where its rules do not count squares or do not
// know it.
std::vector<double> ReachesInOneMove(const Scenario& scenario, const TableFrame& frame);

// All that went at one look, judged.
struct RuledMoves {
  struct One {
    SeenMove move;
    MoveRuling ruling;
  };
  std::vector<One> moves;  // those the rules say something to
  // Why the rules give no ruling, and the stand at which they came to that: the moves from there on
  // are not judged.
  struct None {
    StandId stand;
    std::string why;
  };
  std::optional<None> none;
  // On the move that this stand made; null where there is none.
  const MoveRuling* Of(const StandId& stand) const;
};
RuledMoves JudgeMovesUnderRules(const std::vector<StandMoved>& moved,
                                const std::vector<StandObservation>& stands,
                                const Scenario& scenario, const TableFrame& frame);

// What is wrong with how the armies are set out before the first turn, by the scenario's rules.
Result<std::vector<std::string>> CheckSetupUnderRules(const std::vector<StandObservation>& stands,
                                                      const Scenario& scenario,
                                                      const TableFrame& frame);

// The lines that put everybody down where the camera saw him in a game of what the scenario sets
// out, as far as that game takes them; none where its squares say it all.
Result<std::vector<std::string>> PlacementUnderRules(const std::vector<StandObservation>& stands,
                                                     const Scenario& scenario,
                                                     const TableFrame& frame);

}  // namespace fos
