#include "engine/rules/napoleonic/game.h"

#include "engine/rules/napoleonic/json.h"

namespace fos::napoleonic {

Action Rules::AsThrown(const Action& action, const std::vector<Event>& events) {
  return squares::AsThrown(action, events);
}

std::string Rules::ToText(const Event& event) { return EventToJson(event); }

}  // namespace fos::napoleonic
