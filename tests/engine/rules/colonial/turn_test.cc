// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "engine/rules/colonial/describe.h"
#include "tests/support/colonial_game.h"

namespace fos::colonial::test {
namespace {

TEST(ColonialTurn, EndsAfterTwelveTurns) {  // EX-3.1.1
  Game g;
  g.Stand(kBlue, "regular_infantry", {4, 4});
  g.Stand(kRed, "regular_infantry", {9, 9});
  g.Start();
  for (int turn = 1; turn <= 12; ++turn) {
    EXPECT_EQ(g.s.turn, turn);
    EXPECT_EQ(g.Done(kBlue), "");
    EXPECT_EQ(g.Dice({1}), "");
    EXPECT_EQ(g.Done(kRed), "");
    if (turn == 12) break;
    EXPECT_EQ(g.Dice({7, 5}), "");
    EXPECT_EQ(g.Dice({1}), "");
  }
  EXPECT_EQ(g.s.phase, Phase::kOver);
  EXPECT_EQ(g.Dice({7, 5}), "COL-3.1");
  EXPECT_NE(g.because.find("battle is over"), std::string::npos);
  EXPECT_EQ(g.s.ending->winner, -1);  // the source names no winner
}

TEST(ColonialTurn, ScenarioMaySetFewerTurnsAndCountPoints) {  // COL-3.1
  Game g;
  g.setup.turns = 1;
  g.setup.count_points = true;
  g.setup.objectives = {{"the well", 5, {g.Square({4, 6})}}};
  const PieceNo inf = g.Stand(kBlue, "regular_infantry", {4, 4});
  g.Stand(kRed, "regular_infantry", {9, 9});
  g.Start();
  EXPECT_EQ(g.MoveTo(inf, {4, 6}), "");
  g.Pass();
  EXPECT_EQ(g.Done(kRed), "");
  ASSERT_TRUE(g.s.ending.has_value());
  EXPECT_EQ(g.s.ending->winner, kBlue);
  EXPECT_EQ(g.s.ending->points[kBlue], 5);
}

TEST(ColonialTurn, ArmyWithoutStandsEndsTheBattle) {  // COL-3.1
  for (const bool ends : {true, false}) {
    Game g;
    const PieceNo gun = g.Stand(kBlue, "machine_gun", {4, 4});
    g.Stand(kRed, "native_infantry", {4, 7});
    g.ends_when_wiped_out = ends;
    g.idle_wagons = false;
    g.Open();
    g.Dice({7, 5});
    g.Dice({4});
    EXPECT_EQ(g.Fire(gun, {4, 7}), "");
    EXPECT_EQ(g.Dice({12, 1}), "");
    EXPECT_EQ(g.s.phase == Phase::kOver, ends);
    if (ends) {
      EXPECT_EQ(g.s.ending->winner, kBlue);
    } else {
      EXPECT_EQ(g.Done(kBlue), "");  // the side without stands throws no dice
      EXPECT_EQ(g.s.turn, 2);
    }
  }
}

TEST(ColonialTurn, HigherDieWinsTheInitiative) {  // EX-3.2.1, EX-3.2.2
  Game g;
  g.Stand(kBlue, "regular_infantry", {4, 4});
  g.Stand(kRed, "regular_infantry", {9, 9});
  g.Open();
  Game h = g;
  EXPECT_EQ(g.Dice({7, 5}), "");
  EXPECT_EQ(g.s.first, kBlue);
  EXPECT_EQ(h.Dice({7, 7}), "");
  EXPECT_EQ(h.s.ask.what, Want::kInitiativeDice);
  EXPECT_EQ(h.Dice({3, 9}), "");
  EXPECT_EQ(h.s.first, kRed);
  EXPECT_EQ(h.s.ask.what, Want::kActivationDie);
  EXPECT_EQ(h.s.ask.side, kRed);
}

TEST(ColonialTurn, DieGivesTheActivations) {  // EX-3.3.1, EX-3.3.2
  Game g;
  g.idle_wagons = false;
  for (int i = 0; i < 9; ++i) g.Stand(kRed, "regular_infantry", {2 + i, 9});
  g.Stand(kBlue, "regular_infantry", {4, 4});
  g.Start(kRed, 4);
  for (PieceNo i = 0; i < 4; ++i) EXPECT_EQ(g.MoveTo(i, {2 + i, 8}), "");
  // After four activations the side has ended: a fifth is refused.
  EXPECT_EQ(g.s.acting, kBlue);
  EXPECT_EQ(g.Do(Seen{4, g.Square({6, 8}), S}), "COL-3.3");
  EXPECT_NE(g.because.find("put it back"), std::string::npos);

  Game h;
  h.idle_wagons = false;
  for (int i = 0; i < 6; ++i) h.Stand(kBlue, "regular_infantry", {2 + i, 4});
  h.Stand(kRed, "regular_infantry", {9, 11});
  h.Start(kBlue, 11);
  for (PieceNo i = 0; i < 6; ++i) {
    EXPECT_EQ(h.s.acting, kBlue);
    EXPECT_EQ(h.MoveTo(i, {2 + i, 5}), "");
  }
  EXPECT_EQ(h.s.acting, kRed);  // all stands have acted: the side has ended
  int unused = -1;
  for (const Event& event : h.events)
    if (const auto* done = std::get_if<SideDone>(&event)) unused = done->unused;
  EXPECT_EQ(unused, 5);
}

TEST(ColonialTurn, RefusesActivationsBeyondTheNumber) {  // COL-3.3
  Game g;
  const PieceNo a = g.Stand(kBlue, "regular_infantry", {4, 4});
  const PieceNo b = g.Stand(kBlue, "regular_infantry", {6, 4});
  g.Stand(kRed, "regular_infantry", {4, 7});
  g.Start(kBlue, 1);
  EXPECT_EQ(g.MoveTo(a, {4, 5}), "");  // and it could still fire
  EXPECT_EQ(g.s.left, 0);
  EXPECT_EQ(g.MoveTo(b, {6, 5}), "COL-3.3");
  EXPECT_EQ(g.Do(Activate{{b}}), "COL-3.3");
}

TEST(ColonialTurn, SideEndsWhenActivationsAreUsedUp) {  // COL-3.3
  Game g;
  const PieceNo a = g.Stand(kBlue, "regular_infantry", {4, 4});
  g.Stand(kBlue, "regular_infantry", {6, 4});
  const PieceNo red = g.Stand(kRed, "regular_infantry", {4, 7});
  g.Start(kBlue, 2);
  EXPECT_EQ(g.MoveTo(a, {4, 5}), "");
  EXPECT_EQ(g.Dice({3}), "COL-3.5");  // one activation is left
  EXPECT_EQ(g.Do(Activate{{1}}), "");
  const State used_up = g.s;
  EXPECT_EQ(g.s.acting, kBlue);          // the stand activated last may still fight
  EXPECT_EQ(g.Dice({3, 4}), "COL-3.3");  // one die, not two
  EXPECT_EQ(g.s, used_up);
  EXPECT_EQ(g.Dice({3}), "");
  EXPECT_EQ(g.s.acting, kRed);
  EXPECT_EQ(g.s.left, 3);
  EXPECT_EQ(g.MoveTo(red, {4, 8}), "");
}

TEST(ColonialTurn, CommandStandNeedsAnActivation) {  // COL-3.3
  for (const bool needs : {true, false}) {
    Game g;
    g.setup.settings.command_needs_activation = needs;
    const PieceNo inf = g.Stand(kBlue, "regular_infantry", {4, 4});
    const PieceNo general = g.General(kBlue, Rating::kAverage, {6, 4});
    g.Stand(kRed, "regular_infantry", {4, 7});
    g.Start(kBlue, 1);
    EXPECT_EQ(g.MoveTo(inf, {4, 5}), "");
    EXPECT_EQ(g.MoveTo(general, {6, 5}), needs ? "COL-3.3" : "");
  }
}

TEST(ColonialTurn, PairIsOneActivation) {  // EX-3.4.1
  Game g;
  const PieceNo p = g.Stand(kBlue, "native_infantry", {5, 5});
  const PieceNo q = g.Stand(kBlue, "native_infantry", {5, 5});
  g.Stand(kRed, "regular_infantry", {9, 11});
  g.Start(kBlue, 1);
  EXPECT_EQ(g.Do(Activate{{p, q}}), "");
  EXPECT_EQ(g.s.left, 0);
  EXPECT_EQ(g.MoveTo(p, {5, 7}), "");
  EXPECT_EQ(g.MoveTo(q, {5, 7}), "");
  EXPECT_EQ(g.Where(p), "5,7");
  EXPECT_EQ(g.Where(q), "5,7");
  EXPECT_TRUE(g.s.At(q).rear);
}

TEST(ColonialTurn, PairMovesInOneDeclaration) {  // EX-3.4.1
  Game g;
  g.idle_wagons = false;
  const PieceNo p = g.Stand(kBlue, "native_infantry", {5, 5});
  const PieceNo q = g.Stand(kBlue, "native_infantry", {5, 5});
  g.Stand(kRed, "regular_infantry", {9, 11});
  g.Start(kBlue, 1);
  EXPECT_EQ(g.PairTo(q, p, {5, 7}), "");  // the first named is in front
  EXPECT_TRUE(g.s.At(p).rear);
  EXPECT_FALSE(g.s.At(q).rear);
  EXPECT_EQ(g.s.acting, kRed);
}

TEST(ColonialTurn, SecondOfAPairIsActivatedAlone) {  // EX-3.4.2
  Game g;
  const PieceNo p = g.Stand(kBlue, "native_infantry", {6, 4});
  const PieceNo q = g.Stand(kBlue, "native_infantry", {6, 6});
  g.Stand(kRed, "regular_infantry", {9, 11});
  g.Start(kBlue, 3);
  EXPECT_EQ(g.MoveTo(p, {6, 6}), "");
  EXPECT_EQ(g.Do(Activate{{q, p}}), "COL-4.2");
  EXPECT_EQ(g.Do(Activate{{q}}), "");
  EXPECT_EQ(g.s.left, 1);  // two of three are used
  EXPECT_EQ(g.MoveTo(p, {6, 7}), "COL-4.2");
  EXPECT_EQ(g.MoveTo(q, {6, 7}), "");
}

TEST(ColonialTurn, OneOfAPairMayActAlone) {  // COL-3.4
  Game g;
  const PieceNo p = g.Stand(kBlue, "native_infantry", {5, 5});
  const PieceNo q = g.Stand(kBlue, "native_infantry", {5, 5});
  g.Stand(kRed, "regular_infantry", {9, 11});
  g.Start(kBlue, 2);
  EXPECT_EQ(g.MoveTo(q, {4, 6}), "");
  EXPECT_EQ(g.s.left, 1);
  EXPECT_EQ(g.MoveTo(p, {6, 6}), "");  // and the other needs a second activation
  EXPECT_EQ(g.s.left, 0);
}

TEST(ColonialTurn, SettingKeepsPairsTogether) {  // COL-3.4
  Game g;
  g.setup.settings.pair_may_split = false;
  const PieceNo p = g.Stand(kBlue, "native_infantry", {5, 5});
  const PieceNo q = g.Stand(kBlue, "native_infantry", {5, 5});
  g.Stand(kRed, "regular_infantry", {9, 11});
  g.Start(kBlue, 2);
  EXPECT_EQ(g.Do(Activate{{p, q}}), "");
  EXPECT_EQ(g.MoveTo(p, {5, 7}), "COL-3.4");
  // They may not part in one declaration either.
  const Move apart{{p, q}, {{g.Square({5, 6})}, {g.Square({6, 6})}}, std::nullopt, false};
  EXPECT_EQ(g.Do(apart), "COL-3.4");
  EXPECT_EQ(g.PairTo(p, q, {5, 7}), "");
  EXPECT_FALSE(g.s.At(p).rear);
}

TEST(ColonialTurn, CountsUnusedActivations) {  // COL-3.3
  Game g;
  g.Stand(kBlue, "regular_infantry", {4, 4});
  g.Start();
  EXPECT_EQ(Describe(g.s, SideDone{kBlue, 0}), "Blue ends its activations.");
  EXPECT_EQ(Describe(g.s, SideDone{kBlue, 1}), "Blue ends its activations; 1 activation is unused.");
  EXPECT_EQ(Describe(g.s, SideDone{kBlue, 2}), "Blue ends its activations; 2 activations are unused.");
}

TEST(ColonialTurn, OneOfAPairMayTurnWhenTheOtherLeaves) {  // COL-1.3, COL-3.4
  Game g;
  const PieceNo p = g.Stand(kBlue, "native_infantry", {5, 5});
  const PieceNo q = g.Stand(kBlue, "native_infantry", {5, 5});
  g.Start(kBlue, 2);
  EXPECT_EQ(g.Turn(p, E), "COL-1.3");  // the other would still face north
  EXPECT_EQ(g.Do(Move{{p, q}, {{}, {g.Square({6, 6})}}, E, false}), "");
  EXPECT_EQ(g.FacingOf(p), E);
  EXPECT_EQ(g.Where(p) + " " + g.Where(q), "5,5 6,6");
  EXPECT_FALSE(g.s.At(q).rear);
}

TEST(ColonialTurn, SidesActOneAfterTheOther) {  // EX-3.5.1
  Game g;
  g.Stand(kBlue, "regular_infantry", {4, 4});
  g.Stand(kBlue, "regular_infantry", {6, 4});
  const PieceNo red = g.Stand(kRed, "regular_infantry", {9, 9});
  g.Start(kBlue, 2);
  const State before = g.s;
  EXPECT_EQ(g.Dice({5}), "COL-3.5");
  EXPECT_EQ(g.MoveTo(red, {9, 8}), "COL-3.5");
  EXPECT_EQ(g.Done(kRed), "COL-3.5");
  EXPECT_EQ(g.s, before);
  EXPECT_EQ(g.Done(kBlue), "");
  EXPECT_EQ(g.s.ask.what, Want::kActivationDie);
  EXPECT_EQ(g.Dice({5}), "");
  EXPECT_EQ(g.MoveTo(red, {9, 8}), "");
}

TEST(ColonialActivation, OneUnbrokenMove) {  // EX-4.1.1, EX-4.1.2
  Game g;
  const PieceNo cav = g.Stand(kBlue, "regular_cavalry", {5, 3});
  const PieceNo second = g.Stand(kBlue, "regular_cavalry", {12, 5});
  g.Stand(kRed, "native_infantry", {5, 7});
  g.Stand(kRed, "native_infantry", {12, 6});
  g.Start();
  EXPECT_EQ(g.MoveTo(cav, {5, 6}), "");  // 3 of 4
  EXPECT_EQ(g.Close(cav, {5, 7}), "");
  EXPECT_EQ(g.Dice({1, 12}), "");
  EXPECT_EQ(g.MoveTo(cav, {5, 5}), "COL-4.1");
  EXPECT_EQ(g.Close(second, {12, 6}), "");  // it fights first
  EXPECT_EQ(g.Dice({1, 12}), "");
  EXPECT_EQ(g.MoveTo(second, {12, 1}), "");  // and then moves 4
  EXPECT_EQ(g.Close(second, {12, 6}), "COL-4.2");
}

TEST(ColonialActivation, SettingAllowsSplitMoves) {  // COL-4.1
  Game g;
  g.setup.settings.split_move = true;
  const PieceNo cav = g.Stand(kBlue, "regular_cavalry", {5, 3});
  g.Stand(kRed, "native_infantry", {5, 7});
  g.Start();
  EXPECT_EQ(g.MoveTo(cav, {5, 6}), "");
  EXPECT_EQ(g.MoveTo(cav, {5, 5}), "COL-4.1");  // only after the combat
  EXPECT_EQ(g.Close(cav, {5, 7}), "");
  EXPECT_EQ(g.Dice({1, 12}), "");
  EXPECT_EQ(g.MoveTo(cav, {5, 4}), "COL-5.1");  // 3 of 4 are used
  EXPECT_EQ(g.MoveTo(cav, {5, 5}), "");
  EXPECT_EQ(g.MoveTo(cav, {5, 5}, E), "COL-4.1");
}

TEST(ColonialActivation, SplitRoadMoveLeavesOnlyATurn) {  // COL-4.1, COL-5.7
  Game g;
  g.setup.settings.split_move = true;
  g.Road({{5, 1}, {5, 2}, {5, 3}, {5, 4}, {5, 5}});
  const PieceNo inf = g.Stand(kBlue, "regular_infantry", {5, 1});
  g.Stand(kRed, "native_infantry", {5, 6});
  g.Start();
  EXPECT_EQ(g.MoveTo(inf, {5, 4}), "");  // 2 and one more by road
  EXPECT_EQ(g.Fire(inf, {5, 6}), "");
  EXPECT_EQ(g.Dice({1, 12}), "");
  EXPECT_EQ(g.MoveTo(inf, {5, 5}), "COL-5.1");
  EXPECT_EQ(g.Turn(inf, E), "");
}

TEST(ColonialActivation, OwnWithdrawalEndsTheActivation) {  // EX-4.1.3
  for (const bool after : {false, true}) {
    Game g;
    g.setup.settings.move_after_own_withdrawal = after;
    const PieceNo inf = g.Stand(kBlue, "native_infantry", {5, 6});
    g.Stand(kBlue, "native_infantry", {15, 2});
    g.Stand(kRed, "native_infantry", {5, 7});
    g.Start();
    EXPECT_EQ(g.Close(inf, {5, 7}), "");
    EXPECT_EQ(g.Dice({5, 5}), "");
    EXPECT_EQ(g.LastOutcome(), Outcome::kTie);
    EXPECT_EQ(g.Dice({3, 8}), "");
    EXPECT_EQ(g.Back({5, 5}), "");
    EXPECT_EQ(g.MoveTo(inf, {5, 4}), after ? "" : "COL-4.1");
  }
}

TEST(ColonialActivation, StartsOneCombatATurn) {  // EX-4.2.1
  Game g;
  const PieceNo inf = g.Stand(kBlue, "regular_infantry", {5, 6});
  g.Stand(kRed, "native_infantry", {5, 7});
  g.Start();
  EXPECT_EQ(g.Fire(inf, {5, 7}), "");
  EXPECT_EQ(g.Dice({1, 12}), "");
  EXPECT_EQ(g.Close(inf, {5, 7}), "COL-4.2");
  g.Pass();
  g.Pass();
  EXPECT_EQ(g.s.turn, 2);
  EXPECT_EQ(g.Close(inf, {5, 7}), "");  // a new turn
}

TEST(ColonialActivation, MayBeEngagedAnyNumberOfTimes) {  // EX-4.2.2
  Game g;
  std::vector<PieceNo> blue;
  for (int i = 0; i < 3; ++i) blue.push_back(g.Stand(kBlue, "regular_infantry", {4 + i, 5}));
  const PieceNo red = g.Stand(kRed, "regular_infantry", {5, 6});
  g.Start();
  for (const PieceNo i : blue) {
    EXPECT_EQ(g.Close(i, {5, 6}), "");
    EXPECT_EQ(g.Dice({1, 12}), "");
    EXPECT_EQ(g.LastOutcome(), Outcome::kIneffective);
  }
  g.Pass();
  EXPECT_EQ(g.Close(red, {5, 5}), "");  // and it may start one itself
}

TEST(ColonialActivation, NextActivationEndsTheOneBefore) {  // COL-4.2
  Game g;
  const PieceNo a = g.Stand(kBlue, "regular_infantry", {4, 4});
  const PieceNo b = g.Stand(kBlue, "regular_infantry", {6, 4});
  g.Stand(kRed, "native_infantry", {4, 6});
  g.Start();
  EXPECT_EQ(g.MoveTo(a, {4, 5}), "");
  EXPECT_EQ(g.MoveTo(b, {6, 5}), "");
  EXPECT_EQ(g.Fire(a, {4, 6}), "COL-4.2");
  EXPECT_EQ(g.Do(Fight{false, a, g.Square({4, 6}), kNoPiece}, true), "");  // players may allow it
  EXPECT_EQ(g.Count<Overruled>(), 1);
}

}  // namespace
}  // namespace fos::colonial::test
