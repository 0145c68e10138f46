// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/game/rule_game.h"

// Plays a whole game of any rule set from a script (docs/scripts.md): the rule set's own lines and
// the common ones `undo`, `correct`, `remove`, `random`, `show` and `legal`.
namespace fos {

// The result of one line of the script.
struct ScriptStep {
  int line = 0;
  std::string text;  // the line, or "(drawn)" for dice from the seed, or "(random)"
  LineOutcome outcome;
};

struct ScriptOptions {
  // If set, dice and coins that the script does not give are drawn from the game's generator, and a
  // second generator with this seed drives `random`. Otherwise the script must give them.
  std::optional<std::uint64_t> seed;
  // Called for every step as it happens.
  std::function<void(const ScriptStep&)> report;
};

// Plays the script's lines. A refused line is reported and the game goes on; a line that cannot be
// read stops it.
// errors  kBadFormat: "line N: ...".
Status RunScript(RuleGame& game, std::string_view script, const ScriptOptions& options);

}  // namespace fos
