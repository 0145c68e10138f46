#pragma once

#include "ui/report/battle.h"
#include "ui/report/drawing.h"

namespace fos {

// The table as it stood at the end of a turn, with what moved, fired and fell in it.
Drawing TurnMap(const Battle& battle, const BattleTurn& turn);
// The deployment: who stood where before the first turn, every unit named.
Drawing StartMap(const Battle& battle);
// What each side had lost by the end of each turn.
Drawing LossPlot(const Battle& battle);
// What the marks on a map mean.
Drawing MapKey(const Battle& battle);

}  // namespace fos
