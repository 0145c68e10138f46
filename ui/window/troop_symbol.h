// SPDX-License-Identifier: MIT
#pragma once

#include <imgui.h>

#include "engine/game/army.h"
#include "engine/table/observation.h"
#include "ui/window/projection.h"

namespace fos {

// Draws what kind of troops a stand is within its base, turned with it, as maps do: foot a cross,
// horse one diagonal, a gun a disc, a crew a ring, a machine gun a disc with its line of fire, a
// wagon a wheel, a chariot its axle and pole, an elephant its body and tusks, a leader a star.
// top_in  the height of the base's top, inches.
void DrawTroopSymbol(ImDrawList& list, const Projection& on, const StandObservation& stand,
                     double top_in, TroopSymbol symbol, ImU32 colour);

}  // namespace fos
