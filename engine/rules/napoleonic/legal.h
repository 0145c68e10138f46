#pragma once

#include <vector>

#include "engine/rules/napoleonic/action.h"
#include "engine/squares/queries.h"

// "What may this unit do?": the declarations the rules allow now.
namespace fos::napoleonic {

// Every legal declaration of a side, or, while the game waits for an answer, every answer to it
// (dice and coins as one Draw; the fall of a shot is the table's to say and is not listed).
//
// Listed once each:
// - a move by its end square, with a cheapest path and the facing kept; equal stands of a light
// unit
//   or crew count once; each unit by itself (that a commander or crew goes along in one declaration
//   is two of these). Another path or a new facing is accepted by Play all the same;
// - a Square by the unit in its own square, looking N, E, S, W in turn; larger ones are accepted;
// - shots, canister and volleys at squares that hold enemies.
// `everything`: also turns, limbering, pooling and destroying where they change something,
// surrender while nothing is asked, and moves that end where a friend who has yet to move still
// stands (the step does not end before he has made room). Without it every action listed leaves the
// side able to end its step.
std::vector<Action> LegalActions(const State& s, int side, bool everything = true);

// Only the moves of one unit's stands in one square (any of its groups that may part); `strict`
// leaves out those onto friends who have yet to move.
void AppendMoves(const State& s, PieceNo unit, Cell from, bool strict, std::vector<Action>& out);
// The formed units, crews and commanders of a side that have stands in a square together.
using squares::Group;
using squares::GroupsOf;

}  // namespace fos::napoleonic
