#pragma once

#include "engine/table/observation.h"

namespace fos {

// A length with one standard deviation, inches.
struct Measured {
  double inches = 0;
  double sigma_in = 0;
};

// What a shot's distance to a stand is measured to: the footprint, or the kind's own target points.
struct MeasuredGap {
  Measured gap;         // from the point to the target in the table plane; 0 inside a footprint
  Vec2 nearest;         // the target's nearest point, table frame
  double p_within = 0;  // chance that the true distance is at most the radius asked about
};

// Distance from where a shot lies to the nearest part of a stand (footprint, or `target` when the
// kind has one), and the chance that it is at most radius_in. shot, stand  settled observations in
// the same TableFrame. target       KindSpec::target; empty for the footprint. radius_in    the
// rule's limit, inches. The chance integrates both positions' covariances and the stand's heading
// over the true, rounded outline (no straight-edge approximation), by a fixed quadrature;
// gap.sigma_in is the one along the line of measurement. A covariance of zero compares exactly.
MeasuredGap MeasureGap(const ShotObservation& shot, const StandObservation& stand,
                       const std::vector<Vec2>& target, double radius_in);

}  // namespace fos
