// SPDX-License-Identifier: MIT
#pragma once

#include "engine/shots/seen.h"
#include "engine/table/observation.h"
#include "engine/table/scenario.h"

// Applies NAP-1 to 2F and 5B to a move the camera saw.
namespace fos::napoleonic {

// Matches it to the cheapest legal move, or refuses it by clause. The camera does not see turns
// begin or guns limber, so each move is judged on its own, guns count as limbered, and a unit whose
// stands move one after the other does not count as separated.
// stands  the position before the move.
// errors  kBadFormat: the scenario does not fit these rules (as SetupOf's).
Result<std::optional<MoveRuling>> JudgeSeenMove(const SeenMove& move,
                                                const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame);

// Faults of the position the camera sees before the first turn (as DeploymentFaults).
// errors  as JudgeSeenMove's.
Result<std::vector<std::string>> CheckSeenSetup(const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame);

}  // namespace fos::napoleonic
