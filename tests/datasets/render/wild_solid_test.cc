// SPDX-License-Identifier: MIT
#include "datasets/render/wild_solid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "datasets/render/wild_d12.h"
#include "datasets/render/wild_draws.h"

namespace fos {
namespace {

constexpr double kSize_in = 0.7;
constexpr double kRound_in = 0.05;
const cv::Vec3d kCentre(3, 4, 2);

cv::Vec3d DrawWay(Draws& draws) {
  for (;;) {
    const cv::Vec3d v(draws.Uniform(-1, 1), draws.Uniform(-1, 1), draws.Uniform(-1, 1));
    const double length = cv::norm(v);
    if (length > 0.1 && length < 1) return v / length;
  }
}

// A rotation without special directions.
cv::Matx33d Turned() {
  const double c = 0.8;
  const double s = 0.6;
  return cv::Matx33d(c, -s, 0, s, c, 0, 0, 0, 1) * cv::Matx33d(1, 0, 0, 0, s, -c, 0, c, s);
}
WildSolid Twelve() {
  return Polyhedron(D12Planes(kSize_in), kRound_in, Turned(), kCentre, Plain({0.5F, 0.5F, 0.5F}));
}

// The distance of an outside point to the body within some planes, another way: by projections onto
// one half-space after the other. source  Boyle & Dykstra 1986
double ProjectedDistance(const std::vector<cv::Vec4d>& planes, const cv::Vec3d& from) {
  cv::Vec3d at = from;
  std::vector<cv::Vec3d> correction(planes.size());
  for (int round = 0; round < 400; ++round) {
    for (std::size_t i = 0; i < planes.size(); ++i) {
      const cv::Vec3d normal(planes[i][0], planes[i][1], planes[i][2]);
      const cv::Vec3d back = at + correction[i];
      at = back - std::max(normal.dot(back) - planes[i][3], 0.0) * normal;
      correction[i] = back - at;
    }
  }
  return cv::norm(at - from);
}

TEST(Polyhedron, IsNegativeInsideAndZeroOnItsFaces) {
  const WildSolid solid = Twelve();
  EXPECT_NEAR(DistanceTo(solid, kCentre), -kSize_in / 2, 1e-9);
  for (const cv::Vec4d& plane : solid.planes) {
    const cv::Vec3d normal = solid.table_from_own * cv::Vec3d(plane[0], plane[1], plane[2]);
    for (const double off : {-0.1, 0.0, 0.02, 0.1})
      EXPECT_NEAR(DistanceTo(solid, kCentre + (kSize_in / 2 + off) * normal), off, 1e-9);
  }
}

TEST(Polyhedron, HasTwentyCornersAsRoundAsItsEdges) {
  const WildSolid solid = Twelve();
  const std::vector<cv::Vec3d> corners = CornersOf(D12Planes(kSize_in - 2 * kRound_in));
  ASSERT_EQ(corners.size(), 20U);
  for (const cv::Vec3d& corner : corners) {
    const cv::Vec3d way = solid.table_from_own * corner / cv::norm(corner);
    const double out = cv::norm(corner) + kRound_in;
    EXPECT_NEAR(DistanceTo(solid, kCentre + out * way), 0, 1e-9);
    EXPECT_NEAR(DistanceTo(solid, kCentre + (out + 0.03) * way), 0.03, 1e-9);
    EXPECT_NEAR(out, solid.reach_in, 1e-9);
  }
}

TEST(Polyhedron, IsNeverSaidToBeFurtherThanItIs) {
  const WildSolid solid = Twelve();
  const std::vector<cv::Vec4d> core = D12Planes(kSize_in - 2 * kRound_in);
  Draws draws(5);
  for (int i = 0; i < 300; ++i) {
    const cv::Vec3d own = draws.Uniform(0.36, 0.8) * DrawWay(draws);
    const double truth = ProjectedDistance(core, own) - kRound_in;
    const double said = DistanceTo(solid, kCentre + solid.table_from_own * own);
    EXPECT_LE(said, truth + 1e-6);
    if (truth < 0.1) {
      EXPECT_NEAR(said, truth, 1e-6);
    }
  }
}

TEST(Polyhedron, OfSixFacesIsAsFarAsABlock) {
  const WildSolid block =
      UprightBlock({{3, 4}, 0}, {0.6, 0.6}, 1.7, 2.3, kRound_in, Plain({0.5F, 0.5F, 0.5F}));
  std::vector<cv::Vec4d> planes;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double way : {-1.0, 1.0}) {
      cv::Vec4d plane(0, 0, 0, 0.3);
      plane[axis] = way;
      planes.push_back(plane);
    }
  }
  const WildSolid cube = Polyhedron(planes, kRound_in, cv::Matx33d::eye(), kCentre, block.paint);
  Draws draws(6);
  for (int i = 0; i < 300; ++i) {
    const cv::Vec3d at = kCentre + draws.Uniform(0, 0.6) * DrawWay(draws);
    EXPECT_NEAR(DistanceTo(cube, at), DistanceTo(block, at), 1e-9);
  }
}

TEST(Polyhedron, LiesWithinItsBall) {
  const WildSolid solid = Twelve();
  Draws draws(7);
  for (int i = 0; i < 1000; ++i)
    EXPECT_GT(DistanceTo(solid, solid.middle + (solid.reach_in + 1e-6) * DrawWay(draws)), 0);
  const WildSolid moved = Moved(solid, {1, 2, 3});
  EXPECT_NEAR(DistanceTo(moved, kCentre + cv::Vec3d(1, 2, 3)), -kSize_in / 2, 1e-9);
  EXPECT_LT(
      cv::norm(SurfaceOf(moved, moved.centre + moved.table_from_own * cv::Vec3d(0.1, 0.2, 0)).own -
               cv::Vec3d(0.1, 0.2, 0)),
      1e-9);
}

}  // namespace
}  // namespace fos
