// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/rules/ancient/action.h"
#include "engine/table/result.h"

// Events, actions and states as JSON, without loss in either direction.
namespace fos::ancient {

// One object on one line: {"event":"stand_lost","stand":3,"cause":0}. Squares, pieces and sides are
// the engine's numbers; describe.h writes sentences for people.
std::string EventToJson(const Event& event);
std::string ActionToJson(const Action& action);
std::string StateToJson(const State& state);

// errors  kBadFormat: a field is missing, of the wrong type or out of range.
Result<Event> EventFromJson(std::string_view text);
Result<Action> ActionFromJson(std::string_view text);
// The JSON does not hold the setup; pass the one the state belongs to.
Result<State> StateFromJson(std::string_view text, std::shared_ptr<const Setup> setup);

}  // namespace fos::ancient
