// SPDX-License-Identifier: MIT
#include "engine/table/measure.h"

#include <algorithm>
#include <cmath>

namespace fos {
namespace {

Vec2 NearestOfTarget(const Pose2& pose, Box2 footprint, const std::vector<Vec2>& target, Vec2 p) {
  if (target.empty()) return NearestPoint(pose, footprint, p);
  if (target.size() == 1) return pose * target[0];
  Vec2 best = pose * target[0];
  for (std::size_t i = 0; i + 1 < target.size(); ++i) {
    const Vec2 here = NearestPoint(Segment2{pose * target[i], pose * target[i + 1]}, p);
    if (Distance(here, p) < Distance(best, p)) best = here;
  }
  return best;
}

// The probability that a standard normal variable is below z.
double NormalBelow(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

// Slices of equal width over +-4.5 sigma, weighted by their normal probability. The part left out
// weighs less than 1e-5, and doubling the number changes no probability by 1e-4.
constexpr int kSlices = 45;
constexpr double kReach = 4.5;
constexpr int kHalvings = 40;  // of 9 sigma: below 1e-10 sigma

// The probability that a convex function of a standard normal variable z is at most `limit`. The
// function is the distance to a convex target, so the z below the limit form one interval.
template <typename Distance>
double ShareWithin(const Distance& at, double limit) {
  double low = -kReach;
  double high = kReach;
  for (int i = 0; i < kHalvings; ++i) {
    const double third = (high - low) / 3;
    if (at(low + third) <= at(high - third)) {
      high -= third;
    } else {
      low += third;
    }
  }
  const double lowest = (low + high) / 2;
  if (at(lowest) > limit) return 0;
  const auto edge = [&](double inside, double outside) {
    if (at(outside) <= limit) return outside;
    for (int i = 0; i < kHalvings; ++i) {
      const double mid = (inside + outside) / 2;
      (at(mid) <= limit ? inside : outside) = mid;
    }
    return inside;
  };
  const double from = edge(lowest, -kReach);
  const double to = edge(lowest, kReach);
  const double below = from <= -kReach ? 0 : NormalBelow(from);
  const double above = to >= kReach ? 1 : NormalBelow(to);
  return above - below;
}

}  // namespace

MeasuredGap MeasureGap(const ShotObservation& shot, const StandObservation& stand,
                       const std::vector<Vec2>& target, double radius_in) {
  // Round away the last bits, so that "exactly an inch" compares as such.
  constexpr double kRounding_in = 1e-9;
  const auto nearest_to = [&](const Pose2& pose, Vec2 p) {
    return NearestOfTarget(pose, stand.footprint, target, p);
  };
  MeasuredGap out;
  out.nearest = nearest_to(stand.table_from_stand, shot.point);
  out.gap.inches = Distance(out.nearest, shot.point);

  // The stand's heading error rotates it about its centre; at the nearest point this is a shift
  // across the lever arm. Adding it to the relative position's covariance keeps the integral
  // two-dimensional.
  const Vec2 arm = out.nearest - stand.table_from_stand.origin;
  const Vec2 sweep = stand.heading_sigma_rad * Perpendicular(arm);
  const Cov2 relative = shot.point_cov + stand.centre_cov +
                        Cov2{sweep.x * sweep.x, sweep.x * sweep.y, sweep.y * sweep.y};

  // Slice across the line of measurement and integrate exactly along it: the common case of a
  // straight front edge then needs only one slice.
  Vec2 along = Normalized(shot.point - out.nearest);
  if (along == Vec2{}) along = Normalized(shot.point - stand.table_from_stand.origin);
  if (along == Vec2{}) along = {1, 0};
  const Vec2 across = Perpendicular(along);
  const double var_across = std::max(VarianceAlong(relative, across), 0.0);
  const double cov = along.x * (relative.xx * across.x + relative.xy * across.y) +
                     along.y * (relative.xy * across.x + relative.yy * across.y);
  const double slope = var_across > 0 ? cov / var_across : 0;
  const double sd_across = std::sqrt(var_across);
  const double sd_along = std::sqrt(std::max(VarianceAlong(relative, along) - slope * cov, 0.0));
  double weight_sum = 0;
  for (int i = 0; i < kSlices; ++i) {
    const double z = -kReach + 2 * kReach * (i + 0.5) / kSlices;
    const double weight = std::exp(-z * z / 2);
    const Vec2 base = shot.point + (z * sd_across) * across + (slope * z * sd_across) * along;
    const auto distance_at = [&](double sigmas) {
      const Vec2 p = base + (sigmas * sd_along) * along;
      return Distance(nearest_to(stand.table_from_stand, p), p);
    };
    out.p_within += weight * ShareWithin(distance_at, radius_in + kRounding_in);
    weight_sum += weight;
  }
  out.p_within /= weight_sum;
  out.gap.sigma_in = std::sqrt(std::max(VarianceAlong(relative, along), 0.0));
  return out;
}

}  // namespace fos
