#pragma once

#include <vector>

#include "engine/rules/colonial/action.h"

// "What may this stand do?": the declarations the rules allow now.
namespace fos::colonial {

// Which turnings of a move are listed besides the facing kept.
enum class Turns { kNone, kAll };

// Every legal declaration about one stand: activation (alone or as a pair), moves by end square
// with a cheapest path, turns on the spot, mounting, fire, close combat. Stands not yet activated
// are listed as if the declaration activated them. Withdrawals while one is waited for.
void AppendFor(const State& s, PieceNo stand, Turns turns, std::vector<Action>& out);
// Of a whole side; or the answers to what the game waits for (dice as one Draw).
std::vector<Action> LegalActions(const State& s, int side, Turns turns = Turns::kNone);
// The end squares alone of AppendFor's moves, the facing kept.
std::vector<Cell> EndSquares(const State& s, PieceNo stand);
// Enemies a stand may engage now.
std::vector<PieceNo> LegalTargets(const State& s, bool close, PieceNo stand);

// Is there anything left that the acting side may declare but the end of its activations?
bool CanAct(const State& s);

}  // namespace fos::colonial
