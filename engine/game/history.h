// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/table/clause.h"

namespace fos {

// Finds a rule set's own functions beside its State, Action and Event, for RulesOf.
namespace rules_words {
template <typename State, typename Action, typename Event>
std::optional<Refusal> PlayOf(State& state, const Action& action, std::vector<Event>& events) {
  return Play(state, action, events);
}
template <typename State, typename Event>
void ApplyOf(State& state, const Event& event) {
  ApplyTo(state, event);
}
template <typename Action, typename Event>
Action ThrownOf(const Action& action, const std::vector<Event>& events) {
  return AsThrown(action, events);
}
template <typename Event>
std::string TextOf(const Event& event) {
  return EventToJson(event);
}
}  // namespace rules_words

// The functions History needs, for a rule set with Play, ApplyTo, AsThrown and EventToJson.
template <typename OwnState, typename OwnAction, typename OwnEvent>
struct RulesOf {
  using State = OwnState;
  using Action = OwnAction;
  using Event = OwnEvent;
  static std::optional<Refusal> Play(State& state, const Action& action,
                                     std::vector<Event>& events) {
    return rules_words::PlayOf(state, action, events);
  }
  static void ApplyTo(State& state, const Event& event) { rules_words::ApplyOf(state, event); }
  static Action AsThrown(const Action& action, const std::vector<Event>& events) {
    return rules_words::ThrownOf(action, events);
  }
  static std::string ToText(const Event& event) { return rules_words::TextOf(event); }
};

// A game as it was played: every accepted action with its events, with undo and correction. Rules
// is a struct of one rule set's types and functions:
//   State, Action, Event            values
//   Play(State&, const Action&, std::vector<Event>&) -> std::optional<Refusal>
//   ApplyTo(State&, const Event&)
//   AsThrown(const Action&, const std::vector<Event>&) -> Action   with the dice it drew
//   ToText(const Event&) -> std::string                            equal text means equal events
template <typename Rules>
class History {
 public:
  using State = typename Rules::State;
  using Action = typename Rules::Action;
  using Event = typename Rules::Event;

  struct Entry {
    Action action;
    std::vector<Event> events;
    // From 1, in the order in which actions were accepted, those since taken back among them. The
    // entry keeps it when others before it are removed.
    std::size_t serial = 0;
  };
  // The effect of a correction on one later action.
  struct Change {
    std::size_t index = 0;             // of the action before the correction
    std::optional<Refusal> refused;    // why it is no longer allowed; it was left out
    std::vector<Event> before, after;  // its events then and now
  };

  explicit History(State start) : now_(start), kept_{{0, std::move(start)}} {}

  const State& Now() const { return now_; }
  const std::vector<Entry>& Entries() const { return entries_; }

  // Empty if the action was accepted.
  std::optional<Refusal> Play(const Action& action) {
    auto refusal = PlayAs(accepted_ + 1, action);
    if (!refusal) ++accepted_;
    return refusal;
  }

  // The state after the first `count` actions.
  State At(std::size_t count) const {
    std::size_t k = kept_.size() - 1;
    while (kept_[k].first > count) --k;
    State state = kept_[k].second;
    for (std::size_t i = kept_[k].first; i < count; ++i)
      for (const Event& event : entries_[i].events) Rules::ApplyTo(state, event);
    return state;
  }

  // Takes back the last action; false if there is none.
  bool Undo() {
    if (entries_.empty()) return false;
    now_ = At(entries_.size() - 1);
    entries_.pop_back();
    while (kept_.back().first > entries_.size()) kept_.pop_back();
    return true;
  }

  // Replaces an old action (nullopt: removes it) and adjudicates all later ones again. Dice that
  // were thrown stay as they are wherever they still fit. If the new action is refused, nothing
  // changes.
  struct Correction {
    std::optional<Refusal> refused;
    std::vector<Change> changes;
  };
  Correction Correct(std::size_t index, const std::optional<Action>& action) {
    Correction out;
    State state = At(index);
    if (action) {
      std::vector<Event> events;
      out.refused = Rules::Play(state, *action, events);
      if (out.refused) return out;
    }
    const std::vector<Entry> later(entries_.begin() + static_cast<std::ptrdiff_t>(index),
                                   entries_.end());
    entries_.resize(index);
    now_ = At(index);
    while (kept_.back().first > index) kept_.pop_back();
    if (action) {
      PlayAs(later.front().serial, *action);
      Note(out, index, later.front().events, entries_.back().events);
    } else {
      out.changes.push_back({index, std::nullopt, later.front().events, {}});
    }
    for (std::size_t i = 1; i < later.size(); ++i) {
      const std::size_t serial = later[i].serial;
      auto refusal = PlayAs(serial, Rules::AsThrown(later[i].action, later[i].events));
      if (refusal) refusal = PlayAs(serial, later[i].action);  // now with new dice
      if (refusal) {
        out.changes.push_back({index + i, refusal, later[i].events, {}});
      } else {
        Note(out, index + i, later[i].events, entries_.back().events);
      }
    }
    return out;
  }

 private:
  // Number of actions between two stored states: memory against time.
  static constexpr std::size_t kStride = 16;

  std::optional<Refusal> PlayAs(std::size_t serial, const Action& action) {
    Entry entry{action, {}, serial};
    if (auto refusal = Rules::Play(now_, action, entry.events)) return refusal;
    entries_.push_back(std::move(entry));
    if (entries_.size() % kStride == 0) kept_.push_back({entries_.size(), now_});
    return std::nullopt;
  }

  static void Note(Correction& out, std::size_t index, const std::vector<Event>& before,
                   const std::vector<Event>& after) {
    bool same = before.size() == after.size();
    for (std::size_t i = 0; same && i < before.size(); ++i)
      same = Rules::ToText(before[i]) == Rules::ToText(after[i]);
    if (!same) out.changes.push_back({index, std::nullopt, before, after});
  }

  State now_;
  std::vector<Entry> entries_;
  std::size_t accepted_ = 0;                         // actions, those since taken back among them
  std::vector<std::pair<std::size_t, State>> kept_;  // states by number of actions
};

}  // namespace fos
