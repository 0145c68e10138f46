// SPDX-License-Identifier: MIT
#pragma once

#include "engine/rules/ancient/action.h"
#include "engine/rules/sweet/fields.h"

// The JSON names of all fields, used by the writer and the reader. Include it in .cc files only.
namespace fos::ancient {

// ---- parts of the state ----
FOS_JSON_FIELDS(Stand, unit, type, side, cell, facing, fate, melee, turn_cell, turn_facing,
                came_from, value, will, moved, fired, busy, charged)
FOS_JSON_FIELDS(Equipment, type, side, owner, may_fire_for, cell, facing, fired, moved, fate)
FOS_JSON_FIELDS(Near, piece, milli_in)
FOS_JSON_FIELDS(ShotFacts, off_board, x_milli_in, y_milli_in, stands, equipment)
FOS_JSON_FIELDS(Shot, side, catapult, man, from, facing, target, landed, facts)
FOS_JSON_FIELDS(Volley, side, unit, from, target, later_unit, against_protection, dice, column,
                rolled, judged, losses)
FOS_JSON_FIELDS(Melee, contact, entry, stage, card, coin, retreat)
FOS_JSON_FIELDS(State, turn, step, attacker, done, volleys_over, one_stand_done, moving, last_turn,
                ask, generator, stands, equipment, shot, volleys, contacts, melees, retreats,
                conceded, ending)

// ---- events ----
FOS_JSON_FIELDS(ShotCalled, shot)
FOS_JSON_FIELDS(ShotOver)
FOS_JSON_FIELDS(EquipmentLost, equipment)
FOS_JSON_FIELDS(CloseCall, equipment, piece, milli_in, limit_milli_in)
FOS_JSON_FIELDS(ElephantDecided, unit, will)
FOS_JSON_FIELDS(MeleeDecided, melee, result, retreat)
FOS_JSON_FIELDS(TimeRanOut, last_turn)

// ---- actions ----
FOS_JSON_FIELDS(Choose, stands, equipment)
FOS_JSON_FIELDS(CallShot, side, catapult, man, target)
FOS_JSON_FIELDS(Rouse, side, unit)
FOS_JSON_FIELDS(Move, side, stands, equipment, path, run_down, facing)
FOS_JSON_FIELDS(TimeUp)

}  // namespace fos::ancient
