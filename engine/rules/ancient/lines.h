#pragma once

#include <string>
#include <string_view>

#include "engine/rules/ancient/action.h"
#include "engine/table/result.h"

// The Ancient lines of docs/scripts.md: actions as people type, read and keep them.
namespace fos::ancient {

// One line as an action in this state: what a script, a log, a test or a window may ask for.
// errors  kBadFormat: an unknown word (with the nearest known one), a name this game has not, a
//         square that is none.
Result<Action> ParseAction(const State& s, std::string_view line);
// The same for LineGame; throws UnreadableLine.
Action ParseLine(const State& s, std::string_view line);

// ParseAction's inverse: read in the same state the line gives an equal action, for every action
// that Play accepts there.
std::string ActionToLine(const State& s, const Action& action);

}  // namespace fos::ancient
