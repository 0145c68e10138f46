// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/game/chance.h"
#include "engine/game/history.h"
#include "engine/rules/closefire/play.h"

namespace fos::closefire {

// Parses one line of docs/scripts.md; throws UnreadableLine (engine/game/line_words.h).
Action ParseLine(const State& s, std::string_view line);
// All verbs, for messages and tests.
const std::vector<std::string>& Verbs();

// Checks the action, applies its events to `state` and appends them. A refused action changes
// nothing.
std::optional<Refusal> Act(State& state, const Action& action, std::vector<Event>& events);
// A declaration with all that it asks: `choose` picks one of ask.choices, dice are drawn. The state
// and the events are those that Act gives line by line, in less time: the declaration runs once.
// A refusal may lack its reason.
using Chooser = std::function<int(const Ask& ask)>;
std::optional<Refusal> ActToItsEnd(State& state, const Action& declared, const Chooser& choose,
                                   std::vector<Event>& events);
// Whether Act would refuse it, without carrying it out.
std::optional<Refusal> RefusalOf(const State& state, const Action& action);

// The declarations offered to a side now, with labels, for menus and random play.
struct Choice {
  std::string line, label, clause;
  int unit = -1;
  std::vector<Vec2> path_yd;
  std::string for_good = {};  // as LineOption's
  int leader = -1;            // who acts; -1: none
};
std::vector<Choice> Choices(const State& s, int side);
// A random legal line.
std::string RandomLineOf(const State& s, Generator& chance);
// Plays the line that RandomLineOf would return, and those with which it would answer what that
// line asks, without checking any of them twice.
std::optional<Refusal> ActRandomly(State& s, Generator& chance, std::vector<Event>& events);

// The interface that History needs.
struct Rules {
  using State = closefire::State;
  using Action = closefire::Action;
  using Event = closefire::Event;
  static std::optional<Refusal> Play(State& state, const Action& action,
                                     std::vector<Event>& events) {
    return Act(state, action, events);
  }
  static void ApplyTo(State& state, const Event& event) { closefire::ApplyTo(state, event); }
  static Action AsThrown(const Action& action, const std::vector<Event>& events);
  static std::string ToText(const Event& event);
};

}  // namespace fos::closefire
