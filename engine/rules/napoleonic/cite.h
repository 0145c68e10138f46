// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/napoleonic/action.h"

// The clause behind each pending input, declaration and event, for menus and reports.
namespace fos::napoleonic {

using squares::Cited;
Cited CiteOf(const State& s, const Declaration& what);

// For example "NAP-4D" for the dice of a volley.
std::string_view ClauseOfAsk(PendingInput kind);

// The clause an event applies, given the state after it; empty for internal bookkeeping.
std::string ClauseOf(const State& s, const Event& event);

}  // namespace fos::napoleonic
