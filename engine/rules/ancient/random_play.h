#pragma once

#include "engine/game/chance.h"
#include "engine/rules/ancient/action.h"

namespace fos::ancient {

// One legal action of a game that is not over, drawn from `chance`: what a player who knows the
// rules and nothing else might do, dice, coins and falls of shot included. It may still be refused
// where only trying tells; ending the step never is while nobody waits.
Action RandomAction(const State& s, Generator& chance);

// Something for the game to go on with when RandomAction was refused.
Action AnyProgress(const State& s, Generator& chance);

}  // namespace fos::ancient
