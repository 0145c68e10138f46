// SPDX-License-Identifier: MIT
#pragma once

#include "engine/rules/sweet/events.h"
#include "engine/squares/game_fields.h"

// The field names of the shared events, for json_fields.h. Include it in .cc files only.
namespace fos::sweet {

FOS_JSON_FIELDS_OF(LandOf, facts)
FOS_JSON_FIELDS(GiveUp, side)
FOS_JSON_FIELDS_OF(StepBeganOf, turn, step, attacker)
FOS_JSON_FIELDS_OF(AskedOf, ask)
FOS_JSON_FIELDS_OF(ShotLandedOf, facts)
FOS_JSON_FIELDS_OF(VolleyCalledOf, volley, stands)
FOS_JSON_FIELDS_OF(StandLostOf, stand, cause)
FOS_JSON_FIELDS_OF(RetreatOrderedOf, retreat)
FOS_JSON_FIELDS_OF(MeleeJoinedOf, melee, stands)
FOS_JSON_FIELDS(GaveUp, side)
FOS_JSON_FIELDS_OF(GameEndedOf, ending)

}  // namespace fos::sweet
