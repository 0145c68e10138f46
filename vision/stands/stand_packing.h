// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
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

constexpr double kTooDeep_in = 0.3;  // in another: one of the two is not there

// Whether two stands of a unit may stand beside each other so: players push its bases together by
// hand, ranks a little looser than files.
bool InContact(const Pose2& a, const Pose2& b, Box2 box);

// Whether two stands face alike as those of one rank do, which players line up by eye.
bool FaceAlike(const Pose2& a, const Pose2& b);

// What two stands share counts once: the nats to take off what they explain one by one; empty where
// they lie too deep in each other.
// most_nats  of the likelier of the two
std::optional<double> SharedNats(const Pose2& a_pose, Box2 a, const Pose2& b_pose, Box2 b,
                                 double most_nats);

// Which candidates together explain the most: each is worth its area times how far its score stands
// above `floor`, and what two share counts once. (One that straddles two stands in contact scores
// nearly as well as either, but not as both.) Indices into `candidates`.
std::vector<std::size_t> SolveSetPacking(std::span<const StandHypothesis> candidates,
                                         const Scenario& scenario, double floor);

}  // namespace fos
