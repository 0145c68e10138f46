// SPDX-License-Identifier: MIT
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/closefire_game.h"

// Combats played from the declaration to the last move.
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
