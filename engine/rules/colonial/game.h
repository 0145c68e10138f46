// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/game/history.h"
#include "engine/rules/colonial/action.h"
#include "engine/rules/colonial/json.h"

namespace fos::colonial {

// An action with the dice it drew filled in (history.h).
Action AsThrown(const Action& action, const std::vector<Event>& events);

using Rules = RulesOf<State, Action, Event>;
using Game = History<Rules>;

}  // namespace fos::colonial
