#pragma once

#include <utility>
#include <vector>

#include "engine/rules/closefire/play.h"

// Sections 19 to 21: who is in which combat, and with what.
namespace fos::closefire {

// Units that fight one another, directly or through others (CF-20.7), by side.
struct Melee {
  std::vector<int> units[2];
};
std::vector<Melee> MeleesOf(const State& s);
// Enemies of a unit in its combat: those it is engaged with.
std::vector<int> OpponentsOf(const State& s, int unit);

// CF-19.1: pairs that close fire makes now.
std::vector<Engaged> CloseFirePairs(const Field& field);
// CF-23.4: guns whose crews shelter with the foot behind them.
std::vector<int> ShelteringGuns(const Field& field);

// CF-20.5, hundredths of a base.
int NumbersOf(const Field& field, int unit, const Melee& melee);
// CF-20.3, as the unit stands.
Fighter FighterOf(const Field& field, int unit, const Melee& melee);
bool ThrowsD6(const State& s, int unit);    // CF-20.2
bool ChargedNow(const State& s, int unit);  // by charge or counter-charge, in contact
// Foot as targets of a charge (CF-21, dragoons_are_foot_targets).
bool FootTarget(const State& s, int unit);
bool ChargedFoot(const State& s, int unit);

// CF-18.2 to 18.5, CF-18.9: one roll for those who charge together, kept in `rolls` by body.
void RunCharge(Play& play, int unit, std::vector<std::pair<int, std::vector<int>>>& rolls);
// Sections 20 and 21, to the end. Pairs of a pursuer and the new enemy it met are added to
// `met_by`.
void Fight(Play& play, const Melee& melee, std::vector<int>& met_by);

}  // namespace fos::closefire
