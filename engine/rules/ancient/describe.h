// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/rules/ancient/event.h"

namespace fos::ancient {

// One sentence for players about an event; empty for internal bookkeeping. `s` is the state after
// it.
std::string Describe(const State& s, const Event& event);

// "removed by a catapult"
std::string_view CauseName(LossCause cause);

// The position as text: a line for each group and piece, and the points of both sides.
std::string DescribeTable(const State& s);

}  // namespace fos::ancient
