// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/table/scenario.h"
#include "engine/table/table_frame.h"

namespace fos {

// Four markers, ids 0 to 3 from the south-west corner counter-clockwise, each centred 1.5 in
// diagonally outside its corner.
std::vector<FiducialMarker> CornerMarkers(const TableFrame& frame);
// What the set-up starts with: a board of 12 x 9 four-inch squares with corner markers, and two
// sides without troops.
TableSpec NewTable();
Scenario NewScenario();

}  // namespace fos
