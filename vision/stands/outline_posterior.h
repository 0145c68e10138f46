#pragma once

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
  OutlineCost(std::vector<OutlinePoint> points, double reach_in, double step_in);
  double operator()(const Motion& m) const;

 private:
  std::vector<OutlinePoint> points_;
  double reach_in_;
  double step_in_;
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
