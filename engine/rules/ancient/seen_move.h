#pragma once

#include <string>
#include <vector>

#include "engine/shots/seen.h"
#include "engine/table/observation.h"
#include "engine/table/scenario.h"

// Where vision meets the rules: what was seen to move, and what ANC-V1 to V6, H7, M1 and M3 say to
// it.
namespace fos::ancient {

// Matched to the cheapest legal move (round single stands where that is possible, else over them),
// or refused by clause. The camera sees no dice: elephants are taken as willing (ANC-H6), and
// nobody as manning a catapult. stands  the position before the move. errors  kBadFormat: the
// scenario is none of these rules' (as SetupOf's).
Result<std::optional<MoveRuling>> JudgeSeenMove(const SeenMove& move,
                                                const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame);

// What is wrong with the position the camera sees before the first turn (as DeploymentFaults).
// errors  as JudgeSeenMove's.
Result<std::vector<std::string>> CheckSeenSetup(const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame);

}  // namespace fos::ancient
