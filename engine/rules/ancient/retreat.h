// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/rules/ancient/state.h"
#include "engine/rules/sweet/retreat_group.h"

// ANC-P2 to P4, P6, P7 and ANC-M1: where units fall back to (DEF-13 on this board).
namespace fos::ancient {

// The stands of the retreat that can still go.
std::vector<PieceNo> RetreatingStands(const State& s, const Retreat& retreat);
using sweet::RetreatingEquipment;
using sweet::RetreatWays;

// A group of a melee's losing side in one square, with everything that goes with it.
std::vector<Retreat> MeleeRetreats(const State& s, int melee, int side);

// ANC-M1: the retreats due at the start of the attacker's movement.
std::vector<Retreat> OneStandRetreatsDue(const State& s);

}  // namespace fos::ancient
