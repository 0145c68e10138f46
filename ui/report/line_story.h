// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/journal/record.h"
#include "engine/table/result.h"
#include "ui/report/battle.h"

namespace fos {

// Plays a game's lines again and fills the battle's turns, order of battle, strength and result.
// Stops at a line that is no longer legal.
// errors  those of OpenLogged.
Status TellLines(const GameLog& log, const std::vector<std::string>& lines, Battle& battle);

}  // namespace fos
