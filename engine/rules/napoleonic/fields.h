// SPDX-License-Identifier: MIT
#pragma once

#include "engine/rules/napoleonic/action.h"
#include "engine/rules/sweet/fields.h"

// The JSON names of all fields, used by the writer and the reader. Include it in .cc files only.
namespace fos::napoleonic {

// ---- parts of the state ----
FOS_JSON_FIELDS(Stand, unit, type, side, cell, facing, fate, formation, melee, turn_cell,
                turn_facing, came_from, moved, fired, free_turn)
FOS_JSON_FIELDS(Equipment, type, side, owner, battery, cell, facing, turn_facing, limbered, moved,
                fate)
FOS_JSON_FIELDS(Formation, side, corner, n, formed, unbroken_at_move)
FOS_JSON_FIELDS(BatteryRight, side, field, howitzer, either, horse)
FOS_JSON_FIELDS(GunRight, gun, battery_right, slots, manned, normal_used, fired, held)
FOS_JSON_FIELDS(CrewSlots, side, cell, left)
FOS_JSON_FIELDS(Near, piece, milli_in, centre_milli_in)
FOS_JSON_FIELDS(NearModel, cell, milli_in)
FOS_JSON_FIELDS(ShotFacts, off_board, x_milli_in, y_milli_in, over_water, stands, equipment, models)
FOS_JSON_FIELDS(Shot, side, gun, kind, canister, from, facing, target, victim, dice, stage, facts,
                rolled)
FOS_JSON_FIELDS(Held, side, gun, kind)
FOS_JSON_FIELDS(Passage, cell, stand)
FOS_JSON_FIELDS(CanisterDice, side, target, shots, column, unused)
FOS_JSON_FIELDS(Volley, side, unit, from, target, bonuses, dice, column, rolled, judged, losses)
FOS_JSON_FIELDS(Melee, contact, entry, stage, card, coin, retreat, leave_equipment)
FOS_JSON_FIELDS(State, turn, step, attacker, done, supports_done, volleys_over, one_stand_done, ask,
                generator, stands, equipment, formations, burning, burnt, battery_rights,
                gun_rights, crew_slots, shot, held, held_fired, canister_dice, volleys, passages,
                contacts, melees, retreats, regroup, surrendered, ending)

// ---- events ----
FOS_JSON_FIELDS(Limbered, equipment, limbered)
FOS_JSON_FIELDS(Pooled, equipment, battery)
FOS_JSON_FIELDS(ShotCalled, shot, held_before)
FOS_JSON_FIELDS(CanisterHeld, held)
FOS_JSON_FIELDS(ShotStageReached, stage)
FOS_JSON_FIELDS(CanisterJudged, left)
FOS_JSON_FIELDS(EquipmentLost, equipment, cause)
FOS_JSON_FIELDS(CloseCall, stand, equipment, model, milli_in, limit_milli_in)
FOS_JSON_FIELDS(SquareFormed, formation, stands)
FOS_JSON_FIELDS(SquareBroken, formation, by_choice)
FOS_JSON_FIELDS(Regrouped, unit)
FOS_JSON_FIELDS(Burns, cell)
FOS_JSON_FIELDS(BurntUp, cell)
FOS_JSON_FIELDS(SupportsDeclared, side)
FOS_JSON_FIELDS(MeleeDecided, melee, result, retreat, leave_equipment)

// ---- actions ----
FOS_JSON_FIELDS(ChooseStands, stands)
FOS_JSON_FIELDS(Regroup, unit, cell, facing)
FOS_JSON_FIELDS(Limber, side, equipment, limbered)
FOS_JSON_FIELDS(Pool, side, equipment, battery)
FOS_JSON_FIELDS(CallShot, side, gun, kind, target, canister)
FOS_JSON_FIELDS(HoldCanister, side, gun, kind)
FOS_JSON_FIELDS(FireHeld, side, gun, target, unit)
FOS_JSON_FIELDS(Move, side, stands, equipment, path, facing)
FOS_JSON_FIELDS(Placement, stand, cell, facing)
FOS_JSON_FIELDS(FormSquare, side, corner, columns, rows, units, placements)
FOS_JSON_FIELDS(BreakSquare, side, unit, places)
FOS_JSON_FIELDS(DestroyEquipment, side, equipment)

}  // namespace fos::napoleonic
