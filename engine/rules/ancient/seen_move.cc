// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/seen_move.h"

#include "engine/rules/ancient/game_file.h"
#include "engine/rules/ancient/lines.h"
#include "engine/rules/ancient/movement.h"
#include "engine/rules/ancient/query.h"
#include "engine/rules/ancient/seen_position.h"
#include "engine/rules/sweet/seen_move.h"

namespace fos::ancient {
namespace {

struct MoveWords : sweet::GridMoveWords {
  using Position = SeenPosition;
  using Move = ancient::Move;
  using StepBegan = ancient::StepBegan;
  static constexpr Step kMovement = Step::kMovement;
  static void Ready(State& s) {
    for (Stand& stand : s.stands) stand.will = Will::kWilling;
  }
  static void FindWay(const State& s, Move& move, Cell to) {
    move.path = WayTo(s, move.stands, move.equipment, to);
  }
  static std::optional<Refusal> Check(const State& s, const Move& move) {
    return CheckMove(s, move, nullptr);
  }
  static const char* ClauseOf(const Move& move) {
    return move.equipment.empty() ? "ANC-V1" : "ANC-V5";
  }
};

}  // namespace

// ANC-V1 to V6, H7, M1, M3.
Result<std::optional<MoveRuling>> JudgeSeenMove(const SeenMove& seen,
                                                const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame) {
  return sweet::JudgeSeenMove<MoveWords>(SetupOf(scenario, frame), seen, stands, frame);
}

// ANC-V2, ANC-V6.
Result<std::vector<std::string>> CheckSeenSetup(const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame) {
  return sweet::SeenSetupFaults<SeenPosition>(SetupOf(scenario, frame), stands, frame, "ANC-V6");
}

}  // namespace fos::ancient
