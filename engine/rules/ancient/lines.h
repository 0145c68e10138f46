// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/rules/ancient/action.h"
#include "engine/table/result.h"

// The Ancient lines of docs/scripts.md: actions as text.
namespace fos::ancient {

// Reads one line as an action in this state, for scripts, logs, tests and windows.
// errors  kBadFormat: an unknown word (the nearest known one is named), a name that is not in this
//         game, or not a square of the board.
Result<Action> ParseAction(const State& s, std::string_view line);
// The same for LineGame; throws UnreadableLine.
Action ParseLine(const State& s, std::string_view line);

// The inverse of ParseAction: for every action that Play accepts, reading the line in the same
// state gives an equal action.
std::string ActionToLine(const State& s, const Action& action);

}  // namespace fos::ancient
