#pragma once

#include <vector>

#include "engine/rules/ancient/action.h"
#include "engine/squares/queries.h"

// "What may this unit do?": the declarations the rules allow now.
namespace fos::ancient {

// Every legal declaration of a side, or, while the game waits for an answer, every answer to it
// (dice and coins as one Draw; the fall of a shot is the table's to say and is not listed).
//
// Listed once each: a move by its end square with a cheapest path and the facing kept (equal stands
// of a unit that may part count once; over single stands only where nothing else leads there; and
// once more where whoever holds the end square may be run down instead of fought); a shot by its
// catapult, target and each kind of stand that may man it, at squares that hold enemies. Moves that
// end where a friend who has yet to move still stands are accepted by Play but not listed. Turns
// are listed where they would change something and only when `with_turns`. Conceding and calling
// the time are not listed.
std::vector<Action> LegalActions(const State& s, int side, bool with_turns = true);

// Only the moves of one unit's stands in one square (any of its groups that may part).
void AppendMoves(const State& s, PieceNo unit, Cell from, std::vector<Action>& out);

}  // namespace fos::ancient
