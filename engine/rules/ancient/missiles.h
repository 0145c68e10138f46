// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "engine/game/rule_game.h"
#include "engine/rules/ancient/action.h"
#include "engine/rules/sweet/fire_problem.h"

// ANC-F1 to ANC-F6.
namespace fos::ancient {

using sweet::DistributionOf;
using sweet::FireProblem;
using sweet::StandsFor;

// A volley: the stands that shoot and the number of dice.
struct VolleyPlan {
  Volley volley;
  std::vector<PieceNo> stands;
};
// ANC-F1, ANC-F2: may one stand shoot there, regardless of the step and of what is there?
std::optional<Refusal> CheckStandShoots(const State& s, const Stand& stand, Cell target);
std::optional<Refusal> CheckVolley(const State& s, const CallVolley& a, VolleyPlan* plan);

// ANC-F3: the dice of a volley, item by item. Items without dice are left out.
// stands  number that shoot.
std::vector<SumItem> VolleyDice(const State& s, PieceNo unit, int stands, bool later,
                                bool protection, Cell target);

// ANC-F3, ANC-F4: does this side lose a die when it shoots at the enemies in that square?
bool ShotAtProtection(const State& s, int side, Cell target);

using sweet::VolleyProblem;

}  // namespace fos::ancient
