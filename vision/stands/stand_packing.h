// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "engine/table/scenario.h"
#include "vision/stands/stand_search.h"

// Which of many candidate stands can lie on the table together.
namespace fos {

// Depth to which two footprints lie in each other, inches: the least shift that parts them; below 0
// when they are apart (minus the gap along the best separating side).
double OverlapDepth(const Pose2& a_pose, Box2 a, const Pose2& b_pose, Box2 b);

// Area two footprints share, square inches, b's box taken along a's axes: right for stands that
// stand nearly parallel, too large for others.
double SharedArea(const Pose2& a_pose, Box2 a, const Pose2& b_pose, Box2 b);

// Which candidates together explain the most: each is worth its area times how far its score stands
// above `floor`, and what two share counts once. (One that straddles two stands in contact scores
// nearly as well as either, but not as both.) Indices into `candidates`.
std::vector<std::size_t> SolveSetPacking(std::span<const StandHypothesis> candidates,
                                         const Scenario& scenario, double floor);

}  // namespace fos
