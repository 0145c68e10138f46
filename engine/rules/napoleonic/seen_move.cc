// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/seen_move.h"

#include "engine/rules/napoleonic/game_file.h"
#include "engine/rules/napoleonic/lines.h"
#include "engine/rules/napoleonic/movement.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/rules/napoleonic/seen_position.h"
#include "engine/rules/sweet/seen_move.h"

namespace fos::napoleonic {
namespace {

struct MoveWords : sweet::GridMoveWords {
  using Position = SeenPosition;
  using Move = napoleonic::Move;
  using StepBegan = napoleonic::StepBegan;
  static constexpr Step kMovement = Step::kMovement;
  // The camera cannot see whether guns are limbered.
  static void Ready(State& s) {
    for (Equipment& e : s.equipment) e.limbered = true;
  }
  static void FindWay(const State& s, Move& move, Cell to) {
    for (std::vector<Cell>& path : Reach(s, move.stands, move.equipment))
      if (path.back() == to) move.path = std::move(path);
    if (move.path.empty())
      move.path = squares::StraightWay(s.setup->board, s.StandAt(move.stands.front()).cell, to);
  }
  static std::optional<Refusal> Check(const State& s, const Move& move) {
    return CheckMove(s, move);
  }
  static const char* ClauseOf(const Move& move) {
    return move.equipment.empty() ? "NAP-1" : "NAP-2F";
  }
};

}  // namespace

// NAP-1, 2C to 2F, 5B.
Result<std::optional<MoveRuling>> JudgeSeenMove(const SeenMove& seen,
                                                const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame) {
  return sweet::JudgeSeenMove<MoveWords>(SetupOf(scenario, frame), seen, stands, frame);
}

// NAP-2C, NAP-2G.
Result<std::vector<std::string>> CheckSeenSetup(const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame) {
  return sweet::SeenSetupFaults<SeenPosition>(SetupOf(scenario, frame), stands, frame, "NAP-2G");
}

}  // namespace fos::napoleonic
