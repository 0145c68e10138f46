// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/shots/seen.h"
#include "engine/table/observation.h"
#include "engine/table/scenario.h"

// Applies ANC-V1 to V6, H7, M1 and M3 to a move the camera saw.
namespace fos::ancient {

// Matches it to the cheapest legal move (around single stands if possible, else over them), or
// refuses it by clause. The camera sees no dice, so elephants count as willing (ANC-H6) and no
// stand as manning a catapult.
// stands  the position before the move.
// errors  kBadFormat: the scenario does not fit these rules (as SetupOf's).
Result<std::optional<MoveRuling>> JudgeSeenMove(const SeenMove& move,
                                                const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame);

// Faults of the position the camera sees before the first turn (as DeploymentFaults).
// errors  as JudgeSeenMove's.
Result<std::vector<std::string>> CheckSeenSetup(const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame);

}  // namespace fos::ancient
