#pragma once

#include <string>
#include <vector>

#include "engine/rules/closefire/state.h"

// What happened, in the smallest pieces; the state is a fold of these.
namespace fos::closefire {

enum class What : std::int8_t {
  kTold,    // a sentence with its clause; changes nothing
  kUnit,    // subject's field becomes value
  kLeader,  // likewise
  kBases,   // subject's bases
  kTurn,
  kPhase,
  kFirst,
  kInitiative,
  kToAct,
  kGenerator,  // the game's value
  kEngage,     // subject and value fight
  kParted,     // the subject fights nobody any more
  kShock,
  kShocksOver,
  kFelt,
  kFeltOver,
  kFascines,  // laid
  kBegins,    // a declaration: text is its line
  kAnswered,
  kWaits,  // for `ask`; value is how many events of the declaration have been told
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

// Pure: the same state and event give the same state on every machine.
void ApplyTo(State& state, const Event& event);
// Words of the fields, for files and tests.
std::string_view FieldName(Of field);
std::string_view FieldName(By field);
std::string EventToJson(const Event& event);
// Canonical: equal text, equal game.
std::string StateToJson(const State& state);

}  // namespace fos::closefire
