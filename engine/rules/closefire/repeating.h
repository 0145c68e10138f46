// SPDX-License-Identifier: MIT
#pragma once

#include "engine/rules/closefire/moving.h"

// CF-5.7: a control test may have a unit repeat its last move.
namespace fos::closefire {

// Checks a declaration for units that must repeat: it must be the same kind of move with the same
// dice.
void RequireRepeated(Play& play, const ParsedLine& words);
// Checks at the end of a side's moves: the repeat was made, or it is impossible.
void RequireRepeatMade(Play& play, int unit);

}  // namespace fos::closefire
