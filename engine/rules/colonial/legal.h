// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/rules/colonial/action.h"

// The declarations that the rules allow now.
namespace fos::colonial {

// Which facings at the end of a move are listed besides the present one.
enum class Turns { kNone, kAll };

// Every legal declaration for one stand: activation (alone or as a pair), moves to each end square
// by a cheapest path, turns on the spot, mounting, fire and close combat. A stand that is not
// active yet is treated as if the declaration activated it. While the game waits for a withdrawal,
// only withdrawals.
void AppendFor(const State& s, PieceNo stand, Turns turns, std::vector<Action>& out);
// The same for a whole side; or the answers to what the game waits for (dice as one Draw).
std::vector<Action> LegalActions(const State& s, int side, Turns turns = Turns::kNone);
// Only the end squares of AppendFor's moves, without a change of facing.
std::vector<Cell> EndSquares(const State& s, PieceNo stand);
// The enemies a stand may engage now.
std::vector<PieceNo> LegalTargets(const State& s, bool close, PieceNo stand);

// Whether the acting side may declare anything besides the end of its activations.
bool CanAct(const State& s);

}  // namespace fos::colonial
