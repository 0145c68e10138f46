// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/missiles.h"

#include <gtest/gtest.h>

#include "tests/support/ancient_game.h"

// Worked examples EX-F1 to EX-F6 of the catalogue.
namespace fos::ancient::test {
namespace {

TEST(AncientMissiles, RangeAndFortyFiveDegrees) {  // EX-F1.1
  Game g;
  const PieceNo cavalry = g.Unit(kBlue, "light_cavalry", "C3");
  const PieceNo legion = g.Unit(kBlue, "roman_legionary", "H3");
  g.Unit(kRed, "heavy_infantry", "D5");
  g.Unit(kRed, "heavy_infantry", "H4");
  g.Unit(kRed, "heavy_infantry", "I4");
  g.Unit(kRed, "heavy_infantry", "G5");
  g.Unit(kRed, "heavy_infantry", "H5");
  g.Start();
  g.To(Step::kMissiles);
  EXPECT_EQ(g.Fire(cavalry, "D5"), "");
  EXPECT_EQ(g.Fire(legion, "H5"), "ANC-F1");  // 2
  const State before = g.s;
  EXPECT_EQ(g.Fire(legion, "H4"), "");
  g.s = before;
  EXPECT_EQ(g.Fire(legion, "I4"), "");
  EXPECT_EQ(g.Fire(legion, "H4"), "ANC-F1");  // one target square a turn
}

TEST(AncientMissiles, AnyUnitInTheWayScreens) {  // EX-F2.1
  for (const int side : {kBlue, kRed}) {
    Game g;
    const PieceNo archers = g.Unit(kBlue, "light_infantry", "C3", 3, NE);
    g.Unit(kRed, "heavy_infantry", "E5");
    g.Unit(side, "heavy_infantry", "D4");
    g.Bystanders();
    g.Start();
    g.To(Step::kMissiles);
    EXPECT_EQ(g.Fire(archers, "E5"), "ANC-F2");
  }
  Game g;
  const PieceNo archers = g.Unit(kBlue, "light_infantry", "C3", 3, NE);
  g.Unit(kRed, "heavy_infantry", "E5");
  g.Unit(kBlue, "heavy_infantry", "C4");
  g.Unit(kRed, "heavy_infantry", "D3");
  g.Bystanders();
  g.Start();
  g.To(Step::kMissiles);
  EXPECT_EQ(g.Fire(archers, "E5"), "");
}

TEST(AncientMissiles, AHeavyChariotThrowsTwoDice) {  // EX-F3.1
  Game g;
  const PieceNo first = g.Unit(kBlue, "light_infantry", "D4", 3, NE);
  const PieceNo chariot = g.Unit(kBlue, "assyrian_heavy_chariots", "E4");
  g.Wood("E5");
  g.Unit(kRed, "heavy_infantry", "E5");
  g.Bystanders();
  g.Start();
  g.To(Step::kMissiles);
  EXPECT_EQ(g.DiceOf(first, "E5"), 2);
  EXPECT_EQ(g.DiceOf(chariot, "E5"), 2);  // 2 + 1 - 1
}

TEST(AncientMissiles, AWarElephantThrowsOne) {  // EX-F3.2
  Game g;
  const PieceNo elephant = g.Unit(kBlue, "war_elephants", "E4");
  g.Unit(kRed, "heavy_infantry", "E6");
  g.Bystanders();
  g.Start();
  g.To(Step::kMissiles);
  EXPECT_EQ(g.DiceOf(elephant, "E6"), 1);
}

TEST(AncientMissiles, OneStandHasNoDieAgainstAWood) {  // ANC-F3
  Game g;
  const PieceNo light = g.Unit(kBlue, "light_infantry", "E4", 1);
  g.Wood("E6");
  g.Unit(kRed, "heavy_infantry", "E6");
  g.Bystanders();
  g.Start();
  g.To(Step::kMissiles);
  EXPECT_EQ(g.Fire(light, "E6"), "ANC-F3");
}

TEST(AncientMissiles, PlayersMayOverruleAVolley) {  // ANC-F1, ANC-F6
  Game g;
  const PieceNo light = g.Unit(kBlue, "light_infantry", "E4");
  g.Unit(kRed, "heavy_infantry", "G4");
  g.Bystanders();
  g.Start();
  g.To(Step::kMissiles);
  const auto fire = [&](std::string_view target, bool overrule) {
    return g.Do(CallVolley{kBlue, light, g.At("E4"), g.At(target)}, overrule);
  };
  EXPECT_EQ(fire("G4", false), "ANC-F1");  // it faces north
  EXPECT_EQ(fire("G5", true), "ANC-F1");   // an empty square cannot be overruled
  EXPECT_EQ(fire("G4", true), "");
  EXPECT_EQ(g.Count<Overruled>(), 1);
  ASSERT_EQ(g.s.volleys.size(), 1u);
  EXPECT_EQ(g.s.volleys.front().dice, 3);
}

TEST(AncientMissiles, DetachmentsOfOneUnitGiveNoBonus) {  // ANC-F3
  for (const bool bonus : {false, true}) {
    Game g;
    g.setup.settings.detachment_bonus = bonus;
    const PieceNo light = g.Unit(kBlue, "light_infantry", "E3");
    g.Unit(kRed, "heavy_infantry", "F7");
    g.Bystanders();
    g.Start();
    g.To(Step::kMovement);
    g.MoveStands({g.Stand(light)}, "F4 F5");
    g.MoveStands({g.Stand(light, 1)}, "E4 E5");
    g.NextTurn();
    g.To(Step::kMissiles);
    EXPECT_EQ(g.Do(CallVolley{kBlue, light, g.At("F5"), g.At("F7")}), "");
    EXPECT_EQ(g.Do(CallVolley{kBlue, light, g.At("E5"), g.At("F7")}), "");
    EXPECT_EQ(g.s.volleys.back().dice, bonus ? 2 : 1);
  }
}

TEST(AncientMissiles, HeavyArchersStandBehindShields) {  // EX-F4.1
  for (const bool village : {false, true}) {
    Game g;
    const PieceNo light = g.Unit(kBlue, "light_infantry", "E4");
    g.Unit(kRed, "assyrian_heavy_archers", "E6");
    if (village) g.Wood("E6");
    g.Bystanders();
    g.Start();
    g.To(Step::kMissiles);
    EXPECT_EQ(g.DiceOf(light, "E6"), 2);
  }
}

// The number of target stands in E5 lost to these dice at a distance; the shooters are south of it.
int Fallen(std::string_view target, int stands, int distance, std::vector<int> dice) {
  Game g;
  const PieceNo shooters =
      g.Unit(kBlue, "light_infantry", std::string("E").append(1, static_cast<char>('5' - distance)),
             static_cast<int>(dice.size()));
  const PieceNo red = g.Unit(kRed, target, "E5", stands);
  g.Bystanders();
  g.Start();
  g.To(Step::kMissiles);
  if (!g.Fire(shooters, "E5").empty()) return -1;
  g.Done(kBlue);
  g.Done(kRed);
  EXPECT_EQ(g.Dice(dice), "");
  return stands - g.Left(red);
}

TEST(AncientMissiles, APairHitsAChariot) {  // EX-F5.1
  EXPECT_EQ(Fallen("chariots", 1, 1, {1, 2, 4}), 0);
  EXPECT_EQ(Fallen("chariots", 1, 1, {2, 2, 5}), 1);
  EXPECT_EQ(Fallen("light_chariots", 2, 1, {1, 1, 2, 2}), 2);
}

TEST(AncientMissiles, ATripleHitsAnElephant) {  // EX-F5.2
  EXPECT_EQ(Fallen("elephants", 1, 2, {2, 2, 2}), 1);
  EXPECT_EQ(Fallen("elephants", 1, 2, {1, 1, 2}), 0);
  EXPECT_EQ(Fallen("elephants", 1, 3, {2, 2, 2}), 0);
  EXPECT_EQ(Fallen("elephants", 1, 3, {1, 1, 1}), 1);
}

TEST(AncientMissiles, ADistantCommanderIsSafe) {  // EX-F5.3
  EXPECT_EQ(Fallen("commander", 1, 3, {1, 1, 1}), 0);
  EXPECT_EQ(Fallen("commander", 1, 1, {1, 1, 3}), 1);
}

TEST(AncientMissiles, IndianArchersCountAsALightTarget) {  // EX-F5.4
  EXPECT_EQ(Fallen("indian_medium_archers", 4, 2, {1, 2, 3}), 2);
  EXPECT_EQ(Fallen("heavy_infantry", 4, 2, {1, 2, 3}), 1);
}

TEST(AncientMissiles, TheShooterDividesTheDice) {  // EX-F6.1
  for (const bool commander : {false, true}) {
    Game g;
    const PieceNo light = g.Unit(kBlue, "light_infantry", "E4");
    const PieceNo heavy = g.Unit(kRed, "heavy_infantry", "E5");
    const PieceNo leader = g.Unit(kRed, "commander", "E5");
    g.Bystanders();
    g.Start();
    g.To(Step::kMissiles);
    g.Fire(light, "E5");
    g.Done(kBlue);
    g.Done(kRed);
    EXPECT_EQ(g.Dice({1, 1, 2}), "");
    ASSERT_TRUE(g.Asks(PendingInput::kVolleyStands));
    EXPECT_EQ(g.Do(Choose{{g.Stand(heavy)}, {}}), "ANC-F6");  // two must be chosen
    if (commander) {
      EXPECT_EQ(g.Do(Choose{{g.Stand(leader), g.Stand(heavy)}, {}}), "");
      EXPECT_EQ(g.Left(heavy), 3);
      EXPECT_EQ(g.Left(leader), 0);
    } else {
      EXPECT_EQ(g.Do(Choose{{g.Stand(heavy), g.Stand(heavy, 1), g.Stand(heavy, 2)}, {}}), "");
      EXPECT_EQ(g.Left(heavy), 1);
      EXPECT_EQ(g.Left(leader), 1);
    }
  }
}

TEST(AncientMissiles, DiceMayBePooled) {  // ANC-F5
  for (const bool pool : {false, true}) {
    Game g;
    g.setup.settings.pool_dice = pool;
    const PieceNo a = g.Unit(kBlue, "light_infantry", "E4", 1);
    const PieceNo b = g.Unit(kBlue, "light_infantry", "D5", 1, E);
    const PieceNo red = g.Unit(kRed, "chariots", "E5");
    g.Bystanders();
    g.Start();
    g.To(Step::kMissiles);
    EXPECT_EQ(g.DiceOf(a, "E5"), 1);
    EXPECT_EQ(g.DiceOf(b, "E5"), 2);
    g.Done(kBlue);
    g.Done(kRed);
    EXPECT_EQ(g.Dice({1}), "");
    EXPECT_EQ(g.Dice({1, 5}), "");
    EXPECT_EQ(g.Left(red), pool ? 0 : 1);  // a pair of ones only if pooled
  }
}

}  // namespace
}  // namespace fos::ancient::test
