// SPDX-License-Identifier: MIT
#pragma once

#include "engine/game/chance.h"
#include "engine/rules/napoleonic/action.h"

namespace fos::napoleonic {

// One random legal action of a game that is not over, dice, coins and falls of shot included. A few
// actions can only be checked by trying them and may be refused; ending the step is never refused
// while no input is pending.
Action RandomAction(const State& s, Generator& chance);

// An action that advances the game after RandomAction was refused.
Action AnyProgress(const State& s, Generator& chance);

}  // namespace fos::napoleonic
