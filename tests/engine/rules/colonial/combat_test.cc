// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "engine/rules/colonial/movement.h"
#include "tests/support/colonial_game.h"

namespace fos::colonial::test {
namespace {

// ---- who may fight whom ----

TEST(ColonialCombat, OnlyTheFrontStandStartsACombat) {  // EX-6.1.1, EX-6.1.2
  Game g;
  const PieceNo front = g.Stand(kBlue, "regular_infantry", {5, 5});
  const PieceNo rear = g.Stand(kBlue, "regular_infantry", {5, 5});
  g.Stand(kRed, "native_infantry", {5, 7});
  g.Stand(kRed, "native_infantry", {6, 7});
  g.Start();
  EXPECT_EQ(g.Fire(rear, {5, 7}), "COL-6.1");
  EXPECT_EQ(g.Do(Activate{{front, rear}}), "");
  EXPECT_EQ(g.Fire(rear, {5, 7}), "COL-6.1");
  EXPECT_EQ(g.MoveTo(rear, {6, 5}), "");
  EXPECT_EQ(g.Fire(rear, {6, 7}), "");
  EXPECT_EQ(g.Dice({1, 12}), "");
  EXPECT_EQ(g.Fire(front, {5, 7}), "");
}

TEST(ColonialCombat, SettingBarsARearStandForTheTurn) {  // COL-6.1
  Game g;
  g.setup.settings.initiation_at_the_moment = false;
  g.Stand(kBlue, "regular_infantry", {5, 5});
  const PieceNo rear = g.Stand(kBlue, "regular_infantry", {5, 5});
  g.Stand(kRed, "native_infantry", {6, 7});
  g.Start();
  EXPECT_EQ(g.MoveTo(rear, {6, 5}), "");
  EXPECT_EQ(g.Fire(rear, {6, 7}), "COL-6.1");
}

TEST(ColonialCombat, EngagesThePairsNearerStand) {  // EX-6.2.1
  Game g;
  const PieceNo front = g.Stand(kRed, "native_infantry", {6, 7});
  const PieceNo rear = g.Stand(kRed, "native_infantry", {6, 7});
  const PieceNo ahead = g.Stand(kBlue, "regular_infantry", {6, 6});
  const PieceNo behind = g.Stand(kBlue, "regular_infantry", {5, 8});
  const PieceNo beside = g.Stand(kBlue, "regular_infantry", {5, 7});
  g.Start();
  EXPECT_EQ(TargetsIn(g.s, ahead, g.Square({6, 7})), std::vector<PieceNo>{front});
  EXPECT_EQ(TargetsIn(g.s, behind, g.Square({6, 7})), std::vector<PieceNo>{rear});
  EXPECT_EQ(TargetsIn(g.s, beside, g.Square({6, 7})), (std::vector<PieceNo>{front, rear}));
  EXPECT_EQ(g.Do(Fight{true, ahead, kNowhere, rear}), "COL-6.2");
  EXPECT_EQ(g.Do(Fight{true, behind, kNowhere, front}), "COL-6.2");
  EXPECT_EQ(g.Close(beside, {6, 7}), "COL-6.2");  // it may choose: which one?
  EXPECT_EQ(g.Do(Fight{true, beside, kNowhere, rear}), "");
  Game any;
  any.setup.settings.pair_target_by_side = false;
  any.Stand(kRed, "native_infantry", {6, 7});
  const PieceNo second = any.Stand(kRed, "native_infantry", {6, 7});
  const PieceNo blue = any.Stand(kBlue, "regular_infantry", {6, 6});
  any.Start();
  EXPECT_EQ(any.FireOn(blue, second), "");
}

TEST(ColonialCombat, RearStandMovesUpWhenTheFrontIsLost) {  // EX-6.3.1
  Game g;
  const PieceNo front = g.Stand(kRed, "native_infantry", {6, 7});
  const PieceNo rear = g.Stand(kRed, "native_infantry", {6, 7});
  const PieceNo gun = g.Stand(kBlue, "machine_gun", {6, 4});
  const PieceNo inf = g.Stand(kBlue, "regular_infantry", {5, 4}, N, "magazine_rifle");
  const PieceNo close = g.Stand(kBlue, "regular_infantry", {7, 6});
  g.Start();
  EXPECT_EQ(SumsOf(g.s, true, close, front).bonus[1], 4);  // 2 and its second rank's support
  EXPECT_EQ(g.Fire(gun, {6, 7}), "");
  EXPECT_EQ(g.Dice({12, 1}), "");
  EXPECT_EQ(g.Where(front), "gone");
  EXPECT_EQ(g.Count<Noted>(), 1);  // it stands alone from now on
  EXPECT_FALSE(g.s.At(rear).rear);
  EXPECT_EQ(g.Fire(inf, {6, 7}), "");
  EXPECT_EQ(g.s.combat->target, rear);
  EXPECT_EQ(g.Dice({1, 12}), "");
  EXPECT_EQ(SumsOf(g.s, true, close, rear).bonus[1], 2);
}

// ---- sight, arc, range ----

TEST(ColonialFire, WoodsBlockSight) {  // EX-7.1.1
  Game g;
  g.Wood({4, 6});
  const PieceNo inf = g.Stand(kBlue, "regular_infantry", {4, 4}, N, "magazine_rifle");
  g.Stand(kRed, "native_infantry", {4, 7});
  g.Start();
  EXPECT_EQ(g.Fire(inf, {4, 7}), "COL-7.1");
  Game h;
  h.Wood({4, 7});
  h.Wood({4, 4});
  const PieceNo other = h.Stand(kBlue, "regular_infantry", {4, 4}, N, "magazine_rifle");
  const PieceNo red = h.Stand(kRed, "native_infantry", {4, 7});
  h.Start();
  EXPECT_EQ(SumsOf(h.s, false, other, red).bonus[0], 1);  // seen, and in cover
  EXPECT_EQ(h.Fire(other, {4, 7}), "");
}

TEST(ColonialFire, SeesOverALowerFriend) {  // EX-7.1.2
  const auto seen = [](int friend_level, int target_level, int firer_level = 1) {
    Game g;
    g.Level({4, 4}, firer_level);
    g.Level({4, 5}, friend_level);
    g.Level({4, 7}, target_level);
    g.Stand(kBlue, "regular_infantry", {4, 5});
    g.Start();
    return !SightBlocked(g.s, g.Square({4, 4}), g.Square({4, 7}));
  };
  EXPECT_TRUE(seen(0, 0));
  EXPECT_FALSE(seen(1, 0));
  EXPECT_TRUE(seen(1, 2));
  EXPECT_FALSE(seen(0, 0, 0));
}

TEST(ColonialFire, HillsAndBuildingsBlockSight) {  // COL-7.1
  const auto seen = [](auto lay_out) {
    Game g;
    lay_out(g);
    g.Start();
    return !SightBlocked(g.s, g.Square({4, 4}), g.Square({4, 7}));
  };
  EXPECT_FALSE(seen([](Game& g) { g.Level({4, 5}, 1); }));
  EXPECT_TRUE(seen([](Game& g) { g.Level({4, 5}, 1), g.Level({4, 4}, 1); }));
  EXPECT_TRUE(seen([](Game& g) { g.Level({4, 5}, 1), g.Level({4, 7}, 1); }));
  EXPECT_FALSE(seen([](Game& g) { g.GroundAt({4, 5}).built_up = true; }));
  EXPECT_TRUE(seen([](Game& g) {
    g.GroundAt({4, 5}).built_up = true;  // its roof is not higher than the hill
    g.Level({4, 4}, 1);
  }));
  EXPECT_FALSE(seen([](Game& g) {
    g.Wood({4, 5});
    g.Level({4, 5}, 1);
    g.Level({4, 4}, 1);
  }));
  Game through;
  through.setup.settings.stands_block_sight = false;
  through.Stand(kBlue, "regular_infantry", {4, 5});
  through.Start();
  EXPECT_FALSE(SightBlocked(through.s, through.Square({4, 4}), through.Square({4, 7})));
}

TEST(ColonialFire, ACornerIsBlockedByBothSquares) {  // EX-7.1.3
  const auto seen = [](const std::vector<At>& friends) {
    Game g;
    for (const At at : friends) g.Stand(kBlue, "regular_infantry", at);
    g.Start();
    return !SightBlocked(g.s, g.Square({4, 4}), g.Square({6, 6}));
  };
  EXPECT_FALSE(seen({{5, 5}}));
  EXPECT_TRUE(seen({{5, 4}}));
  EXPECT_FALSE(seen({{5, 4}, {4, 5}}));
  EXPECT_TRUE(seen({{5, 4}, {5, 6}}));
  EXPECT_FALSE(seen({{6, 5}, {5, 6}}));
}

TEST(ColonialFire, TestsEverySquareOnTheLine) {  // EX-7.1.4
  for (const At at : {At{4, 5}, At{5, 5}}) {
    Game g;
    g.Stand(kBlue, "regular_infantry", at);
    g.Start();
    EXPECT_TRUE(SightBlocked(g.s, g.Square({4, 4}), g.Square({5, 6})).has_value());
  }
  Game g;
  g.Stand(kBlue, "regular_infantry", {5, 4});
  g.Start();
  EXPECT_FALSE(SightBlocked(g.s, g.Square({4, 4}), g.Square({5, 6})).has_value());
}

TEST(ColonialFire, FrontArcIsNinetyDegrees) {  // EX-7.2.1, EX-7.2.2, EX-7.2.3
  const auto fire = [](At at) {
    Game g;
    const PieceNo gun = g.Stand(kBlue, "machine_gun", {4, 4});
    g.Stand(kRed, "native_infantry", at);
    g.Start();
    return g.Fire(gun, at);
  };
  EXPECT_EQ(fire({6, 6}), "");
  EXPECT_EQ(fire({7, 6}), "COL-7.2");
  EXPECT_EQ(fire({4, 3}), "COL-7.2");
}

TEST(ColonialFire, Ranges) {  // EX-7.3.1, EX-7.3.2
  const std::vector<std::pair<const char*, int>> ranges = {
      {"handheld", 1},         {"musket", 1},           {"single_shot_rifle", 2},
      {"magazine_rifle", 3},   {"machine_gun", 4},      {"smoothbore_mountain", 4},
      {"rifled_mountain", 5},  {"smoothbore_field", 5}, {"rifled_field", 6},
      {"smoothbore_heavy", 6}, {"rifled_heavy", 8}};
  for (const auto& [weapon, range] : ranges)
    for (const bool beyond : {false, true}) {
      Game g;
      const PieceNo firer = g.Stand(kBlue, "regular_infantry", {4, 2}, N, weapon);
      const At at{4, 2 + range + beyond};
      g.Stand(kRed, "native_infantry", at);
      g.Start();
      EXPECT_EQ(g.Fire(firer, at), beyond ? "COL-7.3" : "") << weapon;
    }
  Game g;
  const PieceNo inf = g.Stand(kBlue, "regular_infantry", {4, 4}, N, "magazine_rifle");
  g.Stand(kRed, "native_infantry", {7, 7});
  g.Stand(kRed, "native_infantry", {7, 8});
  g.Start();
  EXPECT_EQ(g.Fire(inf, {7, 8}), "COL-7.3");
  EXPECT_EQ(g.Fire(inf, {7, 7}), "");
}

TEST(ColonialFire, WeaponsOfTransportAndCommand) {  // COL-7.3
  Game g;
  const PieceNo wagon = g.Stand(kBlue, "transport", {4, 4});
  const PieceNo general = g.General(kBlue, Rating::kAverage, {5, 4});
  g.Stand(kRed, "native_infantry", {4, 5});
  g.Stand(kRed, "native_infantry", {5, 6});
  g.Start();
  EXPECT_EQ(g.Fire(wagon, {4, 5}), "COL-7.3");
  EXPECT_EQ(g.Fire(general, {5, 6}), "COL-7.3");
  EXPECT_EQ(g.Fire(general, {4, 5}), "");
}

// ---- fire: the sums ----

// Scores and outcome of one combat with these dice.
struct Shot {
  int initiator = 0, enemy = 0;
  Outcome outcome = Outcome::kIneffective;
};
Shot Scored(Game& g, bool close, PieceNo stand, PieceNo target, int die, int enemy_die) {
  EXPECT_EQ(g.Do(Fight{close, stand, kNowhere, target}), "") << g.because;
  EXPECT_EQ(g.Dice({die, enemy_die}), "");
  return {g.Scores()[0], g.Scores()[1], g.LastOutcome()};
}

TEST(ColonialFire, DieAndValue) {  // EX-7.4.1, EX-7.4.2
  const auto shot = [](int die, int enemy_die) {
    Game g;
    const PieceNo inf = g.Stand(kBlue, "regular_infantry", {4, 4});
    const PieceNo native = g.Stand(kRed, "native_infantry", {4, 6});
    g.Start();
    return Scored(g, false, inf, native, die, enemy_die);
  };
  const Shot first = shot(8, 6);
  EXPECT_EQ(first.initiator, 11);
  EXPECT_EQ(first.enemy, 8);
  EXPECT_EQ(first.outcome, Outcome::kWithdraw);
  const Shot second = shot(12, 3);
  EXPECT_EQ(second.initiator, 15);
  EXPECT_EQ(second.enemy, 5);
  EXPECT_EQ(second.outcome, Outcome::kDestroyed);
}

TEST(ColonialFire, CommandStandAddsItsValue) {  // EX-7.5.1, EX-7.5.2, EX-7.5.3
  Game g;
  const PieceNo inf = g.Stand(kBlue, "regular_infantry", {4, 4});
  g.General(kBlue, Rating::kAverage, {5, 3});
  const PieceNo guard = g.Stand(kRed, "guard_infantry", {4, 6});
  g.General(kRed, Rating::kPoor, {4, 7});
  g.Start();
  const Shot shot = Scored(g, false, inf, guard, 5, 4);
  EXPECT_EQ(shot.initiator, 10);
  EXPECT_EQ(shot.enemy, 9);
  Game h;
  const PieceNo firer = h.Stand(kBlue, "regular_infantry", {4, 4});
  const PieceNo general = h.General(kRed, Rating::kExceptional, {4, 6});
  h.Start();
  EXPECT_EQ(Scored(h, false, firer, general, 5, 6).enemy, 9);
}

TEST(ColonialFire, GeneralInTheSameSquare) {  // COL-7.5
  for (const bool counts : {true, false}) {
    Game g;
    g.setup.settings.command_same_square = counts;
    const PieceNo inf = g.Stand(kBlue, "regular_infantry", {4, 4});
    g.General(kBlue, Rating::kAverage, {4, 4});
    const PieceNo guard = g.Stand(kRed, "guard_infantry", {4, 6});
    g.Start();
    EXPECT_EQ(SumsOf(g.s, false, inf, guard).bonus[0], counts ? 5 : 3);
  }
  Game far;
  const PieceNo inf = far.Stand(kBlue, "regular_infantry", {4, 4});
  far.General(kBlue, Rating::kAverage, {6, 4});
  const PieceNo guard = far.Stand(kRed, "guard_infantry", {4, 6});
  far.Start();
  EXPECT_EQ(SumsOf(far.s, false, inf, guard).bonus[0], 3);
}

TEST(ColonialFire, ArtilleryNextToItsTarget) {  // EX-7.6.1, EX-7.6.2, EX-7.6.3
  const auto score = [](const char* type, At at) {
    Game g;
    const PieceNo gun = g.Stand(kBlue, type, {4, 4});
    const PieceNo native = g.Stand(kRed, "native_infantry", at);
    g.Start();
    return Scored(g, false, gun, native, 7, 1).initiator;
  };
  EXPECT_EQ(score("field_artillery", {4, 5}), 10);
  EXPECT_EQ(score("field_artillery", {5, 5}), 10);
  EXPECT_EQ(score("field_artillery", {4, 6}), 9);
  EXPECT_EQ(score("machine_gun", {4, 5}), 9);
  EXPECT_EQ(score("heavy_artillery", {4, 5}), 11);
  EXPECT_EQ(score("mountain_artillery", {4, 5}), 10);
}

TEST(ColonialFire, Cover) {  // EX-7.7.1, EX-7.7.2, EX-7.7.3
  const auto shot = [](auto lay_out, At target = {4, 6}) {
    Game g;
    const PieceNo inf = g.Stand(kBlue, "regular_infantry", {4, 4});
    const PieceNo native = g.Stand(kRed, "native_infantry", target);
    lay_out(g);
    g.Start();
    return Scored(g, false, inf, native, 8, 7);
  };
  const Shot walled = shot([](Game& g) { g.Edge({4, 5}, {4, 6}, kWall); });
  EXPECT_EQ(walled.initiator, 9);
  EXPECT_EQ(walled.enemy, 9);
  EXPECT_EQ(walled.outcome, Outcome::kTie);
  const Shot far_side = shot([](Game& g) { g.Edge({4, 6}, {4, 7}, kWall); });
  EXPECT_EQ(far_side.initiator, 11);
  EXPECT_EQ(far_side.outcome, Outcome::kWithdraw);
  EXPECT_EQ(shot([](Game& g) { g.Wood({4, 6}), g.Edge({4, 5}, {4, 6}, kWall); }).initiator, 9);
  EXPECT_EQ(shot([](Game& g) { g.Edge({4, 5}, {4, 6}, kEntrenchment); }).initiator, 9);
  EXPECT_EQ(shot([](Game& g) {
              g.Edge({4, 5}, {4, 6}, kHedge | kFence | kTrenchEdge);
            }).initiator,
            11);
  // The firer's own wall does not matter; at a corner either edge gives cover.
  EXPECT_EQ(shot([](Game& g) { g.Edge({4, 4}, {4, 5}, kWall); }).initiator, 11);
  EXPECT_EQ(shot([](Game& g) { g.Edge({5, 6}, {6, 6}, kWall); }, {6, 6}).initiator, 9);
  EXPECT_EQ(shot([](Game& g) { g.Edge({6, 5}, {6, 6}, kWall); }, {6, 6}).initiator, 9);
  EXPECT_EQ(shot([](Game& g) { g.Edge({6, 6}, {7, 6}, kWall); }, {6, 6}).initiator, 11);
  // Not quite a diagonal: the line enters only across the nearer edge.
  EXPECT_EQ(shot([](Game& g) { g.Edge({4, 6}, {5, 6}, kWall); }, {5, 6}).initiator, 11);
  EXPECT_EQ(shot([](Game& g) { g.Edge({5, 5}, {5, 6}, kWall); }, {5, 6}).initiator, 9);
}

TEST(ColonialFire, CoverSettings) {  // COL-7.7
  const auto bonus = [](auto change) {
    Game g;
    change(g);
    const PieceNo inf = g.Stand(kBlue, "regular_infantry", {4, 4});
    const PieceNo native = g.Stand(kRed, "native_infantry", {4, 6});
    g.Start();
    return SumsOf(g.s, false, inf, native).bonus[0];
  };
  EXPECT_EQ(bonus([](Game& g) {
              g.setup.settings.fire_cover = {kWall | kHedge, false, false};
              g.Edge({4, 5}, {4, 6}, kHedge);
            }),
            1);
  EXPECT_EQ(bonus([](Game& g) {
              g.setup.settings.fire_cover = {kWall, false, false};
              g.Wood({4, 6});
            }),
            3);
  EXPECT_EQ(bonus([](Game& g) {
              g.setup.settings.entrenchment_by_edge = false;
              g.Edge({4, 6}, {4, 7}, kEntrenchment);
            }),
            1);
  EXPECT_EQ(bonus([](Game& g) { g.Edge({4, 6}, {4, 7}, kEntrenchment); }), 3);
}

// ---- close combat ----

TEST(ColonialClose, OnlyAdjacentSquares) {  // EX-8.1.1, EX-8.1.2
  Game g;
  const PieceNo blue = g.Stand(kBlue, "regular_infantry", {5, 5});
  const PieceNo other = g.Stand(kBlue, "transport", {5, 4}, S);
  g.Stand(kRed, "native_infantry", {6, 6});
  g.Stand(kRed, "native_infantry", {5, 7});
  g.Stand(kRed, "native_infantry", {6, 5});
  g.Edge({5, 5}, {5, 6}, kWall);
  g.Edge({5, 5}, {6, 5}, kWall);
  g.Start();
  EXPECT_EQ(g.Close(blue, {5, 7}), "COL-8.1");
  EXPECT_EQ(g.Close(blue, {6, 6}), "");  // obstacles between them do not forbid it
  EXPECT_EQ(g.Dice({1, 12}), "");
  EXPECT_EQ(g.Close(other, {6, 5}), "");  // any type, with any facing
}

TEST(ColonialClose, SettingRequiresTheFrontArc) {  // COL-8.1
  Game g;
  g.setup.settings.close_needs_front_arc = true;
  const PieceNo blue = g.Stand(kBlue, "regular_infantry", {5, 5});
  g.Stand(kRed, "native_infantry", {6, 5});
  g.Stand(kRed, "native_infantry", {6, 6});
  g.Start();
  EXPECT_EQ(g.Close(blue, {6, 5}), "COL-8.1");
  EXPECT_EQ(g.Close(blue, {6, 6}), "");
  Game four;
  four.setup.settings.king_adjacency = false;
  const PieceNo inf = four.Stand(kBlue, "regular_infantry", {5, 5});
  four.Stand(kRed, "native_infantry", {6, 6});
  four.Start();
  EXPECT_EQ(four.Close(inf, {6, 6}), "COL-8.1");
}

TEST(ColonialClose, DieAndValue) {  // EX-8.2.1
  Game g;
  const PieceNo native = g.Stand(kBlue, "native_infantry", {5, 5});
  const PieceNo red = g.Stand(kRed, "regular_infantry", {5, 6});
  g.Start();
  const Shot shot = Scored(g, true, native, red, 9, 4);
  EXPECT_EQ(shot.initiator, 11);
  EXPECT_EQ(shot.enemy, 7);
  EXPECT_EQ(shot.outcome, Outcome::kWithdraw);
}

TEST(ColonialClose, CommandStandAddsItsValue) {  // EX-8.3.1
  Game g;
  const PieceNo native = g.Stand(kBlue, "native_infantry", {5, 5});
  g.General(kBlue, Rating::kExceptional, {4, 4});
  const PieceNo red = g.Stand(kRed, "regular_infantry", {5, 6});
  g.General(kRed, Rating::kAverage, {5, 7});
  g.Start();
  const Shot shot = Scored(g, true, native, red, 5, 4);
  EXPECT_EQ(shot.initiator, 10);
  EXPECT_EQ(shot.enemy, 9);
}

TEST(ColonialClose, Support) {  // EX-8.4.1, EX-8.4.2
  Game g;
  const PieceNo front = g.Stand(kBlue, "native_infantry", {5, 5});
  g.Stand(kBlue, "native_infantry", {5, 5});
  g.Stand(kBlue, "native_infantry", {6, 5}, S);
  g.Stand(kBlue, "native_infantry", {6, 5}, S);
  const PieceNo red = g.Stand(kRed, "regular_infantry", {5, 6});
  g.Stand(kRed, "irregular_infantry", {5, 6});
  g.Start();
  const Combat combat = SumsOf(g.s, true, front, red);
  EXPECT_EQ(combat.bonus[0], 6);
  EXPECT_EQ(combat.bonus[1], 3);
  Game h;
  const PieceNo regular = h.Stand(kBlue, "regular_infantry", {5, 5});
  h.Stand(kBlue, "irregular_infantry", {5, 5});
  const PieceNo enemy = h.Stand(kRed, "native_infantry", {5, 6});
  h.Start();
  EXPECT_EQ(SumsOf(h.s, true, regular, enemy).bonus[0], 3);
}

TEST(ColonialClose, SettingSupportsByArm) {  // COL-8.4
  for (const bool exact : {true, false}) {
    Game g;
    g.setup.settings.exact_type = exact;
    const PieceNo regular = g.Stand(kBlue, "regular_infantry", {5, 5});
    g.Stand(kBlue, "irregular_infantry", {5, 5});
    g.Stand(kBlue, "guard_infantry", {4, 5});
    g.Stand(kBlue, "regular_cavalry", {6, 5});
    const PieceNo enemy = g.Stand(kRed, "machine_gun", {5, 6});
    g.Stand(kRed, "field_artillery", {6, 6});
    g.Start();
    EXPECT_EQ(SumsOf(g.s, true, regular, enemy).bonus[0], exact ? 3 : 6);
    EXPECT_EQ(SumsOf(g.s, true, regular, enemy).bonus[1], 2);
  }
  Game generals;  // Command stands have no type
  generals.setup.settings.command_stands = 2;
  const PieceNo one = generals.General(kBlue, Rating::kPoor, {5, 5});
  generals.General(kBlue, Rating::kAverage, {4, 5});
  const PieceNo enemy = generals.Stand(kRed, "machine_gun", {5, 6});
  generals.Start();
  EXPECT_EQ(SumsOf(generals.s, true, one, enemy).bonus[0], 3);
}

TEST(ColonialClose, FlankOrRear) {  // EX-8.5.1, EX-8.5.2
  const auto bonus = [](At at) {
    Game g;
    const PieceNo blue = g.Stand(kBlue, "native_infantry", at);
    const PieceNo red = g.Stand(kRed, "regular_infantry", {6, 7}, S);
    g.Start();
    return SumsOf(g.s, true, blue, red).bonus[0] - 2;
  };
  for (const At at : {At{5, 6}, At{6, 6}, At{7, 6}}) EXPECT_EQ(bonus(at), 0);
  for (const At at : {At{5, 7}, At{7, 7}, At{5, 8}, At{6, 8}, At{7, 8}}) EXPECT_EQ(bonus(at), 2);
  Game fire;  // and none in fire combat
  const PieceNo blue = fire.Stand(kBlue, "native_infantry", {6, 8}, S);
  const PieceNo red = fire.Stand(kRed, "regular_infantry", {6, 7}, S);
  fire.Start();
  EXPECT_EQ(SumsOf(fire.s, false, blue, red).bonus[0], 2);
}

TEST(ColonialClose, CavalryInTheOpen) {  // EX-8.6.1, EX-8.6.2, EX-8.6.3, EX-8.6.4
  const auto bonus = [](auto lay_out, const char* enemy = "regular_infantry",
                        const char* cavalry = "regular_cavalry", At at = {5, 6}) {
    Game g;
    const PieceNo cav = g.Stand(kBlue, cavalry, {5, 5});
    const PieceNo red = g.Stand(kRed, enemy, at);
    lay_out(g);
    g.Start();
    return SumsOf(g.s, true, cav, red).bonus[0] - g.s.At(cav).value;
  };
  const auto nothing = [](Game&) {};
  EXPECT_EQ(bonus(nothing), 3);
  EXPECT_EQ(bonus([](Game& g) { g.Wood({5, 6}); }), 0);
  EXPECT_EQ(bonus([](Game& g) { g.Level({5, 6}, 1); }), -2);
  EXPECT_EQ(bonus(nothing, "machine_gun"), 0);
  for (const char* open :
       {"guard_infantry", "irregular_infantry", "native_infantry", "dismounted_cavalry",
        "heavy_artillery", "field_artillery", "mountain_artillery"})
    EXPECT_EQ(bonus(nothing, open), 3) << open;
  for (const char* not_open : {"regular_cavalry", "transport", "command_foot", "command_mounted"})
    EXPECT_EQ(bonus(nothing, not_open), 0) << not_open;
  for (const char* cavalry : {"irregular_cavalry", "native_cavalry"})
    EXPECT_EQ(bonus(nothing, "regular_infantry", cavalry), 3);
  for (const char* not_cavalry : {"dismounted_cavalry", "command_mounted", "regular_infantry"})
    EXPECT_EQ(bonus(nothing, "native_infantry", not_cavalry), 0) << not_cavalry;
  EXPECT_EQ(bonus([](Game& g) { g.GroundAt({5, 5}).other = true; }), 0);
  EXPECT_EQ(bonus([](Game& g) { g.Stream({5, 5}); }), 0);
  EXPECT_EQ(bonus([](Game& g) { g.Road({{5, 5}, {5, 6}}); }), 3);
  EXPECT_EQ(bonus([](Game& g) { g.Level({5, 5}, 1), g.Level({5, 6}, 1); }), 3);
  EXPECT_EQ(bonus([](Game& g) { g.Edge({5, 5}, {5, 6}, kHedge); }), 0);
  EXPECT_EQ(bonus([](Game& g) { g.Edge({5, 6}, {5, 7}, kHedge); }), 3);
  // Diagonally any of the four edges at the corner.
  EXPECT_EQ(bonus(nothing, "regular_infantry", "regular_cavalry", {6, 6}), 3);
  EXPECT_EQ(bonus(
                [](Game& g) {
                  g.Edge({5, 5}, {6, 5}, kFence);
                },
                "regular_infantry", "regular_cavalry", {6, 6}),
            0);
  EXPECT_EQ(bonus(
                [](Game& g) {
                  g.Edge({6, 6}, {7, 6}, kFence);
                },
                "regular_infantry", "regular_cavalry", {6, 6}),
            3);
}

TEST(ColonialClose, Uphill) {  // EX-8.7.1, EX-8.7.2
  const auto bonus = [](int from, int to) {
    Game g;
    g.Level({5, 5}, from);
    g.Level({5, 6}, to);
    const PieceNo blue = g.Stand(kBlue, "native_infantry", {5, 5});
    const PieceNo red = g.Stand(kRed, "regular_infantry", {5, 6});
    g.Start();
    return SumsOf(g.s, true, blue, red).bonus[0] - 2;
  };
  EXPECT_EQ(bonus(0, 2), -2);
  EXPECT_EQ(bonus(1, 0), 0);
}

TEST(ColonialClose, WallAndEntrenchment) {  // EX-8.8.1, EX-8.8.2
  const auto bonus = [](auto lay_out) {
    Game g;
    const PieceNo blue = g.Stand(kBlue, "native_infantry", {5, 5});
    const PieceNo red = g.Stand(kRed, "regular_infantry", {5, 6});
    lay_out(g);
    g.Start();
    return SumsOf(g.s, true, blue, red).bonus[0] - 2;
  };
  EXPECT_EQ(bonus([](Game& g) { g.Edge({5, 5}, {5, 6}, kWall); }), -2);
  EXPECT_EQ(bonus([](Game& g) { g.Wood({5, 6}); }), 0);
  EXPECT_EQ(bonus([](Game& g) { g.Edge({5, 5}, {5, 6}, kEntrenchment | kWall); }), -2);
  EXPECT_EQ(bonus([](Game& g) { g.Edge({5, 5}, {5, 6}, kHedge); }), 0);
}

TEST(ColonialClose, AddsAllModifiers) {  // EX-8.9.1, EX-8.9.2
  Game g;
  const PieceNo cav = g.Stand(kBlue, "regular_cavalry", {5, 7});
  g.Stand(kBlue, "regular_cavalry", {4, 7});
  const PieceNo inf = g.Stand(kRed, "regular_infantry", {6, 7}, S);
  g.General(kRed, Rating::kAverage, {7, 8});
  g.Start();
  const Shot charge = Scored(g, true, cav, inf, 6, 7);
  EXPECT_EQ(charge.initiator, 15);
  EXPECT_EQ(charge.enemy, 12);
  EXPECT_EQ(charge.outcome, Outcome::kWithdraw);
  Game h;
  h.Level({5, 6}, 1);
  h.Edge({5, 5}, {5, 6}, kWall);
  const PieceNo native = h.Stand(kBlue, "native_infantry", {5, 5});
  const PieceNo guard = h.Stand(kRed, "guard_infantry", {5, 6});
  h.Start();
  const Shot uphill = Scored(h, true, native, guard, 4, 2);
  EXPECT_EQ(uphill.initiator, 2);
  EXPECT_EQ(uphill.enemy, 6);
  EXPECT_EQ(uphill.outcome, Outcome::kIneffective);
}

// ---- results ----

// Regular infantry (3) fires at native infantry (2).
Game Firing() {
  Game g;
  g.Stand(kBlue, "regular_infantry", {4, 4});
  g.Stand(kRed, "native_infantry", {4, 6});
  g.Start();
  EXPECT_EQ(g.FireOn(0, 1), "");
  return g;
}

TEST(ColonialResult, LowerScoreHasNoEffect) {  // EX-9.1.1
  Game g = Firing();
  EXPECT_EQ(g.Dice({6, 8}), "");  // 9 against 10
  EXPECT_EQ(g.LastOutcome(), Outcome::kIneffective);
  EXPECT_EQ(g.Where(0) + " " + g.Where(1), "4,4 4,6");
  EXPECT_TRUE(g.s.At(0).initiated);
}

TEST(ColonialResult, EqualScoresThrowAgain) {  // EX-9.2.1, EX-9.2.2
  Game g = Firing();
  EXPECT_EQ(g.Dice({6, 7}), "");  // 9 against 9
  Game h = g;
  EXPECT_EQ(g.Dice({4, 7}), "");
  EXPECT_EQ(g.s.ask.about, 0);  // the initiator withdraws, in fire combat too
  EXPECT_EQ(g.Back({4, 3}), "");
  EXPECT_EQ(h.Dice({6, 6}), "");
  EXPECT_EQ(h.s.ask.what, Want::kTieDice);
  EXPECT_EQ(h.Dice({8, 2}), "");
  EXPECT_EQ(h.s.ask.about, 1);
  EXPECT_EQ(h.Back({4, 7}), "");
}

TEST(ColonialResult, MoreThanHalfWithdraws) {  // EX-9.3.1
  Game g = Firing();
  EXPECT_EQ(g.Dice({8, 4}), "");  // 11 against 6
  EXPECT_EQ(g.LastOutcome(), Outcome::kWithdraw);
}

TEST(ColonialResult, LessThanHalfIsDestroyed) {  // EX-9.4.1
  Game g = Firing();
  EXPECT_EQ(g.Dice({10, 4}), "");  // 13 against 6
  EXPECT_EQ(g.LastOutcome(), Outcome::kDestroyed);
  EXPECT_EQ(g.Where(1), "gone");
  EXPECT_EQ(LossesOf(g.s, kRed).stands, 1);
  EXPECT_EQ(LossesOf(g.s, kRed).points, 2);
}

TEST(ColonialResult, ExactlyHalfWithdraws) {  // EX-9.5.1
  Game g = Firing();
  EXPECT_EQ(g.Dice({9, 4}), "");  // 12 against 6
  EXPECT_EQ(g.LastOutcome(), Outcome::kWithdraw);
  Settings harsh = Rulings();
  harsh.exact_half_withdraws = false;
  EXPECT_EQ(OutcomeOf(Book(), harsh, 12, 6), Outcome::kDestroyed);
  EXPECT_EQ(OutcomeOf(Book(), harsh, 11, 6), Outcome::kWithdraw);
  EXPECT_EQ(OutcomeOf(Book(), harsh, 13, 6), Outcome::kDestroyed);
  EXPECT_EQ(OutcomeOf(Book(), harsh, 0, 0), Outcome::kTie);
}

TEST(ColonialResult, TableMustShowTheResult) {  // EX-9.6.1
  Game g;
  const PieceNo blue = g.Stand(kBlue, "regular_infantry", {6, 6});
  const PieceNo other = g.Stand(kBlue, "regular_infantry", {12, 6});
  const PieceNo red = g.Stand(kRed, "native_infantry", {6, 7});
  g.Start();
  EXPECT_EQ(g.Close(blue, {6, 7}), "");
  EXPECT_EQ(g.Dice({8, 6}), "");
  EXPECT_EQ(g.Do(Seen{red, g.Square({6, 9}), S}), "COL-9.6");
  EXPECT_NE(g.because.find("too far"), std::string::npos) << g.because;
  EXPECT_EQ(g.Do(Seen{red, g.Square({5, 7}), S}), "COL-9.6");
  EXPECT_EQ(g.Do(Seen{red, g.Square({6, 8}), N}), "COL-5.11");
  EXPECT_EQ(g.MoveTo(other, {12, 7}), "COL-9.6");  // the withdrawal must come first
  EXPECT_EQ(g.Do(Seen{red, g.Square({6, 8}), S}), "");
  EXPECT_EQ(g.Where(red), "6,8");
  EXPECT_EQ(g.Do(Seen{other, g.Square({12, 7}), N}), "");  // a seen move is a move
  EXPECT_EQ(g.Where(other), "12,7");
}

TEST(ColonialResult, TakesCameraMeasurements) {  // COL-1.2, COL-1.5, COL-1.6, COL-9.6
  Game g;
  const PieceNo inf = g.Stand(kBlue, "regular_infantry", {4, 4});
  g.Start();
  // (4,6) has its centre at 175, 275 mm.
  const auto seen = [&](double x_mm, double y_mm, double bearing, double depth_mm = 20) {
    const auto milli = [](double mm) { return static_cast<std::int32_t>(mm / 0.0254); };
    return g.Do(Measured{inf, milli(x_mm), milli(y_mm), static_cast<std::int32_t>(bearing * 1000),
                         milli(40), milli(depth_mm)});
  };
  EXPECT_EQ(seen(175, 251, 3), "COL-1.2");  // 1 mm from the line
  EXPECT_EQ(seen(-20, 275, 3), "COL-1.2");
  EXPECT_EQ(seen(175, 275, 47), "COL-1.6");  // between N and E
  EXPECT_EQ(seen(175, 325, 3), "COL-5.1");   // three squares
  EXPECT_EQ(seen(175, 175, 3), "COL-9.6");   // it has not moved
  EXPECT_EQ(seen(175, 275, 93, 31), "");
  EXPECT_EQ(g.Count<Noted>(), 1);  // it looks like cavalry
  EXPECT_EQ(g.Where(inf), "4,6");
  EXPECT_EQ(g.FacingOf(inf), E);
}

TEST(ColonialResult, FrontStandIsTheOneSeenAhead) {  // COL-1.3, COL-9.6
  // (4,6) has its centre at 175, 275 mm.
  for (const double y_mm : {285.0, 265.0}) {
    Game g;
    const PieceNo there = g.Stand(kBlue, "regular_infantry", {4, 6});
    const PieceNo comes = g.Stand(kBlue, "regular_infantry", {4, 4});
    g.Start();
    const auto milli = [](double mm) { return static_cast<std::int32_t>(mm / 0.0254); };
    EXPECT_EQ(g.Do(Measured{comes, milli(175), milli(y_mm), 0, 0, 0}), "");
    EXPECT_EQ(g.s.At(there).rear, y_mm > 275);
    EXPECT_EQ(g.s.At(comes).rear, y_mm < 275);
  }
}

TEST(ColonialResult, NoFreeAdvanceAfterCombat) {  // COL-9.6
  Game g;
  const PieceNo blue = g.Stand(kBlue, "regular_infantry", {6, 6});
  const PieceNo red = g.Stand(kRed, "native_infantry", {6, 7});
  g.Start();
  g.Close(blue, {6, 7});
  g.Dice({12, 1});
  EXPECT_EQ(g.Where(red), "gone");
  EXPECT_EQ(g.Where(blue), "6,6");
  EXPECT_EQ(g.MoveTo(blue, {6, 7}), "");
}

// ---- longer sequences ----

TEST(ColonialSequence, NativePairAgainstAFiringLine) {  // W-1, COL-6.3, COL-7.5, COL-9.4
  Game g;
  const PieceNo p = g.Stand(kRed, "native_infantry", {6, 7});
  const PieceNo q = g.Stand(kRed, "native_infantry", {6, 7});
  const PieceNo x = g.Stand(kBlue, "regular_infantry", {6, 4}, N, "magazine_rifle");
  const PieceNo m = g.Stand(kBlue, "machine_gun", {7, 3});
  g.General(kBlue, Rating::kAverage, {5, 4});
  g.Start(kBlue, 2);
  EXPECT_EQ(g.Fire(x, {6, 7}), "");
  EXPECT_EQ(g.s.combat->target, p);
  EXPECT_EQ(g.Dice({7, 5}), "");
  EXPECT_EQ(g.Scores(), (std::array<int, 2>{12, 7}));
  EXPECT_EQ(g.Ways(p), "5,8 6,8 7,8");
  EXPECT_EQ(g.Back({6, 8}), "");
  EXPECT_EQ(g.Fire(m, {6, 7}), "");
  EXPECT_EQ(g.s.combat->target, q);
  EXPECT_EQ(g.Dice({9, 2}), "");
  EXPECT_EQ(g.Scores(), (std::array<int, 2>{11, 4}));
  EXPECT_EQ(g.Where(q), "gone");
}

TEST(ColonialSequence, CavalryChargesAGun) {  // W-2, COL-8.6, COL-9.5, COL-4.1
  Game g;
  const PieceNo c = g.Stand(kRed, "regular_cavalry", {6, 9});
  const PieceNo gun = g.Stand(kBlue, "field_artillery", {6, 5});
  g.Stand(kBlue, "regular_infantry", {5, 5});
  g.Start(kRed, 3);
  EXPECT_EQ(g.MoveTo(c, {6, 6}), "");
  EXPECT_EQ(g.s.At(c).spent, 300);
  EXPECT_EQ(g.Close(c, {6, 5}), "");
  EXPECT_EQ(g.Dice({6, 4}), "");
  EXPECT_EQ(g.Scores(), (std::array<int, 2>{12, 6}));
  EXPECT_EQ(g.Ways(gun), "5,4 6,4 7,4");
  EXPECT_EQ(g.Back({6, 4}), "");
  EXPECT_EQ(g.MoveTo(c, {6, 5}), "COL-4.1");  // it moved first
}

TEST(ColonialSequence, AttackerLosesATie) {  // W-3, COL-8.8, COL-9.2
  Game g;
  const PieceNo guard = g.Stand(kBlue, "guard_infantry", {8, 5});
  g.Stand(kBlue, "guard_infantry", {1, 1});
  g.Stand(kRed, "regular_infantry", {8, 6});
  g.Edge({8, 5}, {8, 6}, kWall);
  g.Start();
  EXPECT_EQ(g.Close(guard, {8, 6}), "");
  EXPECT_EQ(g.Dice({5, 4}), "");
  EXPECT_EQ(g.Scores(), (std::array<int, 2>{7, 7}));
  EXPECT_EQ(g.Dice({3, 10}), "");
  EXPECT_EQ(g.Ways(guard), "7,4 8,4 9,4");
  EXPECT_EQ(g.Back({8, 4}), "");
  EXPECT_EQ(g.FacingOf(guard), N);
  EXPECT_EQ(g.MoveTo(guard, {8, 3}), "COL-4.1");
}

TEST(ColonialResult, TheCameraConfirmsTheOnlyWithdrawal) {  // COL-9.6
  Game g;
  const PieceNo blue = g.Stand(kBlue, "regular_infantry", {6, 6});
  const PieceNo red = g.Stand(kRed, "native_infantry", {6, 7});
  g.Stream({5, 8});
  g.Stream({7, 8});
  g.Start();
  EXPECT_EQ(g.Close(blue, {6, 7}), "");
  EXPECT_EQ(g.Dice({8, 6}), "");
  EXPECT_EQ(g.Where(red), "6,8");  // the only square
  EXPECT_EQ(g.Do(Seen{red, g.Square({6, 8}), S}), "") << g.because;
  EXPECT_EQ(g.Do(Seen{red, g.Square({6, 9}), S}), "COL-3.5");
  EXPECT_EQ(g.Where(red), "6,8");
}

TEST(ColonialResult, APairIsSeenTogether) {  // COL-3.4, COL-9.6
  Game g;
  const PieceNo front = g.Stand(kBlue, "native_infantry", {5, 5});
  const PieceNo rear = g.Stand(kBlue, "native_infantry", {5, 5});
  g.Start(kBlue, 1);
  EXPECT_EQ(g.Do(Seen{front, g.Square({5, 9}), N, false, rear}), "COL-5.1");
  EXPECT_EQ(g.Do(Seen{front, g.Square({5, 7}), N, false, rear}), "") << g.because;
  EXPECT_EQ(g.Where(front), "5,7");
  EXPECT_EQ(g.Where(rear), "5,7");
  EXPECT_TRUE(g.s.At(rear).rear);
  EXPECT_EQ(g.s.left, 0);  // one activation
  EXPECT_EQ(g.Do(Seen{front, g.Square({5, 7}), N, false, rear}), "COL-9.6");
}

TEST(ColonialResult, ADoubtfulPlaceNamesTheSquares) {  // COL-1.2
  Game g;
  const PieceNo inf = g.Stand(kBlue, "regular_infantry", {4, 4});
  g.Start();
  const auto seen = [&](double x_mm, double y_mm) {
    const auto milli = [](double mm) { return static_cast<std::int32_t>(mm / 0.0254); };
    return g.Do(Measured{inf, milli(x_mm), milli(y_mm), 0, 0, 0});
  };
  EXPECT_EQ(seen(175, 251), "COL-1.2");  // 1 mm above the line between D5 and D6
  EXPECT_NE(g.because.find("D6 or D5"), std::string::npos) << g.because;
  EXPECT_EQ(seen(199, 249), "COL-1.2");
  EXPECT_NE(g.because.find("D5 or E5 or D6 or E6"), std::string::npos) << g.because;
  EXPECT_EQ(seen(-20, 275), "COL-1.2");
  EXPECT_NE(g.because.find("(-20, 275) mm"), std::string::npos) << g.because;
}

}  // namespace
}  // namespace fos::colonial::test
