// SPDX-License-Identifier: MIT
#pragma once

#include "engine/game/history.h"
#include "engine/rules/ancient/action.h"
#include "engine/rules/ancient/json.h"

namespace fos::ancient {

using Rules = RulesOf<State, Action, Event>;
using Game = History<Rules>;

}  // namespace fos::ancient
