// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "engine/rules/closefire/play.h"

// Sections 19 to 21: who fights in which combat, and with which factors.
namespace fos::closefire {

// Units that fight each other, directly or through others (CF-20.7), by side.
struct Melee {
  std::vector<int> units[2];
};
std::vector<Melee> MeleesOf(const State& s);
std::vector<Melee> MeleesOf(const State& s, const std::vector<Engaged>& pairs);
// The enemies a unit is engaged with.
std::vector<int> OpponentsOf(const State& s, int unit);

// CF-19.1: the pairs of units now in close fire.
std::vector<Engaged> CloseFirePairs(const Field& field);
// Whether one of them fights the other in close fire.
bool InCloseFire(const Field& field, int a, int b);
// CF-23.4: guns whose crews take shelter with the foot behind them.
std::vector<int> ShelteringGuns(const Field& field);
// CF-23.4: whether the gun stands before this foot, which is in combat.
bool BeforeFightingFoot(const Field& field, int gun, int foot);

// CF-20.5, in hundredths of a base.
int NumbersOf(const Field& field, int unit, const Melee& melee);
// CF-20.3, for the unit as it stands.
Fighter FighterOf(const Field& field, int unit, const Melee& melee);
bool ThrowsD6(const State& s, int unit);    // CF-20.2
bool ChargedNow(const State& s, int unit);  // in contact by charge or counter-charge
// Whether the unit counts as foot when charged (CF-21, setting dragoons_are_foot_targets).
bool FootTarget(const State& s, int unit);
// CF-21: the enemies that its charge reached, and whether cavalry charged foot. Enemies that only
// fight it in close fire were not charged.
std::vector<int> ChargedBy(const Field& field, int unit);
bool ChargedFoot(const Field& field, int unit);
// The units that charge this one, and the first of them.
std::vector<int> ChargersOf(const State& s, int unit);
std::optional<int> ChargerOf(const State& s, int unit);

// CF-18.2 to 18.5, CF-18.9: units that charge in one body share a roll, kept in `rolls` by body.
void RunCharge(Play& play, int unit, std::vector<std::pair<int, std::vector<int>>>& rolls);
// Sections 20 and 21: resolves a combat. Appends pairs of a pursuer and the new enemy it met to
// met_by.
void Fight(Play& play, const Melee& melee, std::vector<int>& met_by);

// How far the Combat phase has come, for Play::Keep.
struct CombatsSoFar {
  enum class Step { kCharges, kCloseFire, kCombats, kPursuits, kFresh, kEnd };
  Step step = Step::kCharges;
  int side = 0;                                         // in the order in which the sides charge
  std::vector<int> order;                               // of the side's chargers
  std::size_t next = 0;                                 // charger, combat or pursuer
  std::vector<std::pair<int, std::vector<int>>> rolls;  // by the first unit of a body
  std::vector<Melee> melees;
  // Pairs of a pursuer and the new enemy it met: in a combat, and in a fresh combat after it.
  std::vector<int> met_by, met_again;
  // CF-23.4: guns whose crews shelter with foot that fights, and the enemies of its combat.
  std::vector<std::pair<int, std::vector<int>>> sheltered;
};

}  // namespace fos::closefire
