// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <numeric>

#include "engine/rules/colonial/movement.h"
#include "tests/support/colonial_game.h"

namespace fos::colonial::test {
namespace {

// Plays all pairs of dice of a combat and all pairs of its tie through the referee. Numbers out of
// faces^4 (an outcome without a tie counts for every pair).
struct Played {
  long nothing = 0, enemy_back = 0, enemy_lost = 0, initiator_back = 0, initiator_lost = 0;
  long total = 0;
};

// The outcome of a game at the end of its combat or at a choice of squares.
void Count(const Game& g, PieceNo initiator, PieceNo enemy, long weight, Played& out) {
  const bool waits = g.s.ask.what == Want::kWithdrawal;
  const Stand& own = g.s.At(initiator);
  const Stand& other = g.s.At(enemy);
  const bool enemy_moved = other.cell != g.setup.stands[static_cast<std::size_t>(enemy)].cell;
  const bool own_moved = own.cell != g.setup.stands[static_cast<std::size_t>(initiator)].cell;
  if (!OnTable(other)) {
    out.enemy_lost += weight;
  } else if (!OnTable(own)) {
    out.initiator_lost += weight;
  } else if (enemy_moved || (waits && g.s.ask.about == enemy)) {
    out.enemy_back += weight;
  } else if (own_moved || (waits && g.s.ask.about == initiator)) {
    out.initiator_back += weight;
  } else {
    out.nothing += weight;
  }
  out.total += weight;
}

Played Enumerate(const Game& before, bool close, PieceNo initiator, PieceNo enemy) {
  Game begun = before;
  EXPECT_EQ(begun.Do(Fight{close, initiator, kNowhere, enemy}), "") << begun.because;
  Played out;
  for (int a = 1; a <= 12; ++a)
    for (int b = 1; b <= 12; ++b) {
      Game g = begun;
      EXPECT_EQ(g.Dice({a, b}), "");
      if (g.s.ask.what != Want::kTieDice) {
        // Equal dice in a tie are thrown again: 132 pairs decide.
        Count(g, initiator, enemy, 132, out);
        continue;
      }
      for (int c = 1; c <= 12; ++c)
        for (int d = 1; d <= 12; ++d) {
          if (c == d) continue;
          Game h = g;
          EXPECT_EQ(h.Dice({c, d}), "");
          Count(h, initiator, enemy, 1, out);
        }
    }
  return out;
}

void ExpectExact(const Game& g, bool close, PieceNo initiator, PieceNo enemy) {
  const Forecast f = ForecastOf(g.s, close, initiator, enemy);
  const Played p = Enumerate(g, close, initiator, enemy);
  ASSERT_EQ(p.total, 144 * 132);
  ASSERT_EQ(f.total, 288);
  // Compares part / total exactly by cross multiplication.
  EXPECT_EQ(f.nothing * p.total, p.nothing * f.total);
  EXPECT_EQ(f.enemy_back * p.total, p.enemy_back * f.total);
  EXPECT_EQ(f.enemy_lost * p.total, p.enemy_lost * f.total);
  EXPECT_EQ(f.initiator_back * p.total, p.initiator_back * f.total);
  EXPECT_EQ(f.initiator_lost * p.total, p.initiator_lost * f.total);
  EXPECT_EQ(f.nothing + f.enemy_back + f.enemy_lost + f.initiator_back + f.initiator_lost, f.total);
}

TEST(ColonialForecast, FireMatchesEveryThrow) {  // COL-7.4, COL-9.1, COL-9.3, COL-9.4
  for (const char* firer : {"guard_infantry", "regular_infantry", "native_infantry"})
    for (const char* target :
         {"guard_infantry", "regular_cavalry", "native_infantry", "transport"}) {
      Game g;
      const PieceNo a = g.Stand(kBlue, firer, {5, 5});
      const PieceNo b = g.Stand(kRed, target, {5, 6});
      g.Start();
      ExpectExact(g, false, a, b);
    }
}

TEST(ColonialForecast, CloseCombatMatchesEveryThrow) {  // COL-8.9, COL-9.2
  Game g;
  const PieceNo cav = g.Stand(kBlue, "regular_cavalry", {5, 7});
  g.Stand(kBlue, "regular_cavalry", {4, 7});
  g.General(kBlue, Rating::kExceptional, {4, 8});
  const PieceNo inf = g.Stand(kRed, "regular_infantry", {6, 7});
  g.Stand(kRed, "regular_infantry", {6, 8});
  g.Start();
  ExpectExact(g, true, cav, inf);
  Game h;
  h.Level({5, 6}, 1);
  h.Edge({5, 5}, {5, 6}, kWall);
  const PieceNo native = h.Stand(kBlue, "native_infantry", {5, 5});
  const PieceNo guard = h.Stand(kRed, "guard_infantry", {5, 6});
  h.Start();
  ExpectExact(h, true, native, guard);
}

TEST(ColonialForecast, CountsNoWayBackAsALoss) {  // COL-5.12
  Game g;
  const PieceNo blue = g.Stand(kBlue, "regular_infantry", {6, 1});
  const PieceNo red = g.Stand(kRed, "regular_infantry", {6, 2});
  g.Start();
  const Forecast f = ForecastOf(g.s, true, blue, red);
  EXPECT_GT(f.initiator_lost, 0);
  EXPECT_EQ(f.initiator_back, 0);
  ExpectExact(g, true, blue, red);
  ExpectExact(g, false, blue, red);
}

TEST(ColonialForecast, MatchesArithmeticByHand) {  // COL-7.7, COL-9.5
  // Computed by hand: 3 - 2 against 2.
  for (const bool half_withdraws : {true, false}) {
    Settings settings = Rulings();
    settings.exact_half_withdraws = half_withdraws;
    for (int own = -6; own <= 12; ++own)
      for (int other = 1; other <= 12; ++other) {
        Chances count{0, 0, 0, 0, 144};
        for (int a = 1; a <= 12; ++a)
          for (int b = 1; b <= 12; ++b) {
            const int i = a + own, e = b + other;
            if (i < e) {
              ++count.ineffective;
            } else if (i == e) {
              ++count.tie;
            } else if (2 * e < i || (2 * e == i && !half_withdraws)) {
              ++count.destroyed;
            } else {
              ++count.withdraw;
            }
          }
        EXPECT_EQ(ChancesOf(Book(), settings,
                            {static_cast<std::int16_t>(own), static_cast<std::int16_t>(other)}),
                  count);
      }
  }
}

TEST(ColonialForecast, DescribesTheSums) {  // COL-7.5, COL-7.7
  Game g;
  const PieceNo gun = g.Stand(kBlue, "field_artillery", {4, 2});
  g.General(kBlue, Rating::kExceptional, {5, 2});
  const PieceNo red = g.Stand(kRed, "native_infantry", {4, 6});
  g.Wood({4, 6});
  g.Start();
  const Forecast f = ForecastOf(g.s, false, gun, red);
  const std::string told = DescribeForecast(g.s, f);
  for (const char* part : {"Blue-1, 4 squares away", "+2 value", "+3 General Blue-2", "-2 wood", "D12 +3",
                           "its die", "chance"})
    EXPECT_NE(told.find(part), std::string::npos) << told;
}

}  // namespace
}  // namespace fos::colonial::test
