// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/shots/fall_of_shot.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"

// Applies ANC-C4 to a pellet the camera measured.
namespace fos::ancient {

// The circle hits catapults too; water and fire have no effect.
inline constexpr ShotEffects kShotEffects{.circle_hits_equipment = true, .water_and_fire = false};

// The scenario with every kind's `target` as these rules and the club's settings measure to it: an
// elephant's legs separately, an axle as a segment or as its midpoint (ANC-C4).
// errors  those of the club's tables and settings.
Result<Scenario> WithValidTargets(const Scenario& scenario);

// Stands too close to call are left out of the ruling and listed as doubtful.
// shot, stands  settled observations in the frame's table coordinates. Pieces that are not
//                among the stands are off the table. Kinds carry the axle or the legs as `target`.
// errors        kBadFormat: the scenario does not fit these rules (as SetupOf's) or has no such
//                projectile.
Result<ShotRuling> JudgeSeenShot(const ShotObservation& shot,
                                 const std::vector<StandObservation>& stands,
                                 const Scenario& scenario, const TableFrame& frame,
                                 const DecisionPolicy& policy);

}  // namespace fos::ancient
