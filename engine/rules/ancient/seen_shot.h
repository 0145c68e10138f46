#pragma once

#include <vector>

#include "engine/shots/fall_of_shot.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"

// Where vision meets the rules: what ANC-C4 makes of a pellet that the camera measured.
namespace fos::ancient {

// What is too close to call is left out of the ruling and listed as doubtful.
// shot, stands  settled observations in the frame's table coordinates; what is not among the stands
//               is off the table. Kinds carry the axle or the legs as `target`.
// errors        kBadFormat: the scenario is none of these rules' (as SetupOf's), or it lists no
// such
//               projectile.
Result<ShotRuling> JudgeSeenShot(const ShotObservation& shot,
                                 const std::vector<StandObservation>& stands,
                                 const Scenario& scenario, const TableFrame& frame,
                                 const DecisionPolicy& policy);

}  // namespace fos::ancient
