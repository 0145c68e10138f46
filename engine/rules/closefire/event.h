// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/rules/closefire/state.h"

// Events, the smallest changes of a game. The state is a fold of them.
namespace fos::closefire {

enum class What : std::int8_t {
  kTold,    // a sentence with its clause; does not change the state
  kUnit,    // sets the subject's field to value
  kLeader,  // the same for a leader
  kBases,   // replaces the subject's bases
  kTurn,
  kPhase,
  kFirst,
  kInitiative,
  kToAct,
  kGenerator,  // sets the game's random generator to value
  kEngage,     // units subject and value now fight each other
  kParted,     // the subject leaves its combat
  kShock,
  kShocksOver,
  kFelt,
  kFeltOver,
  kFascines,  // fascines were laid
  kBegins,    // a declaration begins; text is its line
  kAnswered,
  kWaits,  // the game waits for `ask`; value counts the events already emitted
  kEnds
};

struct Event {
  What what = What::kTold;
  int subject = -1;
  int field = -1;
  std::int64_t value = 0;
  std::string clause;
  std::string text;
  std::vector<BaseState> bases;
  Shock shock;
  Fascines fascines;
  Answer answer;
  Ask ask;
  friend bool operator==(const Event&, const Event&) = default;
};

// The game waits for an answer. told: how many events of its declaration came before.
Event WaitingFor(Ask ask, std::size_t told);
Event Answered(Answer answer);

// Deterministic: the same state and event give the same state on every machine.
void ApplyTo(State& state, const Event& event);
// Names of the fields, for records and tests.
std::string_view FieldName(Of field);
std::string_view FieldName(By field);
std::string EventToJson(const Event& event);
// Canonical: equal states give equal text.
std::string StateToJson(const State& state);

}  // namespace fos::closefire
