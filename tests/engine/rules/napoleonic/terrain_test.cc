// SPDX-License-Identifier: MIT
#include <functional>

#include <gtest/gtest.h>

#include "engine/rules/napoleonic/movement.h"
#include "tests/support/napoleonic_game.h"

// Worked examples EX-6A.1, EX-6C, EX-6D of the catalogue, and NAP-6B.
namespace fos::napoleonic::test {
namespace {

// Blue's howitzer shot lies 0.4 in from Red's stand, in woods square E6.
int FallenInWoods(double y) {
  Game g;
  g.Wood("E6");
  const PieceNo gun = g.Gun(kBlue, "foot_gun", "E2");
  g.Unit(kBlue, "foot_crew", 2, "E2");
  const PieceNo red = g.Unit(kRed, "line_infantry", 4, "E6");
  g.Start();
  EXPECT_EQ(g.Shoot(gun, ShotKind::kHowitzer, "E6"), "");
  EXPECT_EQ(g.Lands(18, y, {{g.Stand(red), 400, 0}}), "");
  return 4 - g.Left(red);
}

TEST(NapoleonicTerrain, TheTipMustLieInTheProtectedSquare) {  // EX-6A.1
  EXPECT_EQ(FallenInWoods(19.9), 0);
  EXPECT_EQ(FallenInWoods(20.0), 1);
}

TEST(NapoleonicTerrain, ABridgeGivesNoProtection) {  // EX-6C.1
  Game g;
  g.Terrain("D5").water = true;
  g.Terrain("D5").bridge = true;
  const PieceNo line = g.Unit(kBlue, "line_infantry", 4, "D4");
  g.Unit(kRed, "line_infantry", 4, "D5");
  g.Start();
  g.To(Step::kMusketry);
  EXPECT_EQ(g.Fire(line, "D5"), "");
  EXPECT_EQ(g.s.volleys.back().dice, 4);
}

TEST(NapoleonicTerrain, AgreedTerrainMayBlockCostAndAddDice) {  // NAP-6B
  Game g;
  g.Terrain("E5").impassable = true;
  g.Terrain("D5").move_cost = 100;
  g.Terrain("D6").extra_dice = 2;
  const PieceNo line = g.Unit(kBlue, "line_infantry", 4, "D4");
  const PieceNo red = g.Unit(kRed, "line_infantry", 4, "D6");
  g.Start();
  g.To(Step::kMusketry);
  EXPECT_EQ(g.Fire(line, "D6"), "");
  EXPECT_EQ(g.s.volleys.back().dice, 6);
  g.Done(kBlue);
  g.Done(kRed);
  EXPECT_EQ(g.Dice({6, 6, 6, 6, 6, 6}), "");
  EXPECT_EQ(g.MoveUnit(line, "E5"), "NAP-6B");
  EXPECT_EQ(g.MoveUnit(line, "D5 C5"), "NAP-1");  // 2 + 1
  EXPECT_EQ(g.MoveUnit(line, "D5"), "");
  (void)red;
}

TEST(NapoleonicTerrain, AgreedDiceCountForCanisterAndBurnUp) {  // NAP-6B, NAP-3H
  Game g;
  g.Terrain("D5").extra_dice = -2;
  const PieceNo gun = g.Gun(kBlue, "foot_gun", "D4");
  g.Unit(kBlue, "foot_crew", 2, "D4");
  g.Unit(kRed, "line_infantry", 4, "D5");
  g.Start();
  EXPECT_EQ(g.Shoot(gun, ShotKind::kField, "D5", /*canister=*/true), "");
  EXPECT_EQ(g.s.ask.count, 1);  // 3 - 2
  EXPECT_EQ(g.Dice({6}), "");
  EXPECT_EQ(ExtraDiceAt(g.s, g.At("D5")), -2);
  ApplyTo(g.s, BurntUp{g.At("D5")});
  EXPECT_EQ(ExtraDiceAt(g.s, g.At("D5")), 0);  // normal ground from now on (NAP-6D)
}

// A howitzer shell touches a tree in E6; the dice decide what happens.
struct Tree {
  Game g;
  PieceNo red, gun, enemy_gun;
  explicit Tree(const std::function<void(Game&)>& change = {}) {
    g.Wood("E6");
    gun = g.Gun(kBlue, "foot_gun", "E2");
    g.Unit(kBlue, "foot_crew", 2, "E2");
    red = g.Unit(kRed, "line_infantry", 4, "E6");
    enemy_gun = g.Gun(kRed, "foot_gun", "E6");
    g.Unit(kRed, "line_infantry", 4, "L12");
    if (change) change(g);
    g.Start();
    EXPECT_EQ(g.Shoot(gun, ShotKind::kHowitzer, "E6"), "");
    EXPECT_EQ(g.Lands(17, 21, {}, {}, {{g.At("E6"), 250}}), "");
    EXPECT_EQ(g.s.ask.kind, PendingInput::kFireDice);
    EXPECT_EQ(g.s.ask.count, 2);
  }
};

TEST(NapoleonicTerrain, ADoubleOneBurnsEverythingUp) {  // EX-6D.1
  Tree t;
  const int before = TroopPointsOf(t.g.s, kRed);
  EXPECT_EQ(t.g.Dice({1, 1}), "");
  EXPECT_EQ(t.g.Where(t.red), "gone");
  EXPECT_EQ(before - TroopPointsOf(t.g.s, kRed), 12 + 4);  // the regiment and the gun
  EXPECT_FALSE(Protected(t.g.s, t.g.At("E6")));
  EXPECT_FALSE(Impassable(t.g.s, t.g.At("E6")));
  EXPECT_FALSE(Inflammable(t.g.s, t.g.At("E6")));
}

TEST(NapoleonicTerrain, ABurntUpSquareHasNoExtraCost) {  // NAP-6B, NAP-6D
  Game g;
  g.Wood("E5");
  g.Terrain("E5").move_cost = 100;
  const PieceNo line = g.Unit(kBlue, "line_infantry", 4, "E4");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(line, "E5 E6"), "NAP-1");
  ApplyTo(g.s, BurntUp{g.At("E5")});
  EXPECT_EQ(g.MoveUnit(line, "E5 E6"), "");
}

TEST(NapoleonicTerrain, ASingleOneDrivesTheUnitOut) {  // EX-6D.2
  Tree t;
  EXPECT_EQ(t.g.Dice({1, 4}), "");
  EXPECT_EQ(t.g.Where(t.red), "E7");
  EXPECT_EQ(t.g.WhereIs(t.enemy_gun), "E7");
  EXPECT_TRUE(Impassable(t.g.s, t.g.At("E6")));
  // Its owner chooses its facing, and it fires from there in the musketry step.
  EXPECT_EQ(t.g.Do(TurnUnit{kRed, t.red, t.g.At("E7"), NW}), "");
  t.g.To(Step::kMovement);
  EXPECT_EQ(t.g.Do(TurnUnit{kRed, t.red, t.g.At("E7"), S}), "NAP-2G");
}

TEST(NapoleonicTerrain, WithoutAOneNothingBurns) {  // EX-6D.3
  Tree t;
  EXPECT_EQ(t.g.Dice({2, 6}), "");
  EXPECT_EQ(t.g.Where(t.red), "E6");
  EXPECT_TRUE(Inflammable(t.g.s, t.g.At("E6")));
}

TEST(NapoleonicTerrain, ABurningSquareScreens) {  // EX-6D.4
  Game g;
  const PieceNo line = g.Unit(kBlue, "line_infantry", 4, "E4");
  const PieceNo gun = g.Gun(kBlue, "foot_gun", "E4");
  g.Unit(kBlue, "foot_crew", 2, "E4");
  g.Unit(kRed, "line_infantry", 4, "E6");
  g.Start();
  ApplyTo(g.s, Burns{g.At("E5")});
  EXPECT_EQ(g.Shoot(gun, ShotKind::kField, "E6"), "NAP-6D");
  EXPECT_EQ(g.Shoot(gun, ShotKind::kHowitzer, "E6"), "");
  EXPECT_EQ(g.Lands(18, 18, {}, {}, {{g.At("E5"), 0}}), "");
  EXPECT_FALSE(g.s.Waiting());  // it already burns: no further roll
  g.To(Step::kMusketry);
  EXPECT_EQ(g.Fire(line, "E6"), "NAP-6D");
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(line, "E5"), "NAP-6D");
}

TEST(NapoleonicTerrain, UnmannedEquipmentBurnsOrStays) {  // NAP-6D
  for (const bool lost : {true, false}) {
    Tree t([&](Game& g) {
      g.setup.settings.burning_unmanned_lost = lost;
      g.setup.units[1].cell = g.At("A12");  // the gun has no crew left
    });
    EXPECT_EQ(t.g.Dice({4, 1}), "");
    EXPECT_EQ(t.g.WhereIs(t.enemy_gun), lost ? "gone" : "E6");
  }
}

TEST(NapoleonicTerrain, ABurntUpBridgeIsNormalOrWater) {  // NAP-6D, NAP-6C
  for (const bool normal : {true, false}) {
    Tree t([&](Game& g) {
      g.setup.settings.burnt_bridge_normal = normal;
      g.Terrain("E6") = {};
      g.Terrain("E6").water = g.Terrain("E6").bridge = true;
    });
    EXPECT_EQ(t.g.Dice({1, 1}), "");
    EXPECT_EQ(Impassable(t.g.s, t.g.At("E6")), !normal);
  }
}

}  // namespace
}  // namespace fos::napoleonic::test
