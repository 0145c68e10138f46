// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/game.h"

namespace fos::colonial {

Action AsThrown(const Action& action, const std::vector<Event>& events) {
  if (!std::holds_alternative<Draw>(action.what)) return action;
  for (const Event& event : events)
    if (const auto* thrown = std::get_if<DiceThrown>(&event))
      return {GiveDice{thrown->dice, thrown->generator}, false};
  return action;
}

}  // namespace fos::colonial
