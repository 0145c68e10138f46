#pragma once

#include "engine/rules/closefire/moving.h"

// CF-5.7: a control test may have a unit repeat its last move.
namespace fos::closefire {

// A declaration of the Movement phase about units that must: it is the same kind of move, by the
// same dice.
void RequireRepeated(Play& play, const ParsedLine& words);
// When the side has done moving: it was made, or cannot be.
void RequireRepeatMade(Play& play, int unit);

}  // namespace fos::closefire
