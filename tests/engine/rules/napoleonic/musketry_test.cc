// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "engine/rules/napoleonic/musketry.h"
#include "tests/support/napoleonic_game.h"

// Worked examples EX-4A to EX-4E of the catalogue, one test each.
namespace fos::napoleonic::test {
namespace {

TEST(NapoleonicMusketry, FireIsSimultaneous) {  // EX-4A.1
  Game g;
  const PieceNo blue = g.Unit(kBlue, "line_infantry", 4, "D4");
  const PieceNo red = g.Unit(kRed, "line_infantry", 4, "D5");
  g.Start();
  g.To(Step::kMusketry);
  EXPECT_EQ(g.Fire(blue, "D5"), "");
  EXPECT_EQ(g.Done(kBlue), "");
  EXPECT_EQ(g.Fire(red, "D4"), "");
  EXPECT_EQ(g.Done(kRed), "");
  EXPECT_EQ(g.Dice({1, 2, 2, 5}), "");
  EXPECT_EQ(g.s.ask.count, 4);
  EXPECT_EQ(g.Dice({1, 1, 6, 6}), "");
  EXPECT_EQ(g.Left(blue), 2);
  EXPECT_EQ(g.Left(red), 1);
}

// May this unit in C3 fire at an enemy in the target square?
std::string MayFire(std::string_view type, Facing facing, std::string_view target,
                    const std::string& between = "", bool rays = false) {
  Game g;
  g.setup.settings.cone_arcs = !rays;
  const PieceNo unit = g.Unit(kBlue, type, 3, "C3", facing);
  if (!between.empty()) g.Unit(kBlue, "line_infantry", 4, between);
  g.Unit(kRed, "line_infantry", 4, target);
  g.Start();
  g.To(Step::kMusketry);
  return g.Fire(unit, target);
}

TEST(NapoleonicMusketry, LineInfantryFiresStraightAhead) {  // EX-4B.1
  EXPECT_EQ(MayFire("line_infantry", N, "C4"), "");
  EXPECT_EQ(MayFire("line_infantry", N, "C5"), "");
  EXPECT_EQ(MayFire("line_infantry", N, "D4"), "NAP-4B");
  EXPECT_EQ(MayFire("line_infantry", NE, "D4"), "");
  EXPECT_EQ(MayFire("line_infantry", NE, "E5"), "NAP-4B");
}

TEST(NapoleonicMusketry, OthersFireWithinFortyFiveDegrees) {  // EX-4B.2
  EXPECT_EQ(MayFire("guards_infantry", N, "D4"), "");
  EXPECT_EQ(MayFire("guards_infantry", N, "C5"), "");
  EXPECT_EQ(MayFire("guards_infantry", N, "D5"), "NAP-4B");
  EXPECT_EQ(MayFire("light_infantry", N, "D5"), "");
  EXPECT_EQ(MayFire("light_infantry", N, "F4"), "NAP-4B");
  EXPECT_EQ(MayFire("light_infantry", N, "D5", "", /*rays=*/true), "NAP-4B");
  EXPECT_EQ(MayFire("light_infantry", N, "D4", "", /*rays=*/true), "");
  EXPECT_EQ(MayFire("line_cavalry", N, "C4"), "NAP-4B");
}

TEST(NapoleonicMusketry, AnyUnitInTheWayScreens) {  // EX-4B.3
  EXPECT_EQ(MayFire("light_infantry", N, "C6"), "");
  EXPECT_EQ(MayFire("light_infantry", N, "C6", "C4"), "NAP-4B");
  EXPECT_EQ(MayFire("light_infantry", N, "C6", "C5"), "NAP-4B");
}

TEST(NapoleonicMusketry, GuardsCommanderLaterUnitAndWoods) {  // EX-4C.1
  Game g;
  g.Wood("D5");
  const PieceNo line = g.Unit(kBlue, "line_infantry", 4, "D3");
  const PieceNo guards = g.Unit(kBlue, "guards_infantry", 4, "D4");
  g.Unit(kBlue, "division_commander", 1, "D4");
  const PieceNo light = g.Unit(kBlue, "light_infantry", 3, "C4");
  g.Unit(kRed, "line_infantry", 4, "D5");
  g.Start();
  g.To(Step::kMusketry);
  EXPECT_EQ(g.Fire(line, "D5"), "NAP-4B");  // screened by the guards
  EXPECT_EQ(g.Fire(light, "D5"), "");
  EXPECT_EQ(g.Fire(guards, "D5"), "");
  EXPECT_EQ(g.s.volleys.back().dice, 6);
}

TEST(NapoleonicMusketry, EveryLaterUnitThrowsOneMore) {  // EX-4C.2
  Game g;
  const PieceNo a = g.Unit(kBlue, "line_infantry", 4, "D4", N);
  const PieceNo b = g.Unit(kBlue, "line_infantry", 3, "E5", W);
  const PieceNo c = g.Unit(kBlue, "line_infantry", 2, "C5", E);
  g.Unit(kRed, "line_infantry", 4, "D5");
  g.Start();
  g.To(Step::kMusketry);
  for (const PieceNo unit : {a, b, c}) EXPECT_EQ(g.Fire(unit, "D5"), "");
  EXPECT_EQ(g.s.volleys[0].dice, 4);
  EXPECT_EQ(g.s.volleys[1].dice, 4);
  EXPECT_EQ(g.s.volleys[2].dice, 3);
  EXPECT_EQ(g.Fire(a, "D5"), "NAP-4B");  // one target square a turn
}

TEST(NapoleonicMusketry, DetachmentsOfOneUnitGiveNoBonus) {  // NAP-4C
  for (const bool bonus : {false, true}) {
    Game g;
    g.setup.settings.detachment_bonus = bonus;
    const PieceNo light = g.Unit(kBlue, "light_infantry", 3, "D3");
    g.Unit(kRed, "line_infantry", 4, "D6");
    g.Start();
    g.To(Step::kMovement);
    EXPECT_EQ(g.MoveStands({g.Stand(light)}, "E4"), "");
    g.NextTurn();
    g.To(Step::kMusketry);
    EXPECT_EQ(g.Do(CallVolley{kBlue, light, g.At("D3"), g.At("D6")}), "");
    EXPECT_EQ(g.Do(CallVolley{kBlue, light, g.At("E4"), g.At("D6")}), "");
    EXPECT_EQ(g.s.volleys[1].dice, bonus ? 2 : 1);
  }
}

TEST(NapoleonicMusketry, PlayersMayOverruleAVolley) {  // NAP-4B, NAP-4C
  Game g;
  const PieceNo line = g.Unit(kBlue, "line_infantry", 4, "E4");
  g.Unit(kRed, "line_infantry", 4, "D5");
  g.Wood("F5");
  const PieceNo light = g.Unit(kBlue, "light_infantry", 1, "E3");
  g.Unit(kRed, "line_infantry", 4, "F5");
  g.Start();
  g.To(Step::kMusketry);
  const auto fire = [&](PieceNo unit, std::string_view target, bool overrule) {
    const Cell from = g.s.StandAt(g.Stand(unit)).cell;
    return g.Do(CallVolley{kBlue, unit, from, g.At(target)}, overrule);
  };
  EXPECT_EQ(fire(line, "D5", false), "NAP-4B");  // not straight ahead
  // An empty target square and no dice cannot be overruled.
  EXPECT_EQ(fire(line, "C5", true), "NAP-4B");
  EXPECT_EQ(fire(light, "F5", true), "NAP-4B");  // screened, and one stand has no die
  EXPECT_TRUE(g.s.volleys.empty());
  EXPECT_EQ(fire(line, "D5", true), "");
  EXPECT_EQ(g.Count<Overruled>(), 1);
  ASSERT_EQ(g.s.volleys.size(), 1u);
  EXPECT_EQ(g.s.volleys.front().dice, 4);
  EXPECT_EQ(g.s.volleys.front().column, FireColumn::kMiddle);
  EXPECT_EQ(fire(line, "D5", true), "NAP-4B");  // it has fired
}

TEST(NapoleonicMusketry, AVolleyNeedsADieLeftAgainstAHouse) {  // EX-4C.3
  Game g;
  g.Terrain("D5").protection = true;
  const PieceNo light = g.Unit(kBlue, "light_infantry", 1, "D4");
  g.Unit(kRed, "line_infantry", 4, "D5");
  g.Start();
  g.To(Step::kMusketry);
  EXPECT_EQ(g.Fire(light, "D5"), "NAP-4C");
}

// The number of target stands lost to these dice.
int Hits(std::string_view shooter, std::string_view from, std::string_view target_type,
         const std::vector<int>& dice) {
  Game g;
  const PieceNo unit = g.Unit(kBlue, shooter, static_cast<int>(dice.size()), from, N);
  const PieceNo red = g.Unit(kRed, target_type, 4, "D6");
  g.Start();
  g.To(Step::kMusketry);
  EXPECT_EQ(g.Fire(unit, "D6"), "") << g.because;
  g.Done(kBlue);
  g.Done(kRed);
  EXPECT_EQ(g.Dice(dice), "");
  return 4 - g.Left(red);
}

TEST(NapoleonicMusketry, LineInfantryAtTwoSquaresIsHitByOnes) {  // EX-4D.1
  EXPECT_EQ(Hits("line_infantry", "D4", "line_infantry", {1, 1, 2, 5}), 2);
}

TEST(NapoleonicMusketry, ADoubleIsOneHit) {  // EX-4D.2
  EXPECT_EQ(Hits("light_infantry", "E4", "light_cavalry", {1, 1, 1}), 1);
}

TEST(NapoleonicMusketry, GuardsCavalryNearbyIsHitByOnes) {  // EX-4D.3
  EXPECT_EQ(Hits("line_infantry", "D5", "guards_cavalry", {1, 2, 1, 6}), 2);
}

TEST(NapoleonicMusketry, DiceOfDifferentUnitsMayBePooled) {  // NAP-4D
  for (const bool pooled : {false, true}) {
    Game g;
    g.setup.settings.pool_dice = pooled;
    const PieceNo a = g.Unit(kBlue, "light_infantry", 2, "E4", N);
    const PieceNo b = g.Unit(kBlue, "light_infantry", 2, "C4", N);
    const PieceNo red = g.Unit(kRed, "light_cavalry", 3, "D6");
    g.Start();
    g.To(Step::kMusketry);
    EXPECT_EQ(g.Fire(a, "D6"), "");
    EXPECT_EQ(g.Fire(b, "D6"), "");
    g.Done(kBlue);
    g.Done(kRed);
    EXPECT_EQ(g.Dice({1, 4}), "");
    EXPECT_EQ(g.Dice({1, 5, 6}), "");
    EXPECT_EQ(g.Left(red), pooled ? 2 : 3);
  }
}

// Dice 1, 1, 2, 6 against a square with three line stands and a commander, at distance 1.
struct Mixed {
  Game g;
  PieceNo line, commander;
  Mixed() {
    const PieceNo blue = g.Unit(kBlue, "line_infantry", 4, "D4");
    line = g.Unit(kRed, "line_infantry", 3, "D5");
    commander = g.Unit(kRed, "division_commander", 1, "D5");
    g.Unit(kRed, "line_infantry", 4, "L12");
    g.Start();
    g.To(Step::kMusketry);
    EXPECT_EQ(g.Fire(blue, "D5"), "");
    g.Done(kBlue);
    g.Done(kRed);
    EXPECT_EQ(g.Dice({1, 1, 2, 6}), "");
    EXPECT_EQ(g.s.ask.kind, PendingInput::kVolleyStands);
  }
};

TEST(NapoleonicMusketry, TheFirerDividesTheDice) {  // EX-4E.1
  Mixed infantry;
  EXPECT_EQ(infantry.g.Do(ChooseStands{{infantry.g.Stand(infantry.line, 0)}}), "NAP-4E");
  EXPECT_EQ(infantry.g.Do(ChooseStands{infantry.g.Stands(infantry.line)}), "");
  EXPECT_EQ(infantry.g.Left(infantry.line), 0);
  Mixed both;
  const PieceNo general = both.g.Stand(both.commander);
  const auto line = both.g.Stands(both.line);
  EXPECT_EQ(both.g.Do(ChooseStands{{general, line[0], line[1]}}), "NAP-4E");
  EXPECT_EQ(both.g.Do(ChooseStands{{general, line[1]}}), "");
  EXPECT_EQ(both.g.Left(both.line), 2);
  EXPECT_EQ(both.g.Left(both.commander), 0);
}

TEST(NapoleonicMusketry, ExtraHitsAreLost) {  // EX-4E.2
  Game g;
  const PieceNo blue = g.Unit(kBlue, "line_infantry", 4, "D4");
  const PieceNo red = g.Unit(kRed, "line_infantry", 1, "D5");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMusketry);
  EXPECT_EQ(g.Fire(blue, "D5"), "");
  g.Done(kBlue);
  g.Done(kRed);
  EXPECT_EQ(g.Dice({1, 1, 2, 2}), "");
  EXPECT_EQ(g.Left(red), 0);
}

}  // namespace
}  // namespace fos::napoleonic::test
