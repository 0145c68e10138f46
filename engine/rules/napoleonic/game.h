#pragma once

#include <string>
#include <vector>

#include "engine/history.h"
#include "engine/rules/napoleonic/action.h"

namespace fos::napoleonic {

// The words History needs.
struct Rules {
  using State = napoleonic::State;
  using Action = napoleonic::Action;
  using Event = napoleonic::Event;
  static std::optional<Refusal> Play(State& state, const Action& action,
                                     std::vector<Event>& events) {
    return napoleonic::Play(state, action, events);
  }
  static void ApplyTo(State& state, const Event& event) { napoleonic::ApplyTo(state, event); }
  static Action AsThrown(const Action& action, const std::vector<Event>& events);
  static std::string ToText(const Event& event);
};

using Game = History<Rules>;

}  // namespace fos::napoleonic
