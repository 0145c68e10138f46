// SPDX-License-Identifier: MIT
#include "vision/stands/stand_assignment.h"

#include <gtest/gtest.h>

#include <algorithm>

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

TEST(AssignStands, NeverMatchesStandsOfDifferentKinds) {
  const std::vector<StandObservation> lost{At("A", 1, {5, 5}, 0, 0)};
  const std::vector<StandObservation> found{At("", 0, {5.5, 5}, 0, 1)};
  EXPECT_EQ(AssignStands(lost, found).lost_of_found, (std::vector<int>{-1}));
}

TEST(AssignStands, KeepsTheIdsOfAUnitThatLostAStand) {
  const std::vector<StandObservation> lost{At("A", 1, {5, 5}), At("A", 2, {6.5, 5})};
  const std::vector<StandObservation> found{At("", 0, {9, 9})};
  const StandAssignment a = AssignStands(lost, found);
  ASSERT_EQ(a.lost_of_found.size(), 1U);
  EXPECT_GE(a.lost_of_found[0], 0);
}

TEST(AssignStands, DoubtsTwoLikeUnitsAtEqualDistances) {
  const std::vector<StandObservation> lost{At("A", 1, {5, 5}), At("B", 1, {5, 9})};
  const std::vector<StandObservation> found{At("", 0, {10, 7})};
  const StandAssignment a = AssignStands(lost, found);
  ASSERT_EQ(a.doubts.size(), 1U);
  ASSERT_EQ(a.doubts[0].stands.size(), 1U);
  EXPECT_EQ(a.doubts[0].stands[0].now.text, "A#1");
  EXPECT_EQ(a.doubts[0].stands[0].may_be.text, "B#1");
  EXPECT_EQ(a.doubts[0].stands[0].unit, "B");
}

TEST(AssignStands, DoubtsTwoLikeUnitsPutDownBetweenTheirPlaces) {
  const std::vector<StandObservation> lost{At("A", 1, {5, 5}), At("B", 1, {5, 9})};
  // Carried eight inches side by side: exchanged, the total way is 1.9 in longer.
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
  // An inch each: moving them past one another would be longer.
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

TEST(AssignStands, MinimisesTheTotalDistance) {
  // B stands nearest to A's old place, but had it come from A, B had been carried across the table.
  const StandAssignment a = AssignStands(
      std::vector<StandObservation>{At("A", 1, {5, 5}), At("B", 1, {5, 10}), At("C", 1, {9, 20})},
      std::vector<StandObservation>{At("", 0, {5, 9}), At("", 0, {5, 15}), At("", 0, {12, 20})});
  EXPECT_EQ(a.lost_of_found, (std::vector<int>{0, 1, 2}));
}

TEST(AssignStands, KeepsTheStandsOfTwoUnitsPutDownInContact) {
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

TEST(AssignStands, KeepsTheIdsOfAUnitThatTurnedOnTheSpot) {
  // About face: by the headings, the left stand is now on the right.
  const std::vector<StandObservation> lost{At("A", 1, {5, 5}), At("A", 2, {6.5, 5})};
  const std::vector<StandObservation> found{At("", 0, {5, 8}, 180), At("", 0, {6.5, 8}, 180)};
  EXPECT_EQ(AssignStands(lost, found).lost_of_found, (std::vector<int>{1, 0}));
}

TEST(AssignStands, DecidesByReachWhereNothingElseDoes) {
  // Past one another or one after the other: the total way is the same.
  const std::vector<StandObservation> lost{At("A", 1, {5, 5}), At("B", 1, {5, 13})};
  const std::vector<StandObservation> found{At("", 0, {5, 13.5}), At("", 0, {5, 21})};
  EXPECT_EQ(AssignStands(lost, found).doubts.size(), 1U);
  const StandAssignment told = AssignStands(lost, found, std::vector<double>{10.0});
  EXPECT_EQ(told.lost_of_found, (std::vector<int>{0, 1}));
  EXPECT_TRUE(told.doubts.empty());
  // Beyond the reach of all of them it is a doubt again: players break rules, too.
  EXPECT_EQ(AssignStands(lost, found, std::vector<double>{4.0}).doubts.size(), 1U);
}

TEST(AssignStands, AsksOnceAboutThreeUnitsThatMayHaveRotated) {
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

// The assignment of one look, with its doubts.
NamesLeft Seen(const std::vector<StandObservation>& lost, std::vector<StandObservation> found) {
  for (std::size_t i = 0; i < found.size(); ++i) found[i].stand.text = "?" + std::to_string(i);
  NamesLeft out = NamesOf({lost, found, {}});
  EXPECT_EQ(out.changed.size(), found.size()) << "all were named";
  return out;
}

std::vector<std::string> Names(const IdentityDoubt& doubt) {
  std::vector<std::string> out;
  for (const auto& stand : doubt.stands) out.push_back(stand.now.text + ">" + stand.may_be.text);
  return out;
}

// Three in a row that stand closer than they did: each may have changed with the one beside it.
// An answer about two of them leaves the third in its place.
TEST(NamesAfterAnswer, DropsDoubtsThatTheAnswerRulesOut) {
  const NamesLeft seen = Seen({At("A", 1, {1, 5}), At("B", 1, {5, 5}), At("C", 1, {9, 5})},
                              {At("", 0, {3, 11}), At("", 0, {5, 11}), At("", 0, {7, 11})});
  ASSERT_EQ(seen.doubts.size(), 2U);
  EXPECT_EQ(Names(seen.doubts[0]), (std::vector<std::string>{"A#1>B#1", "B#1>A#1"}));
  EXPECT_EQ(Names(seen.doubts[1]), (std::vector<std::string>{"B#1>C#1", "C#1>B#1"}));
  for (const IdentityDoubt& doubt : seen.doubts) {
    const NamesLeft as_taken = NamesAfterAnswer(doubt, false);
    EXPECT_TRUE(as_taken.changed.empty());
    EXPECT_TRUE(as_taken.doubts.empty());
    const NamesLeft changed = NamesAfterAnswer(doubt, true);
    EXPECT_EQ(changed.changed.size(), 2U);
    EXPECT_TRUE(changed.doubts.empty());
  }
}

// Two pairs far apart: an answer about one says nothing about the other.
TEST(NamesAfterAnswer, KeepsDoubtsThatTheAnswerLeavesOpen) {
  const NamesLeft seen =
      Seen({At("A", 1, {5, 5}), At("B", 1, {5, 9}), At("C", 1, {45, 5}), At("D", 1, {45, 9})},
           {At("", 0, {13, 5}), At("", 0, {13, 9}), At("", 0, {53, 5}), At("", 0, {53, 9})});
  ASSERT_EQ(seen.doubts.size(), 2U);
  for (const bool changed : {false, true}) {
    const NamesLeft left = NamesAfterAnswer(seen.doubts[0], changed);
    EXPECT_EQ(left.changed.size(), changed ? 2U : 0U);
    ASSERT_EQ(left.doubts.size(), 1U);
    EXPECT_TRUE(SameStands(left.doubts[0], seen.doubts[1]));
    EXPECT_EQ(left.doubts[0].text, seen.doubts[1].text);
    EXPECT_TRUE(NamesAfterAnswer(left.doubts[0], true).doubts.empty());
  }
}

// Three were handled and two are seen. If the first is the one believed gone, the second may be the
// first.
TEST(NamesAfterAnswer, RaisesDoubtsThatTheAnswerMakesPossible) {
  const NamesLeft seen = Seen({At("A", 1, {5, 5}), At("B", 1, {9, 5}), At("X", 1, {1, 9})},
                              {At("", 0, {6, 9}), At("", 0, {8, 9})});
  const auto gone = [](const IdentityDoubt& doubt) {
    return std::any_of(doubt.stands.begin(), doubt.stands.end(), [](const auto& stand) {
      return stand.now.text == "A#1" && stand.may_be.text == "X#1";
    });
  };
  const auto doubt = std::find_if(seen.doubts.begin(), seen.doubts.end(), gone);
  ASSERT_NE(doubt, seen.doubts.end());
  for (const IdentityDoubt& left : NamesAfterAnswer(*doubt, true).doubts)
    for (const auto& stand : left.stands) EXPECT_NE(stand.may_be.text, "X#1") << left.text;
  EXPECT_FALSE(NamesAfterAnswer(*doubt, true).doubts.empty());
}

TEST(NamesAfterAnswer, RenamesOnlyTheDoubtedStandsWithoutHandledOnes) {
  const IdentityDoubt doubt{{{{"A#1"}, {"B#1"}, "B"}, {{"B#1"}, {"A#1"}, "A"}}, "A and B"};
  EXPECT_EQ(NamesAfterAnswer(doubt, true).changed.size(), 2U);
  EXPECT_TRUE(NamesAfterAnswer(doubt, false).changed.empty());
}

TEST(RenameIn, RenamesMistakenStandsInLaterSearches) {
  HandledStands handled{{At("A", 1, {5, 5}), At("C", 1, {5, 9})}, {At("A", 1, {9, 5})}, {}};
  EXPECT_FALSE(RenameIn(handled, {{{"D#1"}, {"B#1"}, "B"}}));
  EXPECT_TRUE(RenameIn(handled, {{{"A#1"}, {"B#1"}, "B"}, {{"B#1"}, {"A#1"}, "A"}}));
  EXPECT_EQ(handled.lost[0].stand.text, "B#1");
  EXPECT_EQ(handled.found[0].unit, "B");
  EXPECT_EQ(handled.lost[1].stand.text, "C#1");
}

}  // namespace
}  // namespace fos
