#include "engine/rules/colonial/game.h"

#include "engine/rules/colonial/json.h"

namespace fos::colonial {

Action Rules::AsThrown(const Action& action, const std::vector<Event>& events) {
  if (!std::holds_alternative<Draw>(action.what)) return action;
  for (const Event& event : events)
    if (const auto* thrown = std::get_if<DiceThrown>(&event))
      return {GiveDice{thrown->dice, thrown->generator}, false};
  return action;
}

std::string Rules::ToText(const Event& event) { return EventToJson(event); }

}  // namespace fos::colonial
