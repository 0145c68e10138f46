#include "engine/rules/ancient/game.h"

#include "engine/rules/ancient/json.h"

namespace fos::ancient {

Action Rules::AsThrown(const Action& action, const std::vector<Event>& events) {
  return squares::AsThrown(action, events);
}

std::string Rules::ToText(const Event& event) { return EventToJson(event); }

}  // namespace fos::ancient
