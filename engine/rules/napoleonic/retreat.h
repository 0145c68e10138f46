// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/rules/napoleonic/state.h"
#include "engine/rules/sweet/retreat_group.h"

// NAP-5G, 5D, 6D and 9: where units fall back to (DEF-13 on this board).
namespace fos::napoleonic {

// The stands of the retreat that can still go: on the board, together, and, if they leave a burning
// square, still in it.
std::vector<PieceNo> RetreatingStands(const State& s, const Retreat& retreat);
using sweet::RetreatingEquipment;
using sweet::RetreatWays;

// A group of a melee's losing side in one square, with everything that goes with it.
std::vector<Retreat> MeleeRetreats(const State& s, int melee, int side);

// NAP-9: must this stand, the last of its unit, go home in its owner's moves?
bool MustRetreatAlone(const State& s, const Stand& stand);
// NAP-9: the retreats due at the start of the attacker's movement.
std::vector<Retreat> OneStandRetreatsDue(const State& s);

}  // namespace fos::napoleonic
