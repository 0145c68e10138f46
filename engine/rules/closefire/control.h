// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "engine/rules/closefire/play.h"

// Sections 4 and 5: what leaders may do, and control tests, used by the ruling and the forecast.
namespace fos::closefire {

int ActionsOf(const State& s, int leader);  // CF-4.1, 6.3: in a turn

// CF-5.8: routing, pursuing or looting.
bool TestsBeyondControl(const Unit& unit);
// CF-5.4, 5.8: whether it tests when its side ends the Command phase.
bool Tests(const Field& field, int unit);
// CF-5.5: how much its player may add to or subtract from the die.
int ControlReach(const State& s, int unit);
Sum ControlSum(const State& s, int unit, int die, int shift);
// The result in words: "it halts".
std::string_view ControlWord(const State& s, int unit, ControlResult result);

}  // namespace fos::closefire
