// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/rules/napoleonic/event.h"

namespace fos::napoleonic {

// One sentence for players about an event; empty for internal bookkeeping. `s` is the state after
// it.
std::string Describe(const State& s, const Event& event);

// "destroyed by a shot"
std::string_view CauseName(LossCause cause);

// The position as text: a line for each group and piece, and the points of both sides.
std::string DescribeTable(const State& s);

}  // namespace fos::napoleonic
