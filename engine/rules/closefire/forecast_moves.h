// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "engine/game/rule_game.h"
#include "engine/rules/closefire/play.h"

// Forecasts of movement, charges and control tests: the yards and DPs of a roll (CF-12, 13),
// whether a charge reaches (CF-18.2, 18.4, 18.5), the result of a control test (CF-5.5).
namespace fos::closefire {

// For `roll`, `charge`, `counter`, `evade`, and the `done` that ends the Command phase.
std::optional<fos::Forecast> OfMoves(const State& s, const ParsedLine& words);
// For the dice the game waits for.
std::optional<fos::Forecast> OfMovesAwaited(const State& s);

}  // namespace fos::closefire
