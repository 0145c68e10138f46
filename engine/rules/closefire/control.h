#pragma once

#include <string_view>

#include "engine/rules/closefire/play.h"

// Section 5: control tests. The sums are those of the ruling and of its forecast.
namespace fos::closefire {

// CF-5.8: routing, pursuing or looting.
bool TestsBeyondControl(const Unit& unit);
// CF-5.4, 5.8: does it test when its side ends the Command phase?
bool Tests(const Field& field, int unit);
// CF-5.5: by how much its player may shift a throw, up or down.
int ControlReach(const State& s, int unit);
Sum ControlSum(const State& s, int unit, int die, int shift);
// What becomes of it: "it halts".
std::string_view ControlWord(const State& s, int unit, ControlResult result);

}  // namespace fos::closefire
