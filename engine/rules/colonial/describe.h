#pragma once

#include <string>
#include <string_view>

#include "engine/rules/colonial/event.h"

namespace fos::colonial {

// One sentence for people about an event that has just happened; empty for the engine's own
// book-keeping. `s` is the state after it.
std::string Describe(const State& s, const Event& event);
// The clause an event applies; empty for the engine's own book-keeping.
std::string ClauseOf(const Event& event);
std::string_view CauseName(LossCause cause);

// The table as it stands: a line for each stand, the losses and points of both sides.
std::string DescribeTable(const State& s);

}  // namespace fos::colonial
