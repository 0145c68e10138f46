#pragma once

#include <string>
#include <vector>

#include "engine/history.h"
#include "engine/rules/colonial/action.h"

namespace fos::colonial {

// The words History needs.
struct Rules {
  using State = colonial::State;
  using Action = colonial::Action;
  using Event = colonial::Event;
  static std::optional<Refusal> Play(State& state, const Action& action,
                                     std::vector<Event>& events) {
    return colonial::Play(state, action, events);
  }
  static void ApplyTo(State& state, const Event& event) { colonial::ApplyTo(state, event); }
  static Action AsThrown(const Action& action, const std::vector<Event>& events);
  static std::string ToText(const Event& event);
};

using Game = History<Rules>;

}  // namespace fos::colonial
