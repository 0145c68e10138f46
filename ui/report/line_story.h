// SPDX-License-Identifier: MIT
#pragma once

#include "engine/game/rule_game.h"
#include "engine/journal/record.h"
#include "engine/table/result.h"
#include "ui/report/battle.h"

namespace fos {

// Plays the lines of a game of this log again and fills the battle's turns, order of battle,
// strength and result. Stops at a line that is no longer legal. errors  those of OpenLogged.
Status TellLines(const GameLog& log, const RuleGame& played, Battle& battle);

}  // namespace fos
