#pragma once

#include "engine/game/chance.h"
#include "engine/rules/colonial/action.h"

namespace fos::colonial {

// A legal action as a player who knows the rules and nothing else might choose it; for a game that
// is not over.
Action RandomAction(const State& s, Generator& chance);

}  // namespace fos::colonial
