// SPDX-License-Identifier: MIT
#pragma once

#include "engine/squares/field_list.h"
#include "engine/squares/game_words.h"
#include "engine/squares/grid_state.h"

// The field names of the shared declarations and events, for json_fields.h. Include it in .cc files
// only.
namespace fos::squares {

FOS_JSON_FIELDS_OF(AskOf, kind, side, count, about)
FOS_JSON_FIELDS_OF(EndingOf, reason, winner, points)
FOS_JSON_FIELDS_OF(RetreatOf, side, reason, direction, steps, stands, equipment)
FOS_JSON_FIELDS(GiveDice, dice, generator)
FOS_JSON_FIELDS(GiveCoin, heads, generator)
FOS_JSON_FIELDS(Draw)
FOS_JSON_FIELDS(ChooseRetreat, cell)
FOS_JSON_FIELDS(TurnUnit, side, unit, cell, facing)
FOS_JSON_FIELDS(TurnEquipment, side, equipment, facing)
FOS_JSON_FIELDS(CallVolley, side, unit, from, target)
FOS_JSON_FIELDS(Support, side, unit, from, contact)
FOS_JSON_FIELDS(PlayCard, side, contact, card)
FOS_JSON_FIELDS(EndStep, side)
FOS_JSON_FIELDS(DiceThrown, dice, generator)
FOS_JSON_FIELDS(CoinThrown, heads, generator)
FOS_JSON_FIELDS(StandsTurned, stands, facing)
FOS_JSON_FIELDS(EquipmentTurned, equipment, facing)
FOS_JSON_FIELDS(VolleyJudged, volley, losses)
FOS_JSON_FIELDS(VolleysOver)
FOS_JSON_FIELDS(EquipmentTaken, equipment, owner)
FOS_JSON_FIELDS(Moved, stands, equipment, path, retreat)
FOS_JSON_FIELDS(StandPlaced, stand, cell, facing)
FOS_JSON_FIELDS(RetreatOver)
FOS_JSON_FIELDS(OneStandRetreats)
FOS_JSON_FIELDS(Supported, melee, stands)
FOS_JSON_FIELDS(CardChosen, melee, side, card)
FOS_JSON_FIELDS(MeleeStageReached, melee, stage)
FOS_JSON_FIELDS(SaidDone, side)
FOS_JSON_FIELDS(MeleesOrdered, contacts)
FOS_JSON_FIELDS(OrderMelees, side, contacts)
FOS_JSON_FIELDS(Overruled, clause, because)

}  // namespace fos::squares
