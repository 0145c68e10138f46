// SPDX-License-Identifier: MIT
#pragma once

#include "ui/report/battle.h"
#include "ui/report/drawing.h"

namespace fos {

// The table at the end of a turn, with the turn's moves, shots and losses.
Drawing TurnMap(const Battle& battle, const BattleTurn& turn);
// The deployment before the first turn, with every unit's name.
Drawing StartMap(const Battle& battle);
// Each side's losses by the end of each turn.
Drawing LossPlot(const Battle& battle);
// The key to the maps' marks.
Drawing MapKey(const Battle& battle);

}  // namespace fos
