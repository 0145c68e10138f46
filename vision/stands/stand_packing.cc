// SPDX-License-Identifier: MIT
#include "vision/stands/stand_packing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <opencv2/core.hpp>

namespace fos {
bool InContact(const Pose2& a, const Pose2& b, Box2 box) {
  constexpr double kGap_in = 0.35;
  const double depth = OverlapDepth(a, box, b, box);
  return depth > -kGap_in && depth <= kTooDeep_in;
}

bool FaceAlike(const Pose2& a, const Pose2& b) {
  constexpr double kTurned_rad = 0.2;
  return std::abs(WrappedAngle(a.heading_rad - b.heading_rad)) <= kTurned_rad;
}

double SharedArea(const Pose2& a_pose, Box2 a, const Pose2& b_pose, Box2 b) {
  const Vec2 apart = Rotated(b_pose.origin - a_pose.origin, -a_pose.heading_rad);
  const double turn = b_pose.heading_rad - a_pose.heading_rad;
  const double c = std::abs(std::cos(turn));
  const double s = std::abs(std::sin(turn));
  const double x = 0.5 * (a.width_in + b.width_in * c + b.depth_in * s) - std::abs(apart.x);
  const double y = 0.5 * (a.depth_in + b.depth_in * c + b.width_in * s) - std::abs(apart.y);
  return x > 0 && y > 0 ? x * y : 0;
}

double OverlapDepth(const Pose2& a_pose, Box2 a, const Pose2& b_pose, Box2 b) {
  // Separating axes of two rectangles are the four directions of their sides.
  double least = std::numeric_limits<double>::max();
  const auto try_axes = [&](const Pose2& p) {
    for (const double turn : {0.0, CV_PI / 2}) {
      const Vec2 axis = Rotated({1, 0}, p.heading_rad + turn);
      const auto reach = [axis](const Pose2& q, Box2 box) {
        const Vec2 x = Rotated({1, 0}, q.heading_rad);
        return 0.5 * (box.width_in * std::abs(Dot(axis, x)) +
                      box.depth_in * std::abs(Dot(axis, Perpendicular(x))));
      };
      const double apart = std::abs(Dot(axis, b_pose.origin - a_pose.origin));
      least = std::min(least, reach(a_pose, a) + reach(b_pose, b) - apart);
    }
  };
  try_axes(a_pose);
  try_axes(b_pose);
  return least;
}

std::optional<double> SharedNats(const Pose2& a_pose, Box2 a, const Pose2& b_pose, Box2 b,
                                 double most_nats) {
  const double depth = OverlapDepth(a_pose, a, b_pose, b);
  if (depth > kTooDeep_in) return std::nullopt;
  if (depth <= 0) return 0;
  return SharedArea(a_pose, a, b_pose, b) / (a.width_in * a.depth_in) * most_nats;
}

std::vector<std::size_t> SolveSetPacking(std::span<const StandHypothesis> candidates,
                                         const Scenario& scenario, double floor) {
  constexpr double kHalfDeep_in = 0.34;  // nearly half of the shallowest base: one of them is wrong
  constexpr int kOrders = 80;
  constexpr double kShake = 0.15;
  const std::size_t n = candidates.size();
  std::vector<float> shared(n * n, 0);  // worth lost to sharing; below 0 they cannot both be
  std::vector<double> worth(n);
  const auto box = [&](std::size_t i) {
    return scenario.kinds[static_cast<std::size_t>(candidates[i].what.kind)].footprint;
  };
  for (std::size_t i = 0; i < n; ++i) {
    worth[i] = box(i).width_in * box(i).depth_in * (candidates[i].score - floor);
    for (std::size_t j = 0; j < i; ++j) {
      const Pose2& a = candidates[i].table_from_stand;
      const Pose2& b = candidates[j].table_from_stand;
      const double depth = OverlapDepth(a, box(i), b, box(j));
      float cost = 0;
      if (depth > kHalfDeep_in) {
        cost = -1;
      } else if (depth > 0) {
        cost = static_cast<float>(SharedArea(a, box(i), b, box(j)) *
                                  (std::max(candidates[i].score, candidates[j].score) + 0.5));
      }
      shared[i * n + j] = shared[j * n + i] = cost;
    }
  }
  // Greedy from many shaken orders, the best kept: a square holds about ten stands, and the right
  // set is the first of most orders.
  std::vector<std::size_t> best;
  double best_worth = -1;
  std::minstd_rand shaker(1);
  std::uniform_real_distribution<double> shake(1 - kShake, 1 + kShake);
  std::vector<std::pair<double, std::size_t>> order(n);
  for (int k = 0; k < kOrders; ++k) {
    for (std::size_t i = 0; i < n; ++i)
      order[i] = {candidates[i].score * (k == 0 ? 1 : shake(shaker)), i};
    std::sort(order.begin(), order.end(), std::greater<>());
    std::vector<std::size_t> picked;
    double sum = 0;
    for (const auto& [score, i] : order) {
      double gain = worth[i];
      for (const std::size_t p : picked) {
        const double cost = static_cast<double>(shared[p * n + i]);
        gain = cost < 0 ? -1 : gain - cost;
        if (gain <= 0) break;
      }
      if (gain <= 0.3 * worth[i]) continue;
      picked.push_back(i);
      sum += gain;
    }
    if (sum > best_worth) {
      best_worth = sum;
      best = picked;
    }
  }
  return best;
}

}  // namespace fos
