// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/rules/closefire/state.h"

// Places seen by the camera have an error. A declaration is therefore evaluated at the measured
// places and at displaced ones. If the readings differ it is too close to call, and the players
// rule before the dice.
namespace fos::closefire {

// 2.5 % of a normal distribution lie beyond this many sigmas on one side (contract, section 4).
constexpr double kSigmas = 1.96;

// One sigma of the place of one unit relative to the other, yards; 0 if both were measured by tape.
double DoubtYd(const State& s, int a, int b);
// The state with the unit displaced by these yards.
State Displaced(const State& s, int unit, Vec2 by_yd);

struct Reading {
  std::string says;
  Vec2 by;  // a displacement that gives this reading; zero for the first, the measured one
};
// The different values of `key` over the places the unit may stand: in all directions, as far as
// leaves the other answer 2.5 % (DecisionPolicy).
std::vector<Reading> ReadingsOf(const State& s, int unit, double sigma_yd,
                                const std::function<std::string(const State&)>& key);

}  // namespace fos::closefire
