// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/rules/colonial/action.h"

// Declarations, dice and choices as lines of docs/scripts.md.
namespace fos::colonial {

// Throws UnreadableLine (line_words.h) for an unknown word (with the nearest known one), an unknown
// name or a place that is not a square.
Action ParseLine(const State& s, std::string_view line);

// The inverse of ParseLine, in full: a move declared by its end square gets its path. Takes only
// stands and squares of this game.
std::string ActionToLine(const State& s, const Action& action);

}  // namespace fos::colonial
