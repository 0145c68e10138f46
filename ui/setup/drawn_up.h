// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/table/observation.h"
#include "engine/table/scenario.h"
#include "engine/table/table_frame.h"

namespace fos {

// Between bases that stand together, inches.
inline constexpr double kBaseGap_in = 0.05;

// Where every stand of the scenario stands when its units are drawn up in their squares: two or
// more abreast, rank behind rank, the units of a square one behind the other. Exact, because
// nothing was measured.
std::vector<StandObservation> DrawnUp(const Scenario& scenario, const TableFrame& frame);

// How deep a unit stands in its square, inches, with the gap behind it.
double DepthDrawnUp(int stands, Box2 footprint, double square_in);

}  // namespace fos
