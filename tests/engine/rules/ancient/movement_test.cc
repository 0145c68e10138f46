// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/movement.h"

#include <gtest/gtest.h>

#include "tests/support/ancient_game.h"

// Worked examples EX-G1, EX-G2, EX-T and EX-V1 to EX-V6 of the catalogue.
namespace fos::ancient::test {
namespace {

TEST(AncientMovement, DistancesInInchesDoNotScaleWithTheSquare) {  // EX-G1.1
  Game g;
  g.setup.tables.square_in = 3.0;
  const PieceNo crew = g.Unit(kBlue, "foot_crew", "E2");
  const PieceNo catapult = g.Catapult(kBlue, "heavy_catapult", "E2");
  const PieceNo red = g.Unit(kRed, "heavy_infantry", "E5");
  g.Wood("E5");
  g.Bystanders();
  g.Start();
  EXPECT_EQ(g.Shoot(catapult, g.Stand(crew), "E5"), "");
  // E5 covers 12 to 15 in both directions: a mark on its corner is in it, 1.0 in from the stand.
  EXPECT_EQ(g.Lands(12.0, 15.0, {{g.Stand(red), 1000}}), "");
  EXPECT_EQ(g.Left(red), 3);
  g.NextTurn();
  EXPECT_EQ(g.Shoot(catapult, g.Stand(crew, 1), "E5"), "");
  EXPECT_EQ(g.Lands(11.9, 15.0, {{g.Stand(red), 300}}), "");  // the next square
  EXPECT_EQ(g.Left(red), 3);
}

TEST(AncientMovement, HighRollAttacksFirstAndTiesRollAgain) {  // EX-G2.1
  Game g;
  g.setup.settings.first_attacker = FirstAttacker::kDieRoll;
  g.Bystanders();
  g.Start();
  EXPECT_EQ(g.Dice({3, 3}), "");
  EXPECT_EQ(g.s.step, Step::kFirstAttacker);
  EXPECT_EQ(g.Dice({2, 5}), "");
  EXPECT_EQ(g.s.attacker, kRed);
  EXPECT_EQ(g.s.step, Step::kCatapults);
}

TEST(AncientMovement, StandsLostToACatapultDoNotShoot) {  // EX-T.1
  Game g;
  const PieceNo archers = g.Unit(kBlue, "assyrian_heavy_archers", "E4");
  const PieceNo crew = g.Unit(kRed, "foot_crew", "E9");
  const PieceNo catapult = g.Catapult(kRed, "heavy_catapult", "E9");
  g.Unit(kRed, "heavy_infantry", "E6");
  g.Bystanders();
  g.Start();
  EXPECT_EQ(g.Shoot(catapult, g.Stand(crew), "E4"), "");
  EXPECT_EQ(g.Lands(18, 14, {{g.Stand(archers), 500}}), "");
  g.To(Step::kMissiles);
  EXPECT_EQ(g.DiceOf(archers, "E6"), 2);
}

TEST(AncientMovement, MissilesAreSimultaneous) {  // EX-T.2
  Game g;
  const PieceNo blue = g.Unit(kBlue, "light_infantry", "E4");
  const PieceNo red = g.Unit(kRed, "light_infantry", "E6");
  g.Bystanders();
  g.Start();
  g.To(Step::kMissiles);
  EXPECT_EQ(g.DiceOf(blue, "E6"), 3);
  EXPECT_EQ(g.DiceOf(red, "E4"), 3);
  g.Done(kBlue);
  g.Done(kRed);
  EXPECT_EQ(g.Dice({1, 2, 6}), "");
  EXPECT_EQ(g.Left(red), 3);  // all losses together
  EXPECT_EQ(g.Dice({1, 4, 5}), "");
  EXPECT_EQ(g.Left(red), 1);
  EXPECT_EQ(g.Left(blue), 2);
}

TEST(AncientMovement, ARemovedCatapultStillShoots) {  // ANC-T
  Game g;
  const PieceNo blue_crew = g.Unit(kBlue, "foot_crew", "E4");
  const PieceNo blue = g.Catapult(kBlue, "heavy_catapult", "E4");
  const PieceNo red_crew = g.Unit(kRed, "horse_crew", "E8");
  const PieceNo red = g.Catapult(kRed, "light_catapult", "E8");
  g.Bystanders();
  g.Start();
  EXPECT_EQ(g.Shoot(blue, g.Stand(blue_crew), "E8"), "");
  EXPECT_EQ(g.Lands(18, 30, {}, {{red, 900}}), "");
  EXPECT_EQ(g.WhereIs(red), "gone");
  EXPECT_EQ(g.Left(red_crew), 1);  // removed alone, its crew stays
  EXPECT_EQ(g.Shoot(red, g.Stand(red_crew), "E4"), "");
  EXPECT_EQ(g.Lands(18, 14, {{g.Stand(blue_crew), 0}}), "");
  EXPECT_EQ(g.Left(blue_crew), 1);
  EXPECT_EQ(g.Shoot(red, g.Stand(red_crew), "E4"), "ANC-C4");
  g.NextTurn();
  EXPECT_EQ(g.Shoot(red, g.Stand(red_crew), "E4"), "ANC-C1");
}

TEST(AncientMovement, ATurnHasSixStepsAndTheRolesSwap) {  // ANC-T
  Game g;
  const PieceNo blue = g.Unit(kBlue, "heavy_infantry", "E4");
  const PieceNo red = g.Unit(kRed, "heavy_infantry", "E6");
  g.Bystanders();
  g.Start();
  EXPECT_EQ(g.MoveUnit(blue, "E5"), "ANC-T");
  EXPECT_EQ(g.Fire(blue, "E5"), "ANC-T");
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(red, "E5"), "ANC-T");
  EXPECT_EQ(g.Done(kRed), "ANC-T");
  EXPECT_EQ(g.MoveUnit(blue, "E5"), "");
  EXPECT_EQ(g.MoveUnit(blue, "E4"), "ANC-V1");  // once a turn
  g.NextTurn();
  EXPECT_EQ(g.s.turn, 2);
  EXPECT_EQ(g.s.attacker, kRed);
}

TEST(AncientMovement, DiagonalsCountOneAndAHalf) {  // EX-V1.1
  Game g;
  const PieceNo numidians = g.Unit(kBlue, "numidian_light_cavalry", "D4");
  const PieceNo heavy = g.Unit(kBlue, "heavy_infantry", "D3");
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(numidians, "E5 F6 G7 H8 I9"), "ANC-V1");
  EXPECT_EQ(g.MoveUnit(numidians, "E5 F6 G7 H8"), "");
  EXPECT_EQ(g.MoveUnit(heavy, "E4 F4"), "ANC-V1");
  EXPECT_EQ(g.MoveUnit(heavy, "E4"), "");
}

TEST(AncientMovement, AMoveOnARoadIsOneLonger) {  // ANC-V1
  Game g;
  g.Road("E3 E4 F5 G5");
  const PieceNo heavy = g.Unit(kBlue, "heavy_infantry", "E3");
  const PieceNo other = g.Unit(kBlue, "heavy_infantry", "D4");
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(heavy, "E4 F5 G5"), "ANC-V1");  // 3.5
  EXPECT_EQ(g.MoveUnit(heavy, "E4 F5"), "");           // 2.5 of 3
  EXPECT_EQ(g.MoveUnit(other, "E4 F5"), "ANC-V1");     // it does not start on the road
}

TEST(AncientMovement, StackingLimitsOfASquare) {  // EX-V2.1
  Game g;
  const PieceNo heavy = g.Unit(kBlue, "heavy_infantry", "E5");
  g.Unit(kBlue, "sub_commander", "E5");
  g.Unit(kBlue, "horse_crew", "E5");
  g.Catapult(kBlue, "light_catapult", "E5");
  const PieceNo crew = g.Unit(kBlue, "foot_crew", "E4");
  const PieceNo second = g.Catapult(kBlue, "heavy_catapult", "E4");
  const PieceNo commander = g.Unit(kBlue, "commander", "E4");
  const PieceNo light = g.Unit(kBlue, "light_infantry", "D5");
  g.Bystanders();
  g.Start();
  EXPECT_EQ(StackingFault(g.s, kBlue, g.At("E5"), {}, false), "");
  EXPECT_NE(StackingFault(g.s, kBlue, g.At("E5"), {{}, {second}}, false), "");
  EXPECT_NE(StackingFault(g.s, kBlue, g.At("E5"), {g.Stands(commander), {}}, false), "");
  EXPECT_NE(StackingFault(g.s, kBlue, g.At("E5"), {g.Stands(light), {}}, false), "");
  EXPECT_EQ(StackingFault(g.s, kBlue, g.At("E5"), {g.Stands(crew), {}}, false), "");
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(crew, "E5", {second}), "");  // the others may still move away
  EXPECT_EQ(g.Done(kBlue), "ANC-V2");
  EXPECT_EQ(g.MoveUnit(heavy, "E6"), "");
  EXPECT_EQ(g.Done(kBlue), "ANC-V2");  // the other catapult has not
  EXPECT_TRUE(g.Do(EndStep{kBlue}, /*overrule=*/true).empty());
}

TEST(AncientMovement, OnlyLightTroopsSeparate) {  // EX-V3.1
  Game g;
  const PieceNo velites = g.Unit(kBlue, "roman_velites", "E5");
  const PieceNo archers = g.Unit(kBlue, "indian_medium_archers", "G5");
  const PieceNo mounted = g.Unit(kBlue, "assyrian_heavy_mounted_archers", "I5");
  const PieceNo numidians = g.Unit(kBlue, "numidian_light_cavalry", "C5");
  const PieceNo crew = g.Unit(kBlue, "foot_crew", "B3");
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveStands({g.Stand(velites)}, "E6"), "");
  EXPECT_EQ(g.MoveStands({g.Stand(archers)}, "G6"), "ANC-V3");
  EXPECT_EQ(g.MoveStands({g.Stand(mounted)}, "I6"), "ANC-V3");
  EXPECT_EQ(g.MoveStands({g.Stand(numidians)}, "C6"), "");
  EXPECT_EQ(g.MoveStands({g.Stand(crew)}, "B4"), "");
}

TEST(AncientMovement, MovesNeitherThroughEnemiesNorBetweenTwo) {  // EX-V4.1
  Game g;
  const PieceNo numidians = g.Unit(kBlue, "numidian_light_cavalry", "E5");
  g.Unit(kRed, "heavy_infantry", "E6");
  g.Unit(kRed, "heavy_infantry", "F5");
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(numidians, "F6"), "ANC-V4");
  EXPECT_EQ(g.MoveUnit(numidians, "E6 E7"), "ANC-V4");
  EXPECT_EQ(g.MoveUnit(numidians, "D6 E7"), "");
}

TEST(AncientMovement, ACatapultMovesWithAnyStandAtTheSlowerRate) {  // EX-V5.1
  Game g;
  const PieceNo light = g.Catapult(kBlue, "light_catapult", "E3");
  const PieceNo heavy = g.Catapult(kBlue, "heavy_catapult", "E3");
  const PieceNo horse = g.Unit(kBlue, "horse_crew", "E3");
  const PieceNo foot = g.Unit(kBlue, "foot_crew", "E3");
  const PieceNo cavalry = g.Unit(kBlue, "light_cavalry", "E3");
  const PieceNo commander = g.Unit(kBlue, "commander", "E3");
  g.Bystanders();
  g.Start();
  EXPECT_EQ(AllowanceOf(g.s, g.Stands(horse), {light}), 300);
  EXPECT_EQ(AllowanceOf(g.s, g.Stands(foot), {light}), 200);
  EXPECT_EQ(AllowanceOf(g.s, g.Stands(cavalry), {heavy}), 200);
  EXPECT_EQ(AllowanceOf(g.s, g.Stands(commander), {heavy}), 200);
  g.To(Step::kMovement);
  EXPECT_EQ(g.Do(Move{kBlue, {}, {light}, g.Path("E4"), false, {}}), "ANC-V5");
  EXPECT_EQ(g.MoveUnit(cavalry, "E4 E5 E6", {heavy}), "ANC-V5");
  EXPECT_EQ(g.MoveUnit(horse, "E4 E5 E6", {light}), "");
  EXPECT_EQ(g.WhereIs(light), "E6");
}

TEST(AncientMovement, TypeAFacesSidesOnly) {  // EX-V6.1
  Game g;
  const PieceNo legion = g.Unit(kBlue, "roman_legionary", "E5");
  const PieceNo mounted = g.Unit(kBlue, "assyrian_heavy_mounted_archers", "G5");
  g.Bystanders();
  g.Start();
  // In steps 1 and 2 the attacker shoots with his current facing.
  EXPECT_EQ(g.Turn(mounted, NE), "ANC-V6");
  g.To(Step::kMovement);
  EXPECT_EQ(g.Turn(legion, NE), "ANC-V6");
  EXPECT_EQ(g.Turn(legion, E), "");
  EXPECT_EQ(g.Turn(mounted, NE), "");
  EXPECT_EQ(g.Do(Move{kBlue, g.Stands(legion), {}, g.Path("E6"), false, NW}), "ANC-V6");
  EXPECT_EQ(g.Do(Move{kBlue, g.Stands(legion), {}, g.Path("E6"), false, W}), "");
  EXPECT_EQ(g.FacingOf(legion), W);
}

TEST(AncientMovement, CatapultsTurnInTheirOwnersMove) {  // ANC-V6
  Game g;
  const PieceNo catapult = g.Catapult(kBlue, "light_catapult", "E5");
  const PieceNo red = g.Catapult(kRed, "light_catapult", "E9");
  g.Bystanders();
  g.Start();
  EXPECT_EQ(g.Do(TurnEquipment{kBlue, catapult, NE}), "ANC-V6");
  g.To(Step::kMovement);
  EXPECT_EQ(g.Do(TurnEquipment{kBlue, catapult, NE}), "");
  EXPECT_EQ(g.Do(TurnEquipment{kRed, red, NE}), "ANC-V6");
  EXPECT_EQ(g.s.EquipmentAt(catapult).facing, NE);
}

}  // namespace
}  // namespace fos::ancient::test
