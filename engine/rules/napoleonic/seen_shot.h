// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/shots/fall_of_shot.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"

// Applies NAP-3F, 3G, 6A and 6D to a shot the camera measured.
namespace fos::napoleonic {

// Stands too close to call are left out of the ruling and listed as doubtful.
// shot, stands  settled observations in the frame's table coordinates. Pieces that are not
//                among the stands are off the table.
// errors        kBadFormat: the scenario does not fit these rules (as SetupOf's).
Result<ShotRuling> JudgeSeenShot(const ShotObservation& shot,
                                 const std::vector<StandObservation>& stands,
                                 const Scenario& scenario, const TableFrame& frame,
                                 const DecisionPolicy& policy);

}  // namespace fos::napoleonic
