// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "engine/game/rule_game.h"
#include "engine/rules/closefire/play.h"

// Forecasts of fire and combat before the dice, from the same sums as the rulings.
namespace fos::closefire {

// CF-16.1, 16.2, 17.1 to 17.4: for a `fire` line; nothing for other lines or if it may not fire.
std::optional<fos::Forecast> ForecastOf(const State& s, const Action& action);
// CF-20.3, 20.7, 21.1: for the combat whose die the game waits for, with the dice already thrown.
// The throwing side is 0. Nothing if no combat die is awaited, or if a ruling on what was too close
// to call changed its sums.
std::optional<fos::Forecast> Awaited(const State& s);

}  // namespace fos::closefire
