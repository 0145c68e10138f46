// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/rules/ancient/action.h"
#include "engine/squares/queries.h"

// The declarations that the rules allow now: "What may this unit do?"
namespace fos::ancient {

// Every legal declaration of a side, or, while input is pending, every answer to it (dice and coins
// as one Draw; the fall of a shot is measured on the table and is not listed).
//
// Listed once each: a move by its end square with a cheapest path and unchanged facing (equal
// stands of a unit that may separate count once; over single stands only if there is no other way;
// and once more if the stand on the end square may be run down instead of fought); a shot by its
// catapult, its target and each kind of stand that may man it, at squares that hold enemies.
// `everything`: also turns where they change something, conceding while no input is pending, and
// moves onto friends who have yet to move (the step cannot end before they have made room). Without
// it, the side can end its step after every action listed. Calling time is not listed.
std::vector<Action> LegalActions(const State& s, int side, bool everything = true);

// Only the moves of one unit's stands in one square, including parts of it that may separate.
// `strict` leaves out moves onto friends who have yet to move.
void AppendMoves(const State& s, PieceNo unit, Cell from, bool strict, std::vector<Action>& out);

}  // namespace fos::ancient
