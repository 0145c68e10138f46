#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/rules/closefire/state.h"

// Places that the camera saw are out by a little. What a declaration comes to is therefore read
// from where the units may stand as well as from where they were measured; where the readings
// differ it is too close to call, and the players rule before any die is thrown.
namespace fos::closefire {

// One sigma of the place of one unit relative to the other, yards; 0 where both stand by tape.
double DoubtYd(const State& s, int a, int b);
// The state with the unit displaced.
State Displaced(const State& s, int unit, Vec2 by_yd);

struct Reading {
  std::string says;
  Vec2 by;  // a displacement that gives it; none for the first, which is as measured
};
// Everything that `key` says of the state while the unit stands where the doubt allows: as far off
// as leaves the other answer 2.5 % (DecisionPolicy), all round.
std::vector<Reading> ReadingsOf(const State& s, int unit, double sigma_yd,
                                const std::function<std::string(const State&)>& key);

}  // namespace fos::closefire
