#pragma once

#include <vector>

#include "engine/rules/napoleonic/action.h"
#include "engine/squares/queries.h"

// "What may this unit do?": the declarations the rules allow now.
namespace fos::napoleonic {

// Every legal declaration of a side, or, while the game waits for an answer, every answer to it
// (dice and coins as one Draw; the fall of a shot is the table's to say and is not listed).
//
// Listed once each: a move by its end square (with a cheapest path and the facing kept; equal
// stands of a light unit or crew count once), a Square by the units and its block. Moves that end
// where a friend who has yet to move still stands are accepted by Play but not listed. Turns,
// limbering, pooling and destroying of equipment are listed where they would change something and
// only when `with_turns`. Surrender is not listed.
std::vector<Action> LegalActions(const State& s, int side, bool with_turns = true);

// Only the moves of one unit's stands in one square (any of its groups that may part).
void AppendMoves(const State& s, PieceNo unit, Cell from, std::vector<Action>& out);
// The formed units, crews and commanders of a side that have stands in a square together.
using squares::Group;
using squares::GroupsOf;

}  // namespace fos::napoleonic
