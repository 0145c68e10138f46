// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/table/pose2.h"

// The posterior over small motions of a stand, from what each point of its outline says.
namespace fos {

// Minus log likelihood of where the outline crosses a line through one of its points, in steps of
// `step_in` outward from `-reach_in`.
struct OutlinePoint {
  Vec2 at;       // in the stand's own frame
  Vec2 outward;  // the same
  std::vector<float> cost;
};

// In the stand's own frame, inches and radians.
struct Motion {
  double x = 0, y = 0, turn = 0;
};

// Minus log posterior of a motion.
class OutlineCost {
 public:
  // All points' costs are of the same length.
  OutlineCost(std::span<const OutlinePoint> points, double reach_in, double step_in);
  double operator()(const Motion& m) const;

 private:
  // How far outward the outline lies at a point after a motion, in steps from -reach_in: linear in
  // the motion.
  struct Point {
    double x, y, turn;
  };
  std::vector<Point> points_;
  std::vector<float> costs_;  // of one point after the other
  std::size_t samples_ = 0;   // of a point
  double middle_ = 0;         // steps
};

struct MotionPosterior {
  Motion mean;
  Cov2 cov;  // inches squared
  double turn_var = 0;
};
// Mean and covariance: descends from no motion at all, then sums over a grid around the minimum.
MotionPosterior SumOverMotions(const OutlineCost& cost);

// The minimum alone, from a grid as wide as the search by paints may be off.
Motion LikeliestMotion(const OutlineCost& cost);

}  // namespace fos
