// SPDX-License-Identifier: MIT
#pragma once

#include "engine/rules/colonial/action.h"
#include "engine/squares/game_fields.h"

// The names of all fields, in one place for the writer and the reader. Include it only in .cc
// files.
namespace fos::colonial {

FOS_JSON_FIELDS(Note, clause, text)
FOS_JSON_FIELDS(Item, who, what, amount, from)
FOS_JSON_FIELDS(Combat, close, initiator, target, items, bonus, dice, loser)
FOS_JSON_FIELDS(Ask, what, side, count, faces, about)
FOS_JSON_FIELDS(Ending, winner, wiped_out, points)
FOS_JSON_FIELDS(Stand, side, type, value, weapon, cell, facing, rear, fate, activated, open,
                initiated, moved, moved_after, mounted, withdrew, was_rear, paired, by_road, spent)
FOS_JSON_FIELDS(State, turn, phase, first, acting, left, mustered, army_points, notes_told, ask,
                generator, stands, combat, ending)
FOS_JSON_FIELDS(Noted, note)
FOS_JSON_FIELDS(NotesTold)
FOS_JSON_FIELDS(PhaseBegan, phase, acting)
FOS_JSON_FIELDS(Asked, ask)
FOS_JSON_FIELDS(DiceThrown, dice, generator)
FOS_JSON_FIELDS(ArmyPointsThrown, side, points)
FOS_JSON_FIELDS(LeftOut, stand)
FOS_JSON_FIELDS(Mustered, side)
FOS_JSON_FIELDS(GeneralRated, stand, rating)
FOS_JSON_FIELDS(TurnBegan, turn)
FOS_JSON_FIELDS(InitiativeWon, side)
FOS_JSON_FIELDS(ActivationsThrown, side, count)
FOS_JSON_FIELDS(Activated, stands, cost)
FOS_JSON_FIELDS(Moved, stand, path, facing, rear, by_road, cost)
FOS_JSON_FIELDS(Remounted, stand, type)
FOS_JSON_FIELDS(CombatBegan, combat)
FOS_JSON_FIELDS(CombatScored, dice, scores, outcome)
FOS_JSON_FIELDS(TieThrown, loser)
FOS_JSON_FIELDS(Withdrew, stand, path, facing, rear)
FOS_JSON_FIELDS(StandLost, stand, cause)
FOS_JSON_FIELDS(CombatOver)
FOS_JSON_FIELDS(SideDone, side, unused)
FOS_JSON_FIELDS(GameEnded, ending)
FOS_JSON_FIELDS(GiveDice, dice, generator)
FOS_JSON_FIELDS(LeaveOut, stand)
FOS_JSON_FIELDS(Activate, stands)
FOS_JSON_FIELDS(Move, stands, paths, facing, in_front)
FOS_JSON_FIELDS(Remount, stand, mounted)
FOS_JSON_FIELDS(Fight, close, stand, cell, target)
FOS_JSON_FIELDS(Back, cell, in_front)
FOS_JSON_FIELDS(Seen, stand, cell, facing, in_front, rear)
FOS_JSON_FIELDS(Measured, stand, x_milli_in, y_milli_in, bearing_milli_deg, width_milli_in,
                depth_milli_in)
FOS_JSON_FIELDS(Done, side)

}  // namespace fos::colonial
