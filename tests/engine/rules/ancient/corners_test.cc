// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string_view>
#include <tuple>
#include <vector>

#include "engine/rules/ancient/melee.h"
#include "engine/rules/sweet/melee.h"
#include "tests/support/ancient_clash.h"

// Corners of the clauses that no worked example of the catalogue reaches.
namespace fos::ancient::test {
namespace {

TEST(AncientCorners, WhoFallsBackOntoAnUnguardedCatapultTakesIt) {  // ANC-P7
  Clash c("heavy_infantry", "heavy_infantry");
  const PieceNo passed = c.g.Catapult(kRed, "light_catapult", "E4");
  const PieceNo reached = c.g.Catapult(kRed, "light_catapult", "E3");
  c.Meet();
  c.Fight(Card::kWithdrawal, Card::kLine);
  EXPECT_EQ(c.g.Where(c.blue), "E3");
  EXPECT_EQ(c.g.s.EquipmentAt(reached).owner, kBlue);
  EXPECT_EQ(c.g.s.EquipmentAt(passed).owner, kRed);
}

TEST(AncientCorners, ALastStandGoingHomeTakesACatapultInItsWay) {  // ANC-M1, ANC-P7
  Game g;
  const PieceNo blue = g.Unit(kBlue, "heavy_infantry", "E5", 1);
  const PieceNo catapult = g.Catapult(kRed, "light_catapult", "E3");
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.Where(blue), "E3");
  EXPECT_EQ(g.s.EquipmentAt(catapult).owner, kBlue);
}

TEST(AncientCorners, AStandRunDownNoLongerClosesAGap) {  // ANC-M3, ANC-V4
  for (const bool down : {true, false}) {
    Game g;
    const PieceNo horse = g.Unit(kBlue, "numidian_light_cavalry", "E4");
    g.Unit(kRed, "light_infantry", "E5", down ? 1 : 2);
    g.Unit(kRed, "heavy_infantry", "F6");
    g.Unit(kRed, "heavy_infantry", "D6");
    g.Bystanders();
    g.Start();
    g.To(Step::kMovement);
    EXPECT_EQ(g.MoveUnit(horse, "E5 E6 E7"), down ? "" : "ANC-V4") << g.because;
  }
}

TEST(AncientCorners, AnElephantsDieBindsItAlone) {  // ANC-H6
  for (const bool willing : {true, false}) {
    Game g;
    const PieceNo beast = g.Unit(kBlue, "war_elephants", "E4");
    const PieceNo general = g.Unit(kBlue, "commander", "E4");
    g.Unit(kRed, "heavy_infantry", "E6");
    g.Bystanders();
    g.Start();
    g.To(Step::kMovement);
    ASSERT_EQ(g.Do(Rouse{kBlue, beast}), "");
    ASSERT_EQ(g.Dice({willing ? 4 : 6}), "");
    EXPECT_EQ(g.Do(Rouse{kBlue, beast}), "ANC-H6");
    // A willing one need not charge; another stays, but may face and lets its companion go.
    EXPECT_EQ(g.MoveUnit(beast, "E5"), willing ? "" : "ANC-H6");
    EXPECT_EQ(g.Turn(beast, W), "");
    EXPECT_EQ(g.MoveUnit(general, "E5"), "");
    EXPECT_EQ(g.Done(kBlue), "");
  }
}

TEST(AncientCorners, ABusyStandStaysOutOfTheCharge) {  // ANC-C1, ANC-V3
  for (const char* type : {"light_infantry", "heavy_infantry"}) {
    Game g;
    const PieceNo unit = g.Unit(kBlue, type, "E4");
    const PieceNo catapult = g.Catapult(kBlue, "light_catapult", "E4");
    g.Unit(kRed, "heavy_infantry", "E5");
    g.Bystanders();
    g.Start();
    const auto s = g.Stands(unit);
    ASSERT_EQ(g.Shoot(catapult, s[0], "E5"), "");
    ASSERT_EQ(g.Lands(1, 1, {}), "");
    g.To(Step::kMovement);
    EXPECT_EQ(g.MoveUnit(unit, "E5"), "ANC-C1");
    // Light infantry may leave it behind.
    const std::vector<PieceNo> others(s.begin() + 1, s.end());
    EXPECT_EQ(g.MoveStands(others, "E5"),
              std::string_view(type) == "light_infantry" ? "" : "ANC-V3");
  }
}

TEST(AncientCorners, ADetachmentsLastStandsAreCountedTogether) {  // ANC-M1, ANC-V3
  for (const int stands : {1, 2}) {
    Game g;
    const PieceNo light = g.Unit(kBlue, "light_cavalry", "E8", stands);
    g.Unit(kRed, "heavy_infantry", "L12");
    g.Unit(kBlue, "heavy_infantry", "A1");
    g.Start();
    g.To(Step::kMovement);
    EXPECT_EQ(g.Where(light), stands == 1 ? "E3" : "E8");
  }
}

TEST(AncientCorners, CavalryBehindFootDoesNotSupportIt) {  // ANC-H4
  // Blue's horse beside, in front of and behind Blue's charging foot.
  for (const auto& [square, facing, may] :
       {std::tuple{"D5", E, true}, {"F5", W, true}, {"E4", N, false}, {"E6", S, false}}) {
    Clash c("heavy_infantry", "heavy_infantry");
    const PieceNo horse =
        c.g.Unit(kBlue, "heavy_cavalry", square[1] == '4' ? "E3" : square, 0, facing);
    c.g.Bystanders();
    c.g.Start();
    c.g.To(Step::kMovement);
    ASSERT_EQ(c.g.MoveUnit(c.blue, "E5"), "");
    if (square[1] == '4') {
      ASSERT_EQ(c.g.MoveUnit(horse, "E4"), "");
    }
    c.g.To(Step::kAttackerSupport);
    EXPECT_EQ(c.g.Back(horse, "E5"), may ? "" : "ANC-H4") << square;
  }
}

TEST(AncientCorners, AProtectedSquareTakesOnePointFromWholeAttack) {  // ANC-H8
  // Velites 1 + 1 + 1 = 3, effective 2, against two heavy stands: equal, so both go back.
  Clash c("roman_velites", "heavy_infantry", 0, 2);
  c.g.Wood("E5");
  c.Meet();
  c.Fight(Card::kLine, Card::kLine);
  while (c.g.Asks(PendingInput::kMeleeCoin)) ASSERT_EQ(c.g.Coin(false), "");
  EXPECT_EQ(c.g.Where(c.blue), "E3");
  EXPECT_EQ(c.g.Where(c.red), "E7");
}

TEST(AncientCorners, TimeCalledInTheFirstTurnEndsAfterTheSecond) {  // ANC-M4
  Game g;
  g.Bystanders();
  g.Start();
  ASSERT_EQ(g.Do(TimeUp{}), "");
  EXPECT_EQ(g.Do(TimeUp{}), "ANC-M4");
  g.NextTurn();
  EXPECT_EQ(g.s.turn, 2);
  g.To(Step::kEnd);
  g.Done(kBlue);
  g.Done(kRed);
  EXPECT_EQ(g.s.step, Step::kOver);
}

TEST(AncientCorners, AChariotChargingIntoAWoodCountsThreeLessOne) {  // ANC-H5, ANC-H8
  Clash c("chariots", "light_infantry");
  c.g.Wood("E5");
  c.Meet();
  c.g.To(Step::kMelee);
  EXPECT_EQ(sweet::SumsAtStart(c.g.s, 0).compared[squares::kAttackers], 2 * 16);
}

// Two halves of one light cavalry unit charge two squares, and both withdraw.
TEST(AncientCorners, EachDetachmentFallsBackFromItsOwnMelee) {  // ANC-V3, ANC-P4
  Game g;
  const PieceNo light = g.Unit(kBlue, "light_cavalry", "F3", 4);
  g.Unit(kRed, "heavy_infantry", "E5");
  g.Unit(kRed, "heavy_infantry", "G5");
  g.Start();
  g.To(Step::kMovement);
  const auto s = g.Stands(light);
  ASSERT_EQ(g.MoveStands({s[0], s[1]}, "E4 E5"), "") << g.because;
  ASSERT_EQ(g.MoveStands({s[2], s[3]}, "G4 G5"), "") << g.because;
  g.To(Step::kMelee);
  for (const char* contact : {"E5", "G5"}) {
    ASSERT_EQ(g.Do(PlayCard{kBlue, g.At(contact), Card::kWithdrawal}), "") << g.because;
    ASSERT_EQ(g.Do(PlayCard{kRed, g.At(contact), Card::kLine}), "") << g.because;
  }
  EXPECT_EQ(StandsIn(g.s, kBlue, g.At("G3")), (std::vector<PieceNo>{s[0], s[1]}));
  EXPECT_EQ(StandsIn(g.s, kBlue, g.At("E3")), (std::vector<PieceNo>{s[2], s[3]}));
}

// Chariots enter a lone stand's square, and riders who pass remove it before the melee.
TEST(AncientCorners, ChariotsThatLostTheirEnemySupportAtTheirOwnValue) {  // ANC-H5, ANC-M3
  Game g;
  const PieceNo chariots = g.Unit(kBlue, "light_chariots", "E4", 2);
  const PieceNo riders = g.Unit(kBlue, "light_cavalry", "E3");
  const PieceNo others = g.Unit(kBlue, "light_cavalry", "G5");
  g.Unit(kRed, "light_infantry", "E5", 1);
  g.Unit(kRed, "heavy_infantry", "F5");
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  ASSERT_EQ(g.MoveUnit(chariots, "E5"), "") << g.because;
  ASSERT_EQ(g.MoveUnit(riders, "E4 E5 D6"), "") << g.because;
  ASSERT_EQ(g.MoveUnit(others, "F5"), "") << g.because;
  g.To(Step::kAttackerSupport);
  ASSERT_EQ(g.s.melees.size(), 1u);
  ASSERT_EQ(g.Back(chariots, "F5"), "") << g.because;
  EXPECT_EQ(StrengthAtStart(g.s, 0, kBlue), 88);  // sixteenths: 3 x 0.5 + 2 x 2
}

}  // namespace
}  // namespace fos::ancient::test
