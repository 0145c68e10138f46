// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "engine/rules/napoleonic/movement.h"
#include "tests/support/napoleonic_game.h"

// Worked examples EX-1 to EX-2G of the catalogue, one test each.
namespace fos::napoleonic::test {
namespace {

int Dist(const Game& g, std::string_view a, std::string_view b) {
  return DistanceBetween(g.s, g.At(a), g.At(b));
}

TEST(NapoleonicMovement, DistancesIncludeTheTargetSquare) {  // EX-1.1
  Game g;
  g.Unit(kBlue, "line_infantry", 4, "A1");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  EXPECT_EQ(Dist(g, "D4", "D7"), 300);
  EXPECT_EQ(Dist(g, "D4", "E5"), 150);
  EXPECT_EQ(Dist(g, "D4", "F5"), 250);
  EXPECT_EQ(Dist(g, "D4", "G6"), 400);
}

TEST(NapoleonicMovement, AnUnusedHalfSquareIsLost) {  // EX-1.2, NAP-1
  Game g;
  const PieceNo line = g.Unit(kBlue, "line_infantry", 4, "D4");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(line, "E5 F6"), "NAP-1");
  EXPECT_EQ(g.because, "Line infantry B1 may move 2 squares; this move takes 3; it gets to E5");
  EXPECT_EQ(g.MoveUnit(line, "E5"), "");
  EXPECT_EQ(g.MoveUnit(line, "E6"), "NAP-1");  // it cannot go farther
}

TEST(NapoleonicMovement, OnlyTheAttackerMoves) {  // EX-2A.1
  Game g;
  g.Unit(kBlue, "line_infantry", 4, "D4");
  const PieceNo red = g.Unit(kRed, "line_infantry", 4, "D9");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(red, "D8"), "NAP-2A");
}

TEST(NapoleonicMovement, RolesSwapAndBothFireArtilleryAgain) {  // EX-2A.2
  Game g;
  const PieceNo blue_gun = g.Gun(kBlue, "foot_gun", "D4");
  g.Unit(kBlue, "foot_crew", 2, "D4");
  const PieceNo red_gun = g.Gun(kRed, "foot_gun", "D9");
  g.Unit(kRed, "foot_crew", 2, "D9");
  g.Start();
  EXPECT_EQ(g.s.attacker, kBlue);
  g.NextTurn();
  EXPECT_EQ(g.s.turn, 2);
  EXPECT_EQ(g.s.attacker, kRed);
  EXPECT_EQ(g.Shoot(blue_gun, ShotKind::kField, "D8"), "");
  EXPECT_EQ(g.Lands(1, 1, {}), "");
  EXPECT_EQ(g.Shoot(red_gun, ShotKind::kField, "D5"), "");
}

TEST(NapoleonicMovement, FirstAttackerRollsHighAndTiesRollAgain) {  // NAP-2A
  Game g;
  g.setup.settings.first_attacker = FirstAttacker::kDieRoll;
  g.Unit(kBlue, "line_infantry", 4, "D4");
  g.Unit(kRed, "line_infantry", 4, "D9");
  g.Start();
  EXPECT_EQ(g.Dice({3}), "NAP-2A");
  EXPECT_EQ(g.Dice({3, 7}), "NAP-2A");
  EXPECT_EQ(g.Dice({3, 3}), "");
  EXPECT_EQ(g.s.step, Step::kFirstAttacker);
  EXPECT_EQ(g.Dice({3, 5}), "");
  EXPECT_EQ(g.s.attacker, kRed);
  EXPECT_EQ(g.s.step, Step::kArtillery);
}

TEST(NapoleonicMovement, LineInfantryMayNotSeparate) {  // EX-2B.1
  Game g;
  const PieceNo line = g.Unit(kBlue, "line_infantry", 4, "E5");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  std::vector<PieceNo> three = g.Stands(line);
  three.pop_back();
  EXPECT_EQ(g.MoveStands(three, "E6"), "NAP-2B");
}

TEST(NapoleonicMovement, LightInfantryDividesIntoDetachments) {  // EX-2B.2
  Game g;
  const PieceNo light = g.Unit(kBlue, "light_infantry", 3, "E5");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  const std::vector<PieceNo> stands = g.Stands(light);
  EXPECT_EQ(g.MoveStands({stands[0]}, "E6 E7"), "");
  EXPECT_EQ(g.MoveStands({stands[1], stands[2]}, "F6"), "");
  g.NextTurn();
  g.NextTurn();
  g.To(Step::kMovement);  // they rejoin
  EXPECT_EQ(g.MoveStands({stands[0]}, "F6"), "");
  EXPECT_EQ(StandsIn(g.s, kBlue, g.At("F6")).size(), 3u);
}

TEST(NapoleonicMovement, SixCrewTwoGunsAndAWagonShareASquare) {  // EX-2C.1
  for (const bool with_gun : {false, true}) {
    Game g;
    g.FootBattery(kBlue, "E5");
    const PieceNo horse = g.Unit(kBlue, "mounted_crew", 1, "E4");
    const PieceNo gun = g.Gun(kBlue, "horse_gun", "E4", -1, true);
    g.Unit(kRed, "line_infantry", 4, "L12");
    g.Start();
    g.To(Step::kMovement);
    EXPECT_EQ(
        g.MoveUnit(horse, "E5", with_gun ? std::vector<PieceNo>{gun} : std::vector<PieceNo>{}),
        "");  // a gun of the battery may still move on
    EXPECT_EQ(g.Done(kBlue), with_gun ? "NAP-2C" : "");
    EXPECT_EQ(g.because, with_gun ? "E5 would hold 3 guns; the limit is 2" : "");
  }
}

TEST(NapoleonicMovement, DetachmentsOfTwoUnitsDoNotShareASquare) {  // EX-2C.2
  Game g;
  const PieceNo a = g.Unit(kBlue, "light_infantry", 3, "E5");
  const PieceNo b = g.Unit(kBlue, "light_infantry", 3, "G5");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveStands({g.Stand(a)}, "F6"), "");
  EXPECT_EQ(g.MoveStands({g.Stand(b)}, "F6"), "NAP-2C");
}

TEST(NapoleonicMovement, TheSquareMustBeFreeWhenTheStepEnds) {  // NAP-2C
  Game g;
  const PieceNo a = g.Unit(kBlue, "line_infantry", 4, "E5");
  const PieceNo b = g.Unit(kBlue, "line_infantry", 4, "E6");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(a, "E6"), "");  // the other has yet to move
  EXPECT_EQ(g.Done(kBlue), "NAP-2C");
  EXPECT_EQ(g.MoveUnit(b, "E5"), "");  // they swap places
  EXPECT_EQ(g.Done(kBlue), "");
}

// A melee captured the third gun, which has no crew to move it. That does not block a crew that
// enters the square.
TEST(NapoleonicMovement, ASquareCrowdedByAMeleeDoesNotBlockTheStep) {  // NAP-2C, NAP-5H
  Game g;
  g.FootBattery(kBlue, "E5");
  const PieceNo commander = g.Unit(kBlue, "division_commander", 1, "E4");
  const PieceNo taken = g.Gun(kRed, "horse_gun", "L11");
  const PieceNo horse = g.Unit(kBlue, "mounted_crew", 1, "D5");
  const PieceNo gun = g.Gun(kBlue, "horse_gun", "D5", -1, true);
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  Equipment& third = g.s.equipment.at(static_cast<std::size_t>(taken));
  third.cell = g.At("E5");
  third.owner = kBlue;
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(commander, "E5"), "");
  State crowded = g.s;
  EXPECT_EQ(g.Done(kBlue), "");
  g.s = crowded;
  EXPECT_EQ(g.MoveUnit(horse, "E5", {gun}), "");
  EXPECT_EQ(g.Done(kBlue), "NAP-2C");  // the crew brings a fourth
  EXPECT_EQ(g.because, "E5 would hold 4 guns; the limit is 2");
}

TEST(NapoleonicMovement, ARoadAddsOneSquare) {  // EX-2D.1
  Game g;
  g.Road("E3 E4 E5 E6");
  const PieceNo line = g.Unit(kBlue, "line_infantry", 4, "E3");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(line, "E4 E5 E6"), "");
  Game short_road;
  short_road.Road("E3 E4 E5");
  const PieceNo other = short_road.Unit(kBlue, "line_infantry", 4, "E3");
  short_road.Unit(kRed, "line_infantry", 4, "L12");
  short_road.Start();
  short_road.To(Step::kMovement);
  EXPECT_EQ(short_road.MoveUnit(other, "E4 E5 E6"), "NAP-1");
  EXPECT_EQ(short_road.MoveUnit(other, "E4 E5"), "");
}

TEST(NapoleonicMovement, DiagonalRoadsCountToo) {  // EX-2D.2, NAP-2D
  Game g;
  g.Road("E3 F4 G5");
  const PieceNo line = g.Unit(kBlue, "line_infantry", 4, "E3");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(line, "F4 G5"), "");
  Game longer;
  longer.Road("E3 F4 G5 G6");
  const PieceNo other = longer.Unit(kBlue, "line_infantry", 4, "E3");
  longer.Unit(kRed, "line_infantry", 4, "L12");
  longer.Start();
  longer.To(Step::kMovement);
  EXPECT_EQ(longer.MoveUnit(other, "F4 G5 G6"), "NAP-2D");
}

TEST(NapoleonicMovement, NoSqueezingBetweenTwoEnemies) {  // EX-2E.1
  Game g;
  const PieceNo light = g.Unit(kBlue, "light_infantry", 3, "E5");
  g.Unit(kRed, "line_infantry", 4, "E6");
  g.Unit(kRed, "line_infantry", 4, "F5");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(light, "F6"), "NAP-2E");
  Game open;
  const PieceNo other = open.Unit(kBlue, "light_infantry", 3, "E5");
  open.Unit(kRed, "line_infantry", 4, "F5");
  open.Start();
  open.To(Step::kMovement);
  EXPECT_EQ(open.MoveUnit(other, "F6"), "");
}

TEST(NapoleonicMovement, NoMovingThroughEnemies) {  // EX-2E.2
  Game g;
  const PieceNo line = g.Unit(kBlue, "line_infantry", 4, "E5");
  g.Unit(kRed, "line_infantry", 4, "E6");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(line, "E6 E7"), "NAP-2E");
  EXPECT_EQ(g.MoveUnit(line, "D6 E7"), "NAP-1");
  EXPECT_EQ(g.MoveUnit(line, "F6 E7"), "NAP-1");
  for (const auto& path : Reach(g.s, g.Stands(line), {})) EXPECT_NE(path.back(), g.At("E7"));
}

TEST(NapoleonicMovement, TheSlowestRateCounts) {  // EX-2F.1
  const auto allowance = [](const char* gun, const char* mover, int stands) {
    Game g;
    const PieceNo unit = g.Unit(kBlue, mover, stands, "E5");
    const PieceNo piece = g.Gun(kBlue, gun, "E5", -1, true);
    g.Unit(kRed, "line_infantry", 4, "L12");
    g.Start();
    return AllowanceOf(g.s, g.Stands(unit), {piece});
  };
  EXPECT_EQ(allowance("foot_gun", "foot_crew", 1), 200);
  EXPECT_EQ(allowance("foot_gun", "mounted_crew", 1), 300);
  EXPECT_EQ(allowance("foot_gun", "guards_cavalry", 4), 300);
  EXPECT_EQ(allowance("horse_gun", "mounted_crew", 1), 400);
  EXPECT_EQ(allowance("horse_gun", "foot_crew", 1), 200);
  Game alone;
  const PieceNo gun = alone.Gun(kBlue, "foot_gun", "E5", -1, true);
  alone.Unit(kBlue, "line_infantry", 4, "A1");
  alone.Unit(kRed, "line_infantry", 4, "L12");
  alone.Start();
  EXPECT_EQ(AllowanceOf(alone.s, {}, {gun}), 0);
  alone.To(Step::kMovement);
  EXPECT_EQ(alone.Do(Move{kBlue, {}, {gun}, alone.Path("E6"), {}}), "NAP-2F");
}

TEST(NapoleonicMovement, OneStandMovesOneGun) {  // EX-2F.2
  Game g;
  const PieceNo crew = g.Unit(kBlue, "foot_crew", 1, "D3");
  const PieceNo a = g.Gun(kBlue, "foot_gun", "D3", -1, true);
  const PieceNo b = g.Gun(kBlue, "foot_gun", "D3", -1, true);
  g.Unit(kBlue, "foot_crew", 1, "A1");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(crew, "D4 D5", {a, b}), "NAP-2F");
  EXPECT_EQ(g.MoveUnit(crew, "D4 D5", {a}), "");
}

TEST(NapoleonicMovement, AGunIsLimberedWhileItMoves) {  // NAP-2F
  Game g;
  const PieceNo crew = g.Unit(kBlue, "foot_crew", 2, "D3");
  const PieceNo gun = g.Gun(kBlue, "foot_gun", "D3");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(crew, "D4", {gun}), "NAP-2F");
  EXPECT_EQ(g.Do(Limber{kBlue, gun, true}), "");
  EXPECT_EQ(g.MoveUnit(crew, "D4", {gun}), "");
  EXPECT_EQ(g.WhereIs(gun), "D4");
}

// Blue in E4 has entered E5; Red is next to it or far away.
struct Contact {
  Game g;
  PieceNo next, far, gun;
  Contact() {
    const PieceNo blue = g.Unit(kBlue, "line_infantry", 4, "E4");
    g.Unit(kRed, "line_infantry", 4, "E5");
    next = g.Unit(kRed, "line_infantry", 4, "D6", S);
    far = g.Unit(kRed, "line_infantry", 4, "H9", S);
    gun = g.Gun(kRed, "foot_gun", "H9", -1, true);
    g.Start();
    g.To(Step::kMovement);
    EXPECT_EQ(g.MoveUnit(blue, "E5"), "");
  }
};

TEST(NapoleonicMovement, TheDefenderTurnsNinetyDegreesNextToAContactSquare) {  // EX-2G.1
  Contact c;
  EXPECT_EQ(c.g.Do(TurnUnit{kRed, c.next, c.g.At("D6"), N}), "NAP-2G");
  EXPECT_EQ(c.g.Do(TurnUnit{kRed, c.next, c.g.At("D6"), E}), "");
  // In total, from the facing at the start of the turn.
  EXPECT_EQ(c.g.Do(TurnUnit{kRed, c.next, c.g.At("D6"), NE}), "NAP-2G");
}

TEST(NapoleonicMovement, TheDefenderDoesNotTurnElsewhere) {  // EX-2G.2
  Contact c;
  EXPECT_EQ(c.g.Do(TurnUnit{kRed, c.far, c.g.At("H9"), SE}), "NAP-2G");
}

TEST(NapoleonicMovement, TheDefenderDoesNotUnlimber) {  // EX-2G.3
  Contact c;
  EXPECT_EQ(c.g.Do(Limber{kRed, c.gun, false}), "NAP-2G");
}

TEST(NapoleonicMovement, TheAttackerUnlimbersAndFiresInOneStep) {  // EX-2G.4
  Game g;
  const PieceNo gun = g.Gun(kBlue, "foot_gun", "D3", -1, true);
  g.setup.equipment.back().facing = W;
  g.Unit(kBlue, "foot_crew", 2, "D3");
  g.Unit(kRed, "line_infantry", 4, "D6");
  g.Start();
  EXPECT_EQ(g.Shoot(gun, ShotKind::kField, "D6"), "NAP-3B");
  EXPECT_EQ(g.Do(Limber{kBlue, gun, false}), "");
  EXPECT_EQ(g.Shoot(gun, ShotKind::kField, "D6"), "NAP-3E");
  EXPECT_EQ(g.Do(TurnEquipment{kBlue, gun, N}), "");
  EXPECT_EQ(g.Shoot(gun, ShotKind::kField, "D6"), "");
}

TEST(NapoleonicMovement, PlayersMayOverruleARuleButNotTheTable) {
  Game g;
  const PieceNo line = g.Unit(kBlue, "line_infantry", 4, "D4");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  const Move three{kBlue, g.Stands(line), {}, g.Path("D5 D6 D7"), {}};
  EXPECT_EQ(g.Do(three), "NAP-1");
  EXPECT_EQ(g.Do(three, /*overrule=*/true), "");
  ASSERT_TRUE(std::holds_alternative<Overruled>(g.events.front()));
  EXPECT_EQ(std::get<Overruled>(g.events.front()).clause, "NAP-1");
  EXPECT_EQ(g.Where(line), "D7");
  EXPECT_EQ(g.Do(Move{kBlue, g.Stands(line), {}, g.Path("A1"), {}}, true), "NAP-1");
}

}  // namespace
}  // namespace fos::napoleonic::test
