// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>

#include "engine/rules/napoleonic/legal.h"
#include "engine/rules/napoleonic/movement.h"
#include "tests/support/napoleonic_game.h"

// Worked examples EX-8A to EX-8C of the catalogue.
namespace fos::napoleonic::test {
namespace {

FormSquare One(const Game& g, PieceNo unit, std::string_view square) {
  FormSquare form{UnitOf(g.s, unit).side, g.At(square), 1, 1, {unit}, {}};
  const Facing facings[] = {N, E, S, W};
  int n = 0;
  for (const PieceNo i : g.Stands(unit))
    form.placements.push_back({i, g.At(square), facings[n++ % 4]});
  return form;
}

// Two Blue line units in E5 and F5, and the places of their eight stands in the block E5 to F6.
struct Two {
  Game g;
  PieceNo a, b;
  explicit Two(int stands = 4) {
    a = g.Unit(kBlue, "line_infantry", stands, "E5");
    b = g.Unit(kBlue, "line_infantry", 4, "F5");
    g.Unit(kRed, "line_infantry", 4, "L12");
  }
  FormSquare Block() const {
    FormSquare form{kBlue, g.At("E5"), 2, 2, {a, b}, {}};
    const auto s = g.Stands(a);
    const auto t = g.Stands(b);
    form.placements = {{s[0], g.At("E5"), S}, {s[1], g.At("E5"), W}, {s[2], g.At("E6"), W},
                       {s[3], g.At("E6"), N}, {t[0], g.At("F5"), S}, {t[1], g.At("F5"), E},
                       {t[2], g.At("F6"), E}, {t[3], g.At("F6"), N}};
    for (std::size_t i = 4; i < s.size(); ++i) form.placements.push_back({s[i], g.At("E6"), N});
    return form;
  }
};

TEST(NapoleonicSquare, FourStandsFaceFourWays) {  // EX-8A.1
  for (const int stands : {4, 3}) {
    Game g;
    const PieceNo line = g.Unit(kBlue, "line_infantry", stands, "E5");
    g.Unit(kRed, "line_infantry", 4, "L12");
    g.Start();
    g.To(Step::kMovement);
    EXPECT_EQ(g.Do(One(g, line, "E5")), stands == 4 ? "" : "NAP-8A");
    if (stands == 4) {
      EXPECT_EQ(g.MoveUnit(line, "E6"), "NAP-8B");
    }
  }
}

TEST(NapoleonicSquare, TwoUnitsFormTwoByTwo) {  // EX-8A.2
  Two t;
  t.g.Start();
  t.g.To(Step::kMovement);
  EXPECT_EQ(t.g.Do(t.Block()), "") << t.g.because;
  EXPECT_TRUE(SquareComplete(t.g.s, 0));
  EXPECT_EQ(t.g.Done(kBlue), "");  // sharing its squares does not break stacking
}

TEST(NapoleonicSquare, ARectangleIsRefused) {  // EX-8A.3
  Two t;
  t.g.Start();
  t.g.To(Step::kMovement);
  FormSquare form = t.Block();
  form.rows = 1;
  EXPECT_EQ(t.g.Do(form), "NAP-8A");
}

TEST(NapoleonicSquare, FormingTakesAWholeMoveAndOneSquareAtMost) {  // NAP-8A
  Game g;
  const PieceNo line = g.Unit(kBlue, "line_infantry", 4, "E5");
  const PieceNo light = g.Unit(kBlue, "light_cavalry", 4, "H5");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  EXPECT_EQ(g.Do(One(g, line, "E5")), "NAP-2A");
  g.To(Step::kMovement);
  EXPECT_EQ(g.Do(One(g, light, "H5")), "NAP-8A");
  EXPECT_EQ(g.Do(One(g, line, "E7")), "NAP-8A");
  EXPECT_EQ(g.MoveUnit(line, "E6"), "");
  EXPECT_EQ(g.Do(One(g, line, "E6")), "NAP-8A");
}

TEST(NapoleonicSquare, AnImpossibleSquareCannotBeOverruled) {  // NAP-8A
  Game g;
  const PieceNo line = g.Unit(kBlue, "line_infantry", 4, "E5");
  const PieceNo light = g.Unit(kBlue, "light_infantry", 4, "H5");
  const PieceNo enemy = g.Unit(kRed, "line_infantry", 4, "H6");
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(line, "E6"), "");
  const State before = g.s;
  // With an enemy's stand, outside its block, or over an enemy it cannot be formed at all.
  FormSquare form = One(g, light, "H5");
  form.units.push_back(enemy);
  EXPECT_EQ(g.Do(form, true), "NAP-8A");
  form = One(g, light, "H5");
  form.placements[3].stand = g.Stand(enemy);
  EXPECT_EQ(g.Do(form, true), "NAP-8A");
  form = One(g, line, "E6");
  form.placements[3].cell = g.At("L1");
  EXPECT_EQ(g.Do(form, true), "NAP-8A");
  EXPECT_EQ(g.Do(One(g, light, "H6"), true), "NAP-8A");
  EXPECT_EQ(g.s, before);
  // Players may overrule who may form a Square and the whole move it takes.
  EXPECT_EQ(g.Do(One(g, light, "H5"), true), "");
  EXPECT_EQ(g.Do(One(g, line, "E6"), true), "");
}

// Blue has been in Square in E5 since its last turn; Red attacks in turn 2.
struct Formed {
  Game g;
  PieceNo square;
  explicit Formed(std::string_view type = "line_infantry", int stands = 4) {
    square = g.Unit(kBlue, type, stands, "E5");
    g.Unit(kBlue, "line_infantry", 4, "A1");
  }
  void Form() {
    g.Start();
    g.To(Step::kMovement);
    ASSERT_EQ(g.Do(One(g, square, "E5")), "");
    g.NextTurn();
  }
};

TEST(NapoleonicSquare, EachSideThrowsOneDie) {  // EX-8B.1
  Formed f;
  f.g.Unit(kRed, "line_infantry", 4, "E6");
  f.g.Unit(kRed, "line_infantry", 4, "F5");
  f.Form();
  f.g.To(Step::kMusketry);
  EXPECT_EQ(f.g.Fire(f.square, "E6"), "");
  EXPECT_EQ(f.g.s.volleys.back().dice, 1);
  EXPECT_EQ(f.g.Fire(f.square, "F5"), "");
  EXPECT_EQ(f.g.s.volleys.back().dice, 1);
  EXPECT_EQ(f.g.Fire(f.square, "F5"), "NAP-4B");  // no stand left faces that way
}

TEST(NapoleonicSquare, GuardsThrowOneMore) {  // EX-8B.2
  for (const bool all : {false, true}) {
    Formed f("guards_infantry");
    f.g.setup.settings.square_facing_stands = !all;
    f.g.Unit(kRed, "line_infantry", 4, "E6");
    f.Form();
    f.g.To(Step::kMusketry);
    EXPECT_EQ(f.g.Fire(f.square, "E6"), "");
    EXPECT_EQ(f.g.s.volleys.back().dice, all ? 5 : 2);
  }
}

TEST(NapoleonicSquare, CavalryMayNotEnterUntilItIsBroken) {  // EX-8B.3
  for (const bool broken : {false, true}) {
    Formed f;
    const PieceNo cavalry = f.g.Unit(kRed, "light_cavalry", 3, "F6");
    const PieceNo line = f.g.Unit(kRed, "line_infantry", 4, "E7");
    f.Form();
    f.g.To(Step::kMusketry);
    if (broken) {
      EXPECT_EQ(f.g.Fire(line, "E5"), "");
      f.g.Done(kRed);
      f.g.Done(kBlue);
      EXPECT_EQ(f.g.Dice({1, 6, 6, 6}), "");
      EXPECT_EQ(f.g.Left(f.square), 3);
      EXPECT_EQ(f.g.s.ask.kind, PendingInput::kRegroup);  // NAP-8C: at once
      EXPECT_EQ(f.g.Do(Regroup{f.square, f.g.At("E5"), N}), "");
    }
    f.g.To(Step::kMovement);
    EXPECT_EQ(f.g.MoveUnit(cavalry, "E5"), broken ? "" : "NAP-8B");
    if (!broken) {
      EXPECT_EQ(f.g.MoveUnit(line, "E6 E5"), "");
    }  // infantry may
  }
}

TEST(NapoleonicSquare, CavalryDoesNotSupportAgainstASquare) {  // NAP-8B
  Formed f;
  const PieceNo cavalry = f.g.Unit(kRed, "light_cavalry", 3, "F6");
  const PieceNo line = f.g.Unit(kRed, "line_infantry", 4, "E6");
  f.Form();
  f.g.To(Step::kMovement);
  EXPECT_EQ(f.g.MoveUnit(line, "E5"), "");
  f.g.To(Step::kMelee);
  EXPECT_EQ(f.g.Back(cavalry, "E5"), "NAP-8B");
  // Equal: each loses 2; the Square is broken, its owner places it, and both fall back.
  EXPECT_EQ(f.g.Cards("E5", Card::kLine, Card::kLine), "");
  EXPECT_EQ(f.g.s.ask.kind, PendingInput::kRegroup);
  EXPECT_EQ(f.g.Do(Regroup{f.square, f.g.At("E5"), N}), "");
  EXPECT_EQ(f.g.Where(f.square), "E3");
  EXPECT_EQ(f.g.Where(line), "E7");
}

TEST(NapoleonicSquare, LosingASideBreaksIt) {  // EX-8C.1
  Formed f;
  const PieceNo gun = f.g.Gun(kRed, "foot_gun", "E9");
  f.g.Unit(kRed, "foot_crew", 2, "E9");
  f.Form();
  EXPECT_EQ(f.g.Shoot(gun, ShotKind::kField, "E5"), "");
  EXPECT_EQ(f.g.Lands(18, 18, {{f.g.Stand(f.square, 1), 0, 0}}), "");  // the one that faces east
  EXPECT_EQ(f.g.s.ask.kind, PendingInput::kRegroup);
  EXPECT_EQ(f.g.Do(Regroup{f.square, f.g.At("E6"), N}), "NAP-8C");
  EXPECT_EQ(f.g.Do(Regroup{f.square, f.g.At("E5"), N}), "");
  for (const PieceNo i : f.g.Stands(f.square)) EXPECT_EQ(f.g.s.StandAt(i).facing, N);
}

TEST(NapoleonicSquare, ASpareStandKeepsItWhole) {  // EX-8C.2
  Two t(5);
  const PieceNo gun = t.g.Gun(kRed, "foot_gun", "E9");
  t.g.Unit(kRed, "foot_crew", 2, "E9");
  t.g.Start();
  t.g.To(Step::kMovement);
  EXPECT_EQ(t.g.Do(t.Block()), "") << t.g.because;
  t.g.NextTurn();
  EXPECT_EQ(t.g.Shoot(gun, ShotKind::kField, "E6"), "");
  EXPECT_EQ(t.g.Lands(18, 22, {{t.g.Stand(t.a, 4), 0, 0}}), "");  // one of the two facing north
  EXPECT_EQ(t.g.Left(t.a), 4);
  EXPECT_FALSE(t.g.s.Waiting());
  EXPECT_TRUE(t.g.s.formations.front().formed);
  // The next loss breaks it: each unit gathers in a square of its own.
  EXPECT_EQ(t.g.Shoot(gun, ShotKind::kHowitzer, "E6"), "NAP-3C");
}

TEST(NapoleonicSquare, BreakingGathersEveryUnit) {  // NAP-8A, NAP-8C
  Two t;
  t.g.Start();
  t.g.To(Step::kMovement);
  EXPECT_EQ(t.g.Do(t.Block()), "");
  t.g.NextTurn();
  t.g.NextTurn();
  t.g.To(Step::kMovement);
  EXPECT_EQ(t.g.Do(BreakSquare{kBlue, t.a, {{t.a, t.g.At("E6"), N}, {t.b, t.g.At("E6"), N}}}),
            "NAP-8C");
  EXPECT_EQ(t.g.Do(BreakSquare{kBlue, t.a, {{t.a, t.g.At("E6"), N}, {t.b, t.g.At("F5"), NE}}}), "");
  EXPECT_EQ(StandsOf(t.g.s, t.a, t.g.At("E6")).size(), 4u);
  EXPECT_EQ(StandsOf(t.g.s, t.b, t.g.At("F5")).size(), 4u);
  EXPECT_EQ(t.g.MoveUnit(t.a, "E7"), "NAP-1");  // forming took its whole move
}

TEST(NapoleonicSquare, StandsAtAnotherColumnThrowSeparately) {  // NAP-8B, NAP-4D
  Game g;
  const PieceNo a = g.Unit(kRed, "guards_infantry", 4, "E5");
  const PieceNo b = g.Unit(kRed, "line_infantry", 4, "F5");
  g.Unit(kBlue, "line_infantry", 4, "L1");
  const PieceNo target = g.Unit(kBlue, "line_infantry", 4, "E8");
  g.Start();
  g.NextTurn();
  g.To(Step::kMovement);
  const auto s = g.Stands(a);
  const auto t = g.Stands(b);
  EXPECT_EQ(g.Do(FormSquare{kRed,
                            g.At("E5"),
                            2,
                            2,
                            {a, b},
                            {{s[0], g.At("E6"), N},
                             {s[1], g.At("E6"), W},
                             {s[2], g.At("F6"), N},
                             {s[3], g.At("F6"), E},
                             {t[0], g.At("E5"), S},
                             {t[1], g.At("E5"), W},
                             {t[2], g.At("F5"), S},
                             {t[3], g.At("F5"), E}}}),
            "")
      << g.because;
  g.NextTurn();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(target, "E7"), "");
  g.NextTurn();
  g.To(Step::kMusketry);
  EXPECT_EQ(g.Fire(a, "E7"), "");  // the stand in E6, at 1: near, and the guards' die
  EXPECT_EQ(g.s.volleys.back().dice, 2);
  EXPECT_EQ(g.s.volleys.back().column, FireColumn::kNear);
  EXPECT_EQ(g.Fire(a, "E7"), "");  // the stand in F6, at 1.5: middle
  EXPECT_EQ(g.s.volleys.back().dice, 1);
  EXPECT_EQ(g.s.volleys.back().column, FireColumn::kMiddle);
  EXPECT_EQ(g.Fire(a, "E7"), "NAP-4B");  // the others do not face that way
}

TEST(NapoleonicSquare, ASpareStandIsRemovedFirst) {  // NAP-8C
  Two t(5);
  const PieceNo red = t.g.Unit(kRed, "light_infantry", 3, "E9");
  t.g.Start();
  t.g.To(Step::kMovement);
  EXPECT_EQ(t.g.Do(t.Block()), "") << t.g.because;  // two stands of E6 face north
  t.g.NextTurn();
  t.g.To(Step::kMusketry);
  EXPECT_EQ(t.g.Fire(red, "E6"), "");
  t.g.Done(kBlue);
  t.g.Done(kRed);
  EXPECT_EQ(t.g.Dice({1, 1, 4}), "");  // far: a pair of ones
  EXPECT_EQ(t.g.Left(t.a), 4);
  EXPECT_TRUE(t.g.s.formations.front().formed);
}

TEST(NapoleonicSquare, ABrokenSquareKeepsItsOwnersFacingForTheTurn) {  // NAP-8C, NAP-5A
  Formed f;
  const PieceNo gun = f.g.Gun(kRed, "foot_gun", "E9");
  f.g.Unit(kRed, "foot_crew", 2, "E9");
  f.Form();
  EXPECT_EQ(f.g.Shoot(gun, ShotKind::kField, "E5"), "");
  EXPECT_EQ(f.g.Lands(18, 18, {{f.g.Stand(f.square, 1), 0, 0}}), "");
  EXPECT_EQ(f.g.Do(Regroup{f.square, f.g.At("E5"), W}), "");
  const Stand& stand = f.g.s.StandAt(f.g.Stand(f.square));
  EXPECT_EQ(stand.turn_facing, W);
  if (f.g.s.attacker != stand.side) {
    EXPECT_EQ(f.g.Do(TurnUnit{stand.side, f.square, f.g.At("E5"), N}), "NAP-2G");
  }
}

// Blue has formed the block E5 to F6 in turn 1; Red attacks in turn 2.
struct TwoFormed : Two {
  void Form() {
    g.Start();
    g.To(Step::kMovement);
    ASSERT_EQ(g.Do(Block()), "") << g.because;
    g.NextTurn();
  }
};

TEST(NapoleonicSquare, TwoMeleesAgainstOneSquareAreSimultaneous) {  // NAP-2A, NAP-5E, NAP-8C
  TwoFormed t;
  const PieceNo left = t.g.Unit(kRed, "line_infantry", 4, "E7");
  const PieceNo right = t.g.Unit(kRed, "line_infantry", 4, "F7");
  t.Form();
  t.g.To(Step::kMovement);
  EXPECT_EQ(t.g.MoveUnit(left, "E6"), "") << t.g.because;
  EXPECT_EQ(t.g.MoveUnit(right, "F6"), "") << t.g.because;
  t.g.To(Step::kMelee);
  // Nothing of the first melee is known before the cards of the second are chosen.
  EXPECT_EQ(t.g.Cards("E6", Card::kLine, Card::kLine), "");
  EXPECT_EQ(t.g.Count<StandLost>(), 0);
  EXPECT_EQ(t.g.Count<MeleeDecided>(), 0);
  EXPECT_EQ(t.g.Cards("F6", Card::kLine, Card::kLine), "");
  // 4 against 2 twice: each side loses 1 in each melee, in its contact square.
  EXPECT_EQ(t.g.Count<StandLost>(), 4);
  EXPECT_EQ(t.g.Left(t.a), 3);
  EXPECT_EQ(t.g.Left(t.b), 3);
  EXPECT_EQ(t.g.s.ask.kind, PendingInput::kRegroup);  // only now is the Square broken
  // 3 is not more than three times 1: both units of the beaten Square fall back 2.
  EXPECT_EQ(t.g.Do(Regroup{t.a, t.g.At("E5"), N}), "") << t.g.because;
  EXPECT_EQ(t.g.Do(Regroup{t.b, t.g.At("F5"), N}), "") << t.g.because;
  EXPECT_EQ(t.g.Where(t.a), "E3");
  EXPECT_EQ(t.g.Where(t.b), "F3");
  EXPECT_EQ(t.g.Left(t.a) + t.g.Left(t.b), 6);
}

TEST(NapoleonicSquare, AUnitBeatenTwiceFallsBackOnce) {  // NAP-5A, NAP-5G
  TwoFormed t;
  const PieceNo north = t.g.Unit(kRed, "line_infantry", 4, "E7");
  const PieceNo west = t.g.Unit(kRed, "line_infantry", 4, "D5");
  t.Form();
  t.g.To(Step::kMovement);
  EXPECT_EQ(t.g.MoveUnit(north, "E6"), "") << t.g.because;
  EXPECT_EQ(t.g.MoveUnit(west, "E5"), "") << t.g.because;
  t.g.To(Step::kMelee);
  EXPECT_EQ(t.g.Cards("E6", Card::kLine, Card::kLine), "");
  EXPECT_EQ(t.g.Cards("E5", Card::kLine, Card::kLine), "");
  EXPECT_EQ(t.g.Left(t.a), 2);  // one in each square
  EXPECT_EQ(t.g.Do(Regroup{t.a, t.g.At("F5"), N}), "") << t.g.because;
  EXPECT_EQ(t.g.Do(Regroup{t.b, t.g.At("F6"), N}), "") << t.g.because;
  EXPECT_EQ(t.g.Where(t.a), "F3");
  EXPECT_EQ(t.g.Where(t.b), "F6");  // it fought nowhere
}

TEST(NapoleonicSquare, ABeatenSquareOfNineFallsBack) {  // NAP-5C, NAP-5G, NAP-8C
  Game g;
  const PieceNo a = g.Unit(kBlue, "line_infantry", 4, "E6");
  const PieceNo b = g.Unit(kBlue, "line_infantry", 4, "F6");
  const PieceNo c = g.Unit(kBlue, "line_infantry", 4, "G6");
  const PieceNo red = g.Unit(kRed, "line_infantry", 4, "E8");
  g.Start();
  g.To(Step::kMovement);
  FormSquare form{kBlue, g.At("E5"), 3, 3, {a, b, c}, {}};
  form.placements = StandardPlaces(g.s, form);
  ASSERT_EQ(g.Do(form), "") << g.because;
  g.NextTurn();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(red, "E7"), "") << g.because;
  g.To(Step::kMelee);
  ASSERT_EQ(StandsIn(g.s, kBlue, g.At("E7")).size(), 2u);
  ASSERT_EQ(g.s.StandAt(StandsIn(g.s, kBlue, g.At("E7")).front()).unit, a);
  EXPECT_EQ(g.Cards("E7", Card::kLine, Card::kLine), "");
  EXPECT_EQ(g.Do(Regroup{a, g.At("E7"), N}), "NAP-8C");  // Red is in it
  // It gathers in the far corner, which is not next to the contact square, and falls back from it.
  EXPECT_EQ(g.Do(Regroup{a, g.At("G5"), N}), "") << g.because;
  EXPECT_EQ(g.Do(Regroup{b, g.At("F6"), N}), "") << g.because;
  EXPECT_EQ(g.Do(Regroup{c, g.At("G6"), N}), "") << g.because;
  EXPECT_EQ(g.Where(a), "G3");
  EXPECT_EQ(g.Left(a), 3);
  EXPECT_EQ(g.Where(b), "F4");  // its other stand of E7
  EXPECT_EQ(g.Where(c), "G6");  // it did not fight
}

TEST(NapoleonicSquare, AUnitLeavesABurningSquareAsAWhole) {  // NAP-6D, NAP-2B, NAP-8C
  TwoFormed t;
  const PieceNo gun = t.g.Gun(kRed, "foot_gun", "E9");
  t.g.Unit(kRed, "foot_crew", 2, "E9");
  t.g.Wood("E6");
  t.Form();
  EXPECT_EQ(t.g.Shoot(gun, ShotKind::kField, "E6"), "") << t.g.because;
  EXPECT_EQ(t.g.Lands(18, 22, {}, {}, {{t.g.At("E6"), 0}}), "");
  EXPECT_EQ(t.g.Dice({1, 4}), "");
  // First the unit that is not in the fire gathers, in a square that does not burn.
  EXPECT_EQ(t.g.Do(Regroup{t.a, t.g.At("E6"), N}), "NAP-8C");
  EXPECT_EQ(t.g.Do(Regroup{t.b, t.g.At("E6"), N}), "NAP-8C");
  EXPECT_EQ(t.g.Do(Regroup{t.b, t.g.At("F6"), N}), "") << t.g.because;
  // Then all of the other falls back 1 from the fire, and faces one way where it now stands.
  EXPECT_EQ(StandsOf(t.g.s, t.a, t.g.At("E5")).size(), 4u);
  EXPECT_EQ(t.g.Do(Regroup{t.a, t.g.At("F5"), W}), "NAP-8C");
  EXPECT_EQ(t.g.Do(Regroup{t.a, t.g.At("E5"), W}), "") << t.g.because;
  EXPECT_EQ(t.g.FacingOf(t.a), W);
  EXPECT_TRUE(t.g.s.regroup.empty());
}

TEST(NapoleonicSquare, LargeSquaresAreListed) {  // NAP-8A
  Game g;
  g.Unit(kBlue, "line_infantry", 4, "E6");
  g.Unit(kBlue, "guards_infantry", 4, "F6");
  g.Unit(kBlue, "line_infantry", 4, "G6");
  const PieceNo light = g.Unit(kBlue, "light_infantry", 4, "H7");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  g.To(Step::kMovement);
  std::array<int, 4> wide{};
  for (const Action& action : LegalActions(g.s, kBlue, /*everything=*/false)) {
    const auto* form = std::get_if<FormSquare>(&action.what);
    if (!form) continue;
    State after = g.s;
    std::vector<Event> events;
    const auto refusal = Play(after, action, events);
    EXPECT_FALSE(refusal) << refusal->because;
    EXPECT_TRUE(SquareComplete(after, 0));
    EXPECT_EQ(StandsIn(after, kBlue, g.At("H7")), StandsOf(g.s, light));  // not over another unit
    ++wide.at(static_cast<std::size_t>(form->columns));
  }
  EXPECT_EQ(wide[1], 3);
  EXPECT_GT(wide[2], 0);
  EXPECT_GT(wide[3], 0);
}

}  // namespace
}  // namespace fos::napoleonic::test
