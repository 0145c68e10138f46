// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "tests/support/colonial_game.h"

// Corner cases of the catalogue: corners of squares, edges of the table, and limits met exactly.
namespace fos::colonial::test {
namespace {

TEST(ColonialCorners, ALineThroughACornerIsBlockedByBothSidesOnly) {  // COL-7.1
  for (const int blockers : {0, 1, 2}) {
    Game g;
    const PieceNo firer =
        g.Stand(kBlue, "regular_infantry", {4, 4}, Facing::kNorth, "magazine_rifle");
    g.Stand(kRed, "native_infantry", {6, 6});
    if (blockers > 0) g.Stand(kBlue, "irregular_infantry", {5, 4});
    if (blockers > 1) g.Stand(kBlue, "irregular_infantry", {4, 5});
    g.Start();
    EXPECT_EQ(g.Fire(firer, {6, 6}), blockers == 2 ? "COL-7.1" : "") << blockers;
  }
}

TEST(ColonialCorners, FortyFiveDegreesIsInTheArcAtAnyRange) {  // COL-7.2, COL-7.3
  for (const int n : {1, 2, 3, 4}) {
    Game g;
    const PieceNo firer =
        g.Stand(kBlue, "regular_infantry", {4, 4}, Facing::kNorth, "magazine_rifle");
    g.Stand(kRed, "native_infantry", {4 + n, 4 + n});
    g.Start();
    EXPECT_EQ(g.Fire(firer, {4 + n, 4 + n}), n <= 3 ? "" : "COL-7.3") << n;
  }
  Game g;
  const PieceNo firer =
      g.Stand(kBlue, "regular_infantry", {4, 4}, Facing::kNorth, "magazine_rifle");
  g.Stand(kRed, "native_infantry", {7, 6});
  g.Start();
  EXPECT_EQ(g.Fire(firer, {7, 6}), "COL-7.2");
}

TEST(ColonialCorners, AWallAtTheCornerCoversWhoeverIsFiredAtAcrossIt) {  // COL-7.7
  // The line enters (6,6) at its south-west corner: a wall on its south or west edge covers.
  for (const auto& [wall, covered] : {std::pair{At{6, 5}, true}, std::pair{At{5, 6}, true},
                                      std::pair{At{6, 7}, false}, std::pair{At{7, 6}, false}}) {
    Game g;
    const PieceNo firer =
        g.Stand(kBlue, "regular_infantry", {4, 4}, Facing::kNorth, "magazine_rifle");
    g.Stand(kRed, "native_infantry", {6, 6});
    g.Edge({6, 6}, wall, kWall);
    g.Start();
    ASSERT_EQ(g.Fire(firer, {6, 6}), "") << g.because;
    ASSERT_EQ(g.Dice({8, 1}), "");
    EXPECT_EQ(g.Scores()[0], covered ? 9 : 11) << wall.c << ',' << wall.r;
  }
}

TEST(ColonialCorners, AHedgeAtTheCornerSpoilsTheCavalrysOpenGround) {  // COL-8.6
  for (const bool hedge : {false, true}) {
    Game g;
    const PieceNo horse = g.Stand(kBlue, "regular_cavalry", {5, 5});
    g.Stand(kRed, "native_infantry", {6, 6});
    if (hedge) g.Edge({6, 5}, {6, 6}, kHedge);
    g.Start();
    ASSERT_EQ(g.Close(horse, {6, 6}), "") << g.because;
    ASSERT_EQ(g.Dice({5, 5}), "");
    EXPECT_EQ(g.Scores()[0], hedge ? 8 : 11);
  }
}

TEST(ColonialCorners, WithdrawsThroughFriendsAndOntoThoseWithRoom) {  // COL-5.11, COL-1.3
  const auto ways = [](const char* type, Facing facing) {
    Game g;
    const PieceNo red = g.Stand(kRed, "regular_infantry", {6, 7});
    g.Stand(kBlue, "regular_infantry", {6, 6});
    for (const int c : {5, 6, 7}) g.Stand(kRed, type, {c, 8}, facing);
    g.Start();
    return g.Ways(red);
  };
  EXPECT_EQ(ways("regular_infantry", Facing::kSouth), "5,8 6,8 7,8");
  EXPECT_EQ(ways("regular_cavalry", Facing::kSouth), "5,8 6,8 7,8");  // 20 and 30 mm just fit
  const std::string beyond = "4,9 5,9 6,9 7,9 8,9";
  EXPECT_EQ(ways("regular_infantry", Facing::kEast), beyond);  // facings differ
  EXPECT_EQ(ways("field_artillery", Facing::kSouth), beyond);
}

TEST(ColonialCorners, HorseDoesNotWithdrawIntoAWood) {  // COL-5.11
  for (const bool horse : {false, true}) {
    Game g;
    const PieceNo red = g.Stand(kRed, horse ? "regular_cavalry" : "regular_infantry", {6, 7});
    g.Stand(kBlue, "regular_infantry", {6, 6});
    g.Wood({5, 8});
    g.Wood({6, 8});
    g.Start();
    EXPECT_EQ(g.Ways(red), horse ? "7,8" : "5,8 6,8 7,8");
  }
}

TEST(ColonialCorners, AFifthSquareIsTooFarToWithdraw) {  // COL-5.12
  for (const int row : {9, 10}) {
    Game g;
    const PieceNo red = g.Stand(kRed, "regular_infantry", {6, 7});
    g.Stand(kBlue, "regular_infantry", {6, 6});
    for (const int c : {3, 6, 9}) g.Stand(kBlue, "regular_infantry", {c, row});
    g.Start();
    // Clear of row 9 is row 11, four squares back; clear of row 10 row 12, five squares back. In
    // row 8 the squares at distance 2 from row 10 are clear of (6,6) too.
    EXPECT_EQ(g.Ways(red),
              row == 9 ? "10,11 2,11 3,11 4,11 5,11 6,11 7,11 8,11 9,11" : "5,8 6,8 7,8");
  }
}

}  // namespace
}  // namespace fos::colonial::test
