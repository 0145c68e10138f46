// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "engine/squares/game_words.h"
#include "engine/table/clause.h"

namespace fos::squares {

using MaybeRefusal = std::optional<Refusal>;

// What the referee of every set on squares does with an action: it changes the state by events, and
// refuses unless the players overrule. ApplyTo(State&, Event) stands beside the State.
template <typename State, typename Event>
class RefereeBase {
 public:
  RefereeBase(State& state, std::vector<Event>& events) : s_(state), events_(events) {}

 protected:
  void Emit(Event event) {
    ApplyTo(s_, event);
    events_.push_back(std::move(event));
  }
  // Returns the refusal unless the players overrule it; an overruled refusal becomes an event.
  MaybeRefusal Settle(MaybeRefusal refusal) {
    if (refusal && overrule_ && refusal->may_overrule) {
      Emit(Overruled{refusal->clause, refusal->because});
      return std::nullopt;
    }
    return refusal;
  }

  State& s_;
  std::vector<Event>& events_;
  bool overrule_ = false;
};

}  // namespace fos::squares
