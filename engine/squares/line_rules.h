// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/game/history.h"

// What LineGame (line_game.h) asks of a rule set, from the functions beside its State.
namespace fos::squares {

// The rule set's own functions whose names the struct below would hide.
namespace beside_state {
template <typename State>
auto Parsed(const State& s, std::string_view line) {
  return ParseLine(s, line);
}
template <typename State, typename Event>
std::string Sentence(const State& s, const Event& event) {
  return Describe(s, event);
}
template <typename State, typename Event>
std::string Clause(const State& s, const Event& event) {
  return ClauseOf(s, event);
}
template <typename State>
std::string Table(const State& s) {
  return DescribeTable(s);
}
}  // namespace beside_state

template <typename State, typename Action, typename Event>
struct GridLineRules : RulesOf<State, Action, Event> {
  static Action ParseLine(const State& s, std::string_view line) {
    return beside_state::Parsed(s, line);
  }
  static std::string ToLine(const State& s, const Action& action) {
    return ActionToLine(s, action);
  }
  static std::string Describe(const State& s, const Event& event) {
    return beside_state::Sentence(s, event);
  }
  static std::string ClauseOf(const State& s, const Event& event) {
    return beside_state::Clause(s, event);
  }
  static std::string ToJson(const State& s) { return StateToJson(s); }
  static std::string DescribeTable(const State& s) { return beside_state::Table(s); }
};

}  // namespace fos::squares
