// SPDX-License-Identifier: MIT
#pragma once

#include "engine/table/observation.h"

namespace fos {

// A length with one standard deviation, inches.
struct Measured {
  double inches = 0;
  double sigma_in = 0;
};

// The distance from a shot to a stand's target: its footprint, or the kind's own target points.
struct MeasuredGap {
  Measured gap;         // from the point to the target in the table plane; 0 inside a footprint
  Vec2 nearest;         // the target's nearest point, table frame
  double p_within = 0;  // probability that the true distance is at most radius_in
};

// Measures the distance from a shot to the nearest part of a stand (its footprint, or `target` if
// the kind has one) and the probability that it is at most radius_in. The probability integrates
// both positions' covariances and the stand's heading uncertainty over the exact rounded outline
// (no straight-edge approximation) by a fixed quadrature; gap.sigma_in is the deviation along the
// line of measurement. Zero covariance compares exactly.
// shot, stand  settled observations in the same TableFrame.
// target       KindSpec::target; empty for the footprint.
// radius_in    the rule's limit, inches.
MeasuredGap MeasureGap(const ShotObservation& shot, const StandObservation& stand,
                       const std::vector<Vec2>& target, double radius_in);

}  // namespace fos
