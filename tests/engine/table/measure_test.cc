// SPDX-License-Identifier: MIT
#include "engine/table/measure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace fos {
namespace {

StandObservation StandAt(Vec2 centre, double bearing_deg, Box2 footprint) {
  StandObservation stand;
  stand.table_from_stand = {centre, HeadingFromBearing(bearing_deg)};
  stand.footprint = footprint;
  return stand;
}
ShotObservation ShotAt(Vec2 point) {
  ShotObservation shot;
  shot.point = point;
  return shot;
}

TEST(MeasureGap, FromPointToNearestCornerOfATurnedStand) {
  // Facing east, the width lies north-south: the box spans x 9.5..10.5, y 9..11.
  const auto stand = StandAt({10, 10}, 90, {2, 1});
  EXPECT_NEAR(MeasureGap(ShotAt({13.5, 15}), stand, {}, 1.0).gap.inches, 5.0, 1e-12);
  EXPECT_EQ(MeasureGap(ShotAt({10.4, 10.9}), stand, {}, 1.0).gap.inches, 0.0);
}

TEST(MeasureGap, ZeroCovarianceComparesExactlyAndIncludesTheLimit) {
  const auto stand = StandAt({10, 10}, 0, {2, 1});
  EXPECT_EQ(MeasureGap(ShotAt({10, 11.5}), stand, {}, 1.0).p_within, 1.0);
  EXPECT_EQ(MeasureGap(ShotAt({10, 11.5001}), stand, {}, 1.0).p_within, 0.0);
}

TEST(MeasureGap, TargetPointsReplaceTheFootprint) {
  const auto stand = StandAt({10, 10}, 0, {2, 2});
  const auto gap = MeasureGap(ShotAt({10, 12}), stand, {{-0.4, 0.3}, {0.4, 0.3}}, 1.0);
  EXPECT_NEAR(gap.gap.inches, 1.7, 1e-12);
}

TEST(MeasureGap, ProbabilityAgreesWithRandomDraws) {
  std::mt19937 rng(20);
  std::normal_distribution<double> normal;
  // On a straight edge, at a corner, inside, and with a heading error; covariance long along a
  // swab.
  const Vec2 points[] = {{10.2, 11.48}, {11.72, 11.2}, {10, 10}, {11.9, 10.3}};
  for (const Vec2 point : points) {
    auto shot = ShotAt(point);
    shot.point_cov = OrientedCov(Normalized({1, 0.4}), 0.05, 0.02);
    auto stand = StandAt({10, 10}, 20, {2, 1});
    stand.centre_cov = IsotropicCov(0.02);
    stand.heading_sigma_rad = 0.02;
    const auto gap = MeasureGap(shot, stand, {}, 1.0);
    int within = 0;
    constexpr int kDraws = 40000;
    const Vec2 along = Normalized({1, 0.4});
    for (int i = 0; i < kDraws; ++i) {
      const Vec2 p =
          point + (0.05 * normal(rng)) * along + (0.02 * normal(rng)) * Perpendicular(along);
      Pose2 pose = stand.table_from_stand;
      pose.origin = pose.origin + Vec2{0.02 * normal(rng), 0.02 * normal(rng)};
      pose.heading_rad += 0.02 * normal(rng);
      within += Distance(NearestPoint(pose, stand.footprint, p), p) <= 1.0 ? 1 : 0;
    }
    EXPECT_NEAR(gap.p_within, static_cast<double>(within) / kDraws, 0.012)
        << "at " << point.x << ", " << point.y;
  }
}

}  // namespace
}  // namespace fos
