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
  double operator()(const Motion& m) const { return At(m, 1); }
  // About the same from one in three of the points, for a first search.
  double Coarse(const Motion& m) const { return At(m, 3); }

 private:
  double At(const Motion& m, std::size_t every) const;

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
// Mean and covariance: finds the minimum, then sums over a grid around it.
// far  searches a coarse grid first
MotionPosterior SumOverMotions(const OutlineCost& cost, bool far);

}  // namespace fos
