// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/rules/colonial/event.h"

namespace fos::colonial {

// One sentence for players about an event; empty for internal events. `s` is the state after it.
std::string Describe(const State& s, const Event& event);
// The clause an event applies; empty for internal events.
std::string ClauseOf(const State& s, const Event& event);
std::string_view CauseName(LossCause cause);

// The table in words: a line for each stand, and the losses and points of both sides.
std::string DescribeTable(const State& s);

}  // namespace fos::colonial
