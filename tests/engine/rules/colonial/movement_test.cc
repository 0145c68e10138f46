// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "engine/rules/colonial/movement.h"
#include "tests/support/colonial_game.h"

namespace fos::colonial::test {
namespace {

TEST(ColonialMovement, Allowances) {  // EX-5.1.1, EX-5.1.2
  const std::vector<std::pair<const char*, int>> moves = {
      {"native_cavalry", 5},  {"irregular_cavalry", 5}, {"regular_cavalry", 4},
      {"command_mounted", 4}, {"native_infantry", 3},   {"irregular_infantry", 3},
      {"guard_infantry", 2},  {"regular_infantry", 2},  {"dismounted_cavalry", 2},
      {"heavy_artillery", 2}, {"field_artillery", 2},   {"mountain_artillery", 2},
      {"machine_gun", 2},     {"transport", 2},         {"command_foot", 2}};
  for (const auto& [type, move] : moves) {
    Game g;
    const PieceNo stand = g.Stand(kBlue, type, {4, 4});
    g.Start();
    EXPECT_EQ(g.MoveTo(stand, {4, 4 + move + 1}), "COL-5.1") << type;
    EXPECT_EQ(g.MoveTo(stand, {4, 4 + move}), "") << type;
  }
  Game g;
  const PieceNo cav = g.Stand(kBlue, "native_cavalry", {3, 3});
  g.Start();
  EXPECT_EQ(g.MoveTo(cav, {9, 8}), "COL-5.1");
  EXPECT_EQ(g.MoveTo(cav, {8, 8}), "");  // 5 diagonal steps
}

TEST(ColonialMovement, DiagonalStepsCostOne) {  // EX-5.2.1
  Game g;
  const PieceNo inf = g.Stand(kBlue, "regular_infantry", {4, 4});
  g.Start();
  EXPECT_EQ(g.MoveTo(inf, {6, 6}), "");
  EXPECT_EQ(g.s.At(inf).spent, 200);
}

TEST(ColonialMovement, SettingsForDiagonalSteps) {  // COL-5.2
  Game g;
  g.setup.settings.diagonal_step_cost = 150;
  const PieceNo cav = g.Stand(kBlue, "regular_cavalry", {4, 4});
  g.Start();
  EXPECT_EQ(g.MoveTo(cav, {7, 7}), "COL-5.1");  // 4.5 of 4
  EXPECT_EQ(g.MoveTo(cav, {6, 7}), "");         // 1.5 + 1.5 + 1
  Game h;
  h.setup.settings.king_distance = false;
  const PieceNo inf = h.Stand(kBlue, "regular_infantry", {4, 4});
  h.Start();
  EXPECT_EQ(h.Via(inf, {{5, 5}}), "COL-5.2");
  EXPECT_EQ(h.MoveTo(inf, {5, 5}), "");  // around the corner, 2 squares
  EXPECT_EQ(h.s.At(inf).spent, 200);
}

TEST(ColonialMovement, MoveMayEndWhereItStarted) {  // COL-5.2
  Game g;
  const PieceNo inf = g.Stand(kBlue, "regular_infantry", {4, 4});
  g.Start();
  EXPECT_EQ(g.Via(inf, {{4, 5}, {4, 4}}), "");
  EXPECT_EQ(g.Where(inf), "4,4");
  EXPECT_EQ(g.Via(inf, {{4, 5}}), "COL-4.1");
}

TEST(ColonialMovement, PassesFriendsButNotEnemies) {  // EX-5.3.1, EX-5.3.2
  Game g;
  g.Stand(kBlue, "regular_infantry", {4, 5});
  g.Stand(kBlue, "regular_infantry", {4, 5});
  const PieceNo scout = g.Stand(kBlue, "irregular_infantry", {4, 4});
  g.Start();
  EXPECT_EQ(g.Via(scout, {{4, 5}, {4, 6}}), "");
  Game h;
  for (const int c : {3, 4, 5}) h.Stand(kRed, "regular_infantry", {c, 5});
  const PieceNo inf = h.Stand(kBlue, "regular_infantry", {4, 4});
  h.Start();
  EXPECT_EQ(h.MoveTo(inf, {4, 6}), "COL-5.3");
  EXPECT_EQ(h.MoveTo(inf, {4, 5}), "COL-5.3");
}

TEST(ColonialMovement, NoDiagonalStepBetweenEnemies) {  // EX-5.4.1, EX-5.4.2, EX-5.4.3, EX-5.4.4
  const auto step = [](auto lay_out) {
    Game g;
    const PieceNo inf = g.Stand(kBlue, "regular_infantry", {5, 5});
    lay_out(g);
    g.Start();
    return g.Via(inf, {{6, 6}});
  };
  const auto enemy = [](Game& g, At at) { g.Stand(kRed, "native_infantry", at); };
  EXPECT_EQ(step([&](Game& g) { enemy(g, {6, 5}), enemy(g, {5, 6}); }), "COL-5.4");
  EXPECT_EQ(step([&](Game& g) { enemy(g, {6, 5}); }), "");
  EXPECT_EQ(step([&](Game& g) { enemy(g, {6, 5}), g.Stream({5, 6}); }), "COL-5.4");
  EXPECT_EQ(step([&](Game& g) { enemy(g, {6, 5}), g.Edge({5, 6}, {6, 6}, kWall); }), "COL-5.4");
  EXPECT_EQ(step([&](Game& g) {
              enemy(g, {6, 5}), g.Edge({5, 5}, {5, 6}, kStreamEdge);
            }),
            "COL-5.4");
  EXPECT_EQ(step([&](Game& g) {
              enemy(g, {6, 5}), g.Edge({5, 5}, {5, 6}, kEntrenchment);
            }),
            "COL-5.4");
  // The clause does not apply to the enemy's own side, two obstacles, friends, woods or hills.
  EXPECT_EQ(step([&](Game& g) { enemy(g, {6, 5}), g.Edge({5, 5}, {6, 5}, kWall); }), "");
  EXPECT_EQ(step([&](Game& g) { g.Stream({5, 6}), g.Stream({6, 5}); }), "");
  EXPECT_EQ(step([&](Game& g) {
              enemy(g, {6, 5});
              g.Stand(kBlue, "native_infantry", {5, 6});
            }),
            "");
  EXPECT_EQ(step([&](Game& g) { enemy(g, {6, 5}), g.Wood({5, 6}); }), "");
}

TEST(ColonialMovement, ArtilleryMayNotMoveNextToEnemies) {  // EX-5.5.1, EX-5.5.2, EX-5.5.3
  Game g;
  g.Stand(kRed, "regular_infantry", {6, 6});
  const PieceNo gun = g.Stand(kBlue, "field_artillery", {5, 3});
  const PieceNo machine_gun = g.Stand(kBlue, "machine_gun", {6, 3});
  g.Start();
  EXPECT_EQ(g.MoveTo(gun, {5, 5}), "COL-5.5");
  EXPECT_EQ(g.MoveTo(gun, {4, 5}), "");
  EXPECT_EQ(g.Via(machine_gun, {{6, 4}, {5, 5}}), "");
  // Every square of the path counts, not only its end; also for heavy and mountain guns.
  for (const char* type : {"heavy_artillery", "mountain_artillery"}) {
    Game h;
    h.setup.settings.diagonal_step_cost = 50;
    h.Stand(kRed, "regular_infantry", {6, 6});
    const PieceNo heavy = h.Stand(kBlue, type, {3, 4});
    h.Start();
    EXPECT_EQ(h.Via(heavy, {{4, 5}, {5, 4}}), "") << type;
    Game k;
    k.Stand(kRed, "regular_infantry", {5, 6});
    const PieceNo other = k.Stand(kBlue, type, {3, 4});
    k.Start();
    EXPECT_EQ(k.Via(other, {{4, 5}, {5, 4}}), "COL-5.5") << type;
  }
}

TEST(ColonialMovement, ArtilleryNextToAnEnemyMayStayOrLeave) {  // COL-5.5
  Game g;
  g.Stand(kRed, "regular_infantry", {6, 6});
  const PieceNo gun = g.Stand(kBlue, "field_artillery", {5, 5});
  g.Start();
  Game h = g;
  EXPECT_EQ(g.Turn(gun, E), "");
  EXPECT_EQ(h.MoveTo(gun, {6, 5}), "COL-5.5");
  EXPECT_EQ(h.MoveTo(gun, {4, 4}), "");
  Game k;
  k.setup.settings.artillery_types.clear();
  k.Stand(kRed, "regular_infantry", {6, 6});
  const PieceNo bold = k.Stand(kBlue, "field_artillery", {5, 3});
  k.Start();
  EXPECT_EQ(k.MoveTo(bold, {5, 5}), "");
}

TEST(ColonialMovement, OnlyInfantryEntersWoodsAndCrossesWalls) {  // EX-5.6.1, EX-5.6.2
  for (const char* type : {"regular_cavalry", "machine_gun", "field_artillery", "transport",
                           "command_mounted", "native_cavalry"}) {
    Game g;
    g.Wood({5, 6});
    const PieceNo stand = g.Stand(kBlue, type, {5, 5});
    g.Start();
    EXPECT_EQ(g.Via(stand, {{5, 6}}), "COL-5.6") << type;
    Game h;
    h.Wood({5, 6});
    h.Road({{5, 5}, {5, 6}});
    const PieceNo on_road = h.Stand(kBlue, type, {5, 5});
    h.Start();
    EXPECT_EQ(h.Via(on_road, {{5, 6}}), "") << type;
  }
  for (const char* type : {"regular_infantry", "guard_infantry", "native_infantry",
                           "irregular_infantry", "dismounted_cavalry", "command_foot"}) {
    Game g;
    g.Wood({5, 6});
    g.Edge({5, 6}, {5, 7}, kWall);
    const PieceNo stand = g.Stand(kBlue, type, {5, 5});
    g.Start();
    EXPECT_EQ(g.Via(stand, {{5, 6}, {5, 7}}), "") << type;
    EXPECT_EQ(g.s.At(stand).spent, 200);
  }
  Game strict;
  strict.setup.settings.foot_types.resize(4);  // without dismounted cavalry and Command on foot
  strict.Wood({5, 6});
  const PieceNo rider = strict.Stand(kBlue, "dismounted_cavalry", {5, 5});
  strict.Start();
  EXPECT_EQ(strict.Via(rider, {{5, 6}}), "COL-5.6");
}

TEST(ColonialMovement, MovesRoundTheEndOfAHedge) {  // EX-5.6.3
  Game g;
  g.Edge({5, 5}, {5, 6}, kHedge);
  const PieceNo gun = g.Stand(kBlue, "machine_gun", {5, 5});
  g.Start();
  Game h = g;
  EXPECT_EQ(g.Via(gun, {{5, 6}}), "COL-5.6");
  EXPECT_EQ(g.Via(gun, {{6, 5}, {5, 6}}), "");
  EXPECT_EQ(g.s.At(gun).spent, 200);
  EXPECT_EQ(h.MoveTo(gun, {5, 6}), "");  // the engine finds the path
  EXPECT_EQ(h.Where(gun), "5,6");
}

TEST(ColonialMovement, DiagonalCrossesIfBothWaysRoundDo) {  // COL-5.6
  const auto step = [](const std::vector<std::pair<At, At>>& walls, bool gate, bool road_across) {
    Game g;
    for (const auto& [a, b] : walls) g.Edge(a, b, kFence);
    if (gate) g.Road({{5, 5}, {5, 6}});
    if (road_across) g.Road({{5, 5}, {6, 6}});
    const PieceNo cav = g.Stand(kBlue, "regular_cavalry", {5, 5});
    g.Start();
    return g.Via(cav, {{6, 6}});
  };
  EXPECT_EQ(step({{{5, 5}, {6, 5}}}, false, false), "");
  EXPECT_EQ(step({{{5, 5}, {6, 5}}, {{5, 5}, {5, 6}}}, false, false), "COL-5.6");
  EXPECT_EQ(step({{{6, 5}, {6, 6}}, {{5, 5}, {5, 6}}}, false, false), "COL-5.6");
  EXPECT_EQ(step({{{6, 5}, {6, 6}}, {{5, 6}, {6, 6}}}, false, false), "COL-5.6");
  EXPECT_EQ(step({{{5, 5}, {6, 5}}, {{6, 5}, {6, 6}}}, false, false), "");
  // A gate opens its edge only to the step that follows the road.
  EXPECT_EQ(step({{{5, 5}, {6, 5}}, {{5, 5}, {5, 6}}}, true, false), "COL-5.6");
  EXPECT_EQ(step({{{5, 5}, {6, 5}}, {{5, 5}, {5, 6}}}, false, true), "");
  Game g;
  g.Edge({5, 5}, {5, 6}, kWall);
  g.Road({{5, 5}, {5, 6}});
  const PieceNo cav = g.Stand(kBlue, "regular_cavalry", {5, 5});
  g.Start();
  EXPECT_EQ(g.Via(cav, {{5, 6}}), "");
}

TEST(ColonialMovement, RoadGivesOneMoreSquare) {  // EX-5.7.1, EX-5.7.2
  const auto lay_out = [](Game& g, At at) {
    g.Road({{3, 1}, {3, 2}, {3, 3}, {3, 4}});
    return g.Stand(kBlue, "regular_infantry", at);
  };
  Game g;
  PieceNo inf = lay_out(g, {3, 1});
  g.Start();
  Game h = g;
  EXPECT_EQ(g.MoveTo(inf, {3, 4}), "");
  EXPECT_EQ(h.MoveTo(inf, {4, 4}), "COL-5.1");  // the last step leaves the road
  EXPECT_EQ(h.Via(inf, {{3, 2}, {3, 3}, {4, 4}}), "COL-5.7");
  Game k;  // the same at the start
  inf = lay_out(k, {2, 1});
  k.Start();
  EXPECT_EQ(k.Via(inf, {{3, 2}, {3, 3}, {3, 4}}), "COL-5.7");
  Game diagonal;
  diagonal.Road({{3, 1}, {4, 2}, {5, 3}, {6, 4}});
  inf = diagonal.Stand(kBlue, "regular_infantry", {3, 1});
  diagonal.Start();
  EXPECT_EQ(diagonal.MoveTo(inf, {6, 4}), "");
  Game none;
  none.setup.settings.road_bonus = 0;
  inf = lay_out(none, {3, 1});
  none.Start();
  EXPECT_EQ(none.MoveTo(inf, {3, 4}), "COL-5.1");
}

TEST(ColonialMovement, ContoursCostOneSquare) {  // EX-5.8.1, EX-5.8.2, EX-5.8.3
  Game g;
  for (int c = 1; c <= 18; ++c) g.Level({c, 5}, 1), g.Level({c, 6}, 1);
  const PieceNo guard = g.Stand(kBlue, "guard_infantry", {4, 4});
  g.Start();
  EXPECT_EQ(g.MoveTo(guard, {4, 6}), "COL-5.8");
  EXPECT_EQ(g.MoveTo(guard, {4, 5}), "");
  Game h;
  h.Level({4, 5}, 2);
  const PieceNo guards = h.Stand(kBlue, "guard_infantry", {4, 4});
  const PieceNo native = h.Stand(kBlue, "native_infantry", {3, 4});
  h.Start();
  EXPECT_EQ(h.MoveTo(guards, {4, 5}), "COL-5.8");
  EXPECT_EQ(h.MoveTo(native, {4, 5}), "");
  Game k;
  k.Road({{3, 1}, {3, 2}, {3, 3}});
  k.Level({3, 2}, 1);
  k.Level({3, 3}, 1);
  const PieceNo inf = k.Stand(kBlue, "regular_infantry", {3, 1});
  k.Start();
  EXPECT_EQ(k.MoveTo(inf, {3, 3}), "");
  EXPECT_EQ(k.s.At(inf).spent, 300);
  Game down;  // the same downhill
  down.Level({4, 4}, 1);
  const PieceNo on_top = down.Stand(kBlue, "regular_infantry", {4, 4});
  down.Start();
  EXPECT_EQ(down.MoveTo(on_top, {4, 6}), "COL-5.8");
  Game free;
  free.setup.settings.contour_cost = 0;
  free.Level({4, 5}, 2);
  const PieceNo light = free.Stand(kBlue, "regular_infantry", {4, 4});
  free.Start();
  EXPECT_EQ(free.Via(light, {{4, 5}, {4, 6}}), "");
}

TEST(ColonialMovement, TurningIsFreeWhenActivated) {  // EX-5.9.1, EX-5.9.2
  Game g;
  const PieceNo red = g.Stand(kRed, "regular_infantry", {6, 7});
  g.Stand(kBlue, "regular_infantry", {2, 2});
  const PieceNo other = g.Stand(kRed, "regular_infantry", {9, 7});
  g.Start(kRed, 1);
  EXPECT_EQ(g.Turn(red, E), "");
  EXPECT_EQ(g.FacingOf(red), E);
  EXPECT_EQ(g.MoveTo(red, {7, 7}), "COL-3.3");  // the only activation is used up
  EXPECT_EQ(g.Do(Seen{other, g.Square({9, 7}), W}), "COL-5.9");
  EXPECT_EQ(g.FacingOf(other), S);
  Game h;
  const PieceNo inf = h.Stand(kBlue, "regular_infantry", {4, 4});
  h.Start();
  EXPECT_EQ(h.Turn(inf, E), "");
  EXPECT_TRUE(h.s.At(inf).moved);
}

TEST(ColonialMovement, PrefersTheRoadOnEqualCost) {  // COL-5.7, COL-5.9
  // The road bonus leaves something to turn with at the end.
  for (const bool road : {true, false}) {
    Game g;
    g.setup.settings.facing_change_cost = kWhole;
    const PieceNo inf = g.Stand(kBlue, "regular_infantry", {5, 5});
    if (road) g.Road({{5, 5}, {6, 6}, {5, 7}});
    g.Start();
    EXPECT_EQ(g.MoveTo(inf, {5, 7}, E), road ? "" : "COL-5.1");
  }
}

TEST(ColonialMovement, SettingForTheCostOfTurning) {  // COL-5.9
  Game g;
  g.setup.settings.facing_change_cost = 100;
  const PieceNo inf = g.Stand(kBlue, "regular_infantry", {4, 4});
  const PieceNo other = g.Stand(kBlue, "regular_infantry", {7, 4});
  g.Start();
  EXPECT_EQ(g.MoveTo(inf, {4, 6}, E), "COL-5.1");
  EXPECT_EQ(g.MoveTo(inf, {4, 5}, E), "");
  EXPECT_EQ(g.MoveTo(other, {7, 6}), "");
}

TEST(ColonialMovement, StreamsAreFreeToCross) {  // EX-5.10.1
  Game g;
  g.Edge({5, 5}, {5, 6}, kStreamEdge);
  const PieceNo cav = g.Stand(kBlue, "regular_cavalry", {5, 5});
  g.Start();
  EXPECT_EQ(g.Via(cav, {{5, 6}, {5, 7}, {5, 8}, {5, 9}}), "");
  Game h;
  h.GroundAt({5, 6}).impassable = true;
  const PieceNo inf = h.Stand(kBlue, "regular_infantry", {5, 5});
  h.Start();
  EXPECT_EQ(h.Via(inf, {{5, 6}}), "COL-5.10");
}

TEST(ColonialMovement, SettingForTheCostOfCrossing) {  // COL-5.10
  Game g;
  g.setup.settings.obstacle_cross_cost = 100;
  g.Edge({5, 5}, {5, 6}, kTrenchEdge);
  g.Edge({7, 5}, {7, 6}, kWall);
  g.Edge({9, 5}, {9, 6}, kStreamEdge);
  g.Road({{9, 5}, {9, 6}});
  const PieceNo a = g.Stand(kBlue, "regular_infantry", {5, 5});
  const PieceNo b = g.Stand(kBlue, "regular_infantry", {7, 5});
  const PieceNo c = g.Stand(kBlue, "regular_infantry", {9, 5});
  g.Start();
  EXPECT_EQ(g.Via(a, {{5, 6}, {5, 7}}), "COL-5.1");
  EXPECT_EQ(g.Via(a, {{5, 6}}), "");
  EXPECT_EQ(g.Via(b, {{7, 6}, {7, 7}}), "");  // walls cost foot stands nothing
  EXPECT_EQ(g.Via(c, {{9, 6}, {9, 7}}), "");  // and a bridge costs nothing to anyone
}

// ---- withdrawals ----

// Red faces south. least: withdraw_min_squares.
TEST(ColonialWithdrawal, NeedsOneClearSquare) {  // EX-5.11.1, EX-5.11.2, EX-5.11.4
  struct Case {
    At red, blue;
    int least;
    const char* ways;
  };
  for (const Case& c : {Case{{6, 7}, {6, 6}, 1, "5,8 6,8 7,8"},
                        {{6, 8}, {6, 5}, 1, "5,9 6,9 7,9"},
                        {{6, 8}, {6, 5}, 0, "6,8"},      // strictly literal
                        {{6, 7}, {6, 8}, 1, "4,9 8,9"},  // an attack from behind
                        {{1, 7}, {1, 6}, 1, "1,8 2,8"},  // at the edge of the table
                        {{18, 11}, {18, 10}, 1, "17,12 18,12"}}) {
    Game g;
    g.idle_wagons = false;  // one would stand in the last corner
    g.setup.settings.withdraw_least = c.least;
    const PieceNo red = g.Stand(kRed, "regular_infantry", c.red);
    g.Stand(kBlue, "regular_infantry", c.blue);
    g.Start();
    EXPECT_EQ(g.Ways(red), c.ways) << c.red.c << ',' << c.red.r;
  }
}

TEST(ColonialWithdrawal, AtMostFourSquares) {  // EX-5.11.3
  Game g;
  const PieceNo red = g.Stand(kRed, "regular_infantry", {6, 7});
  for (const At at : {At{6, 6}, At{6, 9}, At{3, 9}, At{9, 9}})
    g.Stand(kBlue, "regular_infantry", at);
  g.Start();
  const std::string ways = g.Ways(red);
  EXPECT_NE(ways.find("5,11"), std::string::npos) << ways;
  EXPECT_EQ(ways.find(",10"), std::string::npos) << ways;
  EXPECT_EQ(Withdrawals(g.s, red).front().size(), 4u);
}

TEST(ColonialWithdrawal, EngineChoosesStraightBackFirst) {  // COL-5.11
  Game g;
  const PieceNo red = g.Stand(kRed, "regular_infantry", {6, 7});
  g.Stand(kBlue, "regular_infantry", {6, 6});
  g.Start();
  const auto ways = Withdrawals(g.s, red);
  ASSERT_EQ(ways.size(), 3u);
  EXPECT_EQ(ways[0].back(), g.Square({6, 8}));  // straight back
  EXPECT_EQ(ways[1].back(), g.Square({5, 8}));  // then its own right: it faces S
  EXPECT_EQ(ways[2].back(), g.Square({7, 8}));
}

TEST(ColonialWithdrawal, OwnerChoosesTheSquare) {  // COL-5.11, COL-9.3
  Game g;
  const PieceNo blue = g.Stand(kBlue, "regular_infantry", {6, 6});
  const PieceNo red = g.Stand(kRed, "native_infantry", {6, 7});
  g.Start();
  EXPECT_EQ(g.Close(blue, {6, 7}), "");
  EXPECT_EQ(g.Dice({8, 6}), "");
  EXPECT_EQ(g.s.ask.what, Want::kWithdrawal);
  EXPECT_EQ(g.s.ask.side, kRed);
  Game own = g;
  EXPECT_EQ(g.Back({7, 8}), "");
  EXPECT_EQ(g.Where(red), "7,8");
  EXPECT_EQ(g.FacingOf(red), S);
  EXPECT_EQ(own.Do(Back{}), "");  // the engine's choice
  EXPECT_EQ(own.Where(red), "6,8");
  EXPECT_EQ(own.Back({6, 9}), "COL-5.11");
}

TEST(ColonialWithdrawal, ObstaclesBlockWithdrawal) {  // COL-5.11
  const auto ways = [](auto lay_out, const char* type = "regular_infantry") {
    Game g;
    const PieceNo red = g.Stand(kRed, type, {6, 7});
    g.Stand(kBlue, "regular_infantry", {6, 6});
    lay_out(g);
    g.Start();
    return g.Ways(red);
  };
  // Any obstacle along an edge stops it, on foot or not; a diagonal step only if both ways round
  // cross one.
  EXPECT_EQ(ways([](Game& g) { g.Edge({6, 7}, {6, 8}, kHedge); }), "5,8 7,8");
  EXPECT_EQ(ways([](Game& g) {
              g.Edge({6, 7}, {6, 8}, kStreamEdge);
              g.Edge({5, 7}, {5, 8}, kStreamEdge);
            }),
            "7,8");
  EXPECT_EQ(ways([](Game& g) { g.GroundAt({6, 8}).impassable = true; }), "5,8 7,8");
  // Woods stop stands that are not on foot.
  EXPECT_EQ(ways([](Game& g) { g.Wood({6, 8}); }), "5,8 6,8 7,8");
  EXPECT_EQ(ways([](Game& g) { g.Wood({6, 8}); }, "field_artillery"), "5,8 7,8");
  EXPECT_EQ(ways(
                [](Game& g) {
                  g.Wood({6, 8}), g.Road({{6, 7}, {6, 8}});
                },
                "field_artillery"),
            "5,8 6,8 7,8");
  // Contours cost nothing. It passes friends, and may stop with one if they fit.
  EXPECT_EQ(ways([](Game& g) { g.Level({6, 8}, 3); }), "5,8 6,8 7,8");
  EXPECT_EQ(ways([](Game& g) { g.Stand(kRed, "regular_infantry", {6, 8}); }), "5,8 6,8 7,8");
  EXPECT_EQ(ways([](Game& g) { g.Stand(kRed, "regular_infantry", {6, 8}, E); }), "5,8 7,8");
  EXPECT_EQ(ways([](Game& g) { g.Stand(kRed, "field_artillery", {6, 8}); }), "5,8 7,8");
  // Artillery ends next to no enemy, but it may pass one that it could not move past.
  EXPECT_EQ(ways([](Game& g) {
              for (const int c : {5, 6, 7}) g.Stand(kRed, "field_artillery", {c, 8});
            }),
            "4,9 5,9 6,9 7,9 8,9");
  // COL-5.4 applies: it cannot pass between the attacker beside it and a stream.
  EXPECT_EQ(ways([](Game& g) {
              g.Stand(kBlue, "regular_infantry", {5, 7});
              g.Stream({6, 8});
            }),
            "7,8");
}

TEST(ColonialWithdrawal, DestroyedWithoutAWayBack) {  // EX-5.12.1, EX-5.12.2
  Game g;
  const PieceNo blue = g.Stand(kBlue, "regular_infantry", {6, 6});
  const PieceNo red = g.Stand(kRed, "regular_infantry", {6, 7});
  for (const int c : {5, 6, 7}) g.Stream({c, 8});
  g.Start();
  EXPECT_EQ(g.Ways(red), "");
  EXPECT_EQ(g.Close(blue, {6, 7}), "");
  EXPECT_EQ(g.Dice({8, 6}), "");
  EXPECT_EQ(g.Where(red), "gone");
  Game h;
  const PieceNo other = h.Stand(kBlue, "regular_infantry", {6, 6});
  const PieceNo lucky = h.Stand(kRed, "regular_infantry", {6, 7});
  for (const int c : {5, 6}) h.Stream({c, 8});
  h.Start();
  EXPECT_EQ(h.Ways(lucky), "7,8");
  EXPECT_EQ(h.Close(other, {6, 7}), "");
  EXPECT_EQ(h.Dice({8, 6}), "");
  EXPECT_EQ(h.Where(lucky), "7,8");  // the only way needs no choice
}

TEST(ColonialWithdrawal, OffTheTable) {  // EX-5.12.3
  for (const bool destroys : {true, false}) {
    Game g;
    g.setup.settings.withdraw_off_table_destroys = destroys;
    const PieceNo blue = g.Stand(kBlue, "regular_infantry", {6, 1});
    g.Stand(kRed, "regular_infantry", {6, 3});
    g.Start();
    EXPECT_EQ(g.Ways(blue), destroys ? "" : "6,1");
  }
  Game g;  // two squares from the edge, and an enemy too near everywhere
  g.setup.settings.withdraw_off_table_destroys = false;
  const PieceNo blue = g.Stand(kBlue, "regular_infantry", {6, 2});
  g.Stand(kRed, "regular_infantry", {6, 3});
  g.Stand(kRed, "regular_infantry", {4, 2});
  g.Stand(kRed, "regular_infantry", {8, 2});
  g.Start();
  EXPECT_EQ(g.Ways(blue), "6,1");
}

TEST(ColonialWithdrawal, WithdrawalSettings) {  // COL-5.11
  Game gap;
  gap.setup.settings.withdraw_clear_gap = 2;
  const PieceNo red = gap.Stand(kRed, "regular_infantry", {6, 7});
  gap.Stand(kBlue, "regular_infantry", {6, 6});
  gap.Start();
  EXPECT_EQ(gap.Ways(red), "4,9 5,9 6,9 7,9 8,9");
  Game about;
  about.setup.settings.withdraw_keeps_facing = false;
  const PieceNo blue = about.Stand(kBlue, "regular_infantry", {6, 6});
  const PieceNo native = about.Stand(kRed, "native_infantry", {6, 7});
  about.Start();
  about.Close(blue, {6, 7});
  about.Dice({8, 6});
  EXPECT_EQ(about.Back({6, 8}), "");
  EXPECT_EQ(about.FacingOf(native), N);
}

TEST(ColonialMovement, MountingAndDismounting) {  // EX-5.13.1
  Game g;
  const PieceNo cav = g.Stand(kBlue, "regular_cavalry", {5, 5});
  g.Stand(kRed, "native_infantry", {5, 6});
  const PieceNo inf = g.Stand(kBlue, "regular_infantry", {9, 5});
  g.Start();
  EXPECT_EQ(g.Do(Remount{inf, false}), "COL-5.13");
  EXPECT_EQ(g.Do(Remount{cav, true}), "COL-5.13");  // it is already mounted
  EXPECT_EQ(g.Do(Remount{cav, false}), "");
  EXPECT_EQ(g.s.TypeOf(cav).id, "dismounted_cavalry");
  EXPECT_EQ(g.s.At(cav).value, 3);
  EXPECT_EQ(g.MoveTo(cav, {5, 4}), "COL-5.13");
  EXPECT_EQ(g.Fire(cav, {5, 6}), "");
  EXPECT_EQ(g.Dice({1, 12}), "");
  g.Pass();
  g.Pass();
  EXPECT_EQ(g.MoveTo(cav, {5, 2}), "COL-5.1");  // on foot it has 2
  EXPECT_EQ(g.Do(Remount{cav, true}), "");
  EXPECT_EQ(g.s.TypeOf(cav).id, "regular_cavalry");
}

TEST(ColonialMovement, SettingsForMounting) {  // COL-5.13
  for (const MountCost cost : {MountCost::kFree, MountCost::kForbidden}) {
    Game g;
    g.setup.settings.mount = cost;
    const PieceNo cav = g.Stand(kBlue, "regular_cavalry", {5, 5});
    g.Start();
    if (cost == MountCost::kForbidden) {
      EXPECT_EQ(g.Do(Remount{cav, false}), "COL-5.13");
    } else {
      EXPECT_EQ(g.Do(Remount{cav, false}), "");
      EXPECT_EQ(g.Do(Remount{cav, true}), "COL-5.13");
      EXPECT_EQ(g.MoveTo(cav, {5, 7}), "");
    }
  }
  // The stand of the last activation has moved and may still dismount.
  Game late;
  late.setup.settings.mount = MountCost::kFree;
  late.idle_wagons = false;
  const PieceNo rider = late.Stand(kBlue, "regular_cavalry", {5, 5});
  late.Stand(kRed, "regular_infantry", {9, 11});
  late.Start(kBlue, 1);
  EXPECT_EQ(late.MoveTo(rider, {5, 9}), "");
  EXPECT_EQ(late.Do(Remount{rider, false}), "");
  EXPECT_EQ(late.s.ask.what, Want::kActivationDie);
  Game g;  // two cavalry stands do not fit, but one of them on foot does
  const PieceNo a = g.Stand(kBlue, "regular_cavalry", {5, 5});
  const PieceNo b = g.Stand(kBlue, "dismounted_cavalry", {5, 5});
  g.Start();
  EXPECT_EQ(g.Do(Remount{b, true}), "COL-1.3");
  EXPECT_EQ(g.Do(Remount{a, false}), "");
}

TEST(ColonialMovement, ImpassableGroundIsAnObstacleBesideAnEnemy) {  // COL-5.4, COL-5.10
  for (const bool water : {false, true}) {
    Game g;
    const PieceNo inf = g.Stand(kBlue, "regular_infantry", {5, 5});
    g.Stand(kRed, "regular_infantry", {6, 5});
    g.GroundAt({5, 6}).impassable = water;
    g.Start();
    EXPECT_EQ(g.Via(inf, {{6, 6}}), water ? "COL-5.4" : "");
  }
}

TEST(ColonialWithdrawal, NotBetweenAnEnemyAndWater) {  // COL-5.4, COL-5.11
  for (const bool water : {false, true}) {
    Game g;
    const PieceNo red = g.Stand(kRed, "native_infantry", {6, 7});
    g.Stand(kBlue, "regular_infantry", {7, 7});
    g.Stream({6, 8});
    g.Stream({5, 8});
    g.GroundAt({6, 8}).obstacle = !water;
    g.GroundAt({6, 8}).impassable = water;
    g.Start();
    EXPECT_EQ(g.Ways(red), "");  // every way back squeezes, or enters water
  }
}

TEST(ColonialMovement, AnOverruledFacingDoesNotOpenAFullSquare) {  // COL-1.3, COL-1.6, COL-5.3
  Game g;
  const PieceNo inf = g.Stand(kBlue, "regular_infantry", {4, 4});
  g.Stand(kBlue, "native_infantry", {4, 5});
  g.Stand(kBlue, "native_infantry", {4, 5});
  g.Stand(kRed, "native_infantry", {5, 5});
  g.Start();
  const auto overruled = [&](At to) {
    return g.Do(Move{{inf}, {{g.Square(to)}}, Facing::kNorthWest, false}, true);
  };
  EXPECT_EQ(overruled({4, 5}), "COL-1.3");  // it would hold three stands
  EXPECT_EQ(overruled({5, 5}), "COL-5.3");  // held by the enemy
  EXPECT_EQ(overruled({3, 5}), "");
}

TEST(ColonialWithdrawal, WithAFacingThatThePlayersAllowed) {  // COL-5.11, COL-1.6
  Game g;
  const PieceNo inf = g.Stand(kBlue, "regular_infantry", {6, 6});
  g.Stand(kRed, "regular_infantry", {6, 9});
  g.Start();
  const Move turn{{inf}, {{}}, Facing::kNorthEast, false};
  EXPECT_EQ(g.Do(turn), "COL-1.6");
  EXPECT_EQ(g.Do(turn, true), "");
  EXPECT_EQ(g.Ways(inf), "5,5 5,6 6,5");  // south-west, and 45 degrees either side of it
}

TEST(ColonialWithdrawal, ThroughAGateAndOverABridge) {  // COL-5.11, COL-5.6
  for (const std::uint8_t edge : {kWall, kStreamEdge})
    for (const bool road : {false, true}) {
      Game g;
      const PieceNo red = g.Stand(kRed, "native_infantry", {6, 7});
      g.Stand(kBlue, "regular_infantry", {6, 6});
      g.Stream({5, 8});
      g.Stream({7, 8});
      g.Edge({6, 7}, {6, 8}, edge);
      if (road) g.Road({{6, 7}, {6, 8}});
      g.Start();
      EXPECT_EQ(g.Ways(red), road ? "6,8" : "");
    }
}

}  // namespace
}  // namespace fos::colonial::test
