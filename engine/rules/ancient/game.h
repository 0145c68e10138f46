#pragma once

#include <string>
#include <vector>

#include "engine/history.h"
#include "engine/rules/ancient/action.h"

namespace fos::ancient {

// The words History needs.
struct Rules {
  using State = ancient::State;
  using Action = ancient::Action;
  using Event = ancient::Event;
  static std::optional<Refusal> Play(State& state, const Action& action,
                                     std::vector<Event>& events) {
    return ancient::Play(state, action, events);
  }
  static void ApplyTo(State& state, const Event& event) { ancient::ApplyTo(state, event); }
  static Action AsThrown(const Action& action, const std::vector<Event>& events);
  static std::string ToText(const Event& event);
};

using Game = History<Rules>;

}  // namespace fos::ancient
