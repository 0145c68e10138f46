// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "engine/game/rule_game.h"
#include "engine/rules/napoleonic/action.h"
#include "engine/rules/sweet/fire_problem.h"

// NAP-4A to NAP-4E, and the musketry of Squares (NAP-8B).
namespace fos::napoleonic {

// A volley: the stands that fire and the number of dice.
struct VolleyPlan {
  Volley volley;
  std::vector<PieceNo> stands;
};
// NAP-4B: may one stand fire there, regardless of the step and of what is there?
// any_facing  the stand is in a Square that need not face its target.
std::optional<Refusal> CheckStandFire(const State& s, const Stand& stand, Cell target,
                                      bool any_facing);
// NAP-4B, 4C.
std::optional<Refusal> CheckVolley(const State& s, const CallVolley& a, VolleyPlan* plan);

// NAP-4C: the dice of a volley, item by item. Items without dice are left out.
// stands  number that fire.
std::vector<SumItem> VolleyDice(const State& s, PieceNo unit, std::uint8_t bonuses, int stands,
                                Cell target);

// NAP-4D, 4E: the dice of a roll and the stands it may remove.
using sweet::DistributionOf;
using sweet::FireProblem;
std::vector<PieceNo> StandsFor(const State& s, const FireProblem& problem,
                               const squares::Distribution& losses);

// NAP-3H, NAP-2B: held canister hits one unit. If several detachments of it were in the square, the
// squares they are in now, of which the firer picks one; else only kNowhere.
std::vector<Cell> CanisterSquares(const State& s);
// NAP-3H: the current canister shot, with the dice of earlier ones if the settings pool them.
// only  the square of the detachment that is hit; kNowhere for all who may be.
FireProblem CanisterProblem(const State& s, Cell only = kNowhere);
using sweet::VolleyProblem;

}  // namespace fos::napoleonic
