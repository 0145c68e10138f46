#include "vision/stand_assignment.h"

#include <gtest/gtest.h>

namespace fos {
namespace {

StandObservation At(const std::string& unit, int number, Vec2 centre, double bearing_deg = 0,
                    int kind = 0) {
  StandObservation o;
  o.unit = unit;
  o.stand.text = unit + "#" + std::to_string(number);
  o.kind = kind;
  o.table_from_stand = {centre, HeadingFromBearing(bearing_deg)};
  o.footprint = {1.5, 0.75};
  return o;
}

TEST(AssignStands, AUnitThatMovedKeepsItsOrder) {
  const std::vector<StandObservation> lost{At("A", 1, {5, 5}), At("A", 2, {6.5, 5}),
                                           At("A", 3, {5, 4.2}), At("A", 4, {6.5, 4.2})};
  // Moved east by 8 and turned to face east: its left is now to the north.
  const std::vector<StandObservation> found{
      At("", 0, {14.2, 5.75}, 90), At("", 0, {14.2, 4.25}, 90), At("", 0, {13.4, 5.75}, 90),
      At("", 0, {13.4, 4.25}, 90)};
  const StandAssignment a = AssignStands(lost, found);
  EXPECT_EQ(a.lost_of_found, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_TRUE(a.doubts.empty());
}

TEST(AssignStands, WholeUnitsStayTogether) {
  // Unit A's old place is taken by two stands, three lie where nobody was: A had three.
  const std::vector<StandObservation> lost{At("A", 1, {5, 5}), At("A", 2, {6.5, 5}),
                                           At("A", 3, {8, 5}), At("B", 1, {5, 12}),
                                           At("B", 2, {6.5, 12})};
  const std::vector<StandObservation> found{At("", 0, {5, 6.5}), At("", 0, {6.5, 6.5}),
                                            At("", 0, {12, 5}), At("", 0, {13.5, 5}),
                                            At("", 0, {15, 5})};
  const StandAssignment a = AssignStands(lost, found);
  EXPECT_EQ(a.lost_of_found, (std::vector<int>{3, 4, 0, 1, 2}));
}

TEST(AssignStands, AnotherKindIsNeverTheSameStand) {
  const std::vector<StandObservation> lost{At("A", 1, {5, 5}, 0, 0)};
  const std::vector<StandObservation> found{At("", 0, {5.5, 5}, 0, 1)};
  EXPECT_EQ(AssignStands(lost, found).lost_of_found, (std::vector<int>{-1}));
}

TEST(AssignStands, OneOfAUnitTakenLeavesTheOthersTheirNames) {
  const std::vector<StandObservation> lost{At("A", 1, {5, 5}), At("A", 2, {6.5, 5})};
  const std::vector<StandObservation> found{At("", 0, {9, 9})};
  const StandAssignment a = AssignStands(lost, found);
  ASSERT_EQ(a.lost_of_found.size(), 1U);
  EXPECT_GE(a.lost_of_found[0], 0);
}

TEST(AssignStands, TwoLikeUnitsWithEqualClaimsAreDoubted) {
  const std::vector<StandObservation> lost{At("A", 1, {5, 5}), At("B", 1, {5, 9})};
  const std::vector<StandObservation> found{At("", 0, {10, 7})};
  const StandAssignment a = AssignStands(lost, found);
  ASSERT_EQ(a.doubts.size(), 1U);
  ASSERT_EQ(a.doubts[0].stands.size(), 1U);
  EXPECT_EQ(a.doubts[0].stands[0].now.text, "A#1");
  EXPECT_EQ(a.doubts[0].stands[0].may_be.text, "B#1");
  EXPECT_EQ(a.doubts[0].stands[0].unit, "B");
}

TEST(AssignStands, TwoLikeUnitsPutDownBetweenTheirPlacesMayHaveChangedThem) {
  const std::vector<StandObservation> lost{At("A", 1, {5, 5}), At("B", 1, {5, 9})};
  // Carried eight inches side by side: the other way round is 1.9 in further in all.
  const StandAssignment near =
      AssignStands(lost, std::vector<StandObservation>{At("", 0, {13, 5}), At("", 0, {13, 9})});
  EXPECT_EQ(near.lost_of_found, (std::vector<int>{0, 1}));
  ASSERT_EQ(near.doubts.size(), 1U);
  EXPECT_EQ(near.doubts[0].text.rfind("A and B: both were handled", 0), 0U) << near.doubts[0].text;
  ASSERT_EQ(near.doubts[0].stands.size(), 2U);
  EXPECT_EQ(near.doubts[0].stands[0].now.text, "A#1");
  EXPECT_EQ(near.doubts[0].stands[0].may_be.text, "B#1");
  EXPECT_EQ(near.doubts[0].stands[1].now.text, "B#1");
  EXPECT_EQ(near.doubts[0].stands[1].may_be.text, "A#1");
  // An inch each: nobody carries them past one another for that.
  const StandAssignment far =
      AssignStands(lost, std::vector<StandObservation>{At("", 0, {6, 5}), At("", 0, {6, 9})});
  EXPECT_EQ(far.lost_of_found, (std::vector<int>{0, 1}));
  EXPECT_TRUE(far.doubts.empty());
  // Units of another number of stands cannot be mistaken for each other.
  const StandAssignment odd = AssignStands(
      std::vector<StandObservation>{At("A", 1, {5, 5}), At("B", 1, {5, 9}), At("B", 2, {6.5, 9})},
      std::vector<StandObservation>{At("", 0, {13, 5}), At("", 0, {13, 9}), At("", 0, {14.5, 9})});
  EXPECT_EQ(odd.lost_of_found, (std::vector<int>{0, 1, 2}));
  EXPECT_TRUE(odd.doubts.empty());
}

TEST(AssignStands, TheShortestWayInAllCounts) {
  // B stands nearest to A's old place, but had it come from A, B had been carried across the table.
  const StandAssignment a = AssignStands(
      std::vector<StandObservation>{At("A", 1, {5, 5}), At("B", 1, {5, 10}), At("C", 1, {9, 20})},
      std::vector<StandObservation>{At("", 0, {5, 9}), At("", 0, {5, 15}), At("", 0, {12, 20})});
  EXPECT_EQ(a.lost_of_found, (std::vector<int>{0, 1, 2}));
}

TEST(AssignStands, TwoUnitsPutDownInContactKeepTheirOwn) {
  std::vector<StandObservation> lost;
  std::vector<StandObservation> found;
  std::vector<int> same;
  for (int i = 0; i < 8; ++i) {
    lost.push_back(At(i < 4 ? "A" : "B", i % 4 + 1, {4 + 1.5 * i, 5}));
    found.push_back(At("", 0, {6 + 1.5 * i, 11}));
    same.push_back(i);
  }
  const StandAssignment a = AssignStands(lost, found);
  EXPECT_EQ(a.lost_of_found, same);
  EXPECT_TRUE(a.doubts.empty());
}

TEST(AssignStands, WhoTurnedOnTheSpotKeepsItsStandsApart) {
  // About face: the headings tell that the left stand is now to the right.
  const std::vector<StandObservation> lost{At("A", 1, {5, 5}), At("A", 2, {6.5, 5})};
  const std::vector<StandObservation> found{At("", 0, {5, 8}, 180), At("", 0, {6.5, 8}, 180)};
  EXPECT_EQ(AssignStands(lost, found).lost_of_found, (std::vector<int>{1, 0}));
}

TEST(AssignStands, WhatOnlyReachCanTellIsToldByIt) {
  // Past one another or one after the other: as long a way in all.
  const std::vector<StandObservation> lost{At("A", 1, {5, 5}), At("B", 1, {5, 13})};
  const std::vector<StandObservation> found{At("", 0, {5, 13.5}), At("", 0, {5, 21})};
  EXPECT_EQ(AssignStands(lost, found).doubts.size(), 1U);
  const StandAssignment told = AssignStands(lost, found, std::vector<double>{10.0});
  EXPECT_EQ(told.lost_of_found, (std::vector<int>{0, 1}));
  EXPECT_TRUE(told.doubts.empty());
  // Further than any of them may go it is a doubt again: rules are broken, too.
  EXPECT_EQ(AssignStands(lost, found, std::vector<double>{4.0}).doubts.size(), 1U);
}

TEST(AssignStands, ThreeThatMayHaveGoneRoundAreAskedAboutTogether) {
  std::vector<StandObservation> lost;
  std::vector<StandObservation> found;
  const std::vector<std::string> names{"A", "B", "C"};
  for (int i = 0; i < 3; ++i) {
    lost.push_back(At(names[static_cast<std::size_t>(i)], 1, {5.0 + i, 5}));
    found.push_back(At("", 0, {5.0 + i, 25}));
  }
  const StandAssignment a = AssignStands(lost, found);
  EXPECT_EQ(a.lost_of_found, (std::vector<int>{0, 1, 2}));
  ASSERT_FALSE(a.doubts.empty());
  for (const IdentityDoubt& doubt : a.doubts) EXPECT_GE(doubt.stands.size(), 2U) << doubt.text;
}

}  // namespace
}  // namespace fos
