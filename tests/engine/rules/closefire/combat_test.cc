// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/rules/closefire/forecast.h"
#include "engine/rules/closefire/forecast_parts.h"
#include "engine/table/counted.h"
#include "tests/support/closefire_battles.h"
#include "tests/support/closefire_game.h"

// Worked examples of sections 18 to 23 and the longer sequences of section 24 (W-1 to W-10).
namespace fos::closefire::test {
namespace {

// Blue horse charges an enemy `gap` yards away.
struct Charge {
  Game g;
  int horse = 0;
  explicit Charge(Grade grade = Grade::kC, int bases = 4, bool new_style = false) {
    horse = g.Horse(kBlue, grade, bases, {500, 500}, N, new_style);
  }
  void Name(const std::string& line) {
    g.Start(Phase::kCharges);
    ASSERT_EQ(g.Do(line), "") << g.because;
    ASSERT_EQ(g.Do("done Blue"), "") << g.because;
    ASSERT_EQ(g.Do("done Red"), "") << g.because;
  }
  // Blue has no charge to answer; Red has.
  void Go() {
    ASSERT_EQ(g.Do("done Red"), "") << g.because;
    ASSERT_EQ(g.Do("done Blue"), "") << g.because;
  }
  // Answers in order: dice as "dice 3", choices as "choose stay".
  void Answer(const std::vector<std::string>& lines) {
    for (const std::string& line : lines)
      ASSERT_EQ(g.Do(line), "") << line << ": " << g.because << " / " << g.Request();
  }
};

TEST(CloseFireDoubt, AsksAboutAnUncertainChargeBeforeTheDice) {  // CF-18.2
  for (const bool reaches : {true, false}) {
    Game g;
    const int horse = g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Foot(kRed, Grade::kC, 4, {500, 570.4}, S);
    g.Start(Phase::kCharges);
    EXPECT_EQ(g.Do("doubt B0 0.4"), "");
    EXPECT_EQ(g.Do("charge B0 at R1 avd+avd"), "");
    EXPECT_EQ(g.Do("done Blue"), "");
    EXPECT_EQ(g.Do("done Red"), "");
    EXPECT_EQ(g.Do("done Red"), "");
    EXPECT_EQ(g.Do("done Blue"), "");
    ASSERT_NE(g.Request().find("too close to call"), std::string::npos) << g.Request();
    EXPECT_NE(g.Request().find("70.4 +/- 0.8 yd"), std::string::npos) << g.Request();
    EXPECT_EQ(g.Do(reaches ? "choose \"70 yd reach\"" : "choose \"80 yd reach\""), "");
    EXPECT_EQ(g.Do("dice 4 3"), "");
    EXPECT_EQ(g.Is(horse, Of::kReached) != 0, reaches);
    EXPECT_EQ(g.Told("does not reach"), !reaches);
  }
}

TEST(CloseFireDoubt, RefusesADeclarationThatTheRulingMakesIllegal) {  // CF-18.2
  Game g;
  const int horse = g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 520}, S);
  g.Start(Phase::kCharges);
  EXPECT_EQ(g.Do("doubt B0 0.4"), "");
  EXPECT_EQ(g.Do("charge B0 at R1 0"), "");
  EXPECT_EQ(g.Do("choose \"straight ahead, beyond 20 yd\""), "");
  EXPECT_TRUE(g.Told("The declaration is not allowed"));
  EXPECT_EQ(g.Is(horse, Of::kCharging), 0);
  EXPECT_EQ(g.Request(), "");
  EXPECT_EQ(g.Do("charge B0 at R1 avd"), "");
}

TEST(CloseFireDoubt, AsksNothingWhenTheDoubtChangesNothing) {  // CF-18.2
  Game g;
  g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 575}, S);
  g.Start(Phase::kCharges);
  EXPECT_EQ(g.Do("doubt B0 0.4"), "");
  EXPECT_EQ(g.Do("charge B0 at R1 avd+avd"), "");
  for (const char* line : {"done Blue", "done Red", "done Red", "done Blue"})
    EXPECT_EQ(g.Do(line), "");
  EXPECT_EQ(g.Request().find("too close"), std::string::npos) << g.Request();
}

TEST(CloseFireDoubt, PlayersRuleOnUncertainRangesAndCloseFire) {  // CF-15.5 CF-19.1
  Game g;
  g.Gun(kBlue, GunClass::kField, {500, 500}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 740.5}, S);
  g.Start(Phase::kArtillery);
  EXPECT_EQ(g.Do("doubt R1 0.5"), "");
  EXPECT_EQ(g.Do("fire B0"), "");
  EXPECT_NE(g.Request().find("240.5 +/- 1.0 yd"), std::string::npos) << g.Request();
  EXPECT_EQ(g.Do("choose \"die -1 at R1\""), "") << g.because;
  EXPECT_EQ(g.Do("dice 5"), "");
  EXPECT_TRUE(g.Told("The players rule"));
  EXPECT_FALSE(g.Told("beyond effective"));

  Game close;
  close.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  close.Foot(kRed, Grade::kC, 4, {500, 540.3}, S);
  close.Start(Phase::kCharges);
  EXPECT_EQ(close.Do("doubt B0 0.3"), "");
  EXPECT_EQ(close.Do("done Blue"), "");
  EXPECT_EQ(close.Do("done Red"), "");
  EXPECT_NE(close.Request().find("too close to call"), std::string::npos) << close.Request();
  EXPECT_EQ(close.Do("choose \"in close fire\""), "");
  EXPECT_NE(close.Request().find("combat of"), std::string::npos) << close.Request();
}

// Plays every pair of dice through the referee and compares the results with the forecast.
TEST(CloseFireCombat, ForecastMatchesEveryRoll) {  // CF-20.3 CF-21.1
  Game before;
  before.Foot(kBlue, Grade::kB, 4, {500, 500}, N);
  const int red = before.Foot(kRed, Grade::kD, 4, {500, 538}, S);
  before.Put(red, Of::kDp, 1);
  before.Start(Phase::kCharges);
  ASSERT_EQ(before.Do("done Blue"), "");
  ASSERT_EQ(before.Do("done Red"), "");
  const auto said = Awaited(before.s);
  ASSERT_TRUE(said.has_value()) << before.Request();
  EXPECT_GE(said->items.size(), 2u);
  double items[2] = {0, 0};
  for (const SumItem& item : said->items) items[item.who] += item.amount;
  EXPECT_EQ(items[0], said->totals[0]);
  EXPECT_EQ(items[1], said->totals[1]);
  // An average die shows 2, 3, 3, 4, 4, 5.
  constexpr std::array<int, 6> kAverage = {2, 3, 3, 4, 4, 5};
  std::map<std::string, double> came;
  std::map<std::string, double> second;
  for (const int own : kAverage) {
    Game g = before;
    g.told.clear();
    ASSERT_EQ(g.Do("dice " + std::to_string(own)), "") << g.because;
    EXPECT_TRUE(g.Told(fmt::format("= {}.", said->totals[0] + own)));
    const auto then = Awaited(g.s);
    ASSERT_TRUE(then.has_value());
    // The other side throws now: its opponent's die is already known.
    EXPECT_EQ(then->totals[1], said->totals[0] + own);
    std::map<std::string, double> played;
    for (const int enemy : kAverage) {
      Game h = g;
      h.told.clear();
      ASSERT_EQ(h.Do("dice " + std::to_string(enemy)), "") << h.because;
      for (const auto& [what, chance] : said->chances) {
        if (h.Told("B0: ") && std::any_of(h.told.begin(), h.told.end(), [&](const auto& t) {
              return t.find("B0: ") != std::string::npos && t.ends_with(", " + what + ".");
            }))
          came[what] += 1 / 36.0;
      }
      for (const auto& [what, chance] : then->chances)
        if (std::any_of(h.told.begin(), h.told.end(), [&](const auto& t) {
              return t.find("R1: ") != std::string::npos && t.ends_with(", " + what + ".");
            }))
          played[what] += 1 / 6.0;
    }
    for (const auto& [what, chance] : then->chances)
      EXPECT_NEAR(played[what], chance, 1e-9) << what;
  }
  double all = 0;
  for (const auto& [what, chance] : said->chances) {
    EXPECT_NEAR(came[what], chance, 1e-9) << what;
    all += chance;
  }
  EXPECT_NEAR(all, 1, 1e-9);
}

// Plays every roll of the awaited dice, each with its chance.
void EveryRoll(const Game& before, const std::function<void(const Game&, double)>& then) {
  const std::vector<std::vector<int>> rolls = RollsOf(before.s.Book(), before.s.waiting->ask.dice);
  for (const std::vector<int>& faces : rolls) {
    Game g = before;
    g.told.clear();
    ASSERT_EQ(g.Do(fmt::format("dice {}", fmt::join(faces, " "))), "") << g.because;
    then(g, 1.0 / static_cast<double>(rolls.size()));
  }
}
void ExpectForecast(const Forecast& said, std::map<std::string, double> came) {
  double all = 0;
  for (const auto& [what, chance] : said.chances) {
    EXPECT_NEAR(came[what], chance, 1e-9) << what;
    all += came[what];
  }
  EXPECT_NEAR(all, 1, 1e-9);
}
std::string WithDps(const char* what, int dp) {
  return dp == 0 ? what : fmt::format("{}, {}", what, Counted(dp, "DP"));
}

TEST(CloseFireCharge, ForecastMatchesEveryRoll) {  // CF-13.1 CF-18.2 CF-18.4 CF-18.5
  Game before;
  const int horse = before.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  const int red = before.Horse(kRed, Grade::kC, 4, {500, 575}, S);
  before.Put(horse, Of::kDp, 2);
  before.Put(horse, Of::kInspired, 1);
  before.Start(Phase::kCharges);
  const auto said = ForecastOf(before.s, ParseLine(before.s, "charge B0 at R1 avd+d6"));
  ASSERT_TRUE(said.has_value());
  EXPECT_EQ(said->sides[0], "Blue");
  EXPECT_EQ(said->sides[1], "Red");
  EXPECT_EQ(said->totals[0], 20);  // inspired
  EXPECT_NEAR(said->totals[1], 75, 0.02);
  ASSERT_EQ(before.Do("charge B0 at R1 avd+d6"), "") << before.because;
  ASSERT_EQ(before.Do("done Blue"), "");
  ASSERT_EQ(before.Do("done Red"), "");
  {
    Game g = before;
    ASSERT_EQ(g.Do("done Red"), "") << g.because;
    ASSERT_EQ(g.Do("done Blue"), "") << g.because;
    ExpectForecast(*said, [&] {
      std::map<std::string, double> came;
      EveryRoll(g, [&](const Game& h, double chance) {
        came[WithDps(h.Told("B0 reaches") ? "reaches" : "falls short", h.Dp(horse) - 2)] += chance;
      });
      return came;
    }());
    ASSERT_TRUE(Awaited(g.s).has_value());
    EXPECT_EQ(Awaited(g.s)->chances, said->chances);
  }
  // They meet half way: the chance of the counter-charger's own fatigue.
  Game met = before;
  const auto counter = ForecastOf(met.s, ParseLine(met.s, "counter R1 avd+d6"));
  ASSERT_TRUE(counter.has_value());
  EXPECT_EQ(counter->sides[0], "Red");
  ASSERT_EQ(met.Do("counter R1 avd+d6"), "") << met.because;
  ASSERT_EQ(met.Do("done Red"), "");
  ASSERT_EQ(met.Do("done Blue"), "");
  std::map<std::string, double> came;
  EveryRoll(met, [&](const Game& g, double chance) {
    EveryRoll(g, [&](const Game& h, double other) {
      came[WithDps(h.Told("They meet") ? "they meet" : "no contact", h.Dp(red))] += chance * other;
    });
  });
  ExpectForecast(*counter, came);
}

TEST(CloseFireCharge, EvasionForecastMatchesEveryRoll) {  // CF-18.5
  Game g;
  g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  const int hussars = g.Hussars(kRed, Grade::kC, 3, {500, 515}, S);
  g.Start(Phase::kCharges);
  for (const char* line : {"charge B0 at R1 avd+avd", "done Blue", "done Red"})
    ASSERT_EQ(g.Do(line), "") << g.because;
  const auto said = ForecastOf(g.s, ParseLine(g.s, "evade R1"));
  ASSERT_TRUE(said.has_value());
  EXPECT_EQ(said->sides[0], "Red");
  ASSERT_EQ(g.Do("evade R1"), "");
  ASSERT_EQ(g.Do("done Red"), "");
  ASSERT_EQ(g.Do("done Blue"), "");
  std::map<std::string, double> came;
  EveryRoll(g, [&](const Game& one, double chance) {
    EveryRoll(one, [&](const Game& both, double other) {
      const bool caught = both.Told("R1 is caught");
      // A unit that is caught fights at once: the combat's DPs are not the evasion's.
      came[WithDps(caught ? "it is caught" : "it gets away", caught ? 1 : both.Dp(hussars))] +=
          chance * other;
    });
  });
  EXPECT_EQ(came.size(), 2u);
  ExpectForecast(*said, came);
}

TEST(CloseFireDoubt, ChargeForecastIncludesTheDoubtOfTheGap) {  // CF-18.2
  const auto chance = [](const Forecast& said, std::string_view what) {
    double sum = 0;
    for (const auto& [word, one] : said.chances)
      if (word.starts_with(what)) sum += one;
    return sum;
  };
  Game before;
  before.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  before.Foot(kRed, Grade::kC, 4, {500, 570.4}, S);
  before.Start(Phase::kCharges);
  const std::string line = "charge B0 at R1 avd+avd";
  const auto by_tape = ForecastOf(before.s, ParseLine(before.s, line));
  ASSERT_TRUE(by_tape.has_value());
  EXPECT_NEAR(chance(*by_tape, "reaches"), 13 / 36.0, 1e-9);  // two average dice of 8 or more
  ASSERT_EQ(before.Do("doubt B0 0.4"), "");
  const auto said = ForecastOf(before.s, ParseLine(before.s, line));
  ASSERT_TRUE(said.has_value());
  EXPECT_NEAR(chance(*said, "reaches"), 13 / 36.0, 1e-9);
  EXPECT_NEAR(chance(*said, "too close to call"), 10 / 36.0, 1e-9);  // two average dice of 7
  EXPECT_NEAR(chance(*said, "falls short"), 13 / 36.0, 1e-9);
  EXPECT_NE(said->sentence.find("+70.4 +/- 0.8 yd to foot R1"), std::string::npos)
      << said->sentence;
  ASSERT_FALSE(said->outcomes.empty());
  EXPECT_EQ(said->outcomes[0],
            "Too close to call. The players rule before the dice: 80 yd reach; or 70 yd reach.");
  for (const std::string& play : {line, std::string("done Blue"), std::string("done Red"),
                                  std::string("done Red"), std::string("done Blue")})
    ASSERT_EQ(before.Do(play), "") << before.because;
  for (const bool seventy : {true, false}) {
    Game g = before;
    ASSERT_EQ(g.Do(seventy ? "choose \"70 yd reach\"" : "choose \"80 yd reach\""), "");
    // After the ruling nothing is in doubt: the results match the forecast.
    const auto ruled = Awaited(g.s);
    ASSERT_TRUE(ruled.has_value());
    EXPECT_NEAR(chance(*ruled, "reaches"), (seventy ? 23 : 13) / 36.0, 1e-9);
    EXPECT_EQ(chance(*ruled, "too close to call"), 0);
    double came = 0;
    EveryRoll(g, [&](const Game& h, double one) { came += h.Told("B0 reaches") ? one : 0; });
    EXPECT_NEAR(came, chance(*ruled, "reaches"), 1e-9);
  }
}

TEST(CloseFireMoving, ForecastMatchesEveryRoll) {  // CF-13.2
  Game g;
  const int horse = g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  Terrain soft;
  soft.rough = true;
  soft.outline_yd = Box(300, 300, 700, 700);
  g.Ground(soft);
  g.Put(horse, Of::kDp, 1);
  g.Start(Phase::kMovement);
  const auto said = ForecastOf(g.s, ParseLine(g.s, "roll B0 avd+d6"));
  ASSERT_TRUE(said.has_value());
  EXPECT_EQ(said->totals[0], -20);
  EXPECT_EQ(said->outcomes,
            (std::vector<std::string>{"Horse B0: 10 to 90 yd, half the time 50 or more."}));
  ASSERT_EQ(g.Do("roll B0 avd+d6"), "");
  EXPECT_EQ(Awaited(g.s)->chances, said->chances);
  std::map<std::string, double> came;
  EveryRoll(g, [&](const Game& h, double chance) {
    const int dp = h.Dp(horse) - 1;
    came[dp == 0 ? "no DP" : Counted(dp, "DP") + " of fatigue"] += chance;
  });
  ExpectForecast(*said, came);
}

TEST(CloseFireControl, ForecastMatchesEveryRoll) {  // CF-5.5
  Game g;
  const int guards = g.Foot(kBlue, Grade::kA, 4, {500, 500}, N);
  const int line = g.Foot(kBlue, Grade::kC, 4, {900, 500}, N);
  g.Put(line, Of::kLastKind, LastMove::kAhead);
  g.Put(line, Of::kLastSet, 1);
  g.Start(Phase::kCommand);
  const auto both = ForecastOf(g.s, ParseLine(g.s, "done Blue"));
  ASSERT_TRUE(both.has_value());
  ASSERT_EQ(g.Do("done Blue"), "");
  const auto said = Awaited(g.s);
  ASSERT_TRUE(said.has_value());
  // A grade A unit shifts its die by one: free on 2 to 5.
  EXPECT_EQ(said->chances[1].first, "it is free to act");
  EXPECT_NEAR(said->chances[1].second, 4 / 6.0, 1e-9);
  EXPECT_NE(std::find_if(both->chances.begin(), both->chances.end(),
                         [](const auto& c) {
                           return c.first == "1st foot, B0: it is free to act" &&
                                  std::abs(c.second - 4 / 6.0) < 1e-9;
                         }),
            both->chances.end());
  ASSERT_EQ(g.Do("dice 1"), "");
  ASSERT_EQ(g.Do("choose +0"), "") << g.because;
  EXPECT_EQ(At(g.s, guards).As<Control>(Of::kControl), Control::kHalted);
  const auto second = Awaited(g.s);
  ASSERT_TRUE(second.has_value());
  std::map<std::string, double> came;
  EveryRoll(g, [&](const Game& h, double chance) {
    for (const auto& [what, c] : second->chances)
      if (h.Told(": " + what + ".")) came[what] += chance;
  });
  ExpectForecast(*second, came);
}

TEST(CloseFireFire, ForecastMatchesEveryRoll) {  // CF-16.2 CF-17.4
  Game gun;
  gun.Gun(kBlue, GunClass::kHeavy, {500, 500}, N);
  const int red = gun.Foot(kRed, Grade::kC, 4, {500, 640}, S);
  gun.Start(Phase::kArtillery);
  const auto shot = ForecastOf(gun.s, ParseLine(gun.s, "fire B0"));
  ASSERT_TRUE(shot.has_value());
  std::map<std::string, double> came;
  for (int die = 1; die <= 6; ++die) {
    Game g = gun;
    ASSERT_EQ(g.Do("fire B0"), "") << g.because;
    ASSERT_EQ(g.Do("dice " + std::to_string(die)), "");
    EXPECT_TRUE(g.Told(fmt::format("= {}; {}", die + shot->totals[0], Counted(g.Dp(red), "DP"))));
    came[g.Dp(red) == 0 ? "no effect" : Counted(g.Dp(red), "DP")] += 1 / 6.0;
  }
  for (const auto& [what, chance] : shot->chances) EXPECT_NEAR(came[what], chance, 1e-9) << what;

  Game foot;
  const int blue = foot.Foot(kBlue, Grade::kC, 2, {500, 500}, N);
  foot.Foot(kRed, Grade::kC, 4, {500, 580}, S);
  foot.Put(blue, Of::kDp, 1);
  foot.Start(Phase::kMusketry);
  const auto volley = ForecastOf(foot.s, ParseLine(foot.s, "fire B0 at R1"));
  ASSERT_TRUE(volley.has_value());
  EXPECT_EQ(volley->unit, "dice");
  ASSERT_EQ(foot.Do("fire B0 at R1"), "") << foot.because;
  EXPECT_EQ(static_cast<double>(foot.s.waiting->ask.dice.size()), volley->totals[0]);
  double all = 0;
  for (const auto& [what, chance] : volley->chances) all += chance;
  EXPECT_NEAR(all, 1, 1e-9);
  EXPECT_FALSE(ForecastOf(foot.s, ParseLine(foot.s, "fire B0 at R1"))
                   .has_value());  // the game waits for an answer
}

TEST(CloseFireCharge, MeetsTheFirstEnemyInTheWay) {  // CF-18.2
  Game g;
  g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Foot(kRed, Grade::kC, 4, {520, 560}, S);
  g.Foot(kRed, Grade::kC, 4, {460, 600}, S);
  g.Start(Phase::kCharges);
  EXPECT_EQ(g.Do("charge B0 at R2 avd+avd"), "CF-18.2");
  EXPECT_NE(g.because.find("R1 is in the way"), std::string::npos) << g.because;
  EXPECT_EQ(g.Do("charge B0 at R1 avd+avd"), "");
}

TEST(CloseFireCharge, EngagesEveryEnemyItTouches) {  // CF-18.2 CF-20.7
  Game g;
  const int horse = g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  const int left = g.Horse(kRed, Grade::kC, 2, {480, 560}, S);
  const int right = g.Horse(kRed, Grade::kC, 2, {521, 561}, S);
  g.Start(Phase::kCharges);
  EXPECT_EQ(g.Do("charge B0 at R1 avd+avd"), "") << g.because;
  for (const char* line : {"done Blue", "done Red", "done Red", "done Blue", "dice 4 4"})
    EXPECT_EQ(g.Do(line), "") << g.because;
  EXPECT_TRUE(g.Told("Horse B0 also reaches 2nd horse, R2"));
  EXPECT_EQ(OpponentsOf(g.s, horse), (std::vector<int>{left, right}));
  EXPECT_EQ(g.Is(right, Of::kContactedByCavalry), 1);
  ASSERT_EQ(MeleesOf(g.s).size(), 1u);
  EXPECT_EQ(MeleesOf(g.s)[0].units[kRed].size(), 2u);
}

// The lines of a menu that begin with these words.
std::vector<std::string> Offered(const Game& g, int side, std::string_view words) {
  std::vector<std::string> out;
  for (const Choice& choice : Choices(g.s, side))
    if (choice.line.starts_with(words)) out.push_back(choice.line);
  std::sort(out.begin(), out.end());
  return out;
}

TEST(CloseFireCharge, EveryChargeAndEveryAnswerIsOffered) {  // CF-18.1 CF-18.4 CF-18.6 CF-18.7
  using Lines = std::vector<std::string>;
  for (const bool new_style : {false, true}) {
    Game g;
    g.Horse(kBlue, Grade::kC, 4, {500, 500}, N, new_style);
    g.Horse(kRed, Grade::kC, 4, {500, 520}, S, new_style);
    g.Start(Phase::kCharges);
    const Lines trot = {"charge B0 at R1 0", "charge B0 at R1 avd", "charge B0 at R1 avd+avd",
                        "charge B0 at R1 avd+d6"};
    Lines expected = trot;
    for (const std::string& line : trot)
      if (new_style) expected.push_back(line + " outrance");
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(Offered(g, kBlue, "charge "), expected);
    for (const char* line : {"charge B0 at R1 avd", "done Blue", "done Red"})
      ASSERT_EQ(g.Do(line), "") << g.because;
    expected = new_style ? Lines{"counter R1 avd", "counter R1 avd outrance", "counter R1 avd+avd",
                                 "counter R1 avd+avd outrance", "counter R1 avd+d6",
                                 "counter R1 avd+d6 outrance"}
                         : Lines{"counter R1 avd", "counter R1 avd+avd", "counter R1 avd+d6"};
    EXPECT_EQ(Offered(g, kRed, "counter "), expected);
  }
  for (const double gap : {60.0, 61.0}) {
    Charge t;
    t.g.Foot(kRed, Grade::kC, 4, {500, 500 + gap}, S);
    t.Name("charge B0 at R1 avd+avd");
    EXPECT_EQ(Offered(t.g, kRed, "receive "),
              gap > 60 ? (Lines{"receive R1 about", "receive R1 left", "receive R1 right"})
                       : Lines{});
  }
}

TEST(CloseFireCharge, TakesOneAnswer) {  // CF-18.1 CF-18.4 CF-18.5
  Game g;
  g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Hussars(kRed, Grade::kC, 3, {500, 560}, S);
  g.Start(Phase::kCharges);
  for (const char* line : {"charge B0 at R1 avd+avd", "done Blue", "done Red", "evade R1"})
    EXPECT_EQ(g.Do(line), "") << g.because;
  EXPECT_EQ(g.Do("counter R1 avd"), "CF-18.1");
  EXPECT_EQ(g.Do("evade R1"), "CF-18.1");
}

TEST(CloseFireCharge, ADeclaredChargeIsNotWithdrawnByEvading) {  // CF-18.1 CF-18.5
  Game g;
  g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Hussars(kRed, Grade::kC, 3, {500, 560}, S);
  g.Start(Phase::kCharges);
  for (const char* line :
       {"charge B0 at R1 avd+avd", "done Blue", "charge R1 at B0 avd", "done Red"})
    EXPECT_EQ(g.Do(line), "") << g.because;
  EXPECT_EQ(g.Do("evade R1"), "CF-18.1");
  // Nor does a unit evade out of a combat.
  Game h;
  h.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  h.Hussars(kRed, Grade::kC, 3, {500, 560}, S);
  h.Horse(kBlue, Grade::kC, 4, {500, 610}, S);
  h.s.engaged = {{1, 2}};
  h.Start(Phase::kCharges);
  for (const char* line : {"charge B0 at R1 avd+avd", "done Blue", "done Red"})
    EXPECT_EQ(h.Do(line), "") << h.because;
  EXPECT_EQ(h.Do("evade R1"), "CF-18.5");
}

// Horse from 50 yd in front and from 80 yd behind.
TEST(CloseFireCharge, FootHasTimeForTheFartherOfTwoCharges) {  // CF-18.6
  Game g;
  g.Horse(kBlue, Grade::kC, 4, {500, 650}, S);
  g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 600}, N);
  g.Start(Phase::kCharges);
  for (const char* line :
       {"charge B0 at R2 avd", "charge B1 at R2 avd+avd", "done Blue", "done Red"})
    EXPECT_EQ(g.Do(line), "") << g.because;
  EXPECT_EQ(g.Do("receive R2 about"), "") << g.because;
}

// The first of two chargers comes at its flank: the horse meets the one in front.
TEST(CloseFireCharge, HorseCounterChargesTheOneItFaces) {  // CF-18.4
  Game g;
  const int flank = g.Horse(kBlue, Grade::kC, 4, {420, 612}, E);
  g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  const int red = g.Horse(kRed, Grade::kC, 4, {500, 600}, S);
  g.Start(Phase::kCharges);
  for (const char* line : {"charge B0 at R2 avd", "charge B1 at R2 avd+avd", "done Blue",
                           "done Red", "counter R2 avd+avd", "done Red", "done Blue"})
    ASSERT_EQ(g.Do(line), "") << line << ": " << g.because;
  EXPECT_NE(g.Request().find("charge of 2nd horse, B1"), std::string::npos) << g.Request();
  EXPECT_EQ(g.Do("dice 4 4"), "");
  EXPECT_EQ(g.Do("dice 4 4"), "");
  EXPECT_TRUE(g.Told("They meet 50 yd from 2nd horse, B1"));
  EXPECT_EQ(g.Do("dice 5"), "") << g.because;
  EXPECT_NE(g.Is(flank, Of::kReached), 0);
  EXPECT_NE(g.Is(red, Of::kFlanked), 0);
}

TEST(CloseFireCharge, HussarsCounterChargeToTheirRear) {  // CF-10.5 CF-18.4
  Charge t;
  t.g.Hussars(kRed, Grade::kC, 4, {500, 645}, N);  // their rear is 120 yd away
  t.Name("charge B0 at R1 avd+avd");
  EXPECT_EQ(t.g.Do("counter R1 avd+avd"), "") << t.g.because;
  t.Go();
  t.Answer({"dice 4 4", "dice 4 4"});
  EXPECT_TRUE(t.g.Told("They meet 60 yd from horse B0")) << t.g.told.back();
}

TEST(CloseFireCharge, FriendsAheadStopACharge) {  // CF-18.3
  Game g;
  const int horse = g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Foot(kBlue, Grade::kC, 2, {480, 555}, N);  // in close fire, half of it in front of the horse
  const int enemy = g.Foot(kRed, Grade::kC, 4, {500, 570}, S);
  g.Start(Phase::kCharges);
  EXPECT_EQ(g.Do("charge B0 at R2 avd+avd"), "");
  EXPECT_EQ(g.Do("done Blue"), "");
  EXPECT_EQ(g.Do("done Red"), "");
  EXPECT_EQ(g.Do("done Red"), "");
  EXPECT_EQ(g.Do("done Blue"), "");
  EXPECT_EQ(g.Do("dice 5 5"), "") << g.because;
  EXPECT_FALSE(Field(g.s).Contact(Field(g.s).Gap(horse, enemy)));
  EXPECT_TRUE(g.Told("is blocked after"));
}

TEST(CloseFireCharge, OnlyCavalryCharges) {  // EX-18.1.1 EX-18.1.2
  Game g;
  g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Horse(kBlue, Grade::kC, 4, {700, 500}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 560}, S);
  g.Horse(kRed, Grade::kC, 4, {700, 560}, S);
  g.Put(1, Of::kMoved, 1);
  g.Put(1, Of::kPaceNow, 2);
  g.Start(Phase::kCharges);
  EXPECT_EQ(g.Do("charge B0 at R2 avd"), "CF-18.1");
  EXPECT_EQ(g.Do("charge B1 at R3 avd"), "");
}

TEST(CloseFireCharge, ChargesStraightAhead) {  // EX-18.2.1 EX-18.2.2 EX-18.2.3 EX-18.3.1 EX-18.3.2
  Charge a;
  a.g.Foot(kRed, Grade::kC, 4, {500, 570}, S);
  a.Name("charge B0 at R1 avd+avd");
  a.Go();
  a.Answer({"dice 4 4"});
  EXPECT_NEAR(a.g.Front(0).y, 570, 0.1);
  EXPECT_TRUE(a.g.Told("reaches"));
  Charge b;
  b.g.Horse(kRed, Grade::kC, 4, {500, 590}, S);
  b.Name("charge B0 at R1 avd+avd");
  b.Go();
  b.Answer({"dice 4 4"});
  EXPECT_TRUE(b.g.Told("does not reach"));
  EXPECT_EQ(b.g.Is(0, Of::kMissed), SetIndex({Die::kAverage, Die::kAverage}));
  // Next turn: 1 + 1 is 2 and it must charge again with the same dice; 2 + 1 is free.
  for (const auto& [die, must] : {std::pair{1, true}, std::pair{2, false}}) {
    Game g = b.g;
    g.Start(Phase::kCommand);
    g.s.waiting.reset();
    EXPECT_EQ(g.Do("done Blue"), "");
    EXPECT_EQ(g.Do("dice " + std::to_string(die)), "");
    EXPECT_EQ(g.Is(0, Of::kMustCharge), must);
  }
  Charge c;
  c.g.Put(0, Of::kPace, 1);
  c.g.Foot(kRed, Grade::kC, 4, {500, 570}, S);
  c.Name("charge B0 at R1 avd+d6");
  c.Go();
  c.Answer({"dice 3 6"});
  EXPECT_EQ(c.g.Dp(0), 1);
}

TEST(CloseFireCharge, CounterChargersMeetHalfWay) {  // EX-18.4.1 EX-18.4.2 EX-18.4.3 EX-18.4.4
  EXPECT_DOUBLE_EQ(MeetingOf(100, 80, 60).from_charger_yd, 50);
  EXPECT_DOUBLE_EQ(MeetingOf(100, 40, 70).from_charger_yd, 40);
  EXPECT_DOUBLE_EQ(MeetingOf(100, 80, 30).from_charger_yd, 70);
  EXPECT_FALSE(MeetingOf(100, 50, 40).met);
}

TEST(CloseFireCharge, UnformedCavalryEvades) {  // EX-18.5.1 EX-18.5.2
  Charge a;
  a.g.Put(0, Of::kPace, 1);
  a.g.Hussars(kRed, Grade::kD, 3, {500, 560}, S);
  a.Name("charge B0 at R1 avd+avd+d6");
  EXPECT_EQ(a.g.Do("evade R1"), "");
  a.Go();
  a.Answer({"dice 4 4 3", "dice 3 3 3"});  // 110 against 60 + 120
  EXPECT_TRUE(a.g.Told("does not reach"));
  EXPECT_EQ(a.g.Dp(1), 1);
  Charge b;
  b.g.Put(0, Of::kPace, 1);
  b.g.Hussars(kRed, Grade::kD, 3, {500, 520}, S);
  b.Name("charge B0 at R1 avd+avd+d6");
  EXPECT_EQ(b.g.Do("evade R1"), "");
  b.Go();
  b.Answer({"dice 4 4 4", "dice 2 2 3"});  // 120 against 20 + 100
  EXPECT_TRUE(b.g.Told("is caught"));
}

TEST(CloseFireCharge, FootTurnsAboutOrStepsBack) {  // EX-18.6.1 EX-18.6.2
  for (const auto& [gap, clause] : {std::pair{80.0, ""}, std::pair{50.0, "CF-18.6"}}) {
    Charge t;
    const int foot =
        t.g.Foot(kRed, Grade::kC, 4, {500, 500 + gap + 20}, N);  // its rear is 20 yd nearer
    t.Name("charge B0 at R1 avd+avd");
    EXPECT_EQ(t.g.Do("receive R1 about"), clause) << t.g.because;
    EXPECT_NEAR(Field(t.g.s).FrontOf(foot).facing_deg, gap > 60 ? 180 : 0, 0.01);
    t.Go();
    t.Answer({"dice 5 5"});
    EXPECT_EQ(t.g.Is(foot, Of::kFlanked), gap > 60 ? 0 : 1);
  }
}

TEST(CloseFireCharge, FootAnswersAChargeOnce) {  // CF-18.6
  for (const auto& [first, second] :
       {std::pair{"about", "about"}, std::pair{"left", "right"}, std::pair{"right", "about"}}) {
    Charge t;
    const int foot = t.g.Foot(kRed, Grade::kC, 4, {500, 600}, N);
    t.Name("charge B0 at R1 avd+avd");
    EXPECT_EQ(t.g.Do(std::string("receive R1 ") + first), "") << t.g.because;
    const std::vector<BaseState> stood = At(t.g.s, foot).bases;
    EXPECT_EQ(t.g.Do(std::string("receive R1 ") + second), "CF-18.6");
    EXPECT_TRUE(At(t.g.s, foot).bases == stood);
  }
  // Left is to the left of its present facing: foot that has turned about steps back the other
  // wing.
  for (const bool about : {false, true}) {
    Game g;
    g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
    const int foot = g.Foot(kRed, Grade::kC, 4, {500, 600}, about ? N : S);
    if (about)
      for (BaseState& base : g.s.units[1].bases.Edit()) base.facing = 180000;
    g.Start(Phase::kCharges);
    EXPECT_EQ(g.Do("charge B0 at R1 avd+avd"), "") << g.because;
    EXPECT_EQ(g.Do("done Blue"), "");
    EXPECT_EQ(g.Do("done Red"), "");
    EXPECT_EQ(g.Do("receive R1 left"), "") << g.because;
    const std::vector<Base> bases = BasesOf(g.s, foot);
    const Base& back =
        *std::max_element(bases.begin(), bases.end(),
                          [](const Base& a, const Base& b) { return a.centre.y < b.centre.y; });
    EXPECT_NEAR(back.centre.x, 530, 0.01) << about;  // facing south, east is to the left
  }
}

TEST(CloseFireCharge, OnlyTheEndOfALineStepsBack) {  // CF-10.1 CF-18.6
  for (const bool column : {false, true}) {
    Charge t;
    UnitInfo info;
    info.side = kRed;
    t.g.Add(info, 4, {500, 600}, S, column ? Formation::kMarch : Formation::kLine);
    // The left stand has stepped back before.
    if (!column) t.g.s.units[1].bases.Edit()[0].y += Milli(20);
    t.Name("charge B0 at R1 avd+avd");
    EXPECT_EQ(t.g.Do("receive R1 left"), column ? "CF-18.6" : "CF-10.1");
    EXPECT_EQ(t.g.Do("receive R1 right"), column ? "CF-18.6" : "");
  }
}

TEST(CloseFireCharge, ChargesAcrossAnObstacleAtHalfMove) {  // CF-14.6 CF-18.2
  const auto charge = [](double at, const std::string& dice, bool hard, bool shot_at) {
    Charge t;
    Terrain ditch;
    ditch.obstacle = true;
    ditch.hard_for_cavalry = hard;
    ditch.outline_yd = Box(400, at, 600, at + 4);
    t.g.Ground(ditch);
    t.g.Foot(kRed, Grade::kC, 4, {500, 545}, S);
    t.g.Put(0, Of::kShotAt, shot_at);
    t.Name("charge B0 at R1 avd+avd");
    t.Go();
    t.Answer({dice});
    return std::tuple{t.g.Front(0).y, t.g.Dp(0), t.g.Told("Horse B0 reaches foot R1")};
  };
  const auto expect = [&](const auto& got, double y, int dp, bool reached) {
    EXPECT_NEAR(std::get<0>(got), y, 0.1);
    // After contact the combat adds its own DPs.
    if (reached) {
      EXPECT_GE(std::get<1>(got), dp);
    } else {
      EXPECT_EQ(std::get<1>(got), dp);
    }
    EXPECT_EQ(std::get<2>(got), reached);
  };
  expect(charge(520, "dice 5 4", false, false), 545, 1, true);   // half of 90 is 45
  expect(charge(520, "dice 4 4", false, false), 540, 1, false);  // half of 80 is 40
  expect(charge(520, "dice 4 4", false, true), 540, 2, false);
  expect(charge(520, "dice 4 4", true, false), 540, 2, false);
  expect(charge(540, "dice 3 4", false, false), 540, 0,
         false);  // half of 70 is 35: not enough to cross
  expect(charge(570, "dice 2 3", false, false), 545, 0,
         true);  // an obstacle beyond the enemy does not count
}

TEST(CloseFireCharge, SwedesAndALOutrance) {  // EX-18.8.1 EX-18.8.2 CF-18.7
  Game g;
  g.setup.settings.swedish_charge = true;
  g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  g.setup.units[0].swedish = true;
  g.Foot(kRed, Grade::kC, 4, {500, 555}, S);
  g.Start(Phase::kCharges);
  EXPECT_EQ(g.Do("charge B0 at R1 avd+d6"), "") << g.because;
  EXPECT_EQ(g.Do("done Blue"), "");
  EXPECT_EQ(g.Do("done Red"), "");
  EXPECT_EQ(g.Do("done Red"), "");
  EXPECT_EQ(g.Do("done Blue"), "");
  EXPECT_EQ(g.Do("dice 4 2"), "");
  EXPECT_TRUE(g.Told("reaches"));
  Game h;
  h.setup.settings.swedish_charge = true;
  h.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  h.setup.units[0].swedish = true;
  h.Horse(kRed, Grade::kC, 4, {500, 555}, S);
  h.Start(Phase::kCharges);
  EXPECT_EQ(h.Do("charge B0 at R1 avd+d6"), "CF-18.8");
}

TEST(CloseFireCharge, UnitsOfOneBodyShareOneRoll) {  // EX-18.9.1
  Game g;
  g.Horse(kBlue, Grade::kC, 3, {470, 500}, N);
  g.Horse(kBlue, Grade::kC, 3, {530, 500}, N);
  g.Horse(kRed, Grade::kC, 6, {500, 560}, S);
  g.Start(Phase::kCharges);
  EXPECT_EQ(g.Do("charge B0 B1 at R2 avd+avd"), "") << g.because;
  EXPECT_EQ(g.Do("done Blue"), "");
  EXPECT_EQ(g.Do("done Red"), "");
  EXPECT_EQ(g.Do("done Red"), "");
  EXPECT_EQ(g.Do("done Blue"), "");
  EXPECT_EQ(g.Do("dice 4 4"), "");
  EXPECT_EQ(g.Is(0, Of::kReached), 1);
  EXPECT_EQ(g.Is(1, Of::kReached), 1);
  for (const char* die : {"dice 3", "dice 3", "dice 4"}) EXPECT_EQ(g.Do(die), "") << g.because;
  EXPECT_EQ(g.Dp(0), g.Dp(1));
}

TEST(CloseFireCharge, RearUnitsChargeInTheSameBody) {  // CF-18.9 CF-20.6
  Game g;
  const int rear = g.Horse(kBlue, Grade::kC, 4, {500, 474}, N);
  const int front = g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  const int enemy = g.Horse(kRed, Grade::kC, 4, {500, 560}, S);
  g.Start(Phase::kCharges);
  EXPECT_EQ(g.Do("charge B0 B1 at R2 avd+avd"), "") << g.because;
  for (const char* line : {"done Blue", "done Red", "done Red", "done Blue"})
    EXPECT_EQ(g.Do(line), "") << g.because;
  EXPECT_EQ(g.Do("dice 4 4"), "");
  EXPECT_EQ(g.Is(front, Of::kReached), 1);
  EXPECT_EQ(g.Is(rear, Of::kReached), 1);
  EXPECT_EQ(g.Is(rear, Of::kMissed), 0);
  EXPECT_EQ(g.Dp(rear), 0);
  // Two ranks against one, for both; four bases touch four.
  const Melee melee = MeleesOf(g.s).front();
  for (const int unit : {rear, front}) {
    const Fighter f = FighterOf(Field(g.s), unit, melee);
    EXPECT_TRUE(f.depth);
    EXPECT_EQ(f.own_hundredths, 400);
    EXPECT_EQ(f.enemy_hundredths, 400);
  }
  EXPECT_FALSE(FighterOf(Field(g.s), enemy, melee).depth);
}

TEST(CloseFireCharge, RoughGroundCostsTenYardsADie) {  // CF-12.4 CF-13.2 CF-18.2
  for (const auto& [rough, reached] : {std::pair{false, 1}, std::pair{true, 0}}) {
    Game g;
    Terrain soft;
    soft.rough = rough;
    soft.outline_yd = Box(300, 530, 700, 550);
    g.Ground(soft);
    g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Horse(kRed, Grade::kC, 4, {500, 575}, S);
    g.Start(Phase::kCharges);
    EXPECT_EQ(g.Do("charge B0 at R1 avd+avd"), "") << g.because;
    for (const char* line : {"done Blue", "done Red", "done Red", "done Blue"})
      EXPECT_EQ(g.Do(line), "") << g.because;
    EXPECT_EQ(g.Do("dice 4 4"), "");  // 80 yd, or 60 yd and a DP for each four
    EXPECT_EQ(g.Is(0, Of::kReached), reached);
    EXPECT_EQ(g.Told("B0 has 60 yd (40 + 40, rough -20)."), rough);
  }
}

TEST(CloseFireCloseFire, StartsWithinFortyYards) {  // EX-19.1.1 EX-19.1.2 EX-19.1.3 EX-19.1.4
  for (const auto& [gap, fights] : {std::pair{35.0, true}, std::pair{45.0, false}}) {
    Game g;
    g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Foot(kRed, Grade::kC, 4, {500, 500 + gap}, S);
    EXPECT_EQ(!CloseFirePairs(Field(g.s)).empty(), fights);
  }
  Game horse;
  horse.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  horse.Foot(kRed, Grade::kC, 4, {500, 530}, S);
  EXPECT_EQ(CloseFirePairs(Field(horse.s)).size(), 1u);
  EXPECT_FALSE(ThrowsD6(horse.s, 0));
  Game back;
  back.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  back.Foot(kRed, Grade::kC, 4, {500, 550}, N);  // its rear is 30 yd away
  EXPECT_EQ(CloseFirePairs(Field(back.s)).size(), 1u);
}

TEST(CloseFireCloseFire, ContinuesNextTurnWithAverageDice) {  // EX-19.2.1
  Fighter f;
  f.dp = 1;
  EXPECT_EQ(CombatSum(ShippedTables(), f, 4).Total(), 3);
  Charge t;
  t.g.Horse(kRed, Grade::kC, 4, {500, 540}, S);
  t.Name("charge B0 at R1 avd+avd");
  t.Go();
  t.Answer({"dice 4 4", "dice 3", "dice 4", "choose stay", "choose stay"});
  EXPECT_TRUE(InCombat(t.g.s, 0));
  EXPECT_FALSE(ThrowsD6(t.g.s, 0));  // charge factors do not carry over
}

TEST(CloseFireCombat, CiviliansRoutAndLimberedGunsAreAbandoned) {  // CF-20.1 CF-20.2
  Charge t;
  const int gun = t.g.Gun(kRed, GunClass::kField, {500, 540}, S, true);
  t.Name("charge B0 at R1 avd");
  t.Go();
  t.Answer({"dice 5"});
  EXPECT_EQ(At(t.g.s, gun).As<Crew>(Of::kCrew), Crew::kAway);
}

TEST(CloseFireCombat, Factors) {  // EX-20.3.1 EX-20.3.2 EX-20.3.3 EX-20.3.4 CF-20.4
  const Tables& book = ShippedTables();
  Fighter a;
  a.grade = Grade::kA;
  a.charging_or_pursuing = a.impact = true;
  EXPECT_EQ(CombatSum(book, a, 0).Total(), 5);
  Fighter b;
  b.charging_or_pursuing = true;
  EXPECT_EQ(CombatSum(book, b, 0).Total(), 1);
  Fighter c;
  c.charging_or_pursuing = c.impact = c.disorder_of_march = true;
  EXPECT_EQ(CombatSum(book, c, 0).Total(), 1);
  Fighter d;
  d.reserved = d.unready = true;
  d.dp = 1;
  EXPECT_EQ(CombatSum(book, d, 0).Total(), -2);
}

TEST(CloseFireCombat, Numbers) {  // EX-20.5.1 EX-20.5.2 EX-20.5.3 EX-20.5.4 EX-20.5.5
  const Tables& book = ShippedTables();
  EXPECT_EQ(NumbersFactor(book, 500, 600), -1);
  EXPECT_EQ(NumbersFactor(book, 400, 800), -2);
  EXPECT_EQ(NumbersFactor(book, 0, 100), -3);
  EXPECT_EQ(NumbersFactor(book, 0, 0), 0);
  Game g;
  const int dragoons = g.Dragoons(kBlue, Grade::kC, 6, {500, 500}, N, false);
  const int red = g.Foot(kRed, Grade::kC, 6, {500, 530}, S);
  Melee melee;
  melee.units[0] = {dragoons};
  melee.units[1] = {red};
  EXPECT_EQ(NumbersOf(Field(g.s), dragoons, melee), 300);
  Game assault;
  UnitInfo column;
  const int eight = assault.Add(column, 8, {500, 500}, N, Formation::kAssault, 2);
  assault.Put(eight, Of::kMoved, 1);
  melee.units[0] = {eight};
  melee.units[1] = {assault.Foot(kRed, Grade::kC, 4, {500, 530}, S)};
  EXPECT_EQ(NumbersOf(Field(assault.s), eight, melee), 600);
  Game line;
  const int seven = line.Horse(kBlue, Grade::kC, 7, {500, 500}, N);
  // Three bases in contact, three more to the left, one to the right.
  const int three = line.Horse(kRed, Grade::kC, 3, {520, 500}, S);
  melee.units[0] = {seven};
  melee.units[1] = {three};
  // The corners of the neighbours would touch too: move the red line in a little.
  line.s.units[1].bases = Arranged(line.s, three, Formation::kLine, {520, 500}, S, 3);
  for (BaseState& base : line.s.units[1].bases.Edit())
    base.x = Milli(520) + (base.x - Milli(520)) * 8 / 10;
  EXPECT_EQ(NumbersOf(Field(line.s), seven, melee), 600);
}

TEST(CloseFireCombat, AssaultColumnMovingAwayIsNotAdvancing) {  // CF-20.5
  for (const bool towards : {true, false}) {
    Game g;
    const int eight = g.Add(UnitInfo{}, 8, {500, 500}, N, Formation::kAssault, 2);
    Melee melee;
    melee.units[0] = {eight};
    melee.units[1] = {g.Foot(kRed, Grade::kC, 4, {500, 530}, S)};
    g.Put(eight, Of::kMoved, 1);
    g.Put(eight, Of::kFromX, 500000);
    g.Put(eight, Of::kFromY, Milli(Field(g.s).Centre(eight).y + (towards ? -15 : 15)));
    EXPECT_EQ(NumbersOf(Field(g.s), eight, melee), towards ? 600 : 200);
  }
}

TEST(CloseFireCombat, Depth) {  // EX-20.6.1 EX-20.6.2 EX-20.6.3
  const auto depth = [](bool new_style, bool against_foot) {
    Game g;
    const int deep = g.Horse(kBlue, Grade::kC, 6, {500, 500}, N, new_style, 3);
    const int other = against_foot ? g.Foot(kRed, Grade::kC, 3, {500, 500}, S)
                                   : g.Horse(kRed, Grade::kC, 3, {500, 500}, S);
    g.s.engaged = {{deep, other}};
    Melee melee;
    melee.units[0] = {deep};
    melee.units[1] = {other};
    return FighterOf(Field(g.s), deep, melee).depth;
  };
  EXPECT_TRUE(depth(false, false));
  EXPECT_FALSE(depth(true, false));
  EXPECT_FALSE(depth(false, true));
}

TEST(CloseFireCombat, SeveralUnitsAreAveraged) {  // EX-20.7.1 EX-20.7.2
  EXPECT_EQ(Difference({}, {8, 2}, {2, 1}), 2);
  EXPECT_EQ(Difference({}, {7, 2}, {2, 1}), 1);
  EXPECT_EQ(Difference({}, {2, 1}, {7, 2}), -1);
  Settings up;
  up.truncate_difference = false;
  EXPECT_EQ(Difference(up, {7, 2}, {2, 1}), 2);
}

TEST(CloseFireResult, Bands) {  // EX-21.1.1 EX-21.1.2 EX-21.1.3
  const Tables& book = ShippedTables();
  EXPECT_EQ(OutcomeOf(book, 7), Outcome::kBreakthrough);
  EXPECT_EQ(OutcomeOf(book, -7), Outcome::kDefeat);
  EXPECT_EQ(OutcomeOf(book, -8), Outcome::kBreak);
  EXPECT_EQ(OutcomeOf(book, 4), Outcome::kVictory);
  EXPECT_EQ(OutcomeOf(book, -4), Outcome::kDrivenBack);
  EXPECT_EQ(OutcomeOf(book, -1), Outcome::kInconclusive);
  EXPECT_EQ(OutcomeOf(book, 2), Outcome::kSuccess);
}

// Horse of this grade meets horse or foot head on. The dice are chosen to give the difference.
struct Clash {
  Charge t;
  int red;
  Clash(Grade grade, Grade theirs, bool foot, double gap = 20) : t(grade) {
    red = foot ? t.g.Foot(kRed, theirs, 4, {500, 500 + gap}, S)
               : t.g.Horse(kRed, theirs, 4, {500, 500 + gap}, S);
    t.Name("charge B0 at R1 0");
    t.Go();
  }
};

TEST(CloseFireResult, BreakthroughAndVictory) {  // EX-21.2.1 EX-21.2.2 EX-21.2.3 EX-21.2.4
  {
    Clash c(Grade::kC, Grade::kD, false);  // 6+1 against 3-1: +5
    c.t.Answer({"dice 6", "dice 3", "choose last"});
    EXPECT_EQ(c.t.g.Dp(0), 1);
    c.t.Answer({"dice 3 3 2", "dice 3 3 2"});  // they retire, it pursues
    EXPECT_TRUE(c.t.g.Told("pursues"));
  }
  {
    Clash c(Grade::kB, Grade::kE, false);  // 5 + 1 + 1 = 7 against 3 - 2 = 1
    c.t.Answer({"dice 5", "dice 3", "choose last"});
    EXPECT_TRUE(c.t.g.Told("victory"));
  }
  {
    Clash c(Grade::kB, Grade::kD, false);  // 6+1+1 = 8 against 2-1 = 1: +7
    c.t.Answer({"dice 6", "dice 2", "choose last", "dice 3 3 2"});
    c.t.Answer({"choose stay"});
    EXPECT_TRUE(c.t.g.Told("breakthrough"));
    EXPECT_TRUE(c.t.g.Told("B0 takes 1 DP (declined to pursue)"));
  }
  {
    Clash c(Grade::kD, Grade::kE, true);  // 6-1+1 = 6 against 3-2+1 = 2: +4
    c.t.Answer({"dice 6", "dice 3"});
    EXPECT_EQ(c.t.g.Dp(0), 1);
    c.t.Answer({"dice 3 3 2"});
    EXPECT_EQ(c.t.g.Mood(0), Conduct::kRetiring);
  }
  {
    Clash c(Grade::kC, Grade::kE, true);  // 6+1 = 7 against 3-2+1 = 2: +5, foot lose -5
    c.t.Answer({"dice 6", "dice 3", "choose last", "dice 3 2", "dice 3 3 2"});
    EXPECT_EQ(c.t.g.Mood(c.red), Conduct::kRetiring);
    EXPECT_TRUE(c.t.g.Told("pursues"));
  }
}

// Foot against foot in close fire.
struct Volleys {
  Game g;
  Volleys(Grade blue, Grade red, double gap = 35) {
    g.Foot(kBlue, blue, 4, {500, 500}, N);
    g.Foot(kRed, red, 4, {500, 500 + gap}, S);
    g.Start(Phase::kCharges);
    EXPECT_EQ(g.Do("done Blue"), "");
    EXPECT_EQ(g.Do("done Red"), "");
  }
  void Answer(const std::vector<std::string>& lines) {
    for (const std::string& line : lines)
      ASSERT_EQ(g.Do(line), "") << line << ": " << g.because << " / " << g.Request();
  }
};

TEST(CloseFireResult, Success) {  // EX-21.3.1 EX-21.3.2 EX-21.3.3 EX-21.5.2
  Volleys v(Grade::kC, Grade::kC);
  v.Answer({"dice 5", "dice 3", "dice 3 2", "choose take"});
  EXPECT_EQ(v.g.Mood(1), Conduct::kRetiring);
  EXPECT_TRUE(v.g.ToldClause("CF-22.2"));
  {
    Clash c(Grade::kC, Grade::kC, true);  // horse 1 + 1 = 2, foot 4 + 1 = 5: foot +3 stays
    c.t.Answer({"dice 1", "dice 4", "choose last", "dice 3 3 2"});
    EXPECT_TRUE(c.t.g.Told("R1 stays in place"));
  }
  {
    Charge t;
    const int gun = t.g.Gun(kRed, GunClass::kField, {500, 520}, S);
    t.g.Put(0, Of::kDp, 2);
    t.Name("charge B0 at R1 0");
    t.Go();
    // Horse 6 + 1 - 2 = 5; the battery 5 - 2 alone - 3 outnumbered. The factors alone do not give
    // +2, so the die decides the success.
    t.Answer({"dice 2", "dice 4"});
    EXPECT_TRUE(t.g.Told("success") || t.g.Told("victory") || t.g.Told("inconclusive")) << gun;
  }
}

// Horse charges horse. Foot 35 yd off fires into its flank but was not charged, so the horse need
// not retire from it.
TEST(CloseFireResult, FootInCloseFireWasNotCharged) {  // CF-21.3
  Charge t;
  t.g.Horse(kRed, Grade::kC, 4, {500, 520}, S);
  t.g.Foot(kRed, Grade::kC, 3, {575, 530}, W);
  t.Name("charge B0 at R1 0");
  t.Go();
  // 6 + 1 - 1 outnumbered = 6 against (3 + 4) / 2.
  t.Answer({"dice 6", "dice 3", "dice 3", "dice 3 3 2", "dice 3 3"});
  EXPECT_TRUE(t.g.Told("Horse B0: +2, success")) << t.g.Request();
  EXPECT_EQ(t.g.Request(), "what does horse B0 do?");
}

TEST(CloseFireResult, Inconclusive) {  // EX-21.4.1 EX-21.4.2 EX-22.1.1 EX-22.3.1 EX-21.8.1
  Volleys v(Grade::kC, Grade::kC);
  v.Answer({"dice 4", "dice 3"});
  EXPECT_EQ(v.g.Dp(0) + v.g.Dp(1), 2);  // one each; no redressing in combat
  EXPECT_TRUE(v.g.Told("inconclusive"));
  EXPECT_TRUE(v.g.Told("stays in place"));
  Charge t(Grade::kC, 4, true);
  t.g.Horse(kRed, Grade::kC, 4, {500, 520}, S);
  t.g.Start(Phase::kCharges);
  ASSERT_EQ(t.g.Do("charge B0 at R1 0 outrance"), "");
  ASSERT_EQ(t.g.Do("done Blue"), "");
  ASSERT_EQ(t.g.Do("done Red"), "");
  t.Go();
  t.Answer({"dice 1", "dice 4"});  // 1 + 1 + 2 = 4 against 4
  EXPECT_EQ(t.g.Dp(0), 2);
  EXPECT_EQ(t.g.Dp(1), 1);
}

TEST(CloseFireResult, DrivenBack) {  // EX-21.5.1 EX-21.5.3 EX-21.5.4
  {
    Clash c(Grade::kC, Grade::kC, true);  // 6 + 1 = 7 against 3 + 1 = 4: foot -3 stays with 2 DPs
    c.t.Answer({"dice 6", "dice 3"});
    EXPECT_EQ(c.t.g.Dp(c.red), 2);
    EXPECT_EQ(c.t.g.Mood(c.red), Conduct::kReady);
  }
  {
    Clash c(Grade::kC, Grade::kC, true);  // 1 + 1 = 2 against 5 + 1 = 6: horse -4
    c.t.Answer({"dice 1", "dice 5", "choose last"});
    EXPECT_EQ(c.t.g.Dp(0), 2);
    EXPECT_EQ(c.t.g.Bases(0), 3);
  }
}

// Foot in close fire has not charged, so only cavalry has.
TEST(CloseFireResult, FootChargedByHorseStaysThoughFootFiresAtIt) {  // CF-21.5
  Charge t;
  t.g.Foot(kBlue, Grade::kC, 2, {590, 500}, N);
  t.g.Foot(kRed, Grade::kC, 5, {510, 520}, S);
  t.Name("charge B0 at R2 0");
  t.Go();
  t.Answer({"dice 6", "dice 4", "dice 2"});
  EXPECT_TRUE(t.g.Told("Foot R2: -4, driven back")) << t.g.Request();
  EXPECT_TRUE(t.g.Told("Foot R2 stays in place"));
}

// Foot that only stands within 40 yd of horse that charged others was not charged.
TEST(CloseFireResult, FootBesideTheChargedFootRetires) {  // CF-21.5
  Charge t;
  const int charged = t.g.Foot(kRed, Grade::kC, 4, {500, 520}, S);
  const int beside = t.g.Foot(kRed, Grade::kC, 3, {590, 530}, S);
  t.Name("charge B0 at R1 0");
  t.Go();
  t.Answer({"dice 6", "dice 2", "dice 2", "dice 3 3"});
  EXPECT_EQ(t.g.Mood(charged), Conduct::kReady);
  EXPECT_EQ(t.g.Mood(beside), Conduct::kRetiring);
}

// Horse charges foot. Other horse that halts 34 yd before it does not make it give way.
TEST(CloseFireResult, FootChargedByHorseStaysBesideHorseThatHalts) {  // CF-21.5
  Charge t;
  t.g.Horse(kBlue, Grade::kC, 2, {575, 490}, N);
  t.g.Foot(kRed, Grade::kC, 4, {500, 520}, S);
  t.Name("charge B0 at R2 0");
  t.Go();
  t.Answer({"dice 6", "dice 3", "dice 2"});  // (6 + 1 + 3) / 2 = 5 against 2 + 1
  EXPECT_TRUE(t.g.Told("Foot R2: -2, driven back")) << t.g.Request();
  EXPECT_TRUE(t.g.Told("Foot R2 stays in place"));
}

TEST(CloseFireResult, DefeatAndBreak) {  // EX-21.6.1 EX-21.7.1 EX-21.7.2
  Clash c(Grade::kE, Grade::kA, true);   // 1 - 2 + 1 = 0 against 4 + 2 + 1 = 7: -7
  c.t.Answer({"dice 1", "dice 4", "choose last"});
  EXPECT_EQ(c.t.g.Dp(0), 2);
  EXPECT_EQ(c.t.g.Bases(0), 3);
  Clash d(Grade::kE, Grade::kA, true);  // 0 against 5 + 3 = 8: -8
  d.t.Answer({"dice 1", "dice 5", "choose last", "choose last", "choose last"});
  EXPECT_EQ(d.t.g.Bases(0), 1);
  d.t.Answer({"dice 3 3 3"});
  EXPECT_EQ(d.t.g.Mood(0), Conduct::kRouting);
}

TEST(CloseFireResult, FreeChoice) {  // EX-21.9.1
  // The enemy did not retire: foot with a free choice can only stay and is not asked.
  Clash c(Grade::kC, Grade::kC, true);
  c.t.Answer({"dice 6", "dice 3", "dice 3 3 2"});  // horse +3 must retire, foot stays
  EXPECT_FALSE(c.t.g.s.waiting.has_value());
}

// Section 22 for single units, without a battle.
struct Alone {
  Game g;
  std::vector<Event> events;
};

TEST(CloseFireAfter, RideThroughNeedsRoom) {  // EX-22.3.2
  Alone a;
  const int horse = a.g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  const int enemy = a.g.Horse(kRed, Grade::kC, 4, {500, 500}, S);
  a.g.Horse(kRed, Grade::kC, 4, {500, 540}, S);  // 15 yd behind them
  a.g.Put(horse, Of::kDp, 2);
  Play play(a.g.s, a.events, {}, false);
  EXPECT_FALSE(RideThrough(play, horse, enemy));
  EXPECT_EQ(a.g.Dp(horse), 2);
  Alone b;
  const int rider = b.g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  const int thin = b.g.Horse(kRed, Grade::kC, 4, {500, 500}, S);
  b.g.Put(rider, Of::kDp, 2);
  Play through(b.g.s, b.events, {{{}, 0, 0}, {{4, 3}, -1, 0}}, false);
  EXPECT_TRUE(RideThrough(through, rider, thin));  // CF-22.3: 70 yd, 2 DPs become 1
  EXPECT_EQ(b.g.Dp(rider), 1);
}

TEST(CloseFireAfter, RideThroughHaltsBeyondTwentyYardsOfNewEnemy) {  // CF-22.3
  for (const auto& [behind, rides] : {std::pair{30.0, false}, std::pair{50.0, true}}) {
    Alone a;
    const int horse = a.g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
    const int enemy = a.g.Horse(kRed, Grade::kC, 4, {500, 500}, S);
    a.g.Horse(kRed, Grade::kC, 4, {500, 525 + behind}, S);
    std::vector<Answer> answers;
    if (rides) answers = {{{}, 0, 0}, {{4, 4}, -1, 0}};
    Play play(a.g.s, a.events, answers, false);
    EXPECT_EQ(RideThrough(play, horse, enemy), rides);
    const double gap = Field(a.g.s).Gap(horse, 2);
    if (rides) {
      EXPECT_GT(gap, 20);
      EXPECT_LT(gap, 20.1);
    }
  }
}

TEST(CloseFireAfter, RetiresToItsOwnRear) {  // CF-22.4
  // Horse has reached the right end of a line that faces north.
  Alone a;
  const int foot = a.g.Foot(kBlue, Grade::kC, 4, {500, 800}, N);
  const int horse = a.g.Horse(kRed, Grade::kC, 2, {540.5, 790}, W);
  Play play(a.g.s, a.events, {{{4, 3}, -1, 0}}, false);
  const Vec2 before = Field(a.g.s).Centre(foot);
  EXPECT_NEAR(Retire(play, foot, horse).gone, 90, 0.01);
  EXPECT_NEAR(Field(a.g.s).Centre(foot).x, before.x, 0.01);
  EXPECT_NEAR(Field(a.g.s).Centre(foot).y, before.y - 90, 0.01);
}

TEST(CloseFireAfter, GunsRiddenPastDoNotBlockTheWayBack) {  // CF-22.4 CF-23.4
  Alone a;
  const int horse = a.g.Horse(kBlue, Grade::kC, 4, {500, 800}, N);
  const int gun = a.g.Gun(kRed, GunClass::kField, {500, 785}, S);
  const int foot = a.g.Foot(kRed, Grade::kC, 4, {500, 800}, S);
  a.g.Put(gun, Of::kCrew, Crew::kSheltering);
  Play play(a.g.s, a.events, {{{3, 3, 3}, -1, 0}}, false);
  EXPECT_NEAR(Retire(play, horse, foot).gone, 120, 0.01);
  EXPECT_EQ(a.g.Dp(horse), 0);
}

TEST(CloseFireAfter, FlightAndPursuitTireInRoughGround) {  // CF-13.2 CF-12.6
  for (const bool rough : {false, true}) {
    Alone a;
    const int horse = a.g.Horse(kBlue, Grade::kC, 4, {500, 800}, N);
    const int enemy = a.g.Foot(kRed, Grade::kC, 4, {500, 830}, S);
    const int foot = a.g.Foot(kBlue, Grade::kC, 4, {900, 800}, N);
    if (rough) {
      Terrain soft;
      soft.rough = true;
      soft.outline_yd = Box(100, 500, 1200, 760);
      a.g.Ground(soft);
    }
    Play play(a.g.s, a.events,
              {{{4, 5, 3}, -1, 0}, {{5, 6}, -1, 0}, {{4, 5, 3}, -1, 0}, {{2}, -1, 0}}, false);
    Retire(play, horse, enemy);
    EXPECT_EQ(a.g.Dp(horse), rough ? 2 : 0);  // a four and a five
    Retire(play, foot, enemy);
    EXPECT_EQ(a.g.Dp(foot), 0);  // unformed foot does not tire
  }
  Alone b;
  const int horse = b.g.Horse(kBlue, Grade::kC, 4, {500, 800}, N);
  const int quarry = b.g.Foot(kRed, Grade::kC, 4, {500, 1100}, N);
  b.g.Put(quarry, Of::kStatus, Conduct::kRetiring);
  Terrain soft;
  soft.rough = true;
  soft.outline_yd = Box(100, 820, 1200, 1000);
  b.g.Ground(soft);
  Play play(b.g.s, b.events, {{{4, 5, 3}, -1, 0}}, false);
  Pursue(play, horse, quarry, 280, 0);
  EXPECT_EQ(b.g.Dp(horse), 2);
}

TEST(CloseFireAfter, ATieInPursuitCatches) {  // CF-22.6
  for (const double quarry_yd : {120.0, 120.1}) {
    Alone a;
    const int blue = a.g.Horse(kBlue, Grade::kC, 3, {500, 500}, N);
    const int red = a.g.Horse(kRed, Grade::kC, 3, {500, 525 + quarry_yd}, N);
    a.g.Put(red, Of::kStatus, Conduct::kRetiring);
    Play play(a.g.s, a.events, {{{4, 4, 4}, -1, 0}, {{1, 1, 1}, -1, 0}}, false);
    Pursue(play, blue, red, 0.01, quarry_yd);  // they were in contact
    EXPECT_EQ(a.g.Mood(red), quarry_yd > 120 ? Conduct::kRetiring : Conduct::kRouting);
  }
}

TEST(CloseFireMorale, EventsAreMeasuredToTheOutline) {  // CF-1.3 CF-8.4
  for (const auto& [gap, dp] : {std::pair{100.0, 1}, std::pair{125.0, 0}}) {
    Alone a;
    const int watcher = a.g.Foot(kBlue, Grade::kC, 4, {500, 800}, N);
    const int line = a.g.Foot(kBlue, Grade::kC, 9, {540 + gap + 90, 800}, N);
    const int enemy = a.g.Foot(kRed, Grade::kC, 4, {540 + gap + 90, 830}, S);
    a.g.Put(watcher, Of::kMoved, 1);
    Play play(a.g.s, a.events, {{{4, 5}, -1, 0}}, false);
    Retire(play, line, enemy);
    MoralePhase(play);
    EXPECT_EQ(a.g.Dp(watcher), dp);
  }
}

// Horse that retires costs nobody a DP, so how near it was decides nothing.
TEST(CloseFireMorale, AnEventThatCostsNothingIsNoCloseCall) {  // CF-1.3 CF-8.4
  for (const bool horse : {false, true}) {
    Alone a;
    a.g.Foot(kBlue, Grade::kC, 4, {500, 800}, N);
    const double x = 540 + 120.5 + 40;
    const int unit = horse ? a.g.Horse(kBlue, Grade::kC, 4, {x, 800}, N)
                           : a.g.Foot(kBlue, Grade::kC, 4, {x, 800}, N);
    const int enemy = a.g.Foot(kRed, Grade::kC, 4, {x, 830}, S);
    std::vector<Answer> dice = {{{4, 5}, -1, 0}};
    if (horse) dice = {{{4, 3, 5}, -1, 0}};
    Play play(a.g.s, a.events, dice, false);
    Retire(play, unit, enemy);
    MoralePhase(play);
    EXPECT_EQ(std::any_of(a.events.begin(), a.events.end(),
                          [](const Event& e) {
                            return e.text.find("a close call: 120.5 yd") != std::string::npos;
                          }),
              !horse);
  }
}

TEST(CloseFireAfter, Retiring) {  // EX-22.4.1 EX-22.4.2
  for (const bool horse : {false, true}) {
    Alone a;
    const int unit = horse ? a.g.Horse(kBlue, Grade::kC, 4, {500, 800}, N)
                           : a.g.Foot(kBlue, Grade::kC, 4, {500, 800}, N);
    const int enemy = a.g.Foot(kRed, Grade::kC, 4, {500, 830}, S);
    std::vector<Answer> dice = {{{4, 3}, -1, 0}};
    if (horse) dice = {{{4, 3, 5}, -1, 0}};
    Play play(a.g.s, a.events, dice, false);
    EXPECT_NEAR(Retire(play, unit, enemy).gone, horse ? 150 : 90, 0.01);
    EXPECT_TRUE(IsUnformed(a.g.s, unit));
  }
}

// A unit of four bases, 460 to 540 yd from the west, moving south. A river blocks the western
// bases.
struct HalfBlocked : Alone {
  int unit = 0, enemy = 0;
  HalfBlocked(bool horse, double river_to, Vec2 enemy_at) {
    unit = horse ? g.Horse(kBlue, Grade::kC, 4, {500, 800}, N)
                 : g.Foot(kBlue, Grade::kC, 4, {500, 800}, N);
    enemy = g.Foot(kRed, Grade::kC, 4, enemy_at, S);
    AddSpares(g.setup, g.s);
    Terrain river;
    river.impassable = true;
    river.outline_yd = Box(100, 600, river_to, horse ? 774 : 779);
    g.Ground(river);
  }
  int Held() const { return FindUnit(g.s, SpareName("B0")).value(); }
};

TEST(CloseFireAfter, PartlyBlockedRetreatSplitsTheUnit) {  // CF-22.4
  HalfBlocked t(false, 499, {500, 830});
  t.g.Put(t.unit, Of::kDp, 1);
  Play play(t.g.s, t.events, {{{4, 3}, -1, 0}}, false);
  EXPECT_NEAR(Retire(play, t.unit, t.enemy).gone, 90, 0.01);
  EXPECT_EQ(t.g.Bases(t.unit), 2);
  EXPECT_EQ(t.g.Dp(t.unit), 1);
  EXPECT_EQ(t.g.Mood(t.unit), Conduct::kRetiring);
  EXPECT_NEAR(Field(t.g.s).Centre(t.unit).y, 700, 0.01);
  ASSERT_EQ(t.g.Bases(t.Held()), 2);
  EXPECT_TRUE(At(t.g.s, t.Held()).OnTable());
  EXPECT_EQ(t.g.Mood(t.Held()), Conduct::kRetiring);
  EXPECT_TRUE(IsUnformed(t.g.s, t.Held()));
  EXPECT_EQ(t.g.Dp(t.Held()), 2);
}

TEST(CloseFireAfter, NoSplitWhenAllOrNoBasesAreBlocked) {  // CF-22.4
  for (const double river_to : {300.0, 900.0}) {
    HalfBlocked t(false, river_to, {500, 830});
    Play play(t.g.s, t.events, {{{4, 3}, -1, 0}}, false);
    Retire(play, t.unit, t.enemy);
    EXPECT_EQ(t.g.Bases(t.unit), 4) << river_to;
    EXPECT_EQ(t.g.Bases(t.Held()), 0) << river_to;
    EXPECT_EQ(t.g.Dp(t.unit), river_to > 500 ? 1 : 0);
  }
}

TEST(CloseFireAfter, BlockedRetirementStaysInPlace) {  // CF-22.4 CF-22.5
  for (const bool rout : {false, true}) {
    // An enemy thirty-five yards away, a river fifty yards behind.
    Alone a;
    const int unit = a.g.Foot(kBlue, Grade::kC, 4, {500, 800}, N);
    const int enemy = a.g.Foot(kRed, Grade::kC, 4, {500, 835}, S);
    Terrain river;
    river.impassable = true;
    river.outline_yd = Box(100, 700, 900, 730);
    a.g.Ground(river);
    Play play(a.g.s, a.events, {{{4, 3}, -1, 0}, {{}, 0, 0}}, false);
    const Vec2 before = Field(a.g.s).Centre(unit);
    EXPECT_EQ((rout ? Rout : Retire)(play, unit, enemy).gone, 0);
    if (rout) {
      EXPECT_EQ(a.g.Is(unit, Of::kCasualties), 1);
      EXPECT_EQ(At(a.g.s, unit).As<Presence>(Of::kPresence), Presence::kSurrendered);
    } else {
      EXPECT_EQ(Field(a.g.s).Centre(unit), before);
      EXPECT_EQ(a.g.Dp(unit), 1);
      EXPECT_EQ(a.g.Is(unit, Of::kMoved), 0);
    }
  }
  // With shelter before the river it is not blocked.
  Alone b;
  const int unit = b.g.Foot(kBlue, Grade::kC, 4, {500, 800}, N);
  b.g.Foot(kBlue, Grade::kC, 4, {500, 770}, N);
  const int enemy = b.g.Foot(kRed, Grade::kC, 4, {500, 850}, S);
  Terrain river;
  river.impassable = true;
  river.outline_yd = Box(100, 660, 900, 690);
  b.g.Ground(river);
  Play play(b.g.s, b.events, {{{4, 3}, -1, 0}}, false);
  EXPECT_GT(Rout(play, unit, enemy).gone, 40);
  EXPECT_EQ(b.g.Is(unit, Of::kCasualties), 0);
}

TEST(CloseFireAfter, UnformedTroopsFillAGapWithASpareBase) {  // CF-8.6 CF-14.14
  Alone a;
  const int hussars = a.g.Hussars(kBlue, Grade::kC, 4, {500, 500}, N);
  // The last base in the list, but it holds the others together.
  std::vector<BaseState>& bases = a.g.s.units[0].bases.Edit();
  std::swap(bases[1], bases[3]);
  std::swap(bases[2], bases[3]);
  for (BaseState& base : bases) base.x = Milli(500) + (base.x - Milli(500)) * 3 / 2;
  Play play(a.g.s, a.events, {{{}, 1, 0}, {{}, 2, 0}}, false);
  play.Casualty(hussars, "CF-22.6", "ridden down");
  play.Casualty(hussars, "CF-22.6", "ridden down");
  EXPECT_TRUE(HangsTogether(BasesOf(a.g.s, hussars), 20));
}

TEST(CloseFireAfter, RideThroughStopsShortOfForbiddenGround) {  // CF-22.3
  for (const auto& [river, gone] : {std::pair{620.0, 70.0}, std::pair{580.0, 60.0}}) {
    Alone a;
    const int rider = a.g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
    const int enemy = a.g.Horse(kRed, Grade::kC, 4, {500, 500}, S);
    Terrain water;
    water.impassable = true;
    water.outline_yd = Box(100, river, 900, 900);
    a.g.Ground(water);
    Play play(a.g.s, a.events, {{{}, 0, 0}, {{4, 3}, -1, 0}}, false);
    EXPECT_TRUE(RideThrough(play, rider, enemy));
    EXPECT_NEAR(Norm(a.g.Front(rider) - Vec2{500, 500}), gone, 26);
    double front = 0;
    for (const Base& base : BasesOf(a.g.s, rider))
      for (const Vec2 corner : open_table::Outline(base)) front = std::max(front, corner.y);
    EXPECT_NEAR(front, 500 + gone, 0.05);
  }
}

TEST(CloseFireCharge, MovesItsFullRollWhenTheTargetHasGone) {  // CF-18.2 CF-18.3
  Game g;
  const int horse = g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  const int enemy = g.Horse(kRed, Grade::kC, 4, {500, 560}, S);
  g.Put(horse, Of::kCharging, enemy + 1);
  g.Put(horse, Of::kChargeSet, 2);
  g.Put(horse, Of::kChargeGroup, horse + 1);
  g.s.units[1].bases = Arranged(g.s, enemy, Formation::kLine, {900, 560}, S, 4);
  g.Start(Phase::kResponses);
  EXPECT_EQ(g.Do("done Blue"), "") << g.because;
  EXPECT_EQ(g.Do("done Red"), "") << g.because;
  EXPECT_EQ(g.Do("dice 4 4"), "") << g.because;
  EXPECT_NEAR(g.Front(horse).y, 580, 0.05);
  EXPECT_EQ(g.Is(horse, Of::kMissed), 2);
}

TEST(CloseFireCombat, NearerSideDefendsTheEdge) {  // CF-20.4
  Game g;
  const int red = g.Foot(kRed, Grade::kC, 4, {500, 530}, S);
  const int blue = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  Terrain works;
  works.works = 1;
  works.outline_yd = Box(400, 524, 600, 529);
  g.Ground(works);
  // The wall is behind them and nearer to them: it protects them, not the attackers.
  EXPECT_EQ(Field(g.s).WorksAgainst(red, blue), 1);
  EXPECT_EQ(Field(g.s).WorksAgainst(blue, red), 0);
  // The edge of a wood protects against enemies outside, but not a unit that crossed that edge this
  // turn.
  Game h;
  const int in_wood = h.Foot(kRed, Grade::kC, 4, {500, 530}, S);
  const int outside = h.Foot(kBlue, Grade::kC, 4, {500, 495}, N);
  Terrain wood;
  wood.wood = wood.rough = true;
  wood.outline_yd = Box(400, 525, 600, 700);
  h.Ground(wood);
  EXPECT_TRUE(Field(h.s).GroundAgainst(in_wood, outside));
  h.Put(in_wood, Of::kMoved, 1);
  h.Put(in_wood, Of::kFromX, Milli(500));
  h.Put(in_wood, Of::kFromY, Milli(600));  // it came from inside the wood
  EXPECT_TRUE(Field(h.s).GroundAgainst(in_wood, outside));
  h.Put(in_wood, Of::kFromY, Milli(515));  // it came from outside, from the enemy's side
  EXPECT_FALSE(Field(h.s).GroundAgainst(in_wood, outside));
}

TEST(CloseFireAfter, PartlyBlockedRoutSplitsTheUnit) {  // CF-22.5
  HalfBlocked t(false, 499, {500, 830});
  Play play(t.g.s, t.events, {{{4, 3}, -1, 0}, {{}, 0, 0}}, false);
  EXPECT_NEAR(Rout(play, t.unit, t.enemy).gone, 90, 0.01);
  EXPECT_EQ(t.g.Bases(t.unit), 2);
  // The two blocked bases lose one, and the enemy is 30 yd away.
  EXPECT_EQ(At(t.g.s, t.Held()).As<Presence>(Of::kPresence), Presence::kSurrendered);
  EXPECT_EQ(At(t.g.s, t.Held())[Of::kCasualties], 1);
}

// Foot that pursues has moved: horse that counter-charges it finds it unready.
TEST(CloseFireAfter, PursuingFootIsUnreadyForACounterCharge) {  // CF-20.4 CF-22.6
  Game g;
  g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Foot(kRed, Grade::kC, 3, {500, 535}, S);
  g.Horse(kRed, Grade::kC, 4, {575, 570}, S);
  g.Start(Phase::kCharges);
  for (const char* line : {"done Blue", "done Red", "dice 5", "dice 3", "dice 2 1", "choose pursue",
                           "dice 4 5", "choose counter"})
    ASSERT_EQ(g.Do(line), "") << line << ": " << g.because << " / " << g.Request();
  EXPECT_NE(g.Request().find("not ready for cavalry -2"), std::string::npos) << g.Request();
}

// Hussars are always unformed: they have nothing to re-form.
TEST(CloseFireAfter, HussarsStandWhenTheyStopRetiring) {  // CF-22.4 CF-10.5
  for (const bool on : {false, true}) {
    Game g;
    const int hussars = g.Hussars(kBlue, Grade::kC, 3, {500, 800}, N);
    g.Foot(kRed, Grade::kC, 4, {500, 1200}, S);
    g.Put(hussars, Of::kStatus, Conduct::kRetiring);
    g.Start(Phase::kMovement);
    if (on) {
      EXPECT_EQ(g.Do("retire B0"), "") << g.because;
      EXPECT_EQ(g.Do("dice 3 3 2"), "") << g.because;
    }
    EXPECT_EQ(g.Do("done Blue"), "") << g.because;
    EXPECT_EQ(g.Mood(hussars), on ? Conduct::kRetiring : Conduct::kReady);
  }
}

TEST(CloseFireAfter, RetiringHorseRetiresOnOrReforms) {  // CF-22.4
  Game g;
  const int horse = g.Horse(kBlue, Grade::kC, 4, {500, 800}, N);
  g.Put(horse, Of::kStatus, Conduct::kRetiring);
  g.Put(horse, Of::kFormation, Formation::kUnformed);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd"), "CF-22.4");
  EXPECT_EQ(g.because, "horse B0 is retiring: it goes on, or stands and re-forms");
  EXPECT_EQ(g.Do("reform B0 line 0"), "") << g.because;
}

// A pair that has come apart does not part the unit from others that it touches.
TEST(CloseFireCombat, UnitsInContactFightOn) {  // CF-22.1
  Game g;
  const int blue = g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  const int red = g.Horse(kRed, Grade::kC, 4, {500, 500}, S);
  const int far = g.Foot(kRed, Grade::kC, 4, {800, 500}, S);
  g.s.engaged = {{blue, red}, {blue, far}};
  g.Start(Phase::kCharges);
  for (const char* line :
       {"done Blue", "done Red", "dice 3", "dice 3", "dice 3", "choose stay", "choose stay"})
    ASSERT_EQ(g.Do(line), "") << line << ": " << g.because << " / " << g.Request();
  EXPECT_TRUE(InCombat(g.s, blue));
  EXPECT_TRUE(InCombat(g.s, red));
  EXPECT_FALSE(InCombat(g.s, far));
}

TEST(CloseFireAfter, PartlyBlockedPursuitSplitsTheUnit) {  // CF-22.6
  HalfBlocked t(true, 479, {500, 600});
  Play turn(t.g.s, t.events, {}, false);
  TurnAbout(turn, t.unit);
  t.g.Put(t.enemy, Of::kStatus, Conduct::kRouting);
  Play play(t.g.s, t.events, {{{4, 4, 4}, -1, 0}}, false);
  EXPECT_FALSE(Pursue(play, t.unit, t.enemy, 150, 60));
  EXPECT_EQ(t.g.Bases(t.unit), 3);
  EXPECT_EQ(t.g.Bases(t.Held()), 1);
  EXPECT_EQ(t.g.Mood(t.Held()), Conduct::kPursuing);
  // CF-12.6: a pursuit is not a first fast move; a retirement after it still is.
  EXPECT_EQ(t.g.Is(t.Held(), Of::kFastBefore), 0);
  EXPECT_NEAR(Field(t.g.s).Centre(t.unit).y, 787.5 - 120, 0.05);
  EXPECT_NEAR(Field(t.g.s).Centre(t.Held()).y, 787.5, 2);
}

TEST(CloseFireAfter, PursuersHackRunningUnitsInTheirWay) {  // CF-22.6
  Alone a;
  const int horse = a.g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  const int quarry = a.g.Foot(kRed, Grade::kC, 4, {500, 700}, N);
  const int other = a.g.Foot(kRed, Grade::kC, 4, {500, 580}, N);
  for (const int one : {quarry, other}) {
    a.g.Put(one, Of::kStatus, Conduct::kRetiring);
    a.g.Put(one, Of::kFormation, Formation::kUnformed);
  }
  Play play(a.g.s, a.events, {{{4, 4, 4}, -1, 0}, {{1, 2, 3, 3}, -1, 0}}, false);
  EXPECT_FALSE(Pursue(play, horse, quarry, 180, 0));
  EXPECT_EQ(a.g.Mood(other), Conduct::kRouting);
  EXPECT_EQ(a.g.Mood(quarry), Conduct::kRetiring);
}

TEST(CloseFireAfter, PursuersHackTheirQuarryBeforeNewEnemiesBehindIt) {  // CF-22.6
  Alone a;
  const int horse = a.g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  const int quarry = a.g.Foot(kRed, Grade::kC, 4, {500, 560}, N);
  const int behind = a.g.Foot(kRed, Grade::kC, 4, {500, 600}, S);
  a.g.Put(quarry, Of::kStatus, Conduct::kRetiring);
  a.g.Put(quarry, Of::kFormation, Formation::kUnformed);
  Play play(a.g.s, a.events, {{{4, 4, 4}, -1, 0}, {{1, 2, 3, 3}, -1, 0}}, false);
  EXPECT_FALSE(Pursue(play, horse, quarry, 40, 0)) << "the quarry is in the way";
  EXPECT_EQ(a.g.Mood(quarry), Conduct::kRouting);
  EXPECT_FALSE(a.g.Is(behind, Of::kContacted));
}

TEST(CloseFireAfter, PursuersAndEvadersDisturbFriends) {  // CF-14.11
  for (const bool fired : {true, false}) {
    Alone a;
    const int horse = a.g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
    const int passed = a.g.Foot(kBlue, Grade::kC, 4, {500, 560}, N);
    const int quarry = a.g.Foot(kRed, Grade::kC, 4, {500, 800}, N);
    const int hussars = a.g.Hussars(kRed, Grade::kC, 3, {900, 500}, S);
    const int behind = a.g.Foot(kRed, Grade::kC, 4, {900, 570}, S);
    a.g.Put(quarry, Of::kStatus, Conduct::kRetiring);
    for (const int one : {passed, behind}) a.g.Put(one, Of::kFired, fired);
    Play play(a.g.s, a.events, {{{4, 4, 4}, -1, 0}}, false);
    EXPECT_FALSE(Pursue(play, horse, quarry, 300, 0));
    EXPECT_GT(a.g.Front(horse).y, 600);
    EXPECT_EQ(a.g.Dp(passed), fired ? 1 : 0);
    EXPECT_GT(EvadeAlong(play, hussars, 0, 130), 120);
    EXPECT_EQ(a.g.Dp(behind), fired ? 1 : 0);
  }
}

TEST(CloseFireAfter, CannotTakeAPositionThatIsHeld) {  // CF-22.2 CF-22.4
  for (const bool blocked : {true, false}) {
    Game g;
    g.Foot(kBlue, Grade::kB, 4, {500, 500}, N);
    const int red = g.Foot(kRed, Grade::kC, 4, {500, 535}, S);
    if (blocked) {
      Terrain lake;
      lake.impassable = true;
      lake.outline_yd = Box(300, 557, 700, 700);
      g.Ground(lake);
    }
    g.Start(Phase::kCharges);
    ASSERT_EQ(g.Do("done Blue"), "");
    ASSERT_EQ(g.Do("done Red"), "");
    for (const char* line : {"dice 5", "dice 3", "dice 4 4"})
      ASSERT_EQ(g.Do(line), "") << line << ": " << g.because << " / " << g.Request();
    ASSERT_TRUE(g.s.waiting.has_value());
    const std::vector<std::string>& words = g.s.waiting->ask.choices;
    EXPECT_EQ(std::find(words.begin(), words.end(), "take") == words.end(), blocked);
    // It stays in place and pays for it.
    EXPECT_EQ(g.Front(red).y < 536, blocked);
    EXPECT_EQ(g.Dp(red), blocked ? 3 : 2);
  }
}

TEST(CloseFireAfter, RetirementThroughRoughGroundIsShorter) {  // CF-12.6
  for (const auto& [low, high, gone] :
       {std::tuple{300.0, 360.0, 90.0}, std::tuple{700.0, 760.0, 70.0},
        std::tuple{600.0, 695.0, 85.0}}) {
    Alone a;
    const int foot = a.g.Foot(kBlue, Grade::kC, 4, {500, 800}, N);
    const int enemy = a.g.Foot(kRed, Grade::kC, 4, {500, 830}, S);
    Terrain soft;
    soft.rough = true;
    soft.outline_yd = Box(100, low, 900, high);
    a.g.Ground(soft);
    Play play(a.g.s, a.events, {{{4, 3}, -1, 0}}, false);
    // 20 yd less if it enters the rough ground; else it stops at the edge.
    EXPECT_NEAR(Retire(play, foot, enemy).gone, gone, 0.05);
  }
}

TEST(CloseFireAfter, RoutStopsOutOfReach) {  // CF-22.5
  Alone a;
  const int foot = a.g.Foot(kBlue, Grade::kC, 4, {500, 500}, S);
  const int horse = a.g.Horse(kRed, Grade::kC, 4, {500, 800}, S);
  a.g.Put(foot, Of::kStatus, Conduct::kRouting);
  a.g.Put(foot, Of::kFormation, Formation::kUnformed);
  a.g.Put(horse, Of::kStatus, Conduct::kPursuing);
  a.g.Put(horse, Of::kFormation, Formation::kUnformed);
  Play play(a.g.s, a.events, {{{3, 3, 3}, -1, 0}}, false);
  RunOn(play, horse);
  EXPECT_EQ(a.g.Bases(foot), 4);
  EXPECT_NEAR(a.g.Front(foot).y, 500, 0.01);
}

TEST(CloseFireAfter, Routing) {  // EX-22.5.1 EX-22.5.2 EX-22.5.3 EX-22.5.4
  {
    Alone a;  // pursued a second turn: a casualty, in the pursuer's Movement phase
    const int foot = a.g.Foot(kBlue, Grade::kC, 4, {500, 800}, S);
    const int horse = a.g.Horse(kRed, Grade::kC, 4, {500, 900}, S);
    a.g.Put(foot, Of::kStatus, Conduct::kRouting);
    a.g.Put(foot, Of::kFormation, Formation::kUnformed);
    a.g.Put(foot, Of::kFastBefore, 1);
    a.g.Put(foot, Of::kPursued, 1);
    a.g.Put(horse, Of::kStatus, Conduct::kPursuing);
    Play play(a.g.s, a.events, {{{}, 0, 0}, {{4, 6}, -1, 0}, {{2, 2, 1}, -1, 0}}, false);
    RunOn(play, horse);
    EXPECT_EQ(a.g.Bases(foot), 3);
  }
  {
    Alone a;
    const int foot = a.g.Foot(kBlue, Grade::kC, 4, {500, 800}, S);
    a.g.Foot(kRed, Grade::kC, 4, {500, 910}, S);
    a.g.Put(foot, Of::kStatus, Conduct::kRouting);
    a.g.Put(foot, Of::kFormation, Formation::kUnformed);
    a.g.Put(foot, Of::kFastBefore, 1);
    Play play(a.g.s, a.events, {{{3, 3}, -1, 0}}, false);
    const double before = a.g.Front(foot).y;
    RunOn(play, foot);
    EXPECT_EQ(a.g.Bases(foot), 4);
    EXPECT_NEAR(before - a.g.Front(foot).y, 60, 0.5);
  }
  {
    Alone a;  // a river behind it
    Terrain river;
    river.impassable = true;
    river.outline_yd = Box(0, 700, 2000, 778);
    a.g.Ground(river);
    const int foot = a.g.Foot(kBlue, Grade::kC, 4, {500, 800}, N);
    const int enemy = a.g.Foot(kRed, Grade::kC, 4, {500, 830}, S);
    Play play(a.g.s, a.events, {{{3, 3}, -1, 0}, {{}, 0, 0}}, false);
    Rout(play, foot, enemy);
    EXPECT_EQ(a.g.Bases(foot), 3);
    EXPECT_EQ(At(a.g.s, foot).As<Presence>(Of::kPresence), Presence::kSurrendered);
  }
  {
    Alone a;
    const int foot = a.g.Foot(kBlue, Grade::kC, 4, {500, 800}, N);
    a.g.Foot(kRed, Grade::kC, 4, {500, 1045}, S);
    a.g.Put(foot, Of::kStatus, Conduct::kRouting);
    Play play(a.g.s, a.events, {}, false);
    RunOn(play, foot);  // needs no dice
    EXPECT_NEAR(a.g.Front(foot).y, 800, 0.01);
  }
}

TEST(CloseFireAfter, PursuitAndHack) {  // EX-22.6.1 EX-22.6.2
  Alone a;
  const int blue = a.g.Horse(kBlue, Grade::kC, 3, {500, 500}, N);
  const int red =
      a.g.Horse(kRed, Grade::kC, 4, {500, 500 + 25 + 120}, N);  // has moved 120 yd from contact
  a.g.Put(red, Of::kStatus, Conduct::kRetiring);
  Play play(a.g.s, a.events, {{{4, 4, 5}, -1, 0}, {{5, 4, 2}, -1, 0}, {{}, 0, 0}, {{}, 0, 0}},
            false);
  Pursue(play, blue, red, 0, 120);
  EXPECT_EQ(a.g.Bases(red), 2);
  EXPECT_EQ(a.g.Mood(red), Conduct::kRouting);
  Alone b;
  const int foot = b.g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int other = b.g.Foot(kRed, Grade::kC, 4, {500, 500 + 40 + 80 + 20}, N);
  b.g.Put(other, Of::kStatus, Conduct::kRetiring);
  Play chase(b.g.s, b.events, {{{5, 6}, -1, 0}}, false);  // 110 against 120
  Pursue(chase, foot, other, 40, 80);
  EXPECT_EQ(b.g.Mood(other), Conduct::kRetiring);
}

TEST(CloseFireGuns, Spiking) {  // EX-23.1.1
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int gun = g.Gun(kRed, GunClass::kField, {500, 500}, S);
  g.Foot(kRed, Grade::kC, 4, {500, 580}, S);
  g.Put(gun, Of::kCrew, Crew::kDead);
  std::vector<Event> events;
  Play play(g.s, events, {}, false);
  MoralePhase(play);
  EXPECT_TRUE(At(g.s, gun).OnTable());
  MoralePhase(play);
  EXPECT_EQ(At(g.s, gun).As<Presence>(Of::kPresence), Presence::kSpiked);
  (void)foot;
}

TEST(CloseFireGuns, OthersWhoComeUpDoNotDelaySpiking) {  // CF-23.1
  Game g;
  const int late = g.Foot(kBlue, Grade::kC, 4, {500, 300}, N);
  g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int gun = g.Gun(kRed, GunClass::kField, {500, 500}, S);
  g.Put(gun, Of::kCrew, Crew::kDead);
  std::vector<Event> events;
  Play play(g.s, events, {}, false);
  MoralePhase(play);
  play.Place(late, Arranged(g.s, late, Formation::kLine, {500, 525}, S, 0));
  MoralePhase(play);
  EXPECT_EQ(At(g.s, gun).As<Presence>(Of::kPresence), Presence::kSpiked);
}

TEST(CloseFireGuns, CrewsReturnAndGunsAreDrivenOff) {  // EX-23.2.1 EX-23.2.2 EX-23.3.1
  const auto recrew = [](Crew crew, double enemy) {
    Game g;
    const int gun = g.Gun(kBlue, GunClass::kField, {500, 500}, N);
    g.Put(gun, Of::kCrew, crew);
    g.Foot(kRed, Grade::kC, 4, {500, 500 + enemy}, S);
    g.Start(Phase::kMovement);
    return g.Do("recrew B0");
  };
  EXPECT_EQ(recrew(Crew::kAway, 35), "CF-23.2");
  EXPECT_EQ(recrew(Crew::kAway, 60), "");
  EXPECT_EQ(recrew(Crew::kDead, 60), "CF-23.2");
  Game g;
  const int horse = g.Horse(kBlue, Grade::kC, 5, {500, 500}, N);
  const int gun = g.Gun(kRed, GunClass::kField, {500, 500}, S, true);
  g.Put(gun, Of::kCrew, Crew::kAway);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("drive B0 R1"), "") << g.because;
  EXPECT_EQ(g.Bases(horse), 4);
  EXPECT_EQ(g.Is(horse, Of::kCasualties), 0);
  EXPECT_FALSE(At(g.s, gun).OnTable());
}

// A crew returns when the enemies of the combat are gone, whoever else stands near (CF-23.4).
TEST(CloseFireGuns, CrewsReturnThoughOtherEnemiesStandNear) {  // CF-23.4
  for (const bool other : {false, true}) {
    Charge t;
    const int gun = t.g.Gun(kRed, GunClass::kBattalion, {540, 545}, S);
    t.g.Foot(kRed, Grade::kB, 6, {500, 580}, S);
    // It stands beside the foot and looks away, so it fights nobody.
    if (other) t.g.Horse(kBlue, Grade::kC, 2, {600, 602}, E);
    t.Name("charge B0 at R2 avd+avd");
    t.Go();
    t.Answer({"dice 5 5", "dice 2", "dice 4", "choose last", "dice 5 5 5", "choose stay"});
      EXPECT_EQ(At(t.g.s, gun).As<Crew>(Of::kCrew), Crew::kServing) << other;
  }
}

TEST(CloseFireGuns, CrewsShelterWithTheFoot) {  // EX-23.4.1
  Charge t;
  const int gun = t.g.Gun(kRed, GunClass::kBattalion, {540, 545}, S);
  const int foot = t.g.Foot(kRed, Grade::kC, 6, {500, 580}, S);
  t.Name("charge B0 at R2 avd+avd");
  t.Go();
  t.Answer({"dice 5 5", "dice 3"});
  EXPECT_EQ(At(t.g.s, gun).As<Crew>(Of::kCrew), Crew::kSheltering);
  EXPECT_EQ(OpponentsOf(t.g.s, gun).size(), 0u);
  (void)foot;
}

// ---- section 24 ----
TEST(CloseFireSequence, FireThenSteadyingThenRedressing) {  // W-1
  Game g;
  const int gun = g.Gun(kRed, GunClass::kField, {575, 610}, S);
  const int p = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int q = g.Foot(kRed, Grade::kC, 5, {500, 590}, S);
  const int brigadier = g.Leader(kBlue, Rank::kBrigadier, {500, 500});
  g.Commands(brigadier, p);
  g.Attach(brigadier, p);
  g.Start(Phase::kArtillery);
  g.Put(gun, Of::kTarget, p + 1);
  g.Put(gun, Of::kTargetMilliYd, Milli(Field(g.s).Gap(gun, p) + 8));
  ASSERT_EQ(g.Do("done Blue"), "");
  const int chief = g.Leader(kRed, Rank::kBrigadier, {620, 640});
  g.Commands(chief, gun);
  ASSERT_LE(Field(g.s).Gap(gun, p), 120);
  ASSERT_EQ(g.Do("fire R0 at B1"), "") << g.because;
  ASSERT_EQ(g.Do("dice 2"), "");
  EXPECT_EQ(g.Dp(p), 1);
  ASSERT_EQ(g.Do("dice 4"), "");  // the leader's one risk for fire
  ASSERT_EQ(g.Do("done Red"), "");
  ASSERT_EQ(g.Do("fire B1 at R2"), "") << g.because;
  ASSERT_EQ(g.Do("dice 6 4 6"), "");
  EXPECT_EQ(g.Dp(q), 2);
  ASSERT_EQ(g.Do("done Blue"), "");
  ASSERT_EQ(g.Do("fire R2 at B1"), "");
  ASSERT_EQ(g.Do("dice 3 6 1"), "");
  EXPECT_EQ(g.Dp(p), 2);
  ASSERT_EQ(g.Do("done Red"), "");
  ASSERT_EQ(g.Do("steady L0"), "") << g.because;
  EXPECT_EQ(g.Dp(p), 1);
  std::vector<Event> events;
  Play play(g.s, events, {}, false);
  MoralePhase(play);
  EXPECT_EQ(g.Dp(p), 0);
  EXPECT_EQ(g.Dp(q), 1);
}

TEST(CloseFireSequence, CloseFireOfFoot) {  // W-2
  Game g;
  const int blue = g.Foot(kBlue, Grade::kB, 5, {500, 500}, N);
  const int red = g.Foot(kRed, Grade::kC, 4, {500, 538}, S);
  g.Put(blue, Of::kDp, 1);
  g.Put(red, Of::kMoved, 1);
  g.Start(Phase::kCharges);
  for (const char* line : {"done Blue", "done Red", "dice 4", "dice 3", "dice 3 2", "choose take"})
    ASSERT_EQ(g.Do(line), "") << line << " " << g.because << " / " << g.Request();
  EXPECT_TRUE(g.Told("B0: +2, success"));
  EXPECT_TRUE(g.Told("R1: -2, driven back"));
  EXPECT_TRUE(g.Told("R1 retires 70 yd"));
  EXPECT_NEAR(g.Front(blue).y, 538, 0.1);
}

TEST(CloseFireSequence, HorseAgainstHorse) {  // W-3
  Charge t(Grade::kC, 4, true);
  t.g.Horse(kRed, Grade::kC, 6, {490, 600}, S, false, 3);
  t.g.Start(Phase::kCharges);
  ASSERT_EQ(t.g.Do("charge B0 at R1 avd+avd outrance"), "") << t.g.because;
  ASSERT_EQ(t.g.Do("done Blue"), "");
  ASSERT_EQ(t.g.Do("done Red"), "");
  ASSERT_EQ(t.g.Do("counter R1 avd+d6"), "") << t.g.because;
  t.Go();
  t.Answer({"dice 4 4", "dice 3 6", "dice 3", "dice 5"});
  EXPECT_TRUE(t.g.Told("They meet 50 yd from horse B0"));
  EXPECT_TRUE(t.g.Told("B0: +1, inconclusive"));
  EXPECT_EQ(t.g.Dp(0), 2);
  EXPECT_EQ(t.g.Dp(1), 2);
  EXPECT_EQ(t.g.s.waiting->ask.side, kRed);  // the lower score chooses first
  t.Answer({"choose stay", "choose stay"});
}

TEST(CloseFireSequence, HorseChargesFootThatMoved) {  // W-4
  Charge t;
  const int foot = t.g.Foot(kRed, Grade::kC, 4, {500, 540}, S);
  t.g.Put(foot, Of::kMoved, 1);
  t.Name("charge B0 at R1 avd");
  t.Go();
  t.Answer({"dice 4", "dice 4", "dice 3"});
  EXPECT_TRUE(t.g.Told("B0: +3, success"));
  EXPECT_TRUE(t.g.Told("R1 stays in place"));
  t.Answer({"dice 4 4 1"});
  EXPECT_TRUE(t.g.Told("B0 retires 120 yd"));
}

TEST(CloseFireSequence, HorseRepulsed) {  // W-5
  Charge t;
  const int foot = t.g.Foot(kRed, Grade::kB, 5, {500, 520}, S);
  t.g.Put(0, Of::kDp, 1);
  t.Name("charge B0 at R1 0");
  t.Go();
  t.Answer({"dice 2", "dice 5", "choose last"});
  EXPECT_TRUE(t.g.Told("B0: -6, defeat"));
  EXPECT_EQ(t.g.Dp(0), 3);
  EXPECT_EQ(t.g.Bases(0), 3);
  EXPECT_EQ(t.g.Dp(foot), 1);
}

TEST(CloseFireSequence, HowitzerOverAHill) {  // W-7
  for (const bool hits : {true, false}) {
    Game g;
    const int howitzer = g.Gun(kBlue, GunClass::kHowitzer, {500, 300}, N);
    Terrain hill;
    hill.level = 1;
    hill.outline_yd = Box(300, 400, 700, 450);
    g.Ground(hill);
    const int target = g.Foot(kRed, Grade::kC, 4, {500, 600}, S);
    const int u = g.Foot(kRed, Grade::kC, 2, {500 + 40 + 55 + 20, 600}, S);
    g.Foot(kRed, Grade::kC, 2, {500 - 40 - 40 - 20, 600}, S);
    const int f = g.Foot(kBlue, Grade::kC, 4, {500, 510}, N);
    g.Foot(kBlue, Grade::kC, 2, {400, 500}, N);
    ASSERT_NEAR(Field(g.s).Gap(f, target), 90, 0.01);
    g.Leader(kBlue, Rank::kBrigadier, {560, 500});
    g.Put(howitzer, Of::kTarget, target + 1);
    g.Put(howitzer, Of::kTargetMilliYd, Milli(305));
    g.Start(Phase::kArtillery);
    const std::vector<const char*> lines =
        hits ? std::vector{"fire B0 at R1", "dice 5", "dice 4", "dice 2"}
             : std::vector{"fire B0 at R1", "dice 4", "dice 2"};
    for (const char* line : lines)
      ASSERT_EQ(g.Do(line), "") << line << " " << g.because << " / " << g.Request();
    for (int unit = 0; unit < static_cast<int>(g.s.units.size()); ++unit)
      EXPECT_EQ(g.Dp(unit), unit == (hits ? u : f) ? 1 : 0) << unit;
  }
}

TEST(CloseFireSequence, TwoAgainstOne) {  // W-8
  Game g;
  g.Foot(kBlue, Grade::kB, 4, {460, 500}, N);
  g.Foot(kBlue, Grade::kD, 4, {540, 500}, N);
  const int red = g.Foot(kRed, Grade::kA, 5, {500, 535}, S);
  Terrain works;
  works.works = 1;
  works.outline_yd = Box(430, 530, 570, 534);
  g.Ground(works);
  g.Put(1, Of::kDp, 1);
  g.Start(Phase::kCharges);
  for (const char* line : {"done Blue", "done Red", "dice 3", "dice 4", "dice 4"})
    ASSERT_EQ(g.Do(line), "") << line << " " << g.because << " / " << g.Request();
  EXPECT_TRUE(g.Told("B0: -3, driven back"));
  EXPECT_TRUE(g.Told("R2: +3, success"));
  EXPECT_EQ(g.Dp(0), 2);
  EXPECT_EQ(g.Dp(1), 3);
  EXPECT_EQ(g.Dp(red), 1);
}

TEST(CloseFireSequence, AChargeThatMisses) {  // W-9
  Charge t(Grade::kD);
  t.g.Horse(kRed, Grade::kC, 4, {500, 595}, S);
  t.Name("charge B0 at R1 avd+avd");
  t.Go();
  t.Answer({"dice 4 5"});
  EXPECT_NEAR(t.g.Front(0).y, 590, 0.1);
  t.g.Start(Phase::kCommand);
  ASSERT_EQ(t.g.Do("done Blue"), "");
  ASSERT_EQ(t.g.Do("dice 4"), "");
  EXPECT_EQ(t.g.Is(0, Of::kMustCharge), 1);
  t.g.s.phase = Phase::kCharges;
  t.g.s.to_act = t.g.s.initiative = kBlue;
  EXPECT_EQ(t.g.Do("done Blue"), "CF-5.8");
  EXPECT_EQ(t.g.Do("charge B0 at R1 avd+avd"), "") << t.g.because;
}

TEST(CloseFireSequence, PursuitAndFreeHack) {  // W-6
  Game g;
  const int horse = g.Horse(kRed, Grade::kC, 3, {500, 500}, S);
  // Two of the three stands touch after contact: the third is in the second rank.
  const int victors = g.Horse(kBlue, Grade::kB, 3, {500, 500}, N, false, 2);
  g.Put(horse, Of::kDp, 3);
  std::vector<Event> events;
  Play play(g.s, events, {{{3, 2, 1}, -1, 0}, {{4, 4, 4}, -1, 0}, {{4, 2}, -1, 0}, {{}, 0, 0}},
            false);
  const Flight flight = Retire(play, horse, victors);
  EXPECT_DOUBLE_EQ(flight.yards, 90);
  EXPECT_FALSE(Pursue(play, victors, horse, 0, flight.gone));
  EXPECT_EQ(g.Bases(horse), 2);
  EXPECT_EQ(g.Dp(horse), 3);
  EXPECT_EQ(g.Mood(horse), Conduct::kRouting);
}

// The distance is to his base, half an inch wide to either side.
TEST(CloseFireMorale, AKilledLeaderIsAsNearAsHisBase) {  // CF-1.3 CF-8.4
  for (const auto& [x, dp] : {std::pair{669.0, 2}, std::pair{671.0, 0}}) {
    Game g;
    const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);  // to x = 540
    const int general = g.Leader(kBlue, Rank::kGeneral, {x, 490});
    g.setup.leaders[0].radius_yd = 10;
    g.PutLeader(general, By::kGone, static_cast<int>(LeaderFate::kKilled));
    g.Start(Phase::kMorale);
    g.s.shocks = {{{true, general}, Blow::kLeaderKilled, Milli(x), Milli(490)}};
    std::vector<Event> events;
    Play play(g.s, events, {}, false);
    MoralePhase(play);
    EXPECT_EQ(g.Dp(foot), dp) << x;
  }
}

TEST(CloseFireMorale, AGeneralRoutsWithAUnitThatIsRiddenDown) {  // CF-8.4 CF-22.6
  Alone a;
  const int blue = a.g.Horse(kBlue, Grade::kC, 3, {500, 500}, N);
  const int red = a.g.Horse(kRed, Grade::kC, 4, {500, 645}, N);
  const int general = a.g.Leader(kRed, Rank::kGeneral, {500, 645});
  a.g.Attach(general, red);
  a.g.Put(red, Of::kStatus, Conduct::kRetiring);
  Play play(a.g.s, a.events, {{{4, 4, 5}, -1, 0}, {{1, 1, 1}, -1, 0}}, false);
  Pursue(play, blue, red, 0, 120);
  ASSERT_EQ(a.g.Mood(red), Conduct::kRouting);
  EXPECT_TRUE(std::any_of(a.g.s.shocks.begin(), a.g.s.shocks.end(), [&](const Shock& shock) {
    return shock.blow == Blow::kLeaderRouting && shock.who == UnitOrLeader{true, general};
  }));
}

TEST(CloseFireMorale, RoutingGeneralCountsOnceAtHisPresentPlace) {  // CF-8.4
  for (const bool near : {true, false}) {
    Game g;
    const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    const int with = g.Foot(kBlue, Grade::kC, 4, {near ? 640.0 : 760.0, 500}, N);
    const int general = g.Leader(kBlue, Rank::kGeneral, {0, 0});
    g.Attach(general, with);
    g.Put(with, Of::kStatus, Conduct::kRouting);
    const Shock began{{true, general}, Blow::kLeaderRouting, Milli(1500), Milli(500)};
    std::vector<Event> events;
    Play play(g.s, events, {}, false);
    g.s.shocks = {began};
    MoralePhase(play);
    EXPECT_EQ(g.Dp(foot), near ? 2 : 0);
    // The same rout goes on: it counts no more, and one DP is redressed.
    g.s.shocks = {began};
    MoralePhase(play);
    EXPECT_EQ(g.Dp(foot), near ? 1 : 0);
    // Rallied and routed anew it counts again.
    g.Put(with, Of::kStatus, Conduct::kReady);
    MoralePhase(play);
    g.Put(with, Of::kStatus, Conduct::kRouting);
    g.s.shocks = {began};
    MoralePhase(play);
    EXPECT_EQ(g.Dp(foot), near ? 2 : 0);
  }
}

TEST(CloseFireMorale, ASecondRoutInOneTurnCountsAgain) {  // CF-8.4 CF-5.8
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int with = g.Foot(kBlue, Grade::kC, 4, {600, 500}, N);
  const int general = g.Leader(kBlue, Rank::kGeneral, {0, 0});
  g.Attach(general, with);
  std::vector<Event> events;
  Play play(g.s, events, {}, false);
  for (const char* rout : {"first", "second"}) {
    g.Put(foot, Of::kDp, 0);
    g.Put(with, Of::kStatus, Conduct::kRouting);
    play.AddShock(with, Blow::kRoutedOrLost);
    g.s.shocks.push_back({{true, general}, Blow::kLeaderRouting, Milli(600), Milli(500)});
    MoralePhase(play);
    EXPECT_EQ(g.Dp(foot), 4) << rout << " rout: 2 for the unit, 2 for the general";
    play.StandFast(with);  // it rallies, fights and routs before the next Morale phase
  }
}

TEST(CloseFireCharge, MeetsAnEnemyThatHasComeIntoItsWay) {  // CF-18.2
  Game g;
  const int blue = g.Horse(kBlue, Grade::kC, 2, {460, 510}, N);
  g.Foot(kBlue, Grade::kC, 2, {540, 530}, N);
  const int red = g.Horse(kRed, Grade::kC, 6, {500, 640}, S);
  g.Start(Phase::kCharges);
  for (const char* line : {"charge B0 at R2 avd+avd", "done Blue", "charge R2 at B1 avd+avd",
                           "done Red", "done Red", "done Blue", "dice 4 4"})
    ASSERT_EQ(g.Do(line), "") << line << ": " << g.because << " / " << g.Request();
  EXPECT_TRUE(g.Told("charges 80 yd and does not reach")) << "R2 was 130 yd away";
  // Its target is 110 yd away, the horse that charged it now 50.
  ASSERT_EQ(g.Do("dice 3 3"), "") << g.Request();
  EXPECT_TRUE(InCombat(g.s, blue));
  EXPECT_TRUE(g.Is(red, Of::kReached));
  EXPECT_FALSE(g.Is(red, Of::kMissed));
}

TEST(CloseFireCharge, PaceIsThatOfTheLastMove) {  // CF-12.9
  Charge t;
  t.g.Foot(kRed, Grade::kC, 4, {500, 595}, S);
  t.g.Put(t.horse, Of::kPaceNow, 2);  // it moved with two dice before
  t.Name("charge B0 at R1 avd");
  t.Go();
  t.Answer({"dice 3"});
  EXPECT_EQ(t.g.Is(t.horse, Of::kMissed), 1);
  EXPECT_EQ(t.g.Is(t.horse, Of::kPace), 1);
}

TEST(CloseFireCharge, MissedChargeBindsForOneTurn) {  // CF-5.8 CF-18.3
  // A unit that must charge again does so. One that was beaten back in between cannot, and halts.
  for (const bool beaten : {true, false}) {
    Game g;
    g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Foot(kRed, Grade::kC, 4, {500, 560}, S);
    g.Put(0, Of::kMissed, 2);
    g.Put(0, Of::kMustCharge, 1);
    g.Put(0, Of::kControl, Control::kHalted);
    if (beaten) {
      g.Put(0, Of::kStatus, Conduct::kRetiring);
      g.Put(0, Of::kFormation, Formation::kUnformed);
    }
    g.Start(Phase::kCharges);
    EXPECT_EQ(g.Do("done Blue"), beaten ? "" : "CF-5.8");
    if (beaten) {
      EXPECT_EQ(g.Is(0, Of::kMissed), 0);
    } else {
      EXPECT_EQ(g.Do("charge B0 at R1 avd+avd"), "") << g.because;
    }
  }
  // In combat it did not test (CF-5.4): one turn later nothing binds it.
  Game g;
  g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Put(0, Of::kMissed, 2);
  std::vector<Event> events;
  Play play(g.s, events, {}, false);
  MoralePhase(play);
  EXPECT_EQ(g.Is(0, Of::kMissed), 0);
}

TEST(CloseFireDisorder, DestroyedWhenMarkersEqualBases) {  // CF-8.6
  Game g;
  g.setup.settings.casualty_removes_base = false;
  const int foot = g.Foot(kBlue, Grade::kC, 3, {500, 500}, N);
  g.Start(Phase::kCommand);
  std::vector<Event> events;
  Play play(g.s, events, {}, false);
  for (int i = 0; i < 2; ++i) play.Casualty(foot, "CF-8.6", "fire");
  EXPECT_EQ(g.Bases(foot), 3);
  EXPECT_TRUE(At(g.s, foot).OnTable());
  play.Casualty(foot, "CF-8.6", "fire");
  EXPECT_FALSE(At(g.s, foot).OnTable());
  EXPECT_EQ(g.s.shocks.size(), 1u);
}

TEST(CloseFireCharge, HussarsInAMixedUnitFollowItsStyle) {  // CF-2.8 CF-18.7
  for (const bool mixed : {true, false}) {
    Game g;
    UnitInfo hussars;
    hussars.arm = Arm::kHussars;
    hussars.mixed = mixed;
    g.Add(hussars, 4, {500, 500}, N, mixed ? Formation::kLine : Formation::kUnformed);
    g.Horse(kRed, Grade::kC, 4, {500, 560}, S);
    g.Start(Phase::kCharges);
    EXPECT_EQ(g.Do("charge B0 at R1 avd+avd outrance"), mixed ? "CF-2.1" : "");
  }
}

TEST(CloseFireScale, ReportsEveryLimitWithinAYard) {  // CF-1.3
  // No close fire at 40.4 yd, reported as a close call.
  Game g;
  g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 540.4}, S);
  g.Start(Phase::kCharges);
  ASSERT_EQ(g.Do("done Blue"), "");
  ASSERT_EQ(g.Do("done Red"), "");
  EXPECT_TRUE(g.Told("Foot B0 to foot R1: a close call: 40.4 yd measured, the limit is 40 yd"));
  // Control at 60.5 yd, effective range at 240.5 yd, and whether a charge starts near the enemy.
  Game far;
  const int brigadier = far.Leader(kBlue, Rank::kBrigadier, {500, 419.5});
  far.Commands(brigadier, far.Foot(kBlue, Grade::kC, 4, {500, 500}, N));
  far.Start(Phase::kCommand);
  ASSERT_EQ(far.Do("done Blue"), "");
  EXPECT_TRUE(
      far.Told("Brigadier L0 to foot B0: a close call: 60.5 yd measured, the limit is 60 yd"));
  EXPECT_NE(far.Request().find("control test"), std::string::npos);
  Game gun;
  gun.Gun(kBlue, GunClass::kField, {500, 500}, N);
  gun.Foot(kRed, Grade::kC, 4, {500, 740.5}, S);
  gun.Start(Phase::kArtillery);
  ASSERT_EQ(gun.Do("fire B0"), "") << gun.because;
  ASSERT_EQ(gun.Do("dice 4"), "");
  EXPECT_TRUE(
      gun.Told("Field gun B0 to foot R1: a close call: 240.5 yd measured, the limit is 240 yd"));
}

TEST(CloseFireSequence, TheMoralePhase) {  // W-10
  for (const auto& [bases, dp, left] : {std::tuple{3, 3, 3}, std::tuple{2, 2, 1}}) {
    Game g;
    const int r = g.Foot(kBlue, Grade::kC, bases, {500, 500}, N);
    const int b = g.Foot(kBlue, Grade::kB, 4, {500, 620}, N);
    const int d = g.Horse(kBlue, Grade::kD, 2, {680, 500}, N);
    const int c = g.Foot(kBlue, Grade::kC, 4, {500, 300}, N);
    g.Put(r, Of::kDp, 2);
    g.s.shocks = {{{false, b}, Blow::kRetired, Milli(500), Milli(580)},
                  {{false, d}, Blow::kRoutedOrLost, Milli(640), Milli(500)},
                  {{false, c}, Blow::kRoutedOrLost, Milli(500), Milli(300)}};
    std::vector<Event> events;
    Play play(g.s, events, {{{}, 0, 0}}, false);
    MoralePhase(play);
    EXPECT_EQ(g.Dp(r), dp);
    EXPECT_EQ(g.Bases(r), left);
  }
}

// A declaration goes on where it was kept, as if it had run again from its start.
TEST(CloseFireAnswers, GoingOnIsTheSameAsRunningAgain) {  // CF-5.5 CF-20.2 CF-22.5
  int kept = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    State s = SmallBattle(seed, seed);
    Generator chance{seed};
    while (s.phase != Phase::kOver) {
      const Action action = ParseLine(s, RandomLineOf(s, chance));
      State again = s;
      if (again.waiting) {
        kept += again.waiting->kept != nullptr;
        again.waiting->kept.reset();
      }
      std::vector<Event> events, events_again;
      const auto refused = Act(s, action, events);
      ASSERT_EQ(Act(again, action, events_again).has_value(), refused.has_value());
      ASSERT_TRUE(SameGame(s, again) && events == events_again) << seed << ": " << action.line;
    }
  }
  EXPECT_GT(kept, 0);
}

}  // namespace
}  // namespace fos::closefire::test
