// SPDX-License-Identifier: MIT
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/closefire_game.h"

// Worked examples played from the declaration to the last move, with every number they name.
namespace fos::closefire::test {
namespace {

struct Played {
  Game g;
  // Plays lines that must all be accepted.
  void Lines(const std::vector<std::string>& lines) {
    for (const std::string& line : lines)
      ASSERT_EQ(g.Do(line), "") << line << ": " << g.because << " / " << g.Request();
  }
  // Blue declares a charge, if any. Nobody answers it.
  void Combat(const std::string& charge = "") {
    g.Start(Phase::kCharges);
    if (!charge.empty()) Lines({charge});
    Lines({"done Blue", "done Red"});
    if (!charge.empty()) Lines({"done Red", "done Blue"});
  }
};

// 1 + 1 against 5 - 2 alone - 3 outnumbered: +2.
TEST(CloseFireExamples, HorseRidesThroughAnUnsupportedBattery) {  // EX-21.3.3
  Played t;
  const int horse = t.g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  t.g.Gun(kRed, GunClass::kField, {500, 520}, S);
  t.Combat("charge B0 at R1 0");
  t.Lines({"dice 1", "dice 5"});
  EXPECT_TRUE(t.g.Told("Horse B0: +2, success"));
  EXPECT_EQ(t.g.Dp(horse), 1);
  t.Lines({"choose avd+avd", "dice 4 4"});
  EXPECT_TRUE(t.g.Told("rides through, 80 yd"));
  EXPECT_EQ(t.g.Dp(horse), 0);
}

TEST(CloseFireExamples, OutranceRidesThroughOneRank) {  // EX-21.4.1
  Played t;
  const int horse = t.g.Horse(kBlue, Grade::kC, 4, {500, 500}, N, true);
  const int red = t.g.Horse(kRed, Grade::kC, 4, {500, 520}, S);
  t.Combat("charge B0 at R1 0 outrance");
  t.Lines({"dice 1", "dice 4"});  // 1 + 1 + 2 against 4
  EXPECT_TRUE(t.g.Told("Horse B0: +0, inconclusive"));
  EXPECT_EQ(t.g.Dp(horse), 2);
  EXPECT_EQ(t.g.Dp(red), 1);
  // On equal scores the side with the initiative acts second.
  EXPECT_EQ(t.g.Request(), "does horse R1 stay or retire?");
  t.Lines({"choose stay", "choose avd+avd", "dice 4 4"});
  EXPECT_TRUE(t.g.Told("rides through, 80 yd"));
  EXPECT_EQ(t.g.Dp(horse), 1);
}

TEST(CloseFireExamples, HorseDrivenBackByFootLosesABaseAndRetires) {  // EX-21.5.3
  Played t;
  const int horse = t.g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  t.g.Foot(kRed, Grade::kC, 4, {500, 520}, S);
  t.Combat("charge B0 at R1 0");
  t.Lines({"dice 1", "dice 5", "choose last", "dice 3 3 2"});  // 1 + 1 against 5 + 1
  EXPECT_TRUE(t.g.Told("Horse B0: -4, driven back"));
  EXPECT_EQ(t.g.Dp(horse), 2);
  EXPECT_EQ(t.g.Bases(horse), 3);
  EXPECT_EQ(t.g.Is(horse, Of::kCasualties), 1);
  EXPECT_EQ(t.g.Mood(horse), Conduct::kRetiring);
}

TEST(CloseFireExamples, GunsDrivenBackByFootAreAbandoned) {  // EX-21.5.4
  Played t;
  t.g.Foot(kBlue, Grade::kC, 1, {500, 500}, N);
  const int gun = t.g.Gun(kRed, GunClass::kField, {500, 530}, S);
  t.g.Put(0, Of::kFired, 1);
  t.Combat();
  t.Lines({"dice 3", "dice 2"});  // 3 against 2 - 2 alone
  EXPECT_TRUE(t.g.Told("Field gun R1: -3, driven back"));
  EXPECT_EQ(t.g.Dp(gun), 2);
  EXPECT_EQ(At(t.g.s, gun).As<Crew>(Of::kCrew), Crew::kAway);
  EXPECT_TRUE(t.g.ToldClause("CF-21.5"));
}

TEST(CloseFireExamples, DefeatedFootLosesABaseAfterItsDps) {  // EX-21.6.1
  Played t;
  t.g.Foot(kBlue, Grade::kA, 4, {500, 500}, N);
  const int red = t.g.Foot(kRed, Grade::kC, 4, {500, 535}, S);
  t.g.Put(red, Of::kDp, 1);
  t.Combat();
  t.Lines({"dice 5", "dice 3", "choose last", "dice 3 2"});  // 5 + 2 + 1 against 3 + 1 - 1
  EXPECT_TRUE(t.g.Told("Foot R1: -5, defeat"));
  EXPECT_EQ(t.g.Dp(red), 3);
  EXPECT_EQ(t.g.Bases(red), 3);
  EXPECT_EQ(t.g.Mood(red), Conduct::kRetiring);
}

TEST(CloseFireExamples, BrokenFootLosesThreeBases) {  // EX-21.7.1 EX-21.7.2
  for (const int bases : {5, 3}) {
    Played t;
    t.g.Foot(kBlue, Grade::kA, bases, {500, 500}, N);
    const int red = t.g.Foot(kRed, Grade::kE, bases, {500, 535}, S);
    t.g.Put(red, Of::kDp, 2);
    t.Combat();
    t.Lines({"dice 5", "dice 2", "choose last", "choose last"});  // 8 against 2 - 2 + 1 - 2
    if (bases == 5) t.Lines({"choose last", "dice 3 2"});
    EXPECT_TRUE(t.g.Told("Foot R1: -9, break"));
    EXPECT_EQ(t.g.Is(red, Of::kCasualties), 3);
    EXPECT_EQ(At(t.g.s, red).OnTable(), bases == 5);
    if (bases == 3) continue;
    EXPECT_EQ(t.g.Bases(red), 2);
    EXPECT_EQ(t.g.Dp(red), 2);
    EXPECT_EQ(t.g.Mood(red), Conduct::kRouting);
  }
}

TEST(CloseFireExamples, FootThatRemainsFightsOnWithoutMusketry) {  // EX-22.1.1
  Played t;
  const int blue = t.g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int red = t.g.Foot(kRed, Grade::kC, 4, {500, 535}, S);
  t.Combat();
  t.Lines({"dice 4", "dice 3"});
  EXPECT_TRUE(InCombat(t.g.s, blue) && InCombat(t.g.s, red));
  t.g.s.waiting.reset();
  t.g.Start(Phase::kMusketry);
  EXPECT_EQ(t.g.Do("fire B0 at R1"), "CF-15.1");
  t.g.s.to_act = kRed;
  EXPECT_EQ(t.g.Do("fire R1 at B0"), "CF-15.1");
  t.Combat();
  EXPECT_NE(t.g.Request().find("combat of foot B0"), std::string::npos) << t.g.Request();
}

TEST(CloseFireExamples, AFreeControlResultLetsAGunUnlimber) {  // EX-14.5.2
  for (const auto& [control, clause] : {std::pair{Control::kFree, ""},
                                        std::pair{Control::kHalted, "CF-5.6"},
                                        std::pair{Control::kRepeats, "CF-5.7"}}) {
    Game g;
    const int gun = g.Gun(kBlue, GunClass::kField, {700, 500}, N, true);
    g.Put(gun, Of::kControl, control);
    g.Start(Phase::kMovement);
    EXPECT_EQ(g.Do("unlimber B0"), clause);
    EXPECT_EQ(g.Dp(gun), *clause == 0 ? 1 : 0);
  }
}

// Two bodies of horse beat two others, and both pursue into the foot 80 yd behind those.
TEST(CloseFireAfter, PursuersWhoMeetOneEnemyFightOneCombat) {  // CF-20.7 CF-22.6
  Played t;
  for (const double x : {440.0, 560.0}) t.g.Horse(kBlue, Grade::kC, 3, {x, 500}, N);
  for (const double x : {440.0, 560.0}) t.g.Horse(kRed, Grade::kE, 3, {x, 520}, S);
  t.g.Foot(kRed, Grade::kA, 8, {500, 600}, S);
  t.g.Start(Phase::kCharges);
  t.Lines({"charge B0 at R2 0", "charge B1 at R3 0", "done Blue", "done Red", "done Red",
           "done Blue"});
  for (int i = 0; i < 2; ++i)  // 6 + 1 against 3 - 2
    t.Lines({"dice 6", "dice 3", "choose last", "dice 4 4 6", "choose full", "dice 4 4 6"});
  EXPECT_TRUE(t.g.Told("1st horse, B0 meets foot R4") && t.g.Told("2nd horse, B1 meets foot R4"));
  t.Lines({"dice 6", "dice 6", "dice 3"});
  EXPECT_TRUE(t.g.Told("Combat of 1st horse, B0; 2nd horse, B1 against foot R4"));
}

TEST(CloseFireAfter, LimberedGunsAndCiviliansDoNotFightPursuers) {  // CF-20.1 CF-22.6
  for (const bool gun : {true, false}) {
    Played t;
    t.g.Horse(kBlue, Grade::kC, 3, {500, 500}, N);
    t.g.Horse(kRed, Grade::kE, 3, {500, 520}, S);
    UnitInfo civilians;
    civilians.side = kRed;
    civilians.arm = Arm::kCivilians;
    const int met = gun ? t.g.Gun(kRed, GunClass::kField, {500, 600}, S, true)
                        : t.g.Add(civilians, 3, {500, 600}, S, Formation::kUnformed);
    t.Combat("charge B0 at R1 0");
    t.Lines({"dice 6", "dice 3", "choose last", "dice 4 4 6", "dice 4 4 6"});
    EXPECT_TRUE(t.g.Told(gun ? "B0 meets field gun R2" : "B0 meets civilians R2"));
    if (!gun) t.Lines({"dice 3 3"});
    EXPECT_FALSE(t.g.Told("Combat of field gun R2") || t.g.Told("Combat of civilians R2"));
    if (gun) {
      EXPECT_EQ(At(t.g.s, met).As<Crew>(Of::kCrew), Crew::kAway);
    } else {
      EXPECT_EQ(t.g.Mood(met), Conduct::kRouting);
    }
    EXPECT_TRUE(t.g.ToldClause("CF-20.1"));
  }
}
}  // namespace
}  // namespace fos::closefire::test
