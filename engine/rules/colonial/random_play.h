// SPDX-License-Identifier: MIT
#pragma once

#include "engine/game/chance.h"
#include "engine/rules/colonial/action.h"

namespace fos::colonial {

// A random legal action, for a game that is not over.
Action RandomAction(const State& s, Generator& chance);

}  // namespace fos::colonial
