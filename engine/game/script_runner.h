#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/game/rule_game.h"

// A whole game of any rule set from a readable script (docs/scripts.md): the rule set's own lines
// and, the same for all, `undo`, `correct`, `remove`, `random`, `show` and `legal`.
namespace fos {

// What one line of the script came to.
struct ScriptStep {
  int line = 0;
  std::string text;  // the line; "(drawn)" for dice the seed gave, "(random)" for a random player's
  LineOutcome outcome;
};

struct ScriptOptions {
  // Dice and coins the script does not give are drawn from the game's generator, and `random` from
  // another that this seeds; without it dice and coins must be given.
  std::optional<std::uint64_t> seed;
  // Called for every step as it happens.
  std::function<void(const ScriptStep&)> report;
};

// Plays the script's lines. Refused lines are reported and the game goes on; a line that cannot be
// read ends it.
// errors  kBadFormat: "line N: ...".
Status RunScript(RuleGame& game, std::string_view script, const ScriptOptions& options);

}  // namespace fos
