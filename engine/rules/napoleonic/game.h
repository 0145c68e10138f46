// SPDX-License-Identifier: MIT
#pragma once

#include "engine/game/history.h"
#include "engine/rules/napoleonic/action.h"
#include "engine/rules/napoleonic/json.h"

namespace fos::napoleonic {

using Rules = RulesOf<State, Action, Event>;
using Game = History<Rules>;

}  // namespace fos::napoleonic
