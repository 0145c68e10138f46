#include "engine/rules/ancient/game.h"

#include "engine/rules/ancient/json.h"

namespace fos::ancient {

Action Rules::AsThrown(const Action& action, const std::vector<Event>& events) {
  if (!std::holds_alternative<Draw>(action.what) || events.empty()) return action;
  if (const auto* dice = std::get_if<DiceThrown>(&events.front()))
    return {GiveDice{dice->dice, dice->generator}, false};
  if (const auto* coin = std::get_if<CoinThrown>(&events.front()))
    return {GiveCoin{coin->heads, coin->generator}, false};
  return action;
}

std::string Rules::ToText(const Event& event) { return EventToJson(event); }

}  // namespace fos::ancient
