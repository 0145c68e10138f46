// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/rules/napoleonic/action.h"
#include "engine/squares/queries.h"

// The declarations that the rules allow now: "What may this unit do?"
namespace fos::napoleonic {

// Every legal declaration of a side, or, while input is pending, every answer to it (dice and coins
// as one Draw; the fall of a shot is measured on the table and is not listed).
//
// Listed once each:
// - a move by its end square, with a cheapest path and unchanged facing; equal stands of a light
//   unit or crew count once; each unit on its own, without companions. Play also accepts other
//   paths, a new facing, and a commander or crew in the same move;
// - a Square by the unit in its own square, facing N, E, S, W in turn; Play also accepts larger
// ones;
// - shots, canister and volleys at squares that hold enemies.
// `everything`: also turns, limbering, pooling and destroying where they change something,
// surrender while no input is pending, and moves onto friends who have yet to move (the step cannot
// end before they have made room). Without it, the side can end its step after every action listed.
std::vector<Action> LegalActions(const State& s, int side, bool everything = true);

// Only the moves of one unit's stands in one square, including parts of it that may separate.
// `strict` leaves out moves onto friends who have yet to move.
void AppendMoves(const State& s, PieceNo unit, Cell from, bool strict, std::vector<Action>& out);
// The formed units, crews and commanders of a side, one entry for each square their stands are in.
using squares::Group;
using squares::GroupsOf;

// NAP-8A: the Squares that a side may form, up to three squares wide, and those that it may break.
std::vector<Action> SquareActions(const State& s, int side);

}  // namespace fos::napoleonic
