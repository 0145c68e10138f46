// SPDX-License-Identifier: MIT
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/closefire_game.h"

// The limits of the catalogue, played by script on the limit, just under it and just over it.
namespace fos::closefire::test {
namespace {

// What a script's last line meets: "" if accepted, else the clause.
using Cases = std::vector<std::pair<double, std::string>>;

// The clause for an enemy whose front is `gap` yards ahead of Blue's B0, whose front is at (500,
// 500).
template <typename Script>
void ExpectAtGaps(const Cases& cases, const Script& script) {
  for (const auto& [gap, clause] : cases) EXPECT_EQ(script(gap), clause) << gap << " yd";
}

TEST(CloseFireLimits, MusketsReachFromFortyTo120Yards) {  // CF-15.5 CF-15.2
  ExpectAtGaps({{40, "CF-15.2"}, {40.1, ""}, {119.9, ""}, {120, ""}, {120.1, "CF-15.5"}},
               [](double gap) {
                 Game g;
                 g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
                 g.Foot(kRed, Grade::kC, 4, {500, 500 + gap}, S);
                 g.Start(Phase::kMusketry);
                 return g.Do("fire B0 at R1");
               });
}

// Places are thousandths of a yard, which a computer's fractions only come near.
TEST(CloseFireLimits, AGapOfExactlyTheLimitIsWithinIt) {  // CF-1.3
  for (int i = 0; i < 1000; ++i) {
    const double by = 0.007 * i;
    Game g;
    const int foot = g.Foot(kBlue, Grade::kC, 1, {500 + by, 500 + by}, N);
    const int ahead = g.Foot(kRed, Grade::kC, 1, {500 + by, 620 + by}, S);
    const int aside = g.Foot(kRed, Grade::kC, 1, {592 + by, 596 + by}, S);  // 72 and 96 yd
    EXPECT_LE(Field(g.s).Gap(foot, ahead), 120) << by;
    EXPECT_LE(Field(g.s).Gap(foot, aside), 120) << by;
  }
}

TEST(CloseFireLimits, FieldGunsReach480YardsAndHeavyOnes720) {  // CF-15.5 CF-1.3
  for (const auto& [gun, most] :
       {std::pair{GunClass::kBattalion, 480.0}, std::pair{GunClass::kField, 480.0},
        std::pair{GunClass::kHowitzer, 480.0}, std::pair{GunClass::kHeavy, 720.0}})
    for (const double over : {-1.5, 0.0, 0.5, 1.5}) {
      Game g;
      g.Gun(kBlue, gun, {500, 500}, N);
      g.Foot(kRed, Grade::kC, 4, {500, 500 + most + over}, S);
      g.Start(Phase::kArtillery);
      EXPECT_EQ(g.Do("fire B0 at R1"), over > 0 ? "CF-15.5" : "") << most << " + " << over;
      // A measure within a yard of the limit is a close call.
      const bool close =
          over > 0 ? g.because.find("close call") != std::string::npos : g.ToldClause("CF-1.3");
      EXPECT_EQ(close, over > -1 && over < 1) << most << " + " << over;
    }
}

TEST(CloseFireLimits, RangeBandsIncludeTheirEnds) {  // CF-15.5 CF-16.2
  const auto dps = [](GunClass gun, double gap, int die) {
    Game g;
    g.Gun(kBlue, gun, {500, 500}, N);
    const int target = g.Foot(kRed, Grade::kC, 4, {500, 500 + gap}, S);
    g.Start(Phase::kArtillery);
    EXPECT_EQ(g.Do("fire B0 at R1"), "") << g.because;
    EXPECT_EQ(g.Do(fmt::format("dice {}", die)), "") << g.because;
    return g.Dp(target);
  };
  // A field gun's first shot: the die less 1 for a new target. Close, 2 is 1 DP and 4 is 2.
  EXPECT_EQ(dps(GunClass::kField, 120, 3), 1);
  EXPECT_EQ(dps(GunClass::kField, 120.1, 3), 0);
  EXPECT_EQ(dps(GunClass::kField, 120, 5), 2);
  EXPECT_EQ(dps(GunClass::kField, 120.1, 5), 1);
  // Beyond effective range one more is taken off.
  EXPECT_EQ(dps(GunClass::kField, 240, 5), 1);
  EXPECT_EQ(dps(GunClass::kField, 240.1, 5), 0);
  EXPECT_EQ(dps(GunClass::kHeavy, 360, 4), 1);
  EXPECT_EQ(dps(GunClass::kHeavy, 360.1, 4), 0);
}

TEST(CloseFireLimits, TheSameRangeIsWithinTenYards) {  // CF-16.3
  for (const auto& [before, bonus] :
       {std::pair{260.0, true}, std::pair{260.1, false}, std::pair{240.0, true}}) {
    Game g;
    const int gun = g.Gun(kBlue, GunClass::kHeavy, {500, 500}, N);
    const int target = g.Foot(kRed, Grade::kC, 4, {500, 750}, S);
    g.Put(gun, Of::kTarget, target + 1);
    g.Put(gun, Of::kTargetMilliYd, static_cast<int>(1000 * before));
    const std::vector<Target> targets = TargetsOf(Field(g.s), gun);
    ASSERT_EQ(targets.size(), 1u);
    EXPECT_EQ(ShotAt(Field(g.s), gun, targets.front()).same_target_and_range, bonus) << before;
  }
}

TEST(CloseFireLimits, TargetsNearFriendsAreSafeWithinTwentyYards) {  // CF-15.3
  for (const auto& [gap, clause] : {std::pair{20.0, "CF-15.3"}, std::pair{20.1, ""}}) {
    Game g;
    g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Foot(kRed, Grade::kC, 2, {500, 600}, S);              // its rear is at y = 620
    g.Foot(kBlue, Grade::kC, 4, {500, 620 + gap + 20}, N);  // its rear is `gap` beyond
    g.Start(Phase::kMusketry);
    EXPECT_EQ(g.Do("fire B0 at R1"), clause) << gap;
  }
}

TEST(CloseFireLimits, DragoonsHalveAndHalveAgain) {  // CF-17.3
  Volley volley;
  volley.dragoons = volley.hard_cover = true;
  for (const auto& [stands, dice] : {std::pair{0, 0}, std::pair{1, 1}, std::pair{2, 1},
                                     std::pair{3, 1}, std::pair{4, 1}, std::pair{5, 2}}) {
    volley.stands = stands;
    EXPECT_EQ(MusketDice(ShippedTables(), volley), dice) << stands;
  }
}

// Blue's horse, B0, faces Red's foot, R1, across the gap.
Game HorseAndFoot(double gap) {
  Game g;
  g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 500 + gap}, S);
  g.Start(Phase::kCharges);
  return g;
}

TEST(CloseFireLimits, AChargeFromTwentyYardsNeedsNoDie) {  // CF-18.2
  ExpectAtGaps({{19.9, ""}, {20, ""}, {20.1, "CF-18.2"}}, [](double gap) {
    Game g = HorseAndFoot(gap);
    return g.Do("charge B0 at R1 0");
  });
}

TEST(CloseFireLimits, FootTurnsForAChargeFromBeyondSixtyYards) {  // CF-18.6
  ExpectAtGaps({{59.9, "CF-18.6"}, {60, "CF-18.6"}, {60.1, ""}}, [](double gap) {
    Game g = HorseAndFoot(gap);
    EXPECT_EQ(g.Do("charge B0 at R1 avd+avd"), "") << g.because;
    EXPECT_EQ(g.Do("done Blue"), "") << g.because;
    EXPECT_EQ(g.Do("done Red"), "") << g.because;
    return g.Do("receive R1 left");
  });
}

TEST(CloseFireLimits, SwedishFootChargesWithinSixtyYards) {  // CF-18.8
  ExpectAtGaps({{60, ""}, {60.1, "CF-18.8"}}, [](double gap) {
    Game g;
    g.setup.settings.swedish_charge = true;
    g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    g.setup.units.back().swedish = true;
    g.Foot(kRed, Grade::kC, 4, {500, 500 + gap}, S);
    g.Start(Phase::kCharges);
    return g.Do("charge B0 at R1 avd+d6");
  });
}

TEST(CloseFireLimits, AChargeReachesWhenTheRollEqualsTheGap) {  // CF-18.2 CF-18.3
  for (const auto& [gap, reaches] :
       {std::pair{79.9, true}, std::pair{80.0, true}, std::pair{80.1, false}}) {
    Game g = HorseAndFoot(gap);
    EXPECT_EQ(g.Do("charge B0 at R1 avd+avd"), "") << g.because;
    for (const char* line : {"done Blue", "done Red", "done Red", "done Blue", "dice 4 4"})
      EXPECT_EQ(g.Do(line), "") << line << ": " << g.because;
    EXPECT_EQ(g.ToldClause("CF-18.3"), !reaches) << gap;
    EXPECT_EQ(g.Is(0, Of::kMissed) != 0, !reaches) << gap;
  }
}

TEST(CloseFireLimits, AChargeThatJustReachesOrJustMissesIsACloseCall) {  // CF-1.3 CF-18.2
  for (const auto& [gap, close] : {std::pair{78.9, false}, std::pair{79.2, true},
                                   std::pair{80.8, true}, std::pair{81.1, false}}) {
    Game g = HorseAndFoot(gap);
    EXPECT_EQ(g.Do("charge B0 at R1 avd+avd"), "") << g.because;
    for (const char* line : {"done Blue", "done Red", "done Red", "done Blue", "dice 4 4"})
      EXPECT_EQ(g.Do(line), "") << line << ": " << g.because;
    EXPECT_EQ(g.Told(fmt::format("Horse B0 to foot R1: a close call: {:.1f} yd measured, "
                                 "the limit is 80 yd",
                                 gap)),
              close)
        << gap;
    EXPECT_EQ(g.ToldClause("CF-18.3"), gap > 80) << gap;
  }
}

TEST(CloseFireLimits, ChargersWhoseMovesJustAddUpMeet) {  // CF-18.4
  EXPECT_TRUE(MeetingOf(100, 60, 40).met);
  EXPECT_DOUBLE_EQ(MeetingOf(100, 60, 40).from_charger_yd, 60);
  EXPECT_FALSE(MeetingOf(100.1, 60, 40).met);
  EXPECT_DOUBLE_EQ(MeetingOf(100, 100, 100).from_charger_yd, 50);
  EXPECT_DOUBLE_EQ(MeetingOf(100, 30, 100).from_charger_yd, 30);
}

TEST(CloseFireLimits, FractionsOfADifferenceAreDropped) {  // CF-20.7
  EXPECT_EQ(Difference({}, {9, 2}, {6, 1}), -1);           // 4.5 - 6
  EXPECT_EQ(Difference({}, {6, 1}, {9, 2}), 1);
  EXPECT_EQ(Difference({}, {9, 2}, {5, 1}), 0);   // 4.5 - 5
  EXPECT_EQ(Difference({}, {10, 3}, {7, 2}), 0);  // 3.33 - 3.5
}

TEST(CloseFireLimits, OutnumberingCountsFromTwiceAndThreeTimes) {  // CF-20.5
  const Tables& book = ShippedTables();
  for (const auto& [own, enemy, factor] :
       {std::tuple{400, 400, 0}, std::tuple{400, 450, -1}, std::tuple{400, 750, -1},
        std::tuple{400, 800, -2}, std::tuple{400, 1150, -2}, std::tuple{400, 1200, -3},
        std::tuple{0, 100, -3}, std::tuple{0, 0, 0}, std::tuple{500, 400, 0}})
    EXPECT_EQ(NumbersFactor(book, own, enemy), factor) << own << " to " << enemy;
}

TEST(CloseFireLimits, MoraleReaches120Yards) {  // CF-8.4
  for (const auto& [gap, dp] : {std::pair{119.9, 1}, std::pair{120.0, 1}, std::pair{120.1, 0}}) {
    Game g;
    const int sees = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    const int routs =
        g.Foot(kBlue, Grade::kD, 4, {500, 480 - gap}, N);  // the other's rear is at 480
    g.Start(Phase::kMorale);
    std::vector<Event> events;
    Play play(g.s, events, {}, false);
    play.Set(routs, Of::kStatus, Conduct::kRouting);
    play.AddShock(routs, Blow::kRoutedOrLost);
    MoralePhase(play);
    EXPECT_EQ(g.Dp(sees), dp) << gap;
  }
}

TEST(CloseFireLimits, LeadersRide120YardsNearTheEnemyAnd240Beyond) {  // CF-4.2
  const auto ride = [](double from_enemy, double yards) {
    Game g;
    g.Leader(kBlue, Rank::kGeneral, {500, 600});
    g.Foot(kRed, Grade::kC, 4, {500, 600 + from_enemy}, S);
    g.Start(Phase::kCommand);
    return g.Do(fmt::format("ride L0 to 500 {:g}", 600 - yards));
  };
  // Distances of a leader are to his base, which is half an inch: 10 yd, round his place.
  EXPECT_EQ(ride(100, 120), "");
  EXPECT_EQ(ride(100, 120.5), "CF-4.2");
  EXPECT_EQ(ride(300, 240), "");
  EXPECT_EQ(ride(300, 240.5), "CF-4.2");
  EXPECT_EQ(ride(120, 121), "CF-4.2");
}

TEST(CloseFireLimits, LeadersAreLoneBeyondFortyYards) {  // CF-6.4
  for (const auto& [gap, clause] :
       {std::pair{39.9, "CF-6.4"}, std::pair{40.0, "CF-6.4"}, std::pair{40.1, ""}}) {
    Game g;
    g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Leader(kRed, Rank::kGeneral, {500, 600});
    const double radius = g.setup.leaders.front().radius_yd;
    g.Foot(kRed, Grade::kC, 4, {500, 600 + radius + gap}, S);
    g.Start(Phase::kMusketry);
    EXPECT_EQ(g.Do("snipe B0 at L0"), clause) << gap;
  }
}

TEST(CloseFireLimits, ControlReachesSixtyYardsAndAMarshals120) {  // CF-5.1
  for (const auto& [rank, most] :
       {std::pair{Rank::kBrigadier, 60.0}, std::pair{Rank::kMarshal, 120.0}})
    for (const double over : {-0.1, 0.0, 0.1}) {
      Game g;
      const int leader = g.Leader(kBlue, rank, {500, 300});
      const double radius = g.setup.leaders.front().radius_yd;
      const int unit = g.Foot(kBlue, Grade::kC, 4, {500, 320 + radius + most + over}, N);
      g.Commands(leader, unit);
      EXPECT_EQ(Field(g.s).Controlled(unit), over <= 0) << most << " + " << over;
    }
}

TEST(CloseFireLimits, CrewsReturnBeyondFortyYards) {  // CF-23.2
  ExpectAtGaps({{40, "CF-23.2"}, {40.1, ""}}, [](double gap) {
    Game g;
    const int gun = g.Gun(kBlue, GunClass::kField, {500, 500}, N);
    g.Put(gun, Of::kCrew, Crew::kAway);
    g.Foot(kRed, Grade::kC, 4, {500, 500 + gap}, S);
    g.Start(Phase::kMovement);
    return g.Do("recrew B0");
  });
}

TEST(CloseFireLimits, DoubleMovesStartBeyond120Yards) {  // CF-11.7
  for (const auto& [gap, doubles] : {std::pair{120.0, false}, std::pair{120.1, true}}) {
    Game g;
    const int unit = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Foot(kRed, Grade::kC, 4, {500, 500 + gap}, S);
    EXPECT_EQ(Field(g.s).MayDouble(unit), doubles) << gap;
  }
}

TEST(CloseFireLimits, AWheelWithin120YardsOfTheEnemyCostsADp) {  // CF-14.1
  for (const auto& [gap, dp] : {std::pair{119.9, 1}, std::pair{120.0, 1}, std::pair{120.1, 0}}) {
    Game g;
    const int unit = g.Foot(kBlue, Grade::kC, 3, {500, 500}, N);
    g.Foot(kRed, Grade::kC, 3, {500, 500 + gap}, S);
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("roll B0 avd"), "") << g.because;
    EXPECT_EQ(g.Do("dice 5"), "") << g.because;
    EXPECT_EQ(g.Do("wheel B0 left 15"), "") << g.because;
    EXPECT_EQ(g.Dp(unit), dp) << gap;
  }
}

TEST(CloseFireLimits, AnInclineGoesAsFarSidewaysAsForward) {  // CF-14.8
  for (const auto& [sideways, forward, clause] :
       {std::tuple{20, 20, ""}, std::tuple{21, 19, "CF-14.8"}, std::tuple{10, 30, ""}}) {
    Game g;
    g.Foot(kBlue, Grade::kC, 3, {500, 500}, N);
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("roll B0 avd"), "");
    EXPECT_EQ(g.Do("dice 4"), "");
    EXPECT_EQ(g.Do(fmt::format("incline B0 left {} {}", sideways, forward)), clause);
  }
}

TEST(CloseFireLimits, CavalryChangesPaceByTwoDice) {  // CF-12.9
  const auto roll = [](int before, const char* dice) {
    Game g;
    g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Put(0, Of::kPace, before);
    g.Start(Phase::kMovement);
    return g.Do(std::string("roll B0 ") + dice);
  };
  EXPECT_EQ(roll(0, "avd+avd"), "");
  EXPECT_EQ(roll(0, "avd+avd+d6"), "CF-12.9");
  EXPECT_EQ(roll(1, "avd+avd+d6"), "");
  EXPECT_EQ(roll(3, "avd"), "");
  const auto stand = [](int before) {
    Game g;
    g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Put(0, Of::kPace, before);
    g.Start(Phase::kMovement);
    return g.Do("done Blue");
  };
  EXPECT_EQ(stand(2), "");
  EXPECT_EQ(stand(3), "CF-12.9");
}

TEST(CloseFireLimits, DpsStopAtTheBasesOrSixAndManoeuvresAtThree) {  // CF-8.1 CF-8.2
  const auto hurt = [](int bases, int dp, int more) {
    Game g;
    const int unit = g.Horse(kBlue, Grade::kC, bases, {500, 500}, N);
    g.Put(unit, Of::kDp, dp);
    g.Start(Phase::kMusketry);
    std::vector<Event> events;
    Play play(g.s, events, std::vector<Answer>(4, Answer{{}, 0, 0}), false);
    play.Hurt(unit, more, "CF-17.4", "musketry");
    return std::pair{g.Dp(unit), g.Bases(unit)};
  };
  EXPECT_EQ(hurt(4, 3, 1), (std::pair{4, 4}));
  EXPECT_EQ(hurt(4, 3, 2), (std::pair{4, 3}));
  EXPECT_EQ(hurt(6, 5, 1), (std::pair{6, 6}));
  EXPECT_EQ(hurt(9, 5, 2), (std::pair{6, 8}));
  // The limit is worked out afresh for each DP, and those held stay.
  EXPECT_EQ(hurt(4, 4, 2), (std::pair{4, 2}));
  Game g;
  const int unit = g.Foot(kBlue, Grade::kC, 2, {500, 500}, N);
  EXPECT_EQ(ManoeuvreDpTaken(g.s, unit, 5), 3);
  g.Put(unit, Of::kDp, 3);
  EXPECT_EQ(ManoeuvreDpTaken(g.s, unit, 1), 0);
}

}  // namespace
}  // namespace fos::closefire::test
