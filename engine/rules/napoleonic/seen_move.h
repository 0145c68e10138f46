#pragma once

#include "engine/shots/seen.h"
#include "engine/table/observation.h"
#include "engine/table/scenario.h"

// Where vision meets the rules: what was seen to move, and what NAP-1 to 2F and 5B say to it.
namespace fos::napoleonic {

// Matched to the cheapest legal move, or refused by clause. The camera does not see turns begin,
// nor limbers: each move is judged by itself, guns as limbered, and a unit whose stands are moved
// one after the other is not called separated. stands  the position before the move. errors
// kBadFormat: the scenario is none of these rules' (as SetupOf's).
Result<std::optional<MoveRuling>> JudgeSeenMove(const SeenMove& move,
                                                const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame);

// What is wrong with the position the camera sees before the first turn (as DeploymentFaults).
// errors  as JudgeSeenMove's.
Result<std::vector<std::string>> CheckSeenSetup(const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame);

}  // namespace fos::napoleonic
