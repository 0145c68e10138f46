// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <functional>

#include "engine/game/chance.h"
#include "engine/rules/colonial/legal.h"
#include "engine/rules/colonial/movement.h"
#include "engine/rules/colonial/random_play.h"
#include "tests/engine/rules/colonial/simple_generator.h"
#include "tests/support/colonial_battles.h"
#include "tests/support/colonial_game.h"

namespace fos::colonial::test {
namespace {

std::set<int> Squares(const std::vector<Cell>& cells) { return {cells.begin(), cells.end()}; }

// Counts sequences of moves without turning, each by another stand of the acting side: by the
// engine, with each move played through the referee, or by the simple generator.
long EngineCount(const State& s, int depth) {
  if (depth == 0) return 1;
  long count = 0;
  for (std::size_t n = 0; n < s.stands.size(); ++n) {
    const auto i = static_cast<PieceNo>(n);
    if (s.stands[n].side != s.acting || s.stands[n].activated) continue;
    std::vector<Action> actions;
    AppendFor(s, i, Turns::kNone, actions);
    for (const Action& action : actions) {
      if (!std::holds_alternative<Move>(action.what)) continue;
      State next = s;
      std::vector<Event> events;
      EXPECT_FALSE(Play(next, action, events));
      count += EngineCount(next, depth - 1);
    }
  }
  return count;
}

long SimpleCount(const State& s, int depth) {
  if (depth == 0) return 1;
  long count = 0;
  for (std::size_t n = 0; n < s.stands.size(); ++n) {
    const int i = static_cast<int>(n);
    if (s.stands[n].side != s.acting || s.stands[n].activated) continue;
    for (const int end : SimpleMoves(s, i)) {
      State next = s;
      ApplyTo(next, Moved{static_cast<PieceNo>(n),
                          {static_cast<Cell>(end)},
                          s.stands[n].facing,
                          true,
                          false,
                          0});
      next.stands[n].activated = true;
      count += SimpleCount(next, depth - 1);
    }
  }
  return count;
}

struct Position {
  const char* name;
  std::function<void(Game&)> lay_out;
  std::vector<long> counts;  // at depths 1, 2, ...
};

const std::vector<Position>& Positions() {
  static const std::vector<Position> positions = {
      {"one infantry stand",
       [](Game& g) {
         g.Stand(kBlue, "regular_infantry", {6, 6});
       },
       {24}},
      {"one native cavalry stand",
       [](Game& g) {
         g.Stand(kBlue, "native_cavalry", {6, 6});
       },
       {120}},
      {"in the corner",
       [](Game& g) {
         g.Stand(kBlue, "guard_infantry", {1, 1});
         g.Stand(kBlue, "native_infantry", {1, 2});
       },
       {27, 304}},
      {"a pair",
       [](Game& g) {
         g.Stand(kBlue, "native_infantry", {5, 5});
         g.Stand(kBlue, "native_infantry", {5, 5});
       },
       {96, 4608}},
      {"two guns and a wagon in each other's way",
       [](Game& g) {
         g.Stand(kBlue, "field_artillery", {5, 5});
         g.Stand(kBlue, "heavy_artillery", {5, 6});
         g.Stand(kBlue, "transport", {6, 5});
       },
       {66, 2942}},
      {"artillery and an enemy",
       [](Game& g) {
         g.Stand(kBlue, "mountain_artillery", {5, 5});
         g.Stand(kRed, "native_infantry", {5, 8});
       },
       {21}},
      {"the gap between two enemies",
       [](Game& g) {
         g.Stand(kBlue, "irregular_infantry", {5, 5});
         g.Stand(kRed, "native_infantry", {6, 5});
         g.Stand(kRed, "native_infantry", {5, 6});
       },
       {42}},
      {"a road through a wood, uphill",
       [](Game& g) {
         g.Road({{4, 2}, {4, 3}, {4, 4}, {5, 5}, {5, 6}});
         for (const At at : {At{4, 3}, At{4, 4}, At{3, 4}}) g.Wood(at);
         for (const At at : {At{5, 5}, At{5, 6}, At{6, 5}}) g.Level(at, 1);
         g.Stand(kBlue, "regular_cavalry", {4, 2});
         g.Stand(kBlue, "regular_infantry", {4, 2});
       },
       {65, 1748}},
      {"a walled village",
       [](Game& g) {
         g.GroundAt({6, 6}).built_up = true;
         for (const auto& [a, b] : std::vector<std::pair<At, At>>{
                  {{6, 6}, {6, 5}}, {{6, 6}, {5, 6}}, {{6, 6}, {7, 6}}, {{6, 6}, {6, 7}}})
           g.Edge(a, b, kWall);
         g.Stand(kBlue, "regular_cavalry", {6, 4});
         g.Stand(kBlue, "regular_infantry", {5, 5});
         g.Stand(kRed, "native_infantry", {6, 6});
       },
       {92, 3080}},
      {"a stream, a ford and an enemy beside it",
       [](Game& g) {
         for (int c = 3; c <= 9; ++c) g.Stream({c, 6});
         g.GroundAt({5, 6}).impassable = true;
         g.Stand(kBlue, "regular_cavalry", {6, 5});
         g.Stand(kBlue, "machine_gun", {5, 5});
         g.Stand(kRed, "native_infantry", {7, 5});
       },
       {95, 3161}},
      {"cliffs",
       [](Game& g) {
         for (const At at : {At{5, 5}, At{6, 5}, At{5, 6}}) g.Level(at, 2);
         g.Level({6, 6}, 3);
         g.Stand(kBlue, "native_infantry", {5, 4});
         g.Stand(kBlue, "regular_infantry", {5, 5});
       },
       {46, 258}},
      {"ten stands",
       [](Game& g) {
         for (int c = 2; c <= 6; ++c) g.Stand(kBlue, "regular_infantry", {c, 4});
         for (int c = 2; c <= 4; ++c) g.Stand(kBlue, "native_infantry", {c, 3});
         g.Stand(kBlue, "regular_cavalry", {6, 3});
         g.Stand(kBlue, "command_mounted", {5, 3});
         for (int c = 2; c <= 6; ++c) g.Stand(kRed, "native_infantry", {c, 7});
       },
       {332, 97082}},
  };
  return positions;
}

TEST(ColonialPerft, BothGeneratorsMatchThePublishedCounts) {
  ASSERT_GE(Positions().size(), 12u);
  for (const Position& position : Positions()) {
    SCOPED_TRACE(position.name);
    Game g(12, 12);
    position.lay_out(g);
    g.idle_wagons = false;
    g.Start();
    ASSERT_FALSE(position.counts.empty());
    for (std::size_t depth = 1; depth <= position.counts.size(); ++depth) {
      EXPECT_EQ(EngineCount(g.s, static_cast<int>(depth)), position.counts[depth - 1]);
      EXPECT_EQ(SimpleCount(g.s, static_cast<int>(depth)), position.counts[depth - 1]);
    }
  }
}

// Compares moves, targets, sums and withdrawals of every stand at many points of random games, with
// all kinds of terrain and stands.
TEST(ColonialPerft, BothGeneratorsAgreeInRandomBattles) {
  long moves = 0, targets = 0, ways = 0;
  for (int number = 1; number <= 6; ++number) {
    State s = NewGame(SmallBattle(number), 1);
    Generator chance{static_cast<std::uint64_t>(number)};
    for (int action = 0; action < 160 && s.phase != Phase::kOver; ++action) {
      std::vector<Event> events;
      ASSERT_FALSE(Play(s, RandomAction(s, chance), events));
      if (action % 20 != 0) continue;
      for (std::size_t n = 0; n < s.stands.size(); ++n) {
        const auto i = static_cast<PieceNo>(n);
        if (s.stands[n].fate != Fate::kOnTable) continue;
        // As if it were just activated and alone in its square.
        State fresh = s;
        fresh.ask = {};
        fresh.phase = Phase::kActing;
        fresh.acting = s.stands[n].side;
        fresh.left = 1;
        Stand& stand = fresh.stands[n];
        stand.activated = stand.initiated = stand.moved = stand.mounted = stand.withdrew = false;
        stand.spent = 0;
        stand.by_road = true;
        const std::set<int> ends = Squares(EndSquares(fresh, i));
        ASSERT_EQ(ends, SimpleMoves(fresh, static_cast<int>(n))) << NameOf(s, i);
        moves += static_cast<long>(ends.size());
        std::vector<Cell> back;
        for (const auto& path : Withdrawals(fresh, i)) back.push_back(path.back());
        ASSERT_EQ(Squares(back), SimpleWithdrawals(fresh, static_cast<int>(n))) << NameOf(s, i);
        ways += static_cast<long>(back.size());
        if (stand.rear) continue;
        for (const bool close : {false, true}) {
          std::set<int> engaged;
          for (const PieceNo target : LegalTargets(fresh, close, i)) {
            engaged.insert(target);
            const auto bonus = SumsOf(fresh, close, i, target).bonus;
            ASSERT_EQ((std::pair<int, int>(bonus[0], bonus[1])),
                      SimpleSums(fresh, close, static_cast<int>(n), target));
          }
          ASSERT_EQ(engaged, SimpleTargets(fresh, close, static_cast<int>(n))) << NameOf(s, i);
          targets += static_cast<long>(engaged.size());
        }
      }
    }
  }
  EXPECT_GT(moves, 10000);
  EXPECT_GT(ways, 500);
  EXPECT_GT(targets, 100);
}

}  // namespace
}  // namespace fos::colonial::test
