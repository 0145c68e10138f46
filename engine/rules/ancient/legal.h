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
// catapult, target and each kind of stand that may man it, at squares that hold enemies.
// `everything`: also turns where they change something, conceding while nothing is asked, and moves
// that end where a friend who has yet to move still stands (the step does not end before he has
// made room). Without it every action listed leaves the side able to end its step. Calling the time
// is not listed.
std::vector<Action> LegalActions(const State& s, int side, bool everything = true);

// Only the moves of one unit's stands in one square (any of its groups that may part); `strict`
// leaves out those onto friends who have yet to move.
void AppendMoves(const State& s, PieceNo unit, Cell from, bool strict, std::vector<Action>& out);

}  // namespace fos::ancient
