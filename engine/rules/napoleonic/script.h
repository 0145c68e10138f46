#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/napoleonic/game.h"
#include "engine/table/result.h"

// A whole game without a camera from a readable script (docs/scripts.md).
namespace fos::napoleonic {

// What one line of the script came to.
struct ScriptStep {
  int line = 0;
  std::string text;  // the line, or "(drawn)" for dice the seed gave
  std::optional<Refusal> refusal;
  std::vector<Event> events;
  std::vector<std::string> told;  // a sentence for each event that means something to people
};

struct ScriptOptions {
  // Dice and coins the script does not give are drawn from a generator with this seed; without it
  // they must be given.
  std::optional<std::uint64_t> seed;
  // Called for every step as it happens.
  std::function<void(const ScriptStep&)> report;
};

// One line as an action in this state: what a script, a test or a window may ask for.
// errors  kBadFormat: an unknown word (with the nearest known one), a name this game has not, a
//         square that is none.
Result<Action> ParseAction(const State& s, std::string_view line);

// Plays the script's lines. Refused lines are reported and the game goes on; a line that cannot be
// read ends it.
// errors  kBadFormat: "line N: ..." as ParseAction's.
Result<Game> PlayScript(std::shared_ptr<const Setup> setup, std::string_view script,
                        const ScriptOptions& options);

}  // namespace fos::napoleonic
