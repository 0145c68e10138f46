#pragma once

#include <string>
#include <string_view>

#include "engine/rules/colonial/action.h"

// Declarations, dice and choices as the lines of docs/scripts.md.
namespace fos::colonial {

// Throws UnreadableLine (line_words.h): an unknown word (with the nearest known one), a name this
// game has not, a square that is none.
Action ParseLine(const State& s, std::string_view line);

// ParseLine's inverse, in full: the path of a move that was said by its end square. Only stands and
// squares this game has.
std::string ActionToLine(const State& s, const Action& action);

}  // namespace fos::colonial
