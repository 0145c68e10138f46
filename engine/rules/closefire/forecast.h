#pragma once

#include <optional>

#include "engine/game/rule_game.h"
#include "engine/rules/closefire/play.h"

// What fire and combats come to before their dice, from the sums the referee computes them with.
namespace fos::closefire {

// CF-16.1, 16.2, 17.1 to 17.4: of a line that fires; nothing where it may not, or none is.
std::optional<fos::Forecast> ForecastOf(const State& s, const Action& action);
// CF-20.3, 20.7, 21.1: of the combat whose die is asked for, with the dice that lie already; the
// side that throws is 0. Nothing where no combat's die is, or where the players' ruling about what
// is too close to call has made its sums others.
std::optional<fos::Forecast> Awaited(const State& s);

}  // namespace fos::closefire
