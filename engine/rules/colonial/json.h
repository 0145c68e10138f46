// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/rules/colonial/action.h"
#include "engine/table/result.h"

// Events, actions and states as JSON, back and forth without loss.
namespace fos::colonial {

// One object on one line: {"event":"stand_lost","stand":3,"cause":0}. Squares, stands and sides are
// the numbers the engine uses; for people see describe.h.
std::string EventToJson(const Event& event);
std::string ActionToJson(const Action& action);
std::string StateToJson(const State& state);

// errors  kBadFormat: what is missing, of another type or out of its range.
Result<Event> EventFromJson(std::string_view text);
Result<Action> ActionFromJson(std::string_view text);
// The setup is not part of it: the state belongs to this one.
Result<State> StateFromJson(std::string_view text, std::shared_ptr<const Setup> setup);

}  // namespace fos::colonial
