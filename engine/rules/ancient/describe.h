#pragma once

#include <string>
#include <string_view>

#include "engine/rules/ancient/event.h"

namespace fos::ancient {

// One sentence for people about an event that has just happened; empty for the engine's own
// book-keeping. `s` is the state after it.
std::string Describe(const State& s, const Event& event);

// "removed by a catapult"
std::string_view CauseName(LossCause cause);

// The table as it stands: a line for each group and piece, the points of both sides.
std::string DescribeTable(const State& s);

}  // namespace fos::ancient
