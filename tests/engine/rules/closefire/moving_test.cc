// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/rules/closefire/moving.h"
#include "engine/rules/rule_sets.h"
#include "engine/shots/seen.h"
#include "tests/support/closefire_game.h"
#include "tests/support/temp_dir.h"

// Worked examples of sections 10 to 14.
namespace fos::closefire::test {
namespace {

// A unit that has thrown its dice. No enemy is near unless a test adds one.
struct March {
  Game g;
  int unit = 0;
  March() = default;
  explicit March(Grade grade) { unit = g.Foot(kBlue, grade, 4, {500, 500}, N); }
  void Roll(const std::string& dice, const std::string& faces, const std::string& more = "") {
    g.Start(Phase::kMovement);
    ASSERT_EQ(g.Do("roll B0 " + dice + more), "") << g.because;
    ASSERT_EQ(g.Do("dice " + faces), "") << g.because;
  }
};

TEST(CloseFireFormation, Lines) {  // EX-10.1.1 EX-10.1.2 EX-10.2.1 EX-10.2.2 EX-10.3.1
  // The formations: a line is in contact, a deep line is wider than deep, a column is one file.
  Game g;
  const int line = g.Foot(kBlue, Grade::kC, 5, {500, 500}, N);
  const auto bases = BasesOf(g.s, line);
  for (std::size_t i = 0; i + 1 < bases.size(); ++i)
    EXPECT_LE(open_table::Gap(bases[i], bases[i + 1]), 0.01);
  const int deep = g.Horse(kBlue, Grade::kC, 8, {900, 500}, N, false, 4);
  EXPECT_EQ(Field(g.s).FrontOf(deep).files, 4);
  EXPECT_EQ(Field(g.s).FrontOf(deep).ranks, 2);
  g.Start(Phase::kMovement);
  const int square = g.Horse(kBlue, Grade::kC, 4, {1300, 500}, N);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("form B2 line"), "CF-14.3");  // it is already in line
  EXPECT_EQ(g.Do("roll B2 avd"), "");
  EXPECT_EQ(g.Do("dice 4"), "");
  EXPECT_EQ(g.Do("form B2 march"), "");
  EXPECT_EQ(Field(g.s).FrontOf(square).ranks, 4);
  EXPECT_EQ(g.Do("form B2 line 2"), "CF-10.2");  // two by two is not a line
}

TEST(CloseFireFormation, AssaultColumns) {  // EX-10.4.1 EX-10.4.2 EX-10.5.1
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 7, {500, 500}, N);
  g.setup.assault_objective = true;
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd"), "");
  EXPECT_EQ(g.Do("dice 4"), "");
  EXPECT_EQ(g.Do("form B0 assault 2"), "");
  // 2, 2, 2 and the odd base behind: the front rank is always full.
  const auto bases = BasesOf(g.s, foot);
  EXPECT_NEAR(bases[0].centre.y, bases[1].centre.y, 0.01);
  EXPECT_LT(bases[6].centre.y, bases[5].centre.y - 1);
  g.s.phase = Phase::kMusketry;
  EXPECT_EQ(g.Do("fire B0"), "CF-10.4");
  Game plain;
  plain.Foot(kBlue, Grade::kC, 7, {500, 500}, N);
  plain.Start(Phase::kMovement);
  EXPECT_EQ(plain.Do("form B0 assault"), "CF-10.4");
  // No unit can form unformed: the parser does not know the word.
  EXPECT_NE(plain.Do("form B0 unformed"), "");
}

TEST(CloseFireMoving, FiredUnitsCannotMove) {  // EX-11.1.1 EX-11.1.2 EX-15.4.1
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int dragoons = g.Dragoons(kBlue, Grade::kC, 4, {900, 500}, N, false);
  g.Put(foot, Of::kFired, 1);
  g.Put(dragoons, Of::kFired, 1);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd"), "CF-11.1");
  EXPECT_EQ(g.Do("roll B1 avd"), "");
  EXPECT_EQ(g.Do("dice 3"), "");
  EXPECT_EQ(g.Do("go B1 to 900 515"), "");
}

TEST(CloseFireMoving, DiceAreDeclaredAtOnce) {  // EX-11.2.1
  Game g;
  g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd+avd"), "");
  EXPECT_EQ(g.Do("dice 2 3"), "");
  EXPECT_EQ(g.Do("roll B0 avd"), "CF-11.2");
}

TEST(CloseFireMoving, TheFullDistance) {  // EX-11.3.1 EX-11.3.2 EX-11.3.3
  const auto at_wood = [](const std::string& dice, const std::string& faces, bool wood) {
    auto t = std::make_unique<March>(Grade::kC);
    if (wood) {
      Terrain ground;
      ground.wood = ground.rough = true;
      ground.outline_yd = Box(300, 550, 700, 900);
      t->g.Ground(ground);
    }
    t->Roll(dice, faces);
    return t;
  };
  auto a = at_wood("avd+d6", "3 4", true);
  EXPECT_EQ(a->g.Do("ahead B0 50"), "");
  EXPECT_EQ(a->g.Do("halt B0"), "") << a->g.because;
  auto b = at_wood("avd+d6", "5 5", true);
  EXPECT_EQ(b->g.Do("ahead B0 49"), "");
  EXPECT_EQ(b->g.Do("halt B0"), "CF-11.3");
  EXPECT_EQ(b->g.Do("ahead B0 31"), "") << b->g.because;  // 80 in all in the rough
  EXPECT_NEAR(b->g.Left(b->unit), 0, 0.1);
  auto c = at_wood("avd+d6", "4 2", false);
  EXPECT_EQ(c->g.Do("ahead B0 40"), "");
  EXPECT_EQ(c->g.Do("halt B0"), "CF-11.3");
}

TEST(CloseFireMoving, TwentyYards) {  // EX-11.4.1
  March t(Grade::kC);
  t.g.Foot(kRed, Grade::kC, 4, {500, 555}, S);
  t.Roll("avd", "5");
  EXPECT_EQ(t.g.Do("ahead B0 36"), "CF-11.4");
  EXPECT_EQ(t.g.Do("ahead B0 35"), "");
  EXPECT_EQ(t.g.Do("halt B0"), "");
}

TEST(CloseFireMoving, OneRollForABrigade) {  // EX-11.5.1
  Game g;
  for (int i = 0; i < 3; ++i) g.Foot(kBlue, Grade::kC, 4, {500.0 + 200 * i, 500}, N);
  const int brigadier = g.Leader(kBlue, Rank::kBrigadier, {500, 500});
  for (int i = 0; i < 3; ++i) g.Commands(brigadier, i);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 B1 B2 avd+d6"), "") << g.because;
  EXPECT_EQ(g.Do("dice 4 6"), "");
  for (int i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(g.Left(i), 100);
    EXPECT_EQ(g.Dp(i), 1);
  }
}

// A brigade of three battalions and a regiment of horse under control, and one battalion far away.
struct Brigade {
  Game g;
  Brigade() {
    const int brigadier = g.Leader(kBlue, Rank::kBrigadier, {600, 480});
    for (int i = 0; i < 3; ++i) g.Foot(kBlue, Grade::kC, 4, {500.0 + 100 * i, 500}, N);
    g.Horse(kBlue, Grade::kC, 4, {600, 440}, N);
    g.Foot(kBlue, Grade::kC, 4, {1000, 500}, N);
    for (int i = 0; i < 5; ++i) g.Commands(brigadier, i);
    g.Start(Phase::kCommand);
    EXPECT_EQ(g.Do("done Blue"), "");
    EXPECT_EQ(g.Do("dice 3"), "");
    EXPECT_EQ(g.Do("done Red"), "");
  }
};

TEST(CloseFireMoving, UnitsOfABrigadeUseOneRoll) {  // CF-11.5 CF-13.1
  Brigade t;
  EXPECT_EQ(t.g.Do("roll B0 avd+d6"), "");
  EXPECT_EQ(t.g.Do("dice 4 6"), "");
  // The others of its brigade throw no dice: they use as many of those thrown as they declare.
  EXPECT_EQ(t.g.Do("roll B1 avd+d6"), "") << t.g.because;
  EXPECT_FALSE(t.g.s.waiting.has_value());
  EXPECT_DOUBLE_EQ(t.g.Left(1), 100);
  EXPECT_EQ(t.g.Dp(1), 1);
  EXPECT_EQ(t.g.Do("roll B2 avd"), "");
  EXPECT_FALSE(t.g.s.waiting.has_value());
  EXPECT_DOUBLE_EQ(t.g.Left(2), 40);
  EXPECT_EQ(t.g.Dp(2), 0);
  EXPECT_TRUE(t.g.ToldClause("CF-11.5"));
  // Another arm and uncontrolled units throw for themselves.
  EXPECT_EQ(t.g.Do("roll B3 avd+avd"), "");
  EXPECT_EQ(t.g.Do("dice 3 3"), "");
  EXPECT_EQ(t.g.Do("roll B4 avd"), "");
  EXPECT_EQ(t.g.Do("dice 2"), "");
  EXPECT_DOUBLE_EQ(t.g.Left(3), 60);
  EXPECT_DOUBLE_EQ(t.g.Left(4), 20);
}

TEST(CloseFireMoving, BrigadeRollGetsNoMoreDice) {  // CF-11.5 CF-11.2
  Brigade t;
  EXPECT_EQ(t.g.Do("roll B0 avd"), "");
  EXPECT_EQ(t.g.Do("dice 4"), "");
  EXPECT_EQ(t.g.Do("roll B1 avd+d6"), "CF-11.5");
  EXPECT_EQ(t.g.Do("overrule roll B1 avd+d6"), "");
  EXPECT_EQ(t.g.Do("dice 3 2"), "");
  EXPECT_DOUBLE_EQ(t.g.Left(1), 50);
}

TEST(CloseFireMoving, AnotherLeaderMeansAnotherRoll) {  // CF-11.5
  Game g;
  const int general = g.Leader(kBlue, Rank::kGeneral, {700, 480});
  const int brigadier = g.Leader(kBlue, Rank::kBrigadier, {400, 480}, general);
  for (int i = 0; i < 2; ++i) g.Foot(kBlue, Grade::kC, 4, {400.0 + 300 * i, 500}, N);
  g.Horse(kBlue, Grade::kC, 2, {400, 440}, N);
  const int hussars = g.Hussars(kBlue, Grade::kC, 2, {450, 440}, N);
  for (int i = 0; i <= hussars; ++i) g.Commands(brigadier, i);
  g.Start(Phase::kCommand);
  EXPECT_EQ(g.Do("done Blue"), "");
  EXPECT_EQ(g.Do("done Red"), "");
  EXPECT_EQ(g.Do("roll B0 B1 avd"), "CF-11.5");
  EXPECT_EQ(g.Do("roll B0 avd"), "");
  EXPECT_EQ(g.Do("dice 4"), "");
  EXPECT_EQ(g.Do("roll B1 avd"), "");
  EXPECT_EQ(g.Do("dice 2"), "");
  EXPECT_DOUBLE_EQ(g.Left(1), 20);
  // Horse and hussars are both cavalry.
  EXPECT_EQ(g.Do("roll B2 B3 avd+avd"), "") << g.because;
}

TEST(CloseFireMoving, Direction) {  // EX-11.6.1 EX-11.6.2
  March t(Grade::kC);
  t.Roll("avd+d6", "4 4");
  EXPECT_EQ(t.g.Do("ahead B0 60 right 23.6"), "CF-11.6");
  EXPECT_EQ(t.g.Do("ahead B0 60 right 22.5"), "");
  EXPECT_NEAR(BasesOf(t.g.s, t.unit)[0].facing_deg, 0, 1e-9);
}

TEST(CloseFireMoving, DoubleMoves) {  // EX-11.7.1 EX-11.7.2 EX-11.7.3
  March far(Grade::kC);
  far.g.Foot(kRed, Grade::kC, 4, {500, 800}, S);
  far.Roll("avd", "4", " double");
  EXPECT_DOUBLE_EQ(far.g.Left(far.unit), 80);
  March near(Grade::kC);
  near.g.Foot(kRed, Grade::kC, 4, {500, 670}, S);
  near.Roll("avd+d6", "4 3", " double");
  EXPECT_DOUBLE_EQ(near.g.Left(near.unit), 140);
  EXPECT_EQ(near.g.Do("ahead B0 51"), "CF-11.7");
  EXPECT_EQ(near.g.Do("ahead B0 50"), "");
  EXPECT_EQ(near.g.Do("halt B0"), "");
  March single(Grade::kC);
  single.g.Foot(kRed, Grade::kC, 4, {500, 670}, S);
  single.Roll("avd+d6", "4 3");
  EXPECT_EQ(single.g.Do("ahead B0 70"), "");
}

TEST(CloseFireMoving,
     Distances) {  // EX-12.1.1 EX-12.1.2 EX-12.2.1 EX-12.2.2 EX-12.4.1 EX-12.4.2 EX-12.4.4
  const Tables& book = ShippedTables();
  EXPECT_DOUBLE_EQ(AllowanceYd(book, {{3}, false, false, false}), 30);
  EXPECT_DOUBLE_EQ(AllowanceYd(book, {{4, 5}, false, false, false}), 90);
  EXPECT_DOUBLE_EQ(AllowanceYd(book, {{3, 5}, false, false, false}), 80);
  EXPECT_DOUBLE_EQ(AllowanceYd(book, {{4, 4, 6}, false, false, false}), 140);
  EXPECT_DOUBLE_EQ(AllowanceYd(book, {{3, 4}, false, true, false}), 50);
  EXPECT_DOUBLE_EQ(AllowanceYd(book, {{2}, false, true, false}), 10);
  EXPECT_DOUBLE_EQ(AllowanceYd(book, {{4, 2}, true, true, false}), 60);
  Game g;
  g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Put(0, Of::kPace, 1);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd+avd+d6"), "");
  EXPECT_EQ(g.Do("dice 4 4 6"), "");
  EXPECT_EQ(g.Dp(0), 1);
}

TEST(CloseFireMoving, NoDoubleMoveNearSuspectCover) {  // CF-11.7
  for (const bool suspect : {true, false}) {
    Game g;
    g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    Terrain wood;
    wood.wood = true;
    wood.suspect = suspect;
    wood.outline_yd = Box(300, 650, 700, 900);
    g.Ground(wood);
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("roll B0 avd+d6 double"), "") << g.because;
    EXPECT_EQ(g.Do("dice 4 3"), "");
    // 150 yd away: after 30 of its 140 yd it is 120 yd away.
    EXPECT_EQ(g.Do("ahead B0 31"), suspect ? "CF-11.7" : "");
    if (suspect) {
      EXPECT_EQ(g.Do("ahead B0 30"), "") << g.because;
      EXPECT_EQ(g.Do("halt B0"), "") << g.because;
    }
    Game near;
    near.Foot(kBlue, Grade::kC, 4, {500, 540}, N);
    near.Ground(wood);
    near.Start(Phase::kMovement);
    EXPECT_EQ(near.Do("roll B0 avd double"), suspect ? "CF-11.7" : "");
  }
}

TEST(CloseFireMoving, ForbiddenGround) {  // EX-12.4.3
  Game g;
  g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  Terrain swamp;
  swamp.rough = swamp.no_guns_no_cavalry = true;
  swamp.outline_yd = Box(300, 530, 700, 900);
  g.Ground(swamp);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd+avd"), "");
  EXPECT_EQ(g.Do("dice 4 4"), "");
  EXPECT_EQ(g.Do("ahead B0 60"), "CF-12.4");
}

TEST(CloseFireMoving, Roads) {  // EX-12.5.1 EX-12.5.2
  for (const auto& [enemy_y, yards, clause] :
       {std::tuple{1400.0, 235.0, ""}, std::tuple{690.0, 235.0, "CF-12.5"},
        std::tuple{690.0, 115.0, ""}}) {
    Game g;
    const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Put(foot, Of::kFormation, Formation::kMarch);
    g.s.units[0].bases = Arranged(g.s, foot, Formation::kMarch, {500, 500}, N, 1);
    Terrain road;
    road.road = true;
    road.outline_yd = Box(480, 0, 520, 1600);
    g.Ground(road);
    g.Foot(kRed, Grade::kC, 4, {540, enemy_y}, S);
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("road B0 to 500 " + std::to_string(460 + yards)), clause) << g.because;
  }
}

TEST(CloseFireMoving, FastMoves) {  // EX-12.6.1 EX-12.6.2 EX-12.6.3 EX-12.6.4
  const Tables& book = ShippedTables();
  EXPECT_DOUBLE_EQ(AllowanceYd(book, {{3, 4, 2}, false, false, true}), 120);
  EXPECT_DOUBLE_EQ(AllowanceYd(book, {{3, 4, 2}, false, false, false}), 90);
  EXPECT_DOUBLE_EQ(AllowanceYd(book, {{3, 5}, false, false, true}), 100);
  Game g;
  const int horse = g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  const int quarry = g.Horse(kRed, Grade::kC, 4, {500, 900}, N);
  std::vector<Event> events;
  Play play(g.s, events, {{{3, 4, 2}, -1, 0}}, false);
  EXPECT_FALSE(Pursue(play, horse, quarry, 375, 100));  // no bonus: 90 yd
  EXPECT_NEAR(g.Front(horse).y, 590, 0.1);
}

TEST(CloseFireMoving, Guns) {  // EX-12.8.1 EX-12.8.2 EX-12.8.3
  Game g;
  g.Gun(kBlue, GunClass::kField, {500, 500}, N, true);
  g.Gun(kBlue, GunClass::kField, {700, 500}, N);
  const int battalion = g.Gun(kBlue, GunClass::kBattalion, {900, 500}, N);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd+avd"), "");
  EXPECT_EQ(g.Do("dice 3 5"), "");
  EXPECT_EQ(g.Do("go B0 to 500 567"), "");
  EXPECT_EQ(g.Do("pivot B1 left 40"), "");
  EXPECT_EQ(g.Do("go B1 to 700 497"), "CF-14.13") << g.because;
  EXPECT_EQ(g.Do("roll B2 avd+d6"), "");
  EXPECT_EQ(g.Do("dice 4 6"), "");
  EXPECT_DOUBLE_EQ(g.Left(battalion), 100);
  EXPECT_EQ(g.Dp(battalion), 1);
}

TEST(CloseFireMoving, ALimberedGunHasOneDieInRoughGoing) {  // CF-12.8
  for (const char* line : {"go B0 to 500 517", "ahead B0 30"}) {
    Game g;
    Terrain marsh;
    marsh.rough = true;
    marsh.outline_yd = Box(300, 520, 700, 900);
    g.Ground(marsh);
    g.Gun(kBlue, GunClass::kField, {500, 500}, N, true);  // its middle is at (500, 487.5)
    g.Start(Phase::kMovement);
    Game one = g;
    EXPECT_EQ(g.Do("roll B0 avd+avd"), "");
    EXPECT_EQ(g.Do("dice 3 3"), "");
    EXPECT_EQ(g.Do(line), "CF-12.8");
    EXPECT_EQ(one.Do("roll B0 avd"), "");
    EXPECT_EQ(one.Do("dice 3"), "");
    EXPECT_EQ(one.Do(line), "") << one.because;
    EXPECT_NEAR(one.Left(0), 0, 0.6);
  }
}

TEST(CloseFireMoving, AGunMovedByHandDoesNotTurn) {  // CF-12.8
  Game g;
  g.Gun(kBlue, GunClass::kField, {700, 500}, N);  // its middle is at (700, 487.5)
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("go B0 to 700 497 40"), "CF-12.8");
  EXPECT_EQ(g.because, "field gun B0 would turn too: a gun pivots or moves");
  EXPECT_EQ(g.Do("go B0 to 700 497 0"), "") << g.because;
}

TEST(CloseFireMoving, ChangeOfPace) {  // EX-12.9.1 EX-12.9.2 EX-12.9.3 EX-12.9.4
  const auto roll = [](int pace, const std::string& dice) {
    Game g;
    g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Put(0, Of::kPace, pace);
    g.Start(Phase::kMovement);
    return g.Do("roll B0 " + dice);
  };
  EXPECT_EQ(roll(0, "avd+avd+d6"), "CF-12.9");
  EXPECT_EQ(roll(0, "avd+avd"), "");
  EXPECT_EQ(roll(1, "avd+avd+d6"), "");
  Game stands;
  stands.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  stands.Put(0, Of::kPace, 3);
  stands.Start(Phase::kMovement);
  EXPECT_EQ(stands.Do("done Blue"), "CF-12.9");
  Game g;
  g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Horse(kRed, Grade::kC, 4, {500, 700}, S);
  g.Put(0, Of::kPaceNow, 2);
  g.Start(Phase::kCharges);
  EXPECT_EQ(g.Do("charge B0 at R1 avd+avd+d6"), "CF-12.9");
}

TEST(CloseFireFatigue, GoodGround) {  // EX-13.1.1 EX-13.1.2 EX-13.1.3
  const Tables& book = ShippedTables();
  const DiceSet three = {Die::kAverage, Die::kAverage, Die::kD6};
  Fatigue line;
  line.cavalry = line.line = true;
  EXPECT_EQ(FatigueDp(book, {}, line, three, {4, 5, 6}), 1);
  Fatigue hussars;
  hussars.cavalry = hussars.unformed = true;
  EXPECT_EQ(FatigueDp(book, {}, hussars, three, {4, 5, 6}), 0);
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Put(foot, Of::kDp, 3);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd+d6"), "");
  EXPECT_EQ(g.Do("dice 4 6"), "");
  EXPECT_EQ(g.Dp(foot), 3);
}

TEST(CloseFireFatigue, RoughGround) {  // EX-13.2.1 EX-13.2.2 EX-13.2.3 EX-13.2.4 EX-13.2.5
  const Tables& book = ShippedTables();
  const DiceSet three = {Die::kAverage, Die::kAverage, Die::kD6};
  const DiceSet two = {Die::kAverage, Die::kD6};
  Fatigue f;
  f.rough = true;
  f.cavalry = f.line = true;
  EXPECT_EQ(FatigueDp(book, {}, f, three, {4, 5, 3}), 2);
  f = {};
  f.rough = f.foot = f.line = true;
  EXPECT_EQ(FatigueDp(book, {}, f, two, {5, 6}), 2);
  f = {};
  f.rough = f.foot = f.assault = true;
  EXPECT_EQ(FatigueDp(book, {}, f, two, {5, 6}), 1);
  f = {};
  f.rough = f.cavalry = f.unformed = true;
  EXPECT_EQ(FatigueDp(book, {}, f, two, {4, 2}), 1);
  f = {};
  f.rough = f.foot = f.unformed = true;
  EXPECT_EQ(FatigueDp(book, {}, f, two, {5, 6}), 0);
}

TEST(CloseFireManoeuvre, Wheels) {  // EX-14.1.1 EX-14.2.1
  for (const auto& [enemy_y, dp] : {std::pair{605.0, 1}, std::pair{655.0, 0}}) {
    March t(Grade::kC);
    t.g.Foot(kRed, Grade::kC, 4, {500, enemy_y}, S);
    t.Roll("avd+d6", "3 4");
    EXPECT_EQ(t.g.Do("wheel B0 right 30"), "");
    EXPECT_NEAR(t.g.Left(t.unit), 28.1, 0.05);
    EXPECT_EQ(t.g.Dp(t.unit), dp);
  }
  Game g;
  g.Foot(kBlue, Grade::kC, 3, {500, 500}, N);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd+d6"), "");
  EXPECT_EQ(g.Do("dice 5 5"), "");
  EXPECT_EQ(g.Do("wheelback B0 right 30"), "");
  EXPECT_NEAR(g.Left(0), 100 - 62.8, 0.05);
}

TEST(CloseFireManoeuvre, ChangingFormation) {  // EX-14.3.1 EX-14.3.2 EX-14.3.3 EX-14.3.4
  const auto change = [](double enemy_y, const std::string& dice_more, const std::string& line,
                         bool roll) {
    auto t = std::make_unique<March>(Grade::kC);
    t->g.Foot(kRed, Grade::kC, 4, {500, enemy_y}, S);
    t->g.Start(Phase::kMovement);
    if (roll) t->Roll("avd", "4", dice_more);
    EXPECT_EQ(t->g.Do(line), "") << t->g.because;
    return t;
  };
  auto plain = change(700, "", "form B0 march", true);
  EXPECT_DOUBLE_EQ(plain->g.Left(0), 20);
  EXPECT_EQ(plain->g.Dp(0), 0);
  auto doubled = change(700, " double", "form B0 march", true);
  EXPECT_DOUBLE_EQ(doubled->g.Left(0), 40);
  auto near = change(600, "", "form B0 march", false);
  EXPECT_EQ(near->g.Dp(0), 1);
  EXPECT_EQ(near->g.Do("roll B0 avd"), "CF-14.13");
  auto both = change(600, "", "form B0 line right", false);
  EXPECT_EQ(both->g.Dp(0), 1);
  auto far = change(700, "", "form B0 line right", false);
  EXPECT_EQ(far->g.Dp(0), 0);
  EXPECT_EQ(far->g.Do("roll B0 avd"), "CF-14.13");
}

TEST(CloseFireManoeuvre, ReformingAndUnlimbering) {  // EX-14.4.1 EX-14.5.1 EX-14.5.2
  Game g;
  const int horse = g.Horse(kBlue, Grade::kC, 4, {500, 500}, S);
  g.Put(horse, Of::kFormation, Formation::kUnformed);
  g.Put(horse, Of::kStatus, Conduct::kRetiring);
  const int gun = g.Gun(kBlue, GunClass::kField, {700, 500}, N, true);
  const int loose = g.Gun(kBlue, GunClass::kField, {900, 500}, N, true);
  g.Put(gun, Of::kShotAt, 1);
  g.Start(Phase::kMovement);
  g.Put(loose, Of::kControl, Control::kHalted);
  EXPECT_EQ(g.Do("reform B0 line 0"), "");
  EXPECT_EQ(g.Dp(horse), 0);
  EXPECT_TRUE(IsFormed(g.s, horse));
  EXPECT_EQ(g.Do("unlimber B1"), "");
  EXPECT_EQ(g.Dp(gun), 2);
  EXPECT_NE(g.Do("unlimber B2"), "");
}

TEST(CloseFireManoeuvre, Obstacles) {  // EX-14.6.1 EX-14.6.2 EX-14.6.3
  const auto cross = [](bool horse, bool shot_at, const std::string& more) {
    Game g;
    horse ? g.Horse(kBlue, Grade::kC, 4, {500, 500}, N)
          : g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Put(0, Of::kShotAt, shot_at);
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("roll B0 avd"), "");
    EXPECT_EQ(g.Do("dice 4"), "");
    EXPECT_EQ(g.Do("cross B0" + more), "");
    return std::pair{g.Dp(0), g.Left(0)};
  };
  EXPECT_EQ(cross(false, true, ""), (std::pair{2, 20.0}));
  EXPECT_EQ(cross(true, false, " hard"), (std::pair{2, 20.0}));
  // An obstacle that is not on the map: the carriers pay, units that follow them do not.
  Game g;
  for (const double y : {500.0, 470.0}) g.Foot(kBlue, Grade::kC, 4, {500, y}, N);
  g.Foot(kBlue, Grade::kC, 4, {620, 480}, N);
  g.Put(0, Of::kFascines, 1);
  g.Put(0, Of::kShotAt, 1);
  g.Start(Phase::kMovement);
  for (const char* id : {"B0", "B1", "B2"}) {
    EXPECT_EQ(g.Do(std::string("roll ") + id + " avd"), "");
    EXPECT_EQ(g.Do("dice 4"), "");
  }
  EXPECT_EQ(g.Do("cross B1 fascines"), "CF-14.6");  // none have been laid yet
  EXPECT_EQ(g.Do("cross B0"), "");
  EXPECT_EQ(g.Dp(0), 2);
  EXPECT_EQ(g.Is(0, Of::kFascines), 0);
  EXPECT_EQ(g.Do("cross B1 fascines"), "") << g.because;
  EXPECT_EQ(g.Dp(1), 0);
  EXPECT_DOUBLE_EQ(g.Left(1), 40);
  EXPECT_EQ(g.Do("cross B2 fascines"), "CF-14.6");  // beside them
}

TEST(CloseFireManoeuvre, FascinesStayWhereCarriersCrossed) {  // CF-14.6
  Game g;
  Terrain ditch;
  ditch.obstacle = true;
  ditch.outline_yd = Box(300, 530, 700, 534);
  g.Ground(ditch);
  g.Foot(kBlue, Grade::kC, 4, {500, 520}, N);
  g.Foot(kBlue, Grade::kC, 4, {505, 480}, N);
  g.Foot(kBlue, Grade::kC, 4, {620, 520}, N);
  g.Horse(kBlue, Grade::kC, 4, {500, 430}, N);
  g.Horse(kBlue, Grade::kC, 4, {600, 430}, N);
  const int foe = g.Foot(kRed, Grade::kC, 4, {500, 900}, S);
  g.Put(0, Of::kFascines, 1);
  g.Put(0, Of::kShotAt, 1);
  g.Start(Phase::kMovement);
  for (const char* id : {"B0", "B1", "B2"}) {
    EXPECT_EQ(g.Do(std::string("roll ") + id + " avd+d6"), "");
    EXPECT_EQ(g.Do("dice 5 5"), "");
  }
  EXPECT_EQ(HurdlesAhead(Field(g.s), 3, 200).size(), 1u);
  EXPECT_EQ(g.Do("ahead B1 20"), "");
  EXPECT_EQ(g.Do("cross B0"), "");
  EXPECT_EQ(g.Is(0, Of::kFascines), 1);  // it has not crossed yet
  EXPECT_EQ(g.Do("ahead B0 50"), "");
  EXPECT_EQ(g.Dp(0), 2);
  EXPECT_EQ(g.Is(0, Of::kFascines), 0);
  ASSERT_EQ(g.s.fascines.size(), 1u);
  EXPECT_EQ(g.s.fascines[0], (Fascines{kBlue, 0, 460000, 530000, 540000, 530000}));
  EXPECT_TRUE(g.ToldClause("CF-14.6"));
  // Units that follow there pay neither DPs nor half a move, nor does a charge. Beside the fascines
  // they pay both.
  EXPECT_EQ(g.Do("ahead B1 45"), "") << g.because;
  EXPECT_EQ(g.Dp(1), 0);
  EXPECT_DOUBLE_EQ(g.Left(1), 35);
  EXPECT_TRUE(HurdlesAhead(Field(g.s), 3, 200).empty());
  EXPECT_EQ(HurdlesAhead(Field(g.s), 4, 200).size(), 1u);
  EXPECT_EQ(HurdlesAhead(Field(g.s), foe, 500).size(), 1u);  // laid for Blue
  EXPECT_EQ(g.Do("ahead B2 45"), "CF-14.6");
  EXPECT_EQ(g.Do("cross B2 fascines"), "CF-14.6");
  EXPECT_EQ(g.Do("cross B2"), "");
  EXPECT_EQ(g.Dp(2), 1);
  EXPECT_EQ(g.Do("ahead B2 45"), "");
}

TEST(CloseFireManoeuvre, UnformedTroopsPayHalfAMoveForAnObstacle) {  // CF-14.6 CF-14.14
  Game g;
  Terrain ditch;
  ditch.obstacle = true;
  ditch.outline_yd = Box(300, 530, 700, 534);
  g.Ground(ditch);
  const int hussars = g.Hussars(kBlue, Grade::kC, 3, {500, 520}, N);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd+avd"), "");
  EXPECT_EQ(g.Do("dice 5 5"), "");
  EXPECT_EQ(g.Do("go B0 to 500 550"), "CF-14.6");
  EXPECT_EQ(g.Do("cross B0"), "");
  EXPECT_EQ(g.Dp(hussars), 0);
  EXPECT_EQ(g.Do("go B0 to 500 550"), "") << g.because;
  EXPECT_LT(g.Left(hussars), 10);
}

TEST(CloseFireManoeuvre, CannotMountOnForbiddenGround) {  // CF-12.4 CF-14.10
  for (const bool swamp : {true, false}) {
    Game g;
    const int dragoons = g.Dragoons(kBlue, Grade::kC, 3, {500, 500}, N, false);
    Terrain t;
    t.rough = true;
    t.no_guns_no_cavalry = swamp;
    t.outline_yd = Box(400, 400, 600, 600);
    g.Ground(t);
    g.Put(dragoons, Of::kHolder, 1);
    g.Put(dragoons, Of::kHolderX, 500000);
    g.Put(dragoons, Of::kHolderY, 490000);
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("mount B0"), swamp ? "CF-12.4" : "");
  }
}

TEST(CloseFireManoeuvre, GunsDoNotMerge) {  // CF-14.16
  Game g;
  g.Gun(kBlue, GunClass::kField, {500, 500}, N);
  g.Gun(kBlue, GunClass::kField, {525, 500}, N);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("merge B0 into B1"), "CF-14.16");
}

TEST(CloseFireManoeuvre, HussarsDisturbFriends) {  // CF-14.11
  for (const bool fired : {true, false}) {
    Game g;
    g.Hussars(kBlue, Grade::kC, 3, {500, 500}, N);
    const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 540}, N);
    g.Put(foot, Of::kFired, fired);
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("roll B0 avd+avd"), "");
    EXPECT_EQ(g.Do("dice 5 5"), "");
    EXPECT_EQ(g.Do("go B0 to 500 587"), "") << g.because;
    EXPECT_EQ(g.Dp(foot), fired ? 1 : 0);
    EXPECT_EQ(g.Dp(0), 0);
  }
}

TEST(CloseFireManoeuvre, AboutFace) {  // EX-14.7.1 EX-14.7.2 EX-14.13.1 EX-14.13.2
  March foot(Grade::kC);
  foot.g.Foot(kRed, Grade::kC, 4, {500, 560}, S);
  foot.Roll("avd+d6", "3 4");
  EXPECT_EQ(foot.g.Do("about B0"), "");
  EXPECT_EQ(foot.g.Dp(0), 0);
  EXPECT_DOUBLE_EQ(foot.g.Left(0), 35);
  EXPECT_EQ(foot.g.Do("cross B0"), "");
  EXPECT_DOUBLE_EQ(foot.g.Left(0), 0);
  EXPECT_EQ(foot.g.Do("cross B0"), "CF-14.13");
  Game g;
  g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Horse(kRed, Grade::kC, 4, {500, 610}, S);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd"), "");
  EXPECT_EQ(g.Do("dice 4"), "");
  EXPECT_EQ(g.Do("about B0"), "");
  EXPECT_EQ(g.Dp(0), 1);
}

// 4 + 4 are 60 yd, not 80, once the wheel has brought the left wing into rough ground.
TEST(CloseFireManoeuvre, AWheelIntoRoughGroundIsRough) {  // CF-12.4 CF-14.1
  March t(Grade::kC);
  Terrain ground;
  ground.rough = true;
  ground.outline_yd = Box(300, 510, 700, 900);
  t.g.Ground(ground);
  t.Roll("avd+d6", "4 4");
  EXPECT_EQ(t.g.Do("wheel B0 right 30"), "") << t.g.because;
  EXPECT_NEAR(t.g.Left(0), 60 - 80 * std::numbers::pi / 6, 0.05);
}

// 3 + 3 are 40 yd in rough ground. Half of that is 20, whatever the roll was worth before.
TEST(CloseFireManoeuvre, HalfOfARoughMove) {  // CF-12.4 CF-14.13
  March t(Grade::kC);
  Terrain ground;
  ground.rough = true;
  ground.outline_yd = Box(300, 510, 700, 900);
  t.g.Ground(ground);
  t.Roll("avd+d6", "3 3");
  EXPECT_EQ(t.g.Do("ahead B0 15"), "") << t.g.because;
  EXPECT_NEAR(t.g.Left(0), 25, 0.01);
  EXPECT_EQ(t.g.Do("about B0"), "") << t.g.because;
  EXPECT_NEAR(t.g.Left(0), 5, 0.01);
}

TEST(CloseFireManoeuvre, Inclines) {  // EX-14.8.1 EX-14.8.2 EX-14.8.3
  March t(Grade::kC);
  t.Roll("avd+d6", "3 4");
  EXPECT_EQ(t.g.Do("incline B0 right 40 30"), "CF-14.8");
  EXPECT_EQ(t.g.Do("incline B0 right 30 40"), "");
  EXPECT_NEAR(t.g.Front(0).x, 530, 0.01);
  March e(Grade::kE);
  e.Roll("avd+d6", "3 4");
  EXPECT_EQ(e.g.Do("incline B0 right 30 40"), "CF-14.8");
}

TEST(CloseFireManoeuvre, SideSteps) {  // EX-14.9.1 EX-14.9.2 EX-14.9.3
  March t(Grade::kC);
  t.g.Start(Phase::kMovement);
  EXPECT_EQ(t.g.Do("step B0 left 25"), "CF-14.9");
  EXPECT_EQ(t.g.Do("step B0 back 20 3"), "CF-14.9");
  EXPECT_EQ(t.g.Do("step B0 left 20"), "");
  EXPECT_NEAR(t.g.Front(0).x, 480, 0.01);
  EXPECT_EQ(t.g.Dp(0), 0);
}

TEST(CloseFireManoeuvre, EndStandsStepBackOnce) {  // CF-10.1 CF-14.9
  for (const bool about : {false, true}) {
    Game g;
    const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    if (about)
      for (BaseState& base : g.s.units[0].bases.Edit()) base.facing = 180000;
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("step B0 back 20 1 left"), "") << g.because;
    // The stand that is to the left of its present facing has gone back.
    const std::vector<Base> bases = BasesOf(g.s, foot);
    EXPECT_NEAR(bases[about ? 3 : 0].centre.x, about ? 530 : 470, 0.01);
    EXPECT_NEAR(bases[about ? 3 : 0].centre.y, about ? 510 : 470, 0.01);
    EXPECT_NEAR(bases[about ? 0 : 3].centre.y, 490, 0.01);
    // Another 20 yd would tear it off.
    g.Put(foot, Of::kDoneMoving, 0);
    EXPECT_EQ(g.Do("step B0 back 20 1 left"), "CF-10.1");
  }
}

TEST(CloseFireManoeuvre, Dragoons) {  // EX-14.10.1 EX-14.10.2
  Game g;
  const int d = g.Dragoons(kBlue, Grade::kD, 3, {500, 500}, N);
  g.Put(d, Of::kShotAt, 1);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd+avd"), "");
  EXPECT_EQ(g.Do("dice 4 4"), "");
  EXPECT_EQ(g.Do("dismount B0"), "");
  EXPECT_EQ(g.Dp(d), 1);
  EXPECT_TRUE(IsDismounted(g.s, d));
  g.Put(d, Of::kHolderX, Milli(500 + 30 + 25 + 1));
  g.Put(d, Of::kHolderY, Milli(487.5));
  EXPECT_EQ(g.Do("mount B0"), "CF-14.10");
}

// The horse-holder of dismounted dragoons moves once, up to 120 yd, and the horses with him.
TEST(CloseFireManoeuvre, TheHorseHolderMovesOnce) {  // CF-14.10
  Game g;
  const int d = g.Dragoons(kBlue, Grade::kD, 3, {500, 500}, N);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("holder B0 to 500 400"), "CF-14.10") << "there is none while they are mounted";
  EXPECT_EQ(g.Do("dismount B0"), "") << g.because;
  const double x = Yd(g.Is(d, Of::kHolderX));
  const double y = Yd(g.Is(d, Of::kHolderY));
  const auto to = [&](double yards) {
    return fmt::format("holder B0 to {:.3f} {:.3f}", x, y - yards);
  };
  EXPECT_EQ(g.Do(to(120.5)), "CF-14.10");
  EXPECT_NE(g.because.find("moves 120 yd at most"), std::string::npos) << g.because;
  EXPECT_NEAR(Yd(g.Is(d, Of::kHolderY)), y, 1e-9);
  EXPECT_EQ(g.Do(to(120)), "") << g.because;
  EXPECT_NEAR(Yd(g.Is(d, Of::kHolderX)), x, 0.001);
  EXPECT_NEAR(Yd(g.Is(d, Of::kHolderY)), y - 120, 0.001);
  EXPECT_EQ(g.Do(to(110)), "CF-14.10");
  EXPECT_NE(g.because.find("moves only once"), std::string::npos) << g.because;
  // The horses are out of reach now.
  EXPECT_EQ(g.Do("mount B0"), "CF-14.10");
  EXPECT_NE(g.because.find("the horses are"), std::string::npos) << g.because;
}

TEST(CloseFireManoeuvre, DismountedDragoonsKeepOnlyFootDice) {  // CF-14.10
  Game g;
  const int d = g.Dragoons(kBlue, Grade::kD, 3, {500, 500}, N);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("dismount B0"), "") << g.because;
  EXPECT_EQ(g.Do("roll B0 avd+avd"), "CF-12.1");
  EXPECT_EQ(g.Do("roll B0 avd+d6"), "") << g.because;
  EXPECT_EQ(g.Do("dice 4 6"), "");
  EXPECT_NEAR(g.Left(d), 50, 0.01);
  EXPECT_TRUE(g.Told("B0 has 50 yd (40 + 60, half already used)."));
  // Dice thrown as cavalry give nothing on foot.
  Game h;
  const int e = h.Dragoons(kBlue, Grade::kD, 3, {500, 500}, N);
  h.Start(Phase::kMovement);
  EXPECT_EQ(h.Do("roll B0 avd+avd"), "");
  EXPECT_EQ(h.Do("dice 4 4"), "");
  EXPECT_EQ(h.Do("dismount B0"), "");
  EXPECT_NEAR(h.Left(e), 0, 0.01);
}

TEST(CloseFireMoving, RepeatedMoveIsStraightAhead) {  // CF-5.7
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Start(Phase::kMovement);
  g.Put(foot, Of::kControl, Control::kRepeats);
  g.Put(foot, Of::kLastSet, 1);
  g.Put(foot, Of::kLastKind, LastMove::kAhead);
  EXPECT_EQ(g.Do("done Blue"), "CF-5.7");
  EXPECT_EQ(g.Do("roll B0 avd"), "") << g.because;
  EXPECT_EQ(g.Do("dice 4"), "");
  EXPECT_EQ(g.Do("wheel B0 left 10"), "CF-5.7");
  EXPECT_EQ(g.Do("incline B0 left 20 20"), "CF-5.7");
  EXPECT_EQ(g.Do("ahead B0 40 left 10"), "CF-5.7");
  EXPECT_EQ(g.Do("ahead B0 40"), "") << g.because;
}

// Two turns: a unit must repeat in the second what it did in the first.
struct TwoTurns {
  Game g;
  void Then(int unit) {
    const LastMove kind = At(g.s, unit).As<LastMove>(Of::kKindNow);
    const int set = g.Is(unit, Of::kSetNow);
    for (int f = kFirstTurnFlag; f < kFields; ++f) g.Put(unit, static_cast<Of>(f), 0);
    g.Put(unit, Of::kKindNow, 0);
    g.Put(unit, Of::kLastKind, kind);
    g.Put(unit, Of::kLastSet, set);
    g.Put(unit, Of::kControl, Control::kRepeats);
    g.Start(Phase::kMovement);
  }
};

TEST(CloseFireMoving, RepeatsTheSameKindOfMove) {  // CF-5.7
  {
    TwoTurns t;
    t.g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    t.g.Start(Phase::kMovement);
    EXPECT_EQ(t.g.Do("roll B0 avd+d6"), "");
    EXPECT_EQ(t.g.Do("dice 3 3"), "");
    EXPECT_EQ(t.g.Do("incline B0 left 20 20"), "");
    EXPECT_EQ(t.g.Do("ahead B0 20"), "");
    t.Then(0);
    EXPECT_EQ(t.g.Do("roll B0 avd"), "CF-5.7");
    EXPECT_EQ(t.g.Do("roll B0 avd+d6"), "");
    EXPECT_EQ(t.g.Do("dice 3 3"), "");
    EXPECT_EQ(t.g.Do("ahead B0 60"), "CF-5.7");
    EXPECT_EQ(t.g.Do("incline B0 right 20 20"), "CF-5.7");
    EXPECT_EQ(t.g.Do("incline B0 left 30 30"), "") << t.g.because;
  }
  {
    TwoTurns t;
    t.g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    t.g.Start(Phase::kMovement);
    EXPECT_EQ(t.g.Do("step B0 right 20"), "");
    t.Then(0);
    EXPECT_EQ(t.g.Do("roll B0 avd"), "CF-5.7");
    EXPECT_EQ(t.g.Do("step B0 left 20"), "CF-5.7");
    EXPECT_EQ(t.g.Do("done Blue"), "CF-5.7");
    EXPECT_EQ(t.g.Do("step B0 right 10"), "") << t.g.because;
    EXPECT_EQ(t.g.Do("done Blue"), "");
  }
  {
    TwoTurns t;
    Terrain road;
    road.road = true;
    road.outline_yd = Box(480, 100, 520, 900);
    t.g.Ground(road);
    t.g.Foot(kBlue, Grade::kC, 3, {500, 300}, N);
    t.g.s.units[0].bases = Arranged(t.g.s, 0, Formation::kMarch, {500, 300}, N, 1);
    t.g.Put(0, Of::kFormation, Formation::kMarch);
    t.g.Start(Phase::kMovement);
    EXPECT_EQ(t.g.Do("road B0 to 500 350"), "") << t.g.because;
    t.Then(0);
    EXPECT_EQ(t.g.Do("roll B0 avd"), "CF-5.7");
    EXPECT_EQ(t.g.Do("done Blue"), "CF-5.7");
    EXPECT_EQ(t.g.Do("road B0 to 500 450"), "") << t.g.because;
    EXPECT_EQ(t.g.Do("done Blue"), "");
  }
  {
    TwoTurns t;  // moved by hand; with a unit in the way it halts
    t.g.Gun(kBlue, GunClass::kField, {500, 500}, N);
    t.g.Start(Phase::kMovement);
    EXPECT_EQ(t.g.Do("go B0 to 500 505"), "") << t.g.because;
    t.Then(0);
    EXPECT_EQ(t.g.Do("pivot B0 left 10"), "CF-5.7");
    EXPECT_EQ(t.g.Do("done Blue"), "CF-5.7");
    t.g.Foot(kBlue, Grade::kC, 4, {500, 538}, N);
    t.g.Start(Phase::kMovement);
    EXPECT_EQ(t.g.Do("done Blue"), "") << t.g.because;
  }
  {
    TwoTurns t;  // a manoeuvre on the spot cannot be repeated: it halts
    t.g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    t.g.Start(Phase::kMovement);
    EXPECT_EQ(t.g.Do("form B0 march left"), "") << t.g.because;
    t.Then(0);
    t.g.Put(0, Of::kControl, 0);
    t.g.Start(Phase::kCommand);
    EXPECT_EQ(t.g.Do("done Blue"), "");
    EXPECT_EQ(t.g.Do("dice 5"), "");
    EXPECT_EQ(At(t.g.s, 0).As<Control>(Of::kControl), Control::kHalted);
  }
}

TEST(CloseFireManoeuvre, AMarchColumnIsOneBaseWide) {  // CF-10.3
  Game g;
  g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("form B0 march 2"), "CF-10.3");
  for (const char* line : {"roll B0 avd+d6", "dice 3 3", "form B0 march 1"})
    EXPECT_EQ(g.Do(line), "") << line << ": " << g.because;
}

TEST(CloseFireManoeuvre, SingleBattalionWheelsBack) {  // CF-14.2
  const auto two = [](Game& g) {
    UnitInfo info;
    info.parts = {3, 3};
    g.Add(info, 6, {500, 500}, N, Formation::kLine);
    g.Foot(kRed, Grade::kC, 4, {500, 605}, S);
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("roll B0 avd+d6"), "");
    EXPECT_EQ(g.Do("dice 4 4"), "");
  };
  // 60 yd by 30 degrees is 31.4 yd, at half speed; 1 DP near the enemy. The other battalion stays.
  Game g;
  two(g);
  EXPECT_EQ(g.Do("wheelback B0 left 30 1"), "") << g.because;
  EXPECT_NEAR(g.Left(0), 80 - 62.8, 0.05);
  EXPECT_EQ(g.Dp(0), 1);
  const std::vector<Base> bases = BasesOf(g.s, 0);
  EXPECT_NEAR(bases[0].facing_deg, 330, 0.01);
  EXPECT_NEAR(bases[2].facing_deg, 330, 0.01);
  EXPECT_NEAR(bases[3].facing_deg, 0, 0.01);
  EXPECT_LT(bases[0].centre.y, 480);
  EXPECT_TRUE(HangsTogether(bases, g.s.Rulings().contact_gap_yd));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 3; j < 6; ++j) EXPECT_LT(open_table::Depth(bases[i], bases[j]), 0.01);
  EXPECT_EQ(g.Do("wheelback B0 left 10 1"), "CF-14.1");  // only one wheel in a move
  // The right battalion to the right is the mirror image.
  Game m;
  two(m);
  EXPECT_EQ(m.Do("wheelback B0 right 30 2"), "") << m.because;
  EXPECT_NEAR(BasesOf(m.s, 0)[5].centre.x, 1000 - bases[0].centre.x, 0.01);
  EXPECT_NEAR(BasesOf(m.s, 0)[5].centre.y, bases[0].centre.y, 0.01);
  for (const auto& [line, clause] : {std::pair{"wheelback B0 right 30 1", "CF-14.2"},
                                     {"wheelback B0 left 30 1 2", "CF-14.2"},
                                     {"wheelback B0 left 50 1", "CF-10.1"}}) {
    Game no;
    two(no);
    EXPECT_EQ(no.Do(line), clause) << line;
  }
}

TEST(CloseFireManoeuvre, ALineBendsByFortyFiveDegreesInAll) {  // CF-10.1 CF-14.2
  for (const auto& [deg, clause] : {std::pair{15, ""}, std::pair{16, "CF-10.1"}}) {
    Game g;
    UnitInfo info;
    info.parts = {3, 3};
    g.Add(info, 6, {500, 500}, N, Formation::kLine);
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("roll B0 avd+d6"), "");
    EXPECT_EQ(g.Do("dice 5 6"), "");
    EXPECT_EQ(g.Do("wheelback B0 left 30 1"), "") << g.because;
    g.Put(0, Of::kWheeled, 0);  // in the next turn
    EXPECT_EQ(g.Do(fmt::format("wheelback B0 left {} 1", deg)), clause) << g.because;
  }
}

TEST(CloseFireMoving, HaltsWhereItCannotGoOn) {  // CF-11.3
  // Much move is left and friends are ahead: it must pass through, or stop in contact if it cannot
  // get clear.
  for (const bool deep : {true, false}) {
    March t(Grade::kC);
    const int friends = t.g.Foot(kBlue, Grade::kC, 4, {500, 580}, N);
    if (deep) {
      t.g.s.units[1].bases = Arranged(t.g.s, friends, Formation::kMarch, {500, 640}, N, 1);
      t.g.Put(friends, Of::kFormation, Formation::kMarch);
    }
    t.Roll("avd+d6", "5 6");
    EXPECT_EQ(t.g.Do("ahead B0 30"), "") << t.g.because;
    EXPECT_EQ(t.g.Do("halt B0"), "CF-11.3");  // it is not in contact yet
    EXPECT_EQ(t.g.Do("ahead B0 29"), "") << t.g.because;
    EXPECT_EQ(t.g.Do("halt B0"), deep ? "" : "CF-11.3") << t.g.because;
    if (!deep) {
      EXPECT_EQ(t.g.Do("ahead B0 51"), "") << t.g.because;
    }
  }
  // In the middle of a wood it does not enter a feature.
  March in(Grade::kC);
  Terrain wood;
  wood.wood = wood.rough = true;
  wood.outline_yd = Box(300, 300, 700, 900);
  in.g.Ground(wood);
  in.Roll("avd+d6", "5 5");
  EXPECT_EQ(in.g.Do("ahead B0 50"), "");
  EXPECT_EQ(in.g.Do("halt B0"), "CF-11.3");
  // Hussars must also move their whole distance.
  Game g;
  g.Hussars(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd+avd"), "");
  EXPECT_EQ(g.Do("dice 3 3"), "");
  const Vec2 at = Field(g.s).Centre(0);
  EXPECT_EQ(g.Do("go B0 to 500 " + std::to_string(at.y + 40)), "") << g.because;
  EXPECT_EQ(g.Do("halt B0"), "CF-11.3");
  EXPECT_EQ(g.Do("go B0 to 520 " + std::to_string(at.y + 40)), "") << g.because;
  EXPECT_EQ(g.Do("halt B0"), "");
}

TEST(CloseFireManoeuvre, PaysForEachObstacle) {  // CF-14.6
  Game g;
  const int horse = g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  Terrain row;
  row.obstacle = true;
  row.outline_yd = Box(300, 530, 700, 534);
  g.Ground(row);
  row.outline_yd = Box(300, 540, 700, 544);
  row.hard_for_cavalry = true;
  g.Ground(row);
  g.Put(horse, Of::kPace, 2);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd+avd+d6"), "");
  EXPECT_EQ(g.Do("dice 5 5 5"), "");
  EXPECT_EQ(g.Do("ahead B0 75"), "CF-14.6");
  EXPECT_EQ(g.Do("cross B0"), "");
  EXPECT_EQ(g.Dp(horse), 1);
  EXPECT_EQ(g.Do("ahead B0 75"), "CF-14.6");  // the second is not paid for yet
  EXPECT_EQ(g.Do("ahead B0 51"), "") << g.because;
  // Less than half the move is left for the second: it may halt there.
  EXPECT_EQ(g.Do("halt B0"), "") << g.because;
  // The game file marks chevaux de frise as hard for cavalry.
  Game h;
  h.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  h.Ground(row);
  h.Start(Phase::kMovement);
  EXPECT_EQ(h.Do("roll B0 avd+avd"), "");
  EXPECT_EQ(h.Do("dice 5 5"), "");
  EXPECT_EQ(h.Do("cross B0"), "");
  EXPECT_EQ(h.Dp(0), 2);
}

TEST(CloseFireMoving, LongRoadMoveNeedsTheWholeWayClear) {  // CF-12.5
  for (const auto& [enemy_y, clause] : {std::pair{820.0, ""}, std::pair{700.0, "CF-12.5"}}) {
    Game g;
    Terrain road;
    road.road = true;
    road.outline_yd = Box(280, 490, 900, 510);
    g.Ground(road);
    const int column = g.Foot(kBlue, Grade::kC, 3, {400, 500}, E);
    g.s.units[0].bases = Arranged(g.s, column, Formation::kMarch, {400, 500}, E, 1);
    g.Put(column, Of::kFormation, Formation::kMarch);
    // Its start and end are more than 120 yd from the enemy, the middle is not.
    g.Foot(kRed, Grade::kC, 2, {490, enemy_y - 95}, S);
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("road B0 to 600 500"), clause) << enemy_y;
  }
}

TEST(CloseFireManoeuvre, TwoSingleBaseSquadronsSplitOffTogether) {  // CF-14.15
  Game g;
  UnitInfo squadrons;
  squadrons.arm = Arm::kHorse;
  const int whole = g.Add(squadrons, 4, {500, 500}, N, Formation::kLine);
  const int part = g.Add(squadrons, 4, {500, 100}, N, Formation::kLine);
  g.setup.units[1].id = "B0/3";
  g.s.units[1].bases = {};
  g.Put(part, Of::kPresence, Presence::kMerged);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("split B0 3"), "CF-14.15");
  // Each part must be there, and something must stay.
  EXPECT_EQ(g.Do("split B0 3 4 7"), "CF-14.15");
  EXPECT_NE(g.because.find("has no part 7"), std::string::npos) << g.because;
  EXPECT_EQ(g.Do("split B0 3 4 1 2"), "CF-14.15");
  EXPECT_NE(g.because.find("nothing of"), std::string::npos) << g.because;
  EXPECT_EQ(g.Do("split B0 3 4"), "") << g.because;
  EXPECT_EQ(g.Bases(whole), 2);
  EXPECT_EQ(g.Bases(part), 2);
}

TEST(CloseFireManoeuvre, DragoonsWhoSplitOffOnFootFindTheirHorses) {  // CF-14.10 CF-14.15
  Game g;
  UnitInfo squadrons;
  squadrons.arm = Arm::kDragoons;
  squadrons.parts = {2, 2};
  const int whole = g.Add(squadrons, 4, {500, 500}, N, Formation::kUnformed);
  const int part = g.Add(squadrons, 4, {500, 100}, N, Formation::kUnformed);
  g.setup.units[1].id = "B0/2";
  g.s.units[1].bases = {};
  g.Put(part, Of::kPresence, Presence::kMerged);
  g.Put(whole, Of::kHolder, 1);
  g.Put(whole, Of::kHolderX, Milli(500));
  g.Put(whole, Of::kHolderY, Milli(480));
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("split B0 2"), "") << g.because;
  EXPECT_EQ(g.Do("mount B0/2"), "") << g.because;
  EXPECT_FALSE(IsDismounted(g.s, part));
  EXPECT_EQ(g.Do("mount B0"), "") << g.because;
}

TEST(CloseFireManoeuvre, ThroughFriends) {  // EX-14.11.1 EX-14.11.2 EX-14.11.3
  for (const auto& [fired, routing, dp, other] :
       {std::tuple{true, false, 1, 1}, std::tuple{false, true, 0, 1},
        std::tuple{false, false, 0, 0}}) {
    Game g;
    const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    const int line = g.Foot(kBlue, Grade::kC, 4, {500, 540}, N);
    g.Put(line, Of::kFired, fired);
    g.Start(Phase::kMovement);
    if (routing) {
      g.Put(foot, Of::kStatus, Conduct::kRouting);
      g.Put(foot, Of::kFormation, Formation::kUnformed);
      g.Put(foot, Of::kDp, 0);
      g.Put(foot, Of::kControl, Control::kFree);
      g.Put(foot, Of::kRolled, 3);
      g.Put(foot, Of::kAllowanceMilliYd, 100000);
      g.Put(foot, Of::kStatus, Conduct::kRouting);
      std::vector<Event> events;
      Play play(g.s, events, {{{5, 6}, -1, 0}}, false);
      const int enemy = g.Foot(kRed, Grade::kC, 4, {500, 400}, N);
      play.Set(foot, Of::kStatus, Conduct::kRouting);
      Rout(play, foot, enemy);
      EXPECT_EQ(g.Dp(line), other);
      continue;
    }
    EXPECT_EQ(g.Do("roll B0 avd+d6"), "");
    EXPECT_EQ(g.Do("dice 5 4"), "");
    EXPECT_EQ(g.Do("ahead B0 90"), "") << g.because;
    EXPECT_EQ(g.Dp(foot), dp);
    EXPECT_EQ(g.Dp(line), other);
  }
}

TEST(CloseFireManoeuvre, Gaps) {  // EX-14.12.1 EX-14.12.2
  Game g;
  g.Foot(kBlue, Grade::kC, 8, {500, 500}, N);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd+d6"), "");
  EXPECT_EQ(g.Do("dice 4 4"), "");
  EXPECT_EQ(g.Do("gap B0 70"), "CF-14.12");
  EXPECT_EQ(g.Do("gap B0 90"), "");
  EXPECT_DOUBLE_EQ(g.Left(0), 40);
}

TEST(CloseFireManoeuvre, ALineShrinksToPassAGap) {  // CF-14.12
  for (const double far_side : {515.0, 530.0}) {
    Game g;
    const int foot = g.Foot(kBlue, Grade::kC, 8, {500, 500}, N);
    for (const auto& [west, east] : {std::pair{300.0, 454.0}, std::pair{546.0, 700.0}}) {
      Terrain cliff;
      cliff.impassable = true;
      cliff.outline_yd = Box(west, 505, east, far_side);
      g.Ground(cliff);
    }
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("roll B0 avd+d6"), "");
    EXPECT_EQ(g.Do("dice 4 4"), "");
    // With half of 80 yd it must get its whole line beyond the cliffs; otherwise it pays nothing.
    const bool through = far_side < 520;
    EXPECT_EQ(g.Do("gap B0 90"), through ? "" : "CF-14.12") << g.because;
    EXPECT_DOUBLE_EQ(g.Left(foot), through ? 40 : 80);
    EXPECT_EQ(g.Do("ahead B0 40"), through ? "" : "CF-12.4") << g.because;
    EXPECT_NEAR(g.Front(foot).y, through ? 540 : 500, 0.01);
    EXPECT_DOUBLE_EQ(Field(g.s).FrontOf(foot).width, 160);
  }
}

TEST(CloseFireMoving, StopsShortByFortyYardsAndNoMore) {  // CF-11.3
  for (const auto& [moved, halts] : {std::pair{39, false}, std::pair{40, true}}) {
    Game g;
    g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Foot(kBlue, Grade::kC, 4, {500, 580}, N);
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("roll B0 avd+d6"), "");
    EXPECT_EQ(g.Do("dice 4 4"), "");
    EXPECT_EQ(g.Do(fmt::format("ahead B0 {}", moved)), "") << g.because;
    EXPECT_EQ(g.Do("halt B0"), halts ? "" : "CF-11.3");
  }
}

TEST(CloseFireMoving, HorseThatMustMoveIsNotHalted) {  // CF-12.9
  Game g;
  const int horse = g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Put(horse, Of::kPace, 3);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("halt B0"), "CF-12.9");
  EXPECT_NE(g.because.find("`roll B0` with 1 die or more"), std::string::npos) << g.because;
  EXPECT_EQ(g.Do("roll B0 avd"), "");
}

TEST(CloseFireFormation, HorseInLineChangesDepth) {  // CF-10.2 CF-14.3
  Game g;
  const int horse = g.Horse(kBlue, Grade::kC, 6, {500, 500}, N);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd"), "");
  EXPECT_EQ(g.Do("dice 4"), "");
  EXPECT_EQ(g.Do("form B0 line 3"), "") << g.because;
  EXPECT_EQ(Field(g.s).FrontOf(horse).ranks, 2);
  EXPECT_TRUE(g.Told("3 wide and 2 deep"));
  EXPECT_EQ(g.Do("form B0 line 3"), "CF-14.3");
}

TEST(CloseFireRoom, RefusesABadArrivalBeforeTheDie) {  // CF-3.4 CF-3.6
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {100, 100}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 1500}, S);
  g.Put(foot, Of::kPresence, Presence::kReserve);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("arrive B0 at 300 250 0"), "CF-3.4");
  EXPECT_EQ(g.Is(foot, Of::kArrivalTry), 0);
  EXPECT_EQ(g.Do("arrive B0 at 300 81 0"), "") << g.because;
  EXPECT_NE(g.Request().find("arrival"), std::string::npos);
}

TEST(CloseFireManoeuvre, HussarsWheelFreely) {  // EX-14.14.1
  Game g;
  const int hussars = g.Hussars(kBlue, Grade::kC, 3, {500, 500}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 550}, S);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd"), "");
  EXPECT_EQ(g.Do("dice 3"), "");
  EXPECT_EQ(g.Do("wheel B0 right 90"), "");
  EXPECT_EQ(g.Dp(hussars), 0);
  EXPECT_DOUBLE_EQ(g.Left(hussars), 30);
}

TEST(CloseFireRoom, UnitsNeverOverlap) {
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Foot(kBlue, Grade::kC, 4, {575, 530}, N);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd"), "");
  EXPECT_EQ(g.Do("dice 4"), "");
  EXPECT_EQ(g.Do("wheel B0 left 25"), "CF-14.1");
  EXPECT_NE(g.because.find("1st foot, B0 would overlap 2nd foot, B1"), std::string::npos)
      << g.because;
  EXPECT_EQ(g.Do("incline B0 right 20 20"), "CF-14.8");
  EXPECT_EQ(g.Do("wheel B0 right 25"), "") << g.because;
  EXPECT_GT(g.Left(foot), 0);
}

TEST(CloseFireRoom, AbandonedGunsStopNoMove) {  // CF-11.4 CF-23.1
  for (const bool abandoned : {false, true}) {
    Game g;
    const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    const int gun = g.Gun(kRed, GunClass::kField, {500, 530}, S);
    if (abandoned) g.Put(gun, Of::kCrew, Crew::kAway);
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("roll B0 avd objective"), "");
    EXPECT_EQ(g.Do("dice 3"), "");
    EXPECT_EQ(g.Do("ahead B0 30"), abandoned ? "" : "CF-11.4");
    EXPECT_EQ(Field(g.s).Contact(Field(g.s).Gap(foot, gun)), abandoned);
  }
}

TEST(CloseFireRoom, SeparatedUnitsDoNotMerge) {  // CF-14.16
  Game g;
  const int a = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int b = g.Foot(kBlue, Grade::kC, 4, {580, 500}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 1500}, S);
  g.Put(a, Of::kDp, 2);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("merge B0 into B1"), "");
  g.Put(a, Of::kDoneMoving, 0);
  EXPECT_EQ(g.Do("roll B0 avd"), "CF-14.16");
  std::vector<Event> events;
  Play play(g.s, events, {}, false);
  play.PlaceBases(a, ShiftedBases(Field(g.s).Bases(a), S, 100));
  GoOnMerging(play, a);
  EXPECT_EQ(g.Is(a, Of::kMergeInto), 0);
  EXPECT_EQ(g.Bases(b), 4);
}

TEST(CloseFireRoom, MeasuresArrivalsFromTheEdge) {  // CF-3.4
  for (const bool road : {false, true}) {
    Game g;
    const int foot = g.Foot(kBlue, Grade::kC, 4, {100, 100}, N);
    g.Foot(kRed, Grade::kC, 4, {500, 1500}, S);
    g.Put(foot, Of::kPresence, Presence::kReserve);
    g.Put(foot, Of::kArrivalTry, 5);  // certain
    if (road) {
      Terrain t;
      t.road = true;
      t.outline_yd = Box(280, 0, 320, 900);
      g.Ground(t);
    }
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("arrive B0 at 300 250 0"), road ? "CF-12.5" : "CF-3.4");
    EXPECT_EQ(g.Do("arrive B0 at 300 200 0"), road ? "" : "CF-3.4");
    if (!road) {
      EXPECT_EQ(g.Do("arrive B0 at 300 81 0"), "");
    }
  }
}

TEST(CloseFireMoving, AColumnDoesNotPassAnEnemyOnItsRoad) {  // CF-11.4 CF-12.5
  for (const bool enemy : {true, false}) {
    Game g;
    g.Add({}, 2, {300, 200}, N, Formation::kMarch);  // its middle is at (300, 180)
    if (enemy) g.Foot(kRed, Grade::kC, 1, {300, 230}, S);
    Terrain t;
    t.road = true;
    t.outline_yd = Box(280, 0, 320, 900);
    g.Ground(t);
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("road B0 to 300 299"), enemy ? "CF-11.4" : "") << g.because;
  }
}

// 200 yd by road: enemies beside the middle of the way are 100 yd from it, but more than 120 from
// both of its ends.
TEST(CloseFireRoom, ALongArrivalIsFarFromTheEnemyThroughout) {  // CF-3.4 CF-12.5
  for (const auto& [x, clause] : {std::pair{450.0, "CF-12.5"}, std::pair{480.0, ""}}) {
    Game g;
    const int foot = g.Foot(kBlue, Grade::kC, 4, {100, 100}, N);
    g.Foot(kRed, Grade::kC, 4, {x, 100}, N);  // its left edge is 40 yd nearer
    g.Put(foot, Of::kPresence, Presence::kReserve);
    g.Put(foot, Of::kArrivalTry, 5);  // certain
    Terrain t;
    t.road = true;
    t.outline_yd = Box(280, 0, 320, 900);
    g.Ground(t);
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("arrive B0 at 300 200 0"), clause) << x;
  }
}

struct SeenCase {
  const char* seen;    // X Y FACING
  const char* legs;    // in the report
  const char* clause;  // clause of a refusal
};
// Foot of four bases, 80 yd wide, at (500, 500) facing north, 70 yd thrown.
TEST(CloseFireSeen, ExplainsAMove) {  // CF-11.6 CF-14.1 CF-14.7 CF-14.8 CF-14.9
  for (const SeenCase& c :
       std::initializer_list<SeenCase>{{"500 540 0", "ahead 40.0", ""},
                                       {"512 539 0", "ahead right", ""},
                                       {"530 540 0", "incline right 30.0 40.0", ""},
                                       {"500 460 0", "", "CF-14.9"},
                                       {"540 540 0", "", "CF-14.8"},
                                       {"500 480 180", "about;", ""},
                                       {"500 465 180", "about, ahead 15.0", ""},
                                       {"505.4 520.0 30", "wheel right 30.0;", ""},
                                       {"515.4 537.3 30", "wheel right 30.0, ahead 20.0", ""},
                                       {"505.4 540.0 30", "ahead 20.0, wheel right 30.0", ""},
                                       {"500.3 500.2 0.4", "has not moved", ""},
                                       {"700 400 70", "", "CF-11.6"}}) {
    Game g;
    const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Foot(kRed, Grade::kC, 4, {500, 1500}, S);
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("roll B0 avd+d6"), "");
    EXPECT_EQ(g.Do("dice 4 3"), "");
    const std::string line = std::string("seen B0 ") + c.seen;
    EXPECT_EQ(g.Do(line), c.clause) << line << ": " << g.because;
    if (*c.clause != 0) continue;
    EXPECT_TRUE(g.Told(c.legs)) << line << ": " << g.told.back();
    double x = 0, y = 0, facing = 0;
    std::sscanf(c.seen, "%lf %lf %lf", &x, &y, &facing);
    EXPECT_LT(Distance(g.Front(foot), Vec2{x, y}), 1.5) << line;
  }
}

TEST(CloseFireSeen, ExplainsTheNeedBeforeTheDice) {  // CF-11.2
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 600}, S);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("seen B0 505.4 520.0 30"), "CF-11.2");
  EXPECT_NE(g.because.find("needs 41.9 yd"), std::string::npos) << g.because;
  EXPECT_NE(g.because.find("costs 1 DP"), std::string::npos) << g.because;
  EXPECT_EQ(g.Do("seen B0 500 585 0"), "CF-11.4") << g.because;
  EXPECT_EQ(g.Do("seen B0 485 500 0"), "");  // a side step needs no dice
  EXPECT_EQ(g.Is(foot, Of::kDoneMoving), 1);
}

TEST(CloseFireSeen, HussarsGunsAndColumns) {  // CF-12.8 CF-14.3 CF-14.14
  Game g;
  g.Hussars(kBlue, Grade::kC, 3, {300, 500}, N);
  g.Gun(kBlue, GunClass::kField, {500, 500}, N);
  const int foot = g.Foot(kBlue, Grade::kC, 4, {700, 500}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 1500}, S);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd+avd"), "");
  EXPECT_EQ(g.Do("dice 4 4"), "");
  EXPECT_EQ(g.Do("seen B0 340 540 90"), "") << g.because;
  EXPECT_TRUE(g.Told("go 3"));
  EXPECT_EQ(g.Do("seen B1 505 496 30"), "") << g.because;
  EXPECT_TRUE(g.Told("pivot right 30"));
  EXPECT_EQ(g.Do("roll B2 avd"), "");
  EXPECT_EQ(g.Do("dice 4"), "");
  EXPECT_EQ(g.Do("seen B2 700 520 0 march"), "") << g.because;
  EXPECT_TRUE(g.Told("form march, ahead 20.0"));
  EXPECT_EQ(At(g.s, foot).As<Formation>(Of::kFormation), Formation::kMarch);
}

TEST(CloseFireManoeuvre, SplittingAndAmalgamating) {  // EX-14.15.1 EX-14.15.2 EX-14.16.1
  Game g;
  UnitInfo two;
  two.parts = {4, 4};
  const int whole = g.Add(two, 8, {500, 500}, N, Formation::kLine);
  UnitInfo slot = two;
  const int part = g.Add(slot, 8, {500, 100}, N, Formation::kLine);
  g.setup.units[1].id = "B0/2";
  g.s.units[1].bases = {};
  g.Put(part, Of::kPresence, Presence::kMerged);
  g.Put(whole, Of::kDp, 2);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("split B0 2"), "") << g.because;
  EXPECT_EQ(g.Dp(whole), 2);
  EXPECT_EQ(g.Dp(part), 2);
  EXPECT_EQ(g.Bases(whole), 4);
  EXPECT_EQ(g.Bases(part), 4);
  g.Put(part, Of::kDp, 3);
  g.Put(whole, Of::kDp, 1);
  g.Put(whole, Of::kCasualties, 1);
  EXPECT_EQ(g.Do("merge B0/2 into B0"), "") << g.because;
  EXPECT_EQ(g.Is(part, Of::kMergeTurns), 3);
  // Three turns without redressing, then 3 DPs and no casualties.
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_EQ(g.Bases(whole), 4);
    std::vector<Event> events;
    Play play(g.s, events, {}, false);
    MoralePhase(play);
  }
  EXPECT_EQ(g.Bases(whole), 8);
  EXPECT_EQ(g.Dp(whole), 3);
  EXPECT_EQ(g.Is(whole, Of::kCasualties), 0);
  // One squadron of one base is too small for a unit.
  Game h;
  const int horse = h.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  UnitInfo one;
  one.arm = Arm::kHorse;
  const int tiny = h.Add(one, 1, {500, 100}, N, Formation::kLine);
  h.setup.units[1].id = "B0/1";
  h.s.units[1].bases = {};
  h.Put(tiny, Of::kPresence, Presence::kMerged);
  h.Start(Phase::kMovement);
  EXPECT_EQ(h.Do("split B0 1"), "CF-14.15");
  (void)horse;
}

TEST(CloseFireManoeuvre, AMergedUnitHasNoMorePartsThanOthers) {  // CF-14.16 CF-2.4 CF-2.5
  const auto merge = [](Arm arm, const std::vector<int>& one, const std::vector<int>& other) {
    Game g;
    double west = 300;
    for (const std::vector<int>& parts : {one, other}) {
      UnitInfo info;
      info.arm = arm;
      info.parts = parts;
      const int bases = std::accumulate(parts.begin(), parts.end(), 0);
      g.Add(info, bases, {west + 10 * bases, 500}, N, Formation::kLine);
      west += 20 * bases;
    }
    g.Start(Phase::kMovement);
    return g.Do("merge B0 into B1");
  };
  EXPECT_EQ(merge(Arm::kFoot, {2, 2}, {4}), "");
  EXPECT_EQ(merge(Arm::kFoot, {2, 2}, {2, 2}), "CF-2.4");
  EXPECT_EQ(merge(Arm::kHorse, std::vector<int>(6, 1), std::vector<int>(6, 1)), "");
  EXPECT_EQ(merge(Arm::kHorse, std::vector<int>(7, 1), std::vector<int>(6, 1)), "CF-2.5");
}

TEST(CloseFireManoeuvre, SplitOffUnitKeepsItsMove) {  // CF-14.15
  Game g;
  UnitInfo two;
  two.parts = {4, 4};
  const int whole = g.Add(two, 8, {500, 500}, N, Formation::kLine);
  const int part = g.Add(two, 8, {500, 100}, N, Formation::kLine);
  g.setup.units[1].id = "B0/2";
  g.s.units[1].bases = {};
  g.Put(part, Of::kPresence, Presence::kMerged);
  const int general = g.Leader(kBlue, Rank::kGeneral, {0, 0});
  for (const auto& [field, value] : {std::pair{Of::kFiredLast, 1},
                                     {Of::kDoubtMilliYd, 300},
                                     {Of::kAssigned, general + 1},
                                     {Of::kOrderX, 480000},
                                     {Of::kOrderY, 200000},
                                     {Of::kFascines, 1}})
    g.Put(whole, field, value);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd+d6 objective"), "");
  EXPECT_EQ(g.Do("dice 4 4"), "");
  EXPECT_EQ(g.Do("wheel B0 left 5"), "");
  EXPECT_EQ(g.Do("ahead B0 20"), "");
  EXPECT_EQ(g.Do("split B0 2"), "") << g.because;
  for (const Of field : {Of::kFiredLast, Of::kDoubtMilliYd, Of::kAssigned, Of::kOrderX, Of::kOrderY,
                         Of::kFascines, Of::kRolled, Of::kRolledAs, Of::kSetNow, Of::kPaceNow,
                         Of::kKindNow, Of::kMoved, Of::kFaces, Of::kObjective, Of::kDistanceMilliYd,
                         Of::kWheeled, Of::kAllowanceMilliYd, Of::kFullMilliYd}) {
    EXPECT_NE(g.Is(whole, field), 0) << FieldName(field);
    EXPECT_EQ(g.Is(part, field), g.Is(whole, field)) << FieldName(field);
  }
  // It throws no new dice and uses what is left of its move.
  EXPECT_EQ(g.Do("roll B0/2 avd"), "CF-11.2");
  EXPECT_EQ(g.Do("wheel B0/2 left 5"), "CF-14.1");
}

TEST(CloseFireManoeuvre, WheelCapturesLeadersInItsArc) {  // CF-6.5 CF-14.1
  Game g;
  g.Horse(kBlue, Grade::kC, 3, {500, 500}, N);
  const int rider = g.Leader(kRed, Rank::kGeneral, {485, 515});
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd+avd"), "");
  EXPECT_EQ(g.Do("dice 5 5"), "");
  EXPECT_EQ(g.Do("wheel B0 right 30"), "") << g.because;
  EXPECT_EQ(LeaderAt(g.s, rider).Fate(), LeaderFate::kCaptured);
}

TEST(CloseFireSeen, CrossesAnObstacleForHalfAMove) {  // CF-14.6
  for (const bool hussars : {true, false}) {
    Game g;
    Terrain ditch;
    ditch.obstacle = true;
    ditch.outline_yd = Box(300, 530, 700, 534);
    g.Ground(ditch);
    hussars ? g.Hussars(kBlue, Grade::kC, 3, {500, 520}, N)
            : g.Horse(kBlue, Grade::kC, 3, {500, 520}, N);
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("seen B0 500 560 0"), "CF-11.2");
    EXPECT_NE(g.because.find("it needs 80.0 yd of its dice and costs " +
                             std::string(hussars ? "0 DPs" : "1 DP")),
              std::string::npos)
        << g.because;
    EXPECT_EQ(g.Do("roll B0 avd+avd"), "");
    EXPECT_EQ(g.Do("dice 4 4"), "");
    EXPECT_EQ(g.Do("seen B0 500 560 0"), "") << g.because;
    EXPECT_EQ(g.Dp(0), hussars ? 0 : 1);
    EXPECT_NEAR(g.Left(0), 0, 0.1);
  }
}

TEST(CloseFireManoeuvre, HaltedGunMayTurnToAThreat) {  // CF-5.6 CF-12.8
  Game g;
  g.Gun(kBlue, GunClass::kField, {500, 500}, N);
  g.Put(0, Of::kControl, Control::kHalted);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("go B0 to 500 510"), "CF-5.6");
  EXPECT_EQ(g.Do("pivot B0 left 40"), "") << g.because;
  EXPECT_EQ(g.Do("pivot B0 left 5"), "CF-5.6");
}

// ---- Under the camera ----

// A table of 72 by 48 inches, seen with sigma 0.02 in; places in yards, 20 to the inch.
struct Clip {
  Scenario scenario;
  TableFrame frame{18, 12, 4.0};
  std::vector<StandObservation> stands;
  Clip() {
    scenario.ruleset = "closefire";
    scenario.sides = {{"Blue", {}, Facing::kSouth}, {"Red", {}, Facing::kNorth}};
    Kind("foot", 1.0, 0.75);
    Kind("gun", 1.25, 1.75);
    Kind("leader", 1.0, 1.0);
    Line("F1", 0, 0, 4, {500, 500}, 0);
    Line("R1", 1, 0, 4, {500, 900}, 180);
  }
  void Kind(const char* name, double width, double depth) {
    KindSpec kind;
    kind.name = name;
    kind.footprint = {width, depth};
    scenario.kinds.push_back(kind);
  }
  // Bases with their front edges in a row about a place; a column if `files` is 1. Each base is
  // slightly off, as if placed by hand.
  std::vector<StandObservation> Row(const std::string& id, int side, int kind, int count,
                                    Vec2 front_yd, double facing, int files = 0) const {
    const Box2 size = scenario.kinds[static_cast<std::size_t>(kind)].footprint;
    const int wide = files > 0 ? files : count;
    std::vector<StandObservation> out;
    for (int i = 0; i < count; ++i) {
      StandObservation seen;
      seen.stand = {id + "#" + std::to_string(i + 1)};
      seen.unit = id;
      seen.side = side;
      seen.kind = kind;
      const double across = (i % wide - 0.5 * (wide - 1)) * size.width_in;
      const double back = (i / wide + 0.5) * size.depth_in;
      const double shake = i % 2 == 0 ? 0.01 : -0.01;
      seen.table_from_stand = {front_yd / 20.0 + across * open_table::Rightward(facing) -
                                   (back + shake) * open_table::Ahead(facing),
                               HeadingFromBearing(facing + 40 * shake)};
      seen.centre_cov = {0.0004, 0, 0.0004};
      out.push_back(seen);
    }
    return out;
  }
  void Line(const std::string& id, int side, int kind, int count, Vec2 front_yd, double facing) {
    UnitSpec unit;
    unit.id = id;
    unit.side = side;
    unit.kind = kind;
    unit.stands = count;
    scenario.units.push_back(unit);
    for (const StandObservation& seen : Row(id, side, kind, count, front_yd, facing))
      stands.push_back(seen);
  }
  std::optional<MoveRuling> Moved(const std::vector<StandObservation>& after) const {
    std::vector<StandMoved> moved;
    for (const StandObservation& to : after)
      for (const StandObservation& from : stands)
        if (from.stand == to.stand) moved.push_back({from, to});
    const std::vector<SeenMove> moves = MovesSeen(moved, scenario, frame);
    EXPECT_EQ(moves.size(), 1U);
    if (moves.size() != 1) return std::nullopt;
    const auto ruling = JudgeMoveUnderRules(moves[0], stands, scenario, frame);
    EXPECT_TRUE(ruling.ok()) << ruling.error().message;
    return ruling.ok() ? *ruling : std::nullopt;
  }
  MoveRuling Foot(Vec2 front_yd, double facing, int files = 0) const {
    return Moved(Row("F1", 0, 0, 4, front_yd, facing, files)).value_or(MoveRuling{});
  }
};

TEST(CloseFireCamera, ExplainsAMoveWithDiceAndCost) {  // CF-11.6, 12.1, 14.1
  const Clip clip;
  // With AvD + D6 every throw except 2 and 1 gives 33 yd or more.
  const struct {
    Vec2 front_yd;
    double facing;
    int files;
    const char* says;
  } cases[] = {{{500, 520}, 0, 0, "ahead 20"},
               {{500, 535}, 0, 0, "avd+d6 gives this distance in 97 % of throws (CF-11.6)"},
               {{505.4, 520}, 30, 0, "wheel right 30"},
               {{505.4, 520}, 30, 0, "costs 0 DPs"},
               {{500, 485}, 180, 0, "about"},
               {{485, 500}, 0, 0, "needs no dice"},
               {{500, 500}, 0, 1, "form march"}};
  for (const auto& c : cases) {
    const MoveRuling ruling = clip.Foot(c.front_yd, c.facing, c.files);
    EXPECT_FALSE(ruling.refused) << c.says << ": " << ruling.text;
    EXPECT_NE(ruling.text.find(c.says), std::string::npos) << c.says << ": " << ruling.text;
  }
  // The line for the game, in yards.
  EXPECT_TRUE(clip.Foot({500, 520}, 0).line.starts_with("seen F1 500.0 5")) << "line";
  EXPECT_TRUE(clip.Foot({500, 500}, 0, 1).line.ends_with(" march")) << "line";
}

TEST(CloseFireCamera, NamesTheClauseAgainstAMove) {  // CF-10.1, 11.6, 11.7, 12.1
  Clip clip;
  EXPECT_EQ(clip.Foot({700, 420}, 70).refused->clause, "CF-11.6");
  // Far from the enemy the dice may count double.
  EXPECT_NE(clip.Foot({500, 640}, 0).text.find("doubled (CF-11.7)"), std::string::npos)
      << clip.Foot({500, 640}, 0).text;
  clip.Line("R2", 1, 0, 4, {620, 530}, 270);
  const MoveRuling far = clip.Foot({500, 640}, 0);
  ASSERT_TRUE(far.refused) << far.text;
  EXPECT_EQ(far.refused->clause, "CF-12.1");
  EXPECT_TRUE(far.refused->may_overrule);
  EXPECT_NE(far.text.find("at most 110 yd"), std::string::npos) << far.text;
  // Half of the body stays behind.
  auto half = clip.Row("F1", 0, 0, 4, {500, 560}, 0);
  half.resize(2);
  const auto torn = clip.Moved(half);
  ASSERT_TRUE(torn && torn->refused);
  EXPECT_EQ(torn->refused->clause, "CF-10.1");
}

TEST(CloseFireCamera, JudgesGunsAndLeaders) {  // CF-12.8
  Clip clip;
  clip.Line("G1", 0, 1, 1, {300, 300}, 0);
  clip.Line("L1", 0, 2, 1, {200, 200}, 0);
  const auto pivot = clip.Moved(clip.Row("G1", 0, 1, 1, {304, 297}, 20));
  ASSERT_TRUE(pivot);
  EXPECT_FALSE(pivot->refused) << pivot->text;
  // Too far to be moved by hand: it was limbered.
  const auto drive = clip.Moved(clip.Row("G1", 0, 1, 1, {340, 330}, 50));
  ASSERT_TRUE(drive);
  EXPECT_FALSE(drive->refused) << drive->text;
  // Leaders ride 120 or 240 yd.
  const auto ride = clip.Moved(clip.Row("L1", 0, 2, 1, {260, 200}, 0));
  ASSERT_TRUE(ride);
  EXPECT_FALSE(ride->refused) << ride->text;
  EXPECT_TRUE(ride->line.starts_with("ride L1 to 260.")) << ride->line;
  EXPECT_FALSE(clip.Moved(clip.Row("L1", 0, 2, 1, {300, 200}, 0))->refused);
  EXPECT_EQ(clip.Moved(clip.Row("L1", 0, 2, 1, {460, 200}, 0))->refused->clause, "CF-4.2");
  EXPECT_FALSE(clip.Moved(clip.Row("L1", 0, 2, 1, {200.5, 200}, 0)));
  // A small shift is not a ride; a unit that was not a body before is not judged.
  EXPECT_FALSE(clip.Moved(clip.Row("F1", 0, 0, 4, {500.5, 500}, 0)));
  clip.stands[0].table_from_stand.origin.x -= 5;
  EXPECT_FALSE(clip.Moved(clip.Row("F1", 0, 0, 4, {500, 520}, 0)));
  // Invalid readings.
  clip.stands[1].table_from_stand.origin.x = std::numeric_limits<double>::quiet_NaN();
  clip.stands[2].centre_cov.xx = std::numeric_limits<double>::infinity();
  clip.stands[3].table_from_stand.heading_rad = std::nan("");
  EXPECT_TRUE(JudgeMoveUnderRules({{{"F1#1"}}, {6, 6}, {6, 6}, 0, {clip.stands[3]}}, clip.stands,
                                  clip.scenario, clip.frame)
                  .ok());
  clip.scenario.kinds[1].name = "elephants";
  EXPECT_FALSE(CheckSetupUnderRules(clip.stands, clip.scenario, clip.frame).ok());
}

TEST(CloseFireCamera, PlaysTheProposedLine) {  // CF-4.2, 9.1, 11.6
  Clip clip;
  clip.Line("L1", 0, 2, 1, {420, 480}, 0);
  clip.Line("L2", 1, 2, 1, {420, 900}, 180);
  const auto square = [&](std::size_t unit, Vec2 at_yd, Facing facing) {
    clip.scenario.units[unit].square = *clip.frame.SquareAt(at_yd / 20.0);
    clip.scenario.units[unit].facing = facing;
  };
  square(0, {500, 500}, Facing::kNorth);
  square(1, {500, 900}, Facing::kSouth);
  square(2, {420, 480}, Facing::kNorth);
  square(3, {420, 900}, Facing::kSouth);
  auto game = fos::OpenSeenGame(clip.scenario, clip.frame, 1);
  ASSERT_TRUE(game.ok()) << game.error().message;
  const std::string blue = clip.scenario.sides[0].name, red = clip.scenario.sides[1].name;
  std::vector<std::string> lines = {"initiative", "dice 6 1", "choose first"};
  for (int phase = 0; phase < 3; ++phase)
    for (const std::string& side : {blue, red}) lines.push_back("done " + side);
  // The nearest leader commands them: no unit tests.
  lines.insert(lines.end(), {"roll F1 avd", "dice 4"});
  for (const std::string& line : lines) {
    const auto played = (*game)->Play(line);
    ASSERT_TRUE(played.ok()) << line << ": " << played.error().message;
    EXPECT_FALSE(played->refused) << line << ": " << played->refused->because;
  }
  // The line that the camera's remark proposes.
  const Vec2 front = 20.0 * clip.frame.CentreOf(clip.scenario.units[0].square) +
                     0.5 * 20.0 * clip.scenario.kinds[0].footprint.depth_in * Vec2{0, 1};
  clip.stands.erase(clip.stands.begin(), clip.stands.begin() + 4);
  for (const StandObservation& seen : clip.Row("F1", 0, 0, 4, front, 0))
    clip.stands.push_back(seen);
  const MoveRuling ruling = clip.Foot(front + Vec2{0, 40}, 0);
  EXPECT_FALSE(ruling.refused) << ruling.text;
  const auto played = (*game)->Play(ruling.line);
  ASSERT_TRUE(played.ok()) << ruling.line;
  EXPECT_FALSE(played->refused) << ruling.line << ": " << played->refused->because;
}

TEST(CloseFireCamera, UsesTheClubsScale) {  // CF-1.1
  Clip clip;
  const fos::test::TempDir dir;
  dir.Write("club.toml", "[settings]\nyards_per_inch = 10\n");
  clip.scenario.club = {dir.path(), {}, "club.toml"};
  // 20 yd at the shipped scale.
  const MoveRuling ruling = clip.Foot({500, 520}, 0);
  EXPECT_NE(ruling.text.find("ahead 10"), std::string::npos) << ruling.text;
}

TEST(CloseFireCamera, PlacesUnitsWhereTheyAreSeen) {  // CF-3.3
  Clip clip;
  clip.Line("L1", 0, 2, 1, {420, 480}, 0);
  clip.Line("L2", 1, 2, 1, {420, 900}, 180);
  const auto game = fos::OpenSeenGame(clip.scenario, clip.frame, 1);
  ASSERT_TRUE(game.ok()) << game.error().message;
  const std::vector<std::string> lines = (*game)->PlacementLines(clip.stands);
  ASSERT_FALSE(lines.empty());
  for (const std::string& line : lines) {
    const auto played = (*game)->Play(line);
    ASSERT_TRUE(played.ok()) << line << ": " << played.error().message;
    EXPECT_FALSE(played->refused) << line << ": " << played->refused->because;
  }
  // Each base is within a yard of where it was seen and faces the same way.
  for (const StandObservation& seen : clip.stands) {
    double nearest = 1e9;
    for (const PieceView& piece : (*game)->View().pieces)
      if (piece.unit == seen.unit && piece.on_table)
        nearest = std::min(nearest, Distance(piece.at_in, seen.table_from_stand.origin));
    EXPECT_LT(nearest, 1 / 20.0) << seen.unit;
  }
  // Once the battle has begun no unit is placed.
  const std::string again = lines.front();
  ASSERT_TRUE((*game)->Play("initiative").ok());
  ASSERT_TRUE((*game)->Play("dice 6 1").ok());
  ASSERT_TRUE((*game)->Play("choose first").ok());
  for (int phase = 0; phase < 2; ++phase)
    ASSERT_TRUE((*game)->Play("done " + clip.scenario.sides[0].name).ok());
  ASSERT_TRUE((*game)->Play("done " + clip.scenario.sides[1].name).ok());
  const auto late = (*game)->Play(again);
  ASSERT_TRUE(late.ok());
  EXPECT_TRUE(late->refused.has_value());
}

TEST(CloseFireCamera, CrossesARiverByItsBridge) {  // CF-12.4
  Clip clip;
  for (const bool bridge : {false, true}) {
    clip.scenario.terrain.clear();
    TerrainArea river;
    river.type = "river";
    river.polygon = {{0, 25.5}, {60, 25.5}, {60, 26}, {0, 26}};
    clip.scenario.terrain.push_back(river);
    if (bridge) {
      TerrainArea over;
      over.type = "bridge";
      over.polygon = {{20, 20}, {30, 20}, {30, 30}, {20, 30}};
      clip.scenario.terrain.push_back(over);
    }
    const MoveRuling ruling = clip.Foot({500, 535}, 0);
    EXPECT_EQ(ruling.refused.has_value(), !bridge) << ruling.text;
  }
}

TEST(CloseFireCamera, GroupsStandsByUnitOrSquare) {  // CF-10.1, NAP-2B
  Clip clip;
  const auto after = clip.Row("F1", 0, 0, 4, {500, 510}, 0);  // in the squares where they were
  std::vector<StandMoved> moved;
  for (std::size_t i = 0; i < after.size(); ++i) moved.push_back({clip.stands[i], after[i]});
  const auto moves = MovesSeen(moved, clip.scenario, clip.frame);
  ASSERT_EQ(moves.size(), 1U);
  EXPECT_EQ(moves[0].pieces.size(), 4U);
  clip.scenario.ruleset = "napoleonic";
  for (StandMoved& one : moved) one.to = one.from;
  EXPECT_TRUE(MovesSeen(moved, clip.scenario, clip.frame).empty());
  moved[0].to.table_from_stand.origin.y += 4;
  moved[1].to.table_from_stand.origin.y += 8;
  EXPECT_EQ(MovesSeen(moved, clip.scenario, clip.frame).size(), 2U);
}

TEST(CloseFireCamera, ChecksTheSetup) {  // CF-2.2, 2.4, 10.1
  Clip clip;
  const auto faults = [&] { return CheckSetupUnderRules(clip.stands, clip.scenario, clip.frame); };
  EXPECT_TRUE(faults().ok() && faults()->empty());
  clip.stands[0].table_from_stand.origin.y -= 2;
  ASSERT_EQ(faults()->size(), 1U);
  EXPECT_EQ(faults()->front(), "F1's bases form neither a line nor a column (CF-10.1)");
  clip.scenario.kinds[0].footprint = {1.5, 0.75};
  clip.Line("F2", 0, 0, 2, {900, 300}, 0);
  const auto more = faults();
  const auto named = [&](const char* clause) {
    return std::any_of(more->begin(), more->end(), [&](const std::string& fault) {
      return fault.find(clause) != std::string::npos;
    });
  };
  EXPECT_TRUE(named("CF-2.2"));
  EXPECT_TRUE(named("CF-2.4"));
}

}  // namespace
}  // namespace fos::closefire::test
