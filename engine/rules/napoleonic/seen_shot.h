#pragma once

#include <vector>

#include "engine/shots/fall_of_shot.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"

// Where vision meets the rules: what NAP-3F, 3G, 6A and 6D make of a shot that the camera measured.
namespace fos::napoleonic {

// What is too close to call is left out of the ruling and listed as doubtful.
// shot, stands  settled observations in the frame's table coordinates; what is not among the stands
//               is off the table.
// errors        kBadFormat: the scenario is none of these rules' (as SetupOf's).
Result<ShotRuling> JudgeSeenShot(const ShotObservation& shot,
                                 const std::vector<StandObservation>& stands,
                                 const Scenario& scenario, const TableFrame& frame,
                                 const DecisionPolicy& policy);

}  // namespace fos::napoleonic
