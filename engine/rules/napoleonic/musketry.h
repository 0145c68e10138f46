#pragma once

#include <optional>
#include <vector>

#include "engine/game/rule_game.h"
#include "engine/rules/napoleonic/action.h"
#include "engine/squares/fire_problem.h"

// NAP-4A to NAP-4E, and the musketry of Squares (NAP-8B).
namespace fos::napoleonic {

// A volley as it would be thrown: which stands fire, with how many dice.
struct VolleyPlan {
  Volley volley;
  std::vector<PieceNo> stands;
};
// NAP-4B: may one stand fire there, whoever is there and whatever the step?
// any_facing  as in a Square that need not face what it fires at.
std::optional<Refusal> CheckStandFire(const State& s, const Stand& stand, Cell target,
                                      bool any_facing);
// NAP-4B, 4C.
std::optional<Refusal> CheckVolley(const State& s, const CallVolley& a, VolleyPlan* plan);

// NAP-4C: the dice of a volley, item by item; what has none is not there.
// stands  that fire.
std::vector<SumItem> VolleyDice(const State& s, PieceNo unit, std::uint8_t bonuses, int stands,
                                Cell target);

// NAP-4D, 4E: the dice of a roll against the stands it may take.
using squares::DistributionOf;
using squares::FireProblem;
std::vector<PieceNo> StandsFor(const State& s, const FireProblem& problem,
                               const squares::Distribution& losses);

// NAP-3H: the canister shot under way, with dice of earlier ones where the settings pool them.
FireProblem CanisterProblem(const State& s);
using squares::VolleyProblem;

}  // namespace fos::napoleonic
