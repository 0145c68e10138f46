// SPDX-License-Identifier: MIT
#include "engine/table/table_frame.h"

#include <gtest/gtest.h>

#include "engine/table/pose2.h"
#include "engine/table/shapes.h"

namespace fos {
namespace {

TEST(SquareName, FollowsZWithAA) {
  EXPECT_EQ(SquareName({0, 0}), "A1");
  EXPECT_EQ(SquareName({2, 3}), "C4");
  EXPECT_EQ(SquareName({25, 0}), "Z1");
  EXPECT_EQ(SquareName({26, 9}), "AA10");
  EXPECT_EQ(SquareName({701, 0}), "ZZ1");
  EXPECT_EQ(SquareName({702, 0}), "AAA1");
}

TEST(ParseSquare, ReadsWhatSquareNameWrites) {
  for (int column = 0; column < 800; ++column) {
    const SquareIndex square{column, column % 40};
    EXPECT_EQ(ParseSquare(SquareName(square)), square);
  }
  for (const char* bad :
       {"", "A", "7", "a1", "A0", "A01x", "1A", "A1 ", "ZZZZZZZZ1", "A99999999999"}) {
    EXPECT_FALSE(ParseSquare(bad)) << bad;
  }
}

TEST(TableFrame, SquareAtIncludesTheFarEdges) {
  const TableFrame frame{12, 9, 4.0};
  EXPECT_EQ(frame.SquareAt({0, 0}), (SquareIndex{0, 0}));
  EXPECT_EQ(frame.SquareAt({48, 36}), (SquareIndex{11, 8}));
  EXPECT_EQ(frame.SquareAt({3.999, 4.0}), (SquareIndex{0, 1}));
  EXPECT_FALSE(frame.SquareAt({-0.01, 3}));
  EXPECT_FALSE(frame.SquareAt({48.01, 3}));
}

TEST(Facing, FindsTheNearestOfEight) {
  EXPECT_EQ(NearestFacing(0), Facing::kNorth);
  EXPECT_EQ(NearestFacing(359), Facing::kNorth);
  EXPECT_EQ(NearestFacing(-44), Facing::kNorthWest);
  EXPECT_EQ(NearestFacing(23), Facing::kNorthEast);
  EXPECT_EQ(ParseFacing("SW"), Facing::kSouthWest);
  EXPECT_FALSE(ParseFacing("sw"));
}

TEST(Pose2, BearingAndHeadingAreInverse) {
  for (double bearing = 0; bearing < 360; bearing += 7.5) {
    EXPECT_NEAR(BearingFromHeading(HeadingFromBearing(bearing)), bearing, 1e-9);
  }
  // A stand facing east has its front (+y of its own frame) to the east.
  const Pose2 facing_east{{0, 0}, HeadingFromBearing(90)};
  EXPECT_NEAR((facing_east * Vec2{0, 1}).x, 1.0, 1e-12);
  EXPECT_NEAR((facing_east * Vec2{1, 0}).y, -1.0, 1e-12);
}

TEST(Pose2, ComposeAndInverse) {
  const Pose2 a{{3, -2}, 0.7};
  const Pose2 b{{-1, 5}, 2.9};
  const Vec2 p{0.3, 0.4};
  const Vec2 twice = a * (b * p);
  EXPECT_NEAR(((a * b) * p).x, twice.x, 1e-12);
  EXPECT_NEAR((Inverse(a) * (a * p)).y, p.y, 1e-12);
}

TEST(Shapes, NearestPointOfPolygon) {
  const Polygon square = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
  EXPECT_EQ(DistanceTo(square, {1, 1}), 0.0);
  EXPECT_EQ(DistanceTo(square, {5, 6}), 5.0);
  EXPECT_EQ(Area(square), 4.0);
}

}  // namespace
}  // namespace fos
