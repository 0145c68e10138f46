// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "tests/support/closefire_game.h"

// Worked examples of sections 1 to 6 and 9 of the catalogue: EX-c.s.n is the n-th of CF-c.s.
namespace fos::closefire::test {
namespace {

TEST(CloseFireScale, YardsByFigureSize) {  // EX-1.1.1 EX-1.1.2
  const double inches = 152.4 / 25.4;
  EXPECT_DOUBLE_EQ(inches * ShippedTables().yards_per_inch_small, 120);
  EXPECT_DOUBLE_EQ(inches * ShippedTables().yards_per_inch_large, 60);
  EXPECT_DOUBLE_EQ(Settings{}.yards_per_inch, 20);
}

TEST(CloseFireScale, AverageDieFromAD6) {  // EX-1.2.1 EX-1.2.2 EX-1.2.3
  Settings d6;
  d6.avd_from_d6 = true;
  EXPECT_EQ(AverageFace(ShippedTables(), d6, 6), 4);
  EXPECT_EQ(AverageFace(ShippedTables(), d6, 1), 3);
  EXPECT_EQ(AverageFace(ShippedTables(), Settings{}, 6), 0);
  EXPECT_EQ(AverageFace(ShippedTables(), Settings{}, 1), 0);
  // A six of a mapped average die causes no fatigue on good ground.
  Fatigue line;
  line.cavalry = line.line = true;
  EXPECT_EQ(FatigueDp(ShippedTables(), d6, line, {Die::kAverage}, {4}), 0);
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {100, 100}, N);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd"), "");
  EXPECT_EQ(g.Do("dice 6"), "CF-1.2");
  EXPECT_EQ(g.Do("dice 5"), "");
  EXPECT_DOUBLE_EQ(g.Left(foot), 50);
}

TEST(CloseFireScale, CloseCallsAreReported) {  // EX-1.3.1 EX-1.3.2
  Game g;
  const Field field(g.s);
  EXPECT_NE(CloseCall(g.s, 119.4, 120), "");
  EXPECT_EQ(CloseCall(g.s, 121.5, 120), "");
  const int gun = g.Gun(kBlue, GunClass::kField, {500, 100}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 100 + 479.6 + 0.0}, S);
  g.Start(Phase::kArtillery);
  EXPECT_EQ(g.Do("fire B0 at R1"), "");
  EXPECT_TRUE(g.ToldClause("CF-1.3"));
  (void)gun;
}

TEST(CloseFireScale,
     AnglesAreTwentyTwoAndAHalfAndFortyFive) {  // EX-1.4.1 EX-1.4.2 EX-1.4.3 EX-1.4.4
  using open_table::AngleBetween;
  using open_table::BearingTo;
  EXPECT_LE(AngleBetween(BearingTo({0, 0}, {20, 60}), 0), 22.5);
  EXPECT_GT(AngleBetween(BearingTo({0, 0}, {30, 60}), 0), 22.5);
  // The nearest corner of a base that faces along an axis.
  const Base in{{70 + 10, 80 + 10}, 0, 20, 20};
  const Base out{{90 + 10, 80 - 10}, 0, 20, 20};
  EXPECT_TRUE(open_table::InWedge({0, 0}, 0, 45, in, true));
  EXPECT_FALSE(open_table::InWedge({0, 0}, 0, 45, out, true));
  EXPECT_FALSE(open_table::InWedge({0, 0}, 0, 40, in, false));
}

TEST(CloseFireScale, FascinesStopFireAndCharges) {  // EX-1.5.1
  // The game changes only by its lines.
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 600}, S);
  g.Put(foot, Of::kDp, 2);
  g.Put(foot, Of::kFascines, 1);
  g.Start(Phase::kMusketry);
  EXPECT_EQ(g.Do("fire B0 at R1"), "CF-1.5");
  EXPECT_EQ(g.Dp(foot), 2);
}

TEST(CloseFireRoster, NewStyleCavalryChargesALOutrance) {  // EX-2.1.1
  const auto charge = [](bool new_style, bool hussars) {
    Game g;
    hussars ? g.Hussars(kBlue, Grade::kC, 4, {500, 500}, N)
            : g.Horse(kBlue, Grade::kC, 4, {500, 500}, N, new_style);
    g.Horse(kRed, Grade::kC, 4, {500, 570}, S);
    g.Start(Phase::kCharges);
    return g.Do("charge B0 at R1 avd outrance");
  };
  EXPECT_EQ(charge(true, false), "");
  EXPECT_EQ(charge(false, false), "CF-2.1");
  EXPECT_EQ(charge(false, true), "");
}

TEST(CloseFireRoster, NominalBaseSizes) {  // EX-2.2.1 EX-2.2.2
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  EXPECT_DOUBLE_EQ(Field(g.s).FrontOf(foot).width, 80);
  UnitInfo gun;
  gun.arm = Arm::kGun;
  gun.gun = GunClass::kField;
  EXPECT_DOUBLE_EQ(20 * NominalBase(ShippedTables(), gun)[0], 25);
}

TEST(CloseFireRoster, AHalfBaseMarksTheExtraDie) {  // EX-2.3.1
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N, true);
  const int red = g.Foot(kRed, Grade::kC, 4, {500, 600}, S);
  g.setup.units[0].half_base = true;
  g.Start(Phase::kMusketry);
  const Field field(g.s);
  const auto targets = TargetsOf(field, foot);
  ASSERT_EQ(targets.size(), 1u);
  const Volley volley = VolleyAt(field, foot, targets[0]);
  EXPECT_EQ(MusketDice(ShippedTables(), volley), 5);
  EXPECT_NE(VolleyText(ShippedTables(), volley).find("half base +1"), std::string::npos)
      << VolleyText(ShippedTables(), volley);
  EXPECT_EQ(DpLimit(g.s, foot), 4);
  EXPECT_EQ(targets[0].unit, red);
}

TEST(CloseFireRoster, Battalions) {  // EX-2.4.1 EX-2.4.2 EX-2.4.3
  EXPECT_EQ(UnitFault(ShippedTables(), {"P", Arm::kFoot, {4, 4}}), "");
  EXPECT_NE(UnitFault(ShippedTables(), {"P", Arm::kFoot, {4, 4, 4}}), "");
  EXPECT_NE(UnitFault(ShippedTables(), {"P", Arm::kFoot, {2}}), "");
}

TEST(CloseFireRoster, Squadrons) {  // EX-2.5.1 EX-2.5.2
  EXPECT_EQ(UnitFault(ShippedTables(), {"H", Arm::kHorse, {1, 1, 1, 1}}), "");
  EXPECT_NE(UnitFault(ShippedTables(), {"H", Arm::kHorse, {2}}), "");
}

TEST(CloseFireRoster, BatteryTakesThreeDps) {  // EX-2.6.1 EX-2.6.2
  for (const auto& [dp, hurt, stands] : {std::tuple{3, 1, false}, std::tuple{1, 2, true}}) {
    Game g;
    const int gun = g.Gun(kBlue, GunClass::kField, {500, 500}, N);
    g.Put(gun, Of::kDp, dp);
    g.Start(Phase::kArtillery);
    std::vector<Event> events;
    Play play(g.s, events, {}, false);
    play.Hurt(gun, hurt, "CF-2.6", "fire");
    EXPECT_EQ(At(g.s, gun).OnTable(), stands);
    if (stands) {
      EXPECT_EQ(g.Dp(gun), 3);
    }
  }
}

TEST(CloseFireRoster, GradesAreFactors) {  // EX-2.7.1 EX-2.7.2
  EXPECT_GT(Grade::kD, Grade::kC);         // lower
  EXPECT_EQ(ShippedTables().grade[4], -2);
  EXPECT_EQ(ShippedTables().grade[0], 2);
}

TEST(CloseFireRoster, MixedUnits) {  // EX-2.8.1 EX-2.8.2 EX-2.8.3 EX-2.8.4
  EXPECT_EQ(MixedGrade({Grade::kC, Grade::kC, Grade::kD}), Grade::kC);
  EXPECT_EQ(MixedGrade({Grade::kB, Grade::kC}), Grade::kB);
  EXPECT_EQ(MixedGrade({Grade::kC, Grade::kC, Grade::kD, Grade::kD}), Grade::kC);
  Game g;
  UnitInfo mixed;
  mixed.arm = Arm::kHussars;
  mixed.mixed = true;
  const int unit = g.Add(mixed, 4, {500, 600}, S, Formation::kLine);
  g.setup.units[0].side = kRed;
  g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Start(Phase::kCharges);
  EXPECT_TRUE(IsFormed(g.s, unit));
  EXPECT_EQ(g.Do("charge B1 at B0 avd"), "");
  EXPECT_EQ(g.Do("done Blue"), "");
  EXPECT_EQ(g.Do("done Red"), "");
  EXPECT_EQ(g.Do("evade B0"), "CF-18.5");
}

// Sections 2.9, 2.10 and 3.1 give notes, never refusals.
TEST(CloseFireRoster, AttackForceRatios) {  // EX-3.1.1 EX-3.1.2 EX-3.1.3 EX-3.1.4 EX-3.1.5
  const Tables& book = ShippedTables();
  EXPECT_TRUE(AttackNotes(book, {60, 24, 0}, {40, 24, 0}).empty());
  EXPECT_EQ(AttackNotes(book, {59, 24, 0}, {40, 24, 0}).size(), 1u);
  EXPECT_EQ(AttackNotes(book, {62, 22, 0}, {40, 24, 0}).size(), 1u);
  EXPECT_EQ(AttackNotes(book, {60, 24, 5}, {40, 24, 2}).size(), 1u);
  EXPECT_TRUE(AttackNotes(book, {60, 24, 4}, {40, 24, 2}).empty());
  EXPECT_EQ(FortificationCost(book, 240).battalions, 3);
  EXPECT_EQ(FortificationCost(book, 240).squadrons, 9);
}

TEST(CloseFireRoster, LinearObstaclesCoverAtMostAQuarter) {  // EX-3.2.1
  EXPECT_EQ(TerrainNotes(ShippedTables(), 3, true, 1600, 420).size(), 1u);
  EXPECT_TRUE(TerrainNotes(ShippedTables(), 3, true, 1600, 400).empty());
}

TEST(CloseFireRoster, RevealsHiddenTroopsBySight) {  // EX-3.3.1 EX-3.7.1
  // Cards are turned by the same sight. The players `reveal` what a leader sees.
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, S);
  Terrain hill;
  hill.level = 1;
  hill.outline_yd = Box(400, 525, 600, 600);
  g.Ground(hill);
  const int attacker = g.Foot(kRed, Grade::kC, 4, {500, 700}, S);
  g.Put(foot, Of::kPresence, Presence::kHidden);
  g.Start(Phase::kMovement, kRed);
  g.Put(attacker, Of::kRolled, 1);
  g.Put(attacker, Of::kAllowanceMilliYd, 150000);
  g.Put(attacker, Of::kFullMilliYd, 150000);
  EXPECT_EQ(g.Do("ahead R1 20"), "");
  EXPECT_FALSE(At(g.s, foot).OnTable());
  EXPECT_EQ(g.Do("ahead R1 110"), "");  // up on the hill
  EXPECT_TRUE(At(g.s, foot).OnTable());
  EXPECT_TRUE(g.ToldClause("CF-3.3"));
}

TEST(CloseFireRoster, Reinforcements) {  // EX-3.6.1 EX-3.6.2
  EXPECT_TRUE(Arrives(Settings{}, 2, 4));
  EXPECT_FALSE(Arrives(Settings{}, 1, 4));
}

TEST(CloseFireRoster, ArrivingInMarchColumn) {  // EX-3.4.2
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {100, 100}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 1500}, S);
  g.Put(foot, Of::kPresence, Presence::kReserve);
  Terrain road;
  road.road = true;
  road.outline_yd = Box(90, 0, 110, 900);
  g.Ground(road);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("arrive B0 at 100 90 0"), "");
  EXPECT_EQ(g.Do("dice 5"), "");
  EXPECT_TRUE(At(g.s, foot).OnTable());
  g.Put(foot, Of::kDoneMoving, 0);
  EXPECT_EQ(g.Do("road B0 to 100 310"), "CF-12.5");  // 260 yd
  EXPECT_EQ(g.Do("road B0 to 100 280"), "");         // 230 of 240
}

TEST(CloseFireRoster, ThePlayersEndTheGame) {  // EX-3.8.1
  Game g;
  g.Foot(kBlue, Grade::kC, 4, {100, 100}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 1500}, S);
  g.Start(Phase::kCharges);
  g.s.turn = 40;
  EXPECT_EQ(g.Do("done Blue"), "");
  EXPECT_EQ(g.Do("done Red"), "");
  EXPECT_EQ(g.s.turn, 41);
  EXPECT_EQ(g.Do("end"), "");
  EXPECT_EQ(g.s.phase, Phase::kOver);
}

struct Staff {
  Game g;
  int marshal, general, other, brigadier, foot, stranger;
  Staff() {
    marshal = g.Leader(kBlue, Rank::kMarshal, {800, 100});
    general = g.Leader(kBlue, Rank::kGeneral, {500, 400}, marshal);
    other = g.Leader(kBlue, Rank::kGeneral, {900, 400}, marshal);
    brigadier = g.Leader(kBlue, Rank::kBrigadier, {500, 401}, general);
    foot = g.Foot(kBlue, Grade::kC, 4, {500, 460}, N);
    g.Commands(brigadier, foot);
    const int second = g.Leader(kBlue, Rank::kBrigadier, {900, 401}, other);
    stranger = g.Foot(kBlue, Grade::kC, 4, {900, 460}, N);
    g.Commands(second, stranger);
    g.Foot(kRed, Grade::kC, 4, {500, 900}, S);
    g.Start(Phase::kCommand);
  }
};

TEST(CloseFireCommand, LeadersHaveOneOrTwoActions) {  // EX-4.1.1 EX-4.1.2
  Staff t;
  EXPECT_EQ(t.g.Do("attach L3 to B0"), "");
  EXPECT_EQ(t.g.Do("inspire L3"), "CF-4.1");
  Staff u;
  u.g.Attach(u.general, u.foot);
  EXPECT_EQ(u.g.Do("inspire L1"), "");
  EXPECT_EQ(u.g.Do("inspire L1"), "");
  EXPECT_EQ(u.g.Is(u.foot, Of::kInspired), 2);
}

TEST(CloseFireCommand, Riding) {  // EX-4.2.1 EX-4.2.2 EX-12.7.1
  Staff t;
  EXPECT_EQ(t.g.Do("ride L0 to 800 330"), "");
  Game g;
  g.Leader(kBlue, Rank::kGeneral, {500, 800});
  g.Foot(kRed, Grade::kC, 4, {500, 900}, S);
  g.Start(Phase::kCommand);
  EXPECT_EQ(g.Do("ride L0 to 500 670"), "CF-4.2");
  EXPECT_EQ(g.Do("ride L0 to 500 680"), "");
}

TEST(CloseFireCommand, AttachesOnlyInTheCommandPhase) {  // EX-4.3.1 EX-4.3.2
  Staff t;
  EXPECT_EQ(t.g.Do("attach L1 to B0"), "");
  EXPECT_EQ(t.g.Do("inspire L1"), "");
  Staff u;
  u.g.Start(Phase::kMovement);
  EXPECT_EQ(u.g.Do("ride L1 to 500 450"), "");
  EXPECT_EQ(LeaderAt(u.g.s, u.general)[By::kAttached], 0);
}

TEST(CloseFireCommand, Steadying) {  // EX-4.4.1 EX-4.4.2
  Staff t;
  t.g.Attach(t.general, t.foot);
  EXPECT_EQ(t.g.Do("steady L1"), "CF-4.4");
  t.g.Put(t.foot, Of::kDp, 2);
  EXPECT_EQ(t.g.Do("steady L1"), "");
  EXPECT_EQ(t.g.Do("steady L1"), "");
  EXPECT_EQ(t.g.Dp(t.foot), 0);
  t.g.s.phase = Phase::kMovement;
  EXPECT_EQ(t.g.Do("roll B0 avd"), "CF-4.4");
}

TEST(CloseFireCommand, Inspiring) {  // EX-4.5.1 EX-4.5.2 EX-12.3.1 EX-12.3.2
  const Tables& book = ShippedTables();
  EXPECT_DOUBLE_EQ(AllowanceYd(book, {{2, 4}, true, false, false}), 80);
  EXPECT_DOUBLE_EQ(AllowanceYd(book, {{3, 3, 3}, true, false, false}), 120);
  EXPECT_DOUBLE_EQ(AllowanceYd(book, {{4, 2}, true, false, false}), 80);
  Fighter f;
  f.inspired = 1;
  EXPECT_EQ(CombatSum(book, f, 3).Total(), 4);
  f.inspired = 2;
  EXPECT_EQ(CombatSum(book, f, 3).Total(), 5);
}

TEST(CloseFireTurn, EitherSideThrowsForInitiative) {  // CF-9.1
  Game g;
  g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 900}, S);
  g.Start(Phase::kInitiative);
  ASSERT_EQ(g.Do("initiative"), "");
  for (const int side : {kBlue, kRed}) {
    const std::vector<Choice> choices = Choices(g.s, side);
    ASSERT_EQ(choices.size(), 1u);
    EXPECT_EQ(choices.front().line, "draw");
  }
}

TEST(CloseFireCommand, OrdersFaceToFace) {  // EX-4.6.1 EX-4.6.2 EX-4.10.1
  Staff t;
  EXPECT_EQ(t.g.Do("order L2 to L3 3"), "CF-4.10");
  EXPECT_EQ(t.g.Do("order L1 to L3 3"), "");
  EXPECT_TRUE(t.g.Told("gives brigadier L3 order 3, which holds once he listens: `listen L3`."));
  EXPECT_EQ(t.g.Do("listen L3"), "");
  EXPECT_EQ(LeaderAt(t.g.s, t.brigadier)[By::kOrder], 3);
  EXPECT_TRUE(t.g.ToldClause("CF-4.9"));
  Staff u;
  u.g.Attach(u.general, u.foot);
  EXPECT_EQ(u.g.Do("order L1 to L3 3"), "CF-4.6");
}

// A brigade of no wing answers to the marshal; of two who share the command, either gives orders.
TEST(CloseFireCommand, AMarshalCommandsAll) {  // CF-4.7 CF-4.10
  Game g;
  const int marshal = g.Leader(kBlue, Rank::kMarshal, {500, 400});
  g.Leader(kBlue, Rank::kMarshal, {500, 401});
  const int general = g.Leader(kBlue, Rank::kGeneral, {501, 400}, marshal);
  g.Leader(kBlue, Rank::kBrigadier, {501, 401});
  g.Leader(kRed, Rank::kBrigadier, {499, 400});
  g.Start(Phase::kCommand);
  EXPECT_EQ(g.Do("order L0 to L3 2"), "") << g.because;
  EXPECT_EQ(g.Do("order L1 to L2 3"), "") << g.because;
  EXPECT_EQ(LeaderAt(g.s, general)[By::kOffer], 3);
  EXPECT_EQ(g.Do("order L2 to L3 2"), "CF-4.10");
  EXPECT_EQ(g.Do("order L0 to L4 2"), "CF-4.10");
  EXPECT_EQ(g.Do("order L0 to L0 2"), "CF-4.10");
}

TEST(CloseFireCommand, LeadersStayOnTheTable) {  // CF-4.1 CF-4.2
  Game g;
  g.Leader(kBlue, Rank::kGeneral, {30, 100});
  g.Foot(kRed, Grade::kC, 4, {500, 1200}, S);
  g.Start(Phase::kCommand);
  EXPECT_EQ(g.Do("ride L0 to -1 100"), "CF-4.1");
  EXPECT_EQ(g.Do("ride L0 to -1 100 20 100"), "CF-4.1");
  EXPECT_EQ(g.Do("ride L0 to 0 100"), "") << g.because;
}

TEST(CloseFireCommand, ALeaderIsHisBase) {  // CF-1.3 CF-5.1
  for (const double radius : {0.0, 10.0}) {
    Game g;
    const int brigadier = g.Leader(kBlue, Rank::kBrigadier, {500, 412});
    const int general = g.Leader(kBlue, Rank::kGeneral, {500, 390});
    const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);  // its rear is 68 yd away
    g.Commands(brigadier, foot);
    for (LeaderInfo& info : g.setup.leaders) info.radius_yd = radius;
    g.Start(Phase::kCommand);
    EXPECT_EQ(Field(g.s).Controlled(foot), radius > 0);
    EXPECT_EQ(Field(g.s).Contact(Field(g.s).GapOfLeaders(brigadier, general)), radius > 0);
  }
}

TEST(CloseFireRoster, HiddenTroopsThatFireAreRevealed) {  // CF-3.3
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 580}, S);
  g.Put(foot, Of::kPresence, Presence::kHidden);
  g.Start(Phase::kMusketry);
  EXPECT_EQ(g.Do("fire B0"), "") << g.because;
  EXPECT_TRUE(At(g.s, foot).OnTable());
  EXPECT_TRUE(g.Told("B0 fires: put it on the table"));
}

TEST(CloseFireCommand, ChainOfCommand) {  // EX-4.7.1 EX-4.7.2 EX-4.8.1
  Staff t;
  t.g.Attach(t.brigadier, t.stranger);
  t.g.Put(t.stranger, Of::kDp, 1);
  EXPECT_EQ(t.g.Do("steady L3"), "CF-4.7");
  EXPECT_TRUE(Field(t.g.s).InChain(t.general, t.foot));
  EXPECT_FALSE(Field(t.g.s).InChain(t.general, t.stranger));
  // A higher commander in contact puts it under another leader.
  Staff u;
  u.g.PutLeader(u.marshal, By::kX, 500000);
  u.g.PutLeader(u.marshal, By::kY, 402000);
  EXPECT_EQ(u.g.Do("assign B1 to L3 by L0"), "");
  EXPECT_FALSE(Field(u.g.s).InChain(u.general, u.stranger));  // CF-4.6: he must listen
  EXPECT_EQ(u.g.Do("listen L3"), "");
  EXPECT_TRUE(Field(u.g.s).InChain(u.general, u.stranger));
}

TEST(CloseFireCommand, ReassignedByMessenger) {  // CF-4.8
  // When the marshal's messenger reaches the general, the brigade changes wing.
  Staff t;
  LeaderInfo rider;
  rider.id = "L0-m1";
  rider.messenger = true;
  rider.superior = t.marshal;
  t.g.setup.leaders.push_back(rider);
  t.g.s.leaders.emplace_back();
  t.g.Start(Phase::kCommand);
  t.g.PutLeader(5, By::kGone, 3);
  EXPECT_EQ(t.g.Do("assign L4 to L1 by L0"), "CF-4.8");  // not in contact
  EXPECT_EQ(t.g.Do("assign L4 to L1 by L3 messenger"), "CF-4.8");
  EXPECT_EQ(t.g.Do("assign L1 to L3 by L0 messenger"),
            "CF-4.8");  // a general cannot be under a brigadier
  EXPECT_EQ(t.g.Do("assign L4 to L1 by L0 messenger"), "") << t.g.because;
  EXPECT_FALSE(Field(t.g.s).InChain(t.general, t.stranger));
  EXPECT_EQ(t.g.Do("ride L0-m1 to 700 200"), "") << t.g.because;
  EXPECT_FALSE(Field(t.g.s).InChain(t.general, t.stranger));
  t.g.PutLeader(5, By::kRode, 0);  // the next Command phase
  EXPECT_EQ(t.g.Do("ride L0-m1 to 600 350"), "") << t.g.because;
  t.g.PutLeader(5, By::kRode, 0);
  EXPECT_EQ(t.g.Do("ride L0-m1 to 500 399"), "") << t.g.because;
  EXPECT_FALSE(Field(t.g.s).InChain(t.general, t.stranger));
  EXPECT_TRUE(t.g.Told("`listen L1`"));
  EXPECT_EQ(t.g.Do("listen L1"), "") << t.g.because;
  EXPECT_EQ(LeaderAt(t.g.s, t.general)[By::kUsed], 1);
  EXPECT_TRUE(Field(t.g.s).InChain(t.general, t.stranger));
  EXPECT_FALSE(Field(t.g.s).InChain(t.other, t.stranger));
  // His orders now come from his new general, not from his old wing.
  t.g.PutLeader(t.other, By::kX, 900000);
  t.g.PutLeader(t.other, By::kY, 401000);
  EXPECT_EQ(t.g.Do("order L2 to L4 3"), "CF-4.10");
  // Units are reassigned the same way. An attached commander gives no orders.
  Staff u;
  u.g.Attach(u.marshal, u.foot);
  EXPECT_EQ(u.g.Do("assign B1 to L3 by L0"), "CF-4.6");
}

TEST(CloseFireCommand, MessengersRideInTheirSidesTurn) {  // CF-9.2 CF-12.7
  Game g;
  g.Leader(kRed, Rank::kGeneral, {500, 500});
  LeaderInfo rider;
  rider.id = "L0-m1";
  rider.side = kRed;
  rider.messenger = true;
  rider.superior = 0;
  g.setup.leaders.push_back(rider);
  g.s.leaders.emplace_back();
  g.PutLeader(1, By::kBound, 1);
  g.Start(Phase::kCommand);
  EXPECT_EQ(g.Do("ride L0-m1 to 60 0"), "CF-9.2");
  g.s.to_act = kRed;
  EXPECT_EQ(g.Do("ride L0-m1 to 60 0"), "") << g.because;
}

TEST(CloseFireCommand, AttachedLeaderStaysOnTheTable) {  // CF-4.3
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 1605}, N);  // its front hangs over the edge
  const int brigadier = g.Leader(kBlue, Rank::kBrigadier, {500, 1550});
  g.Commands(brigadier, foot);
  g.Start(Phase::kCommand);
  EXPECT_EQ(g.Do("attach L0 to B0"), "") << g.because;
  EXPECT_EQ(LeaderAt(g.s, brigadier)[By::kY], 1600000);
}

TEST(CloseFireCommand, OrdersAreRecordedNotEnforced) {  // EX-4.9.1 EX-4.11.1
  Staff t;
  t.g.PutLeader(t.brigadier, By::kOrder, 1);
  t.g.Start(Phase::kMovement);
  EXPECT_EQ(t.g.Do("roll B0 avd"), "");
  EXPECT_EQ(t.g.Do("dice 5"), "");
  EXPECT_EQ(t.g.Do("ahead B0 50"), "");  // against order 1, with or without a general: no refusal
}

TEST(CloseFireCommand, NotesAFarAdvanceAgainstOrders) {  // CF-4.9 CF-4.11
  for (const bool general : {false, true})
    for (const double from : {100.0, 350.0}) {
      Game g;
      const int wing = g.Leader(kBlue, Rank::kGeneral, {100, 100});
      const int brigadier = g.Leader(kBlue, Rank::kBrigadier, {500, 400}, wing);
      const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
      g.Commands(brigadier, foot);
      g.PutLeader(brigadier, By::kOrder, 1);
      g.Put(foot, Of::kOrderX, 500000);
      g.Put(foot, Of::kOrderY, Milli(from));
      if (general) g.Attach(wing, foot);
      g.Foot(kRed, Grade::kC, 4, {500, 1500}, S);
      g.Start(Phase::kMovement);
      EXPECT_EQ(g.Do("roll B0 avd"), "");
      EXPECT_EQ(g.Do("dice 3"), "");
      EXPECT_EQ(g.Do("ahead B0 30"), "");
      EXPECT_EQ(g.Do("done Blue"), "");
      EXPECT_EQ(g.ToldClause("CF-4.9"), !general && from == 100.0);
      EXPECT_EQ(g.ToldClause("CF-4.11"), general && from == 100.0);
      EXPECT_EQ(g.Told("it may be, because general L0 is with it"), general && from == 100.0);
    }
}

TEST(CloseFireControl, DetachedLeadersControl) {  // EX-5.1.1 EX-5.1.2 EX-5.1.3 EX-5.4.1
  Game g;
  const int marshal = g.Leader(kBlue, Rank::kMarshal, {1200, 500});
  const int general = g.Leader(kBlue, Rank::kGeneral, {100, 100}, marshal);
  const int brigadier = g.Leader(kBlue, Rank::kBrigadier, {500, 500}, general);
  const int p = g.Foot(kBlue, Grade::kC, 4, {500, 578}, N);  // rear edge at y = 558
  const int q = g.Foot(kBlue, Grade::kC, 4, {600, 578}, N);
  g.Commands(brigadier, p);
  g.Commands(brigadier, q);
  EXPECT_TRUE(Field(g.s).Controlled(p));
  g.Attach(brigadier, p);
  EXPECT_TRUE(Field(g.s).Controlled(p));
  EXPECT_FALSE(Field(g.s).Controlled(q));
  g.PutLeader(general, By::kX, 600000);
  g.PutLeader(general, By::kY, 500000);
  EXPECT_TRUE(Field(g.s).Controlled(q));
  g.PutLeader(general, By::kY, 488000);  // 70 yd: it tests
  EXPECT_FALSE(Field(g.s).Controlled(q));
  g.PutLeader(marshal, By::kX, 600000);
  g.PutLeader(marshal, By::kY, 443000);  // 115 yd
  EXPECT_TRUE(Field(g.s).Controlled(q));
}

TEST(CloseFireControl, ConformingAlongALine) {  // EX-5.2.1 EX-5.2.2 EX-5.3.1 EX-5.3.2
  Game g;
  const int brigadier = g.Leader(kBlue, Rank::kBrigadier, {500, 520});
  const int p = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int q = g.Foot(kBlue, Grade::kC, 4, {580, 500}, N);
  const int r = g.Foot(kBlue, Grade::kC, 4, {660, 500}, N);
  const int far = g.Foot(kBlue, Grade::kC, 4, {746, 500}, N);
  const int rear = g.Foot(kBlue, Grade::kC, 4, {500, 430}, N);
  for (const int u : {p, q, r, far, rear}) g.Commands(brigadier, u);
  g.Foot(kRed, Grade::kC, 4, {500, 1200}, S);
  g.Start(Phase::kCommand);
  const Field field(g.s);
  EXPECT_TRUE(field.MayConform(q, p));
  EXPECT_TRUE(field.MayConform(r, p));
  EXPECT_FALSE(field.MayConform(far, p));
  EXPECT_TRUE(field.MayConform(rear, p));  // 50 yd behind
  EXPECT_EQ(g.Do("conform B2 to B0"), "");
  EXPECT_EQ(g.Do("conform B3 to B0"), "CF-5.2");
  EXPECT_EQ(g.Do("conform B4 to B0"), "");
}

TEST(CloseFireControl, ConformersChargeOnlyWithTheirLead) {  // CF-5.2 CF-5.3
  Game g;
  const int brigadier = g.Leader(kBlue, Rank::kBrigadier, {500, 520});
  const int lead = g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  const int line = g.Horse(kBlue, Grade::kC, 4, {580, 500}, N);
  const int rear = g.Horse(kBlue, Grade::kC, 4, {500, 430}, N);
  for (const int u : {lead, line, rear}) g.Commands(brigadier, u);
  g.Foot(kRed, Grade::kC, 8, {520, 560}, S);
  g.Foot(kRed, Grade::kC, 8, {520, 1200}, S);
  g.Start(Phase::kCommand);
  EXPECT_EQ(g.Do("conform B1 to B0"), "");
  EXPECT_EQ(g.Do("conform B2 to B0"), "");
  EXPECT_TRUE(g.ToldClause("CF-5.3"));
  g.Put(line, Of::kControl, Control::kConforming);
  g.Put(rear, Of::kControl, Control::kConforming);
  g.Put(lead, Of::kControl, Control::kControlled);
  g.Start(Phase::kCharges);
  EXPECT_EQ(g.Do("charge B1 at R3 avd+avd"), "CF-5.2");
  EXPECT_EQ(g.Do("charge B2 at R3 avd+avd"), "CF-5.3");
  EXPECT_EQ(g.Do("charge B0 B1 at R3 avd+avd"), "");
}

TEST(CloseFireControl, ConformersMoveWithTheirLead) {  // CF-5.2
  Game g;
  const int lead = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int beside = g.Foot(kBlue, Grade::kC, 4, {580, 500}, N);
  g.Put(beside, Of::kControl, Control::kConforming);
  g.Put(beside, Of::kConformsTo, lead + 1);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B1 avd"), "CF-5.2");  // the lead has not moved
  EXPECT_EQ(g.Do("step B1 left 20"), "CF-5.2");
  EXPECT_EQ(g.Do("roll B0 avd"), "");
  EXPECT_EQ(g.Do("dice 4"), "");
  EXPECT_EQ(g.Do("ahead B0 40"), "");
  EXPECT_EQ(g.Do("roll B1 avd+d6"), "CF-5.2");
  EXPECT_EQ(g.Do("done Blue"), "CF-5.2");  // it must move as its lead does
  EXPECT_EQ(g.Do("roll B1 avd"), "");
  EXPECT_EQ(g.Do("dice 4"), "");
  EXPECT_EQ(g.Do("ahead B1 40"), "");
  EXPECT_EQ(g.Do("done Blue"), "") << g.because;
  // This includes a charge, if it can make one.
  for (const bool in_front : {true, false}) {
    Game h;
    h.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
    h.Horse(kBlue, Grade::kC, 4, {580, 500}, N);
    h.Foot(kRed, Grade::kC, in_front ? 8 : 4, {in_front ? 540.0 : 460.0, 560}, S);
    h.Put(1, Of::kControl, Control::kConforming);
    h.Put(1, Of::kConformsTo, 1);
    h.Start(Phase::kCharges);
    EXPECT_EQ(h.Do("charge B0 at R2 avd+avd"), "") << h.because;
    EXPECT_EQ(h.Do("done Blue"), in_front ? "CF-5.2" : "");
  }
}

// EX-5.5, 5.8: die, choice (or "" for none) and the unit's control afterwards.
Control Tested(Game& g, int unit, int die, const std::string& choice) {
  g.Start(Phase::kCommand);
  EXPECT_EQ(g.Do("done Blue"), "") << g.because;
  EXPECT_EQ(g.Do("dice " + std::to_string(die)), "") << g.because;
  if (!choice.empty()) {
    EXPECT_EQ(g.Do("choose " + choice), "") << g.because;
  }
  return At(g.s, unit).As<Control>(Of::kControl);
}

TEST(CloseFireControl,
     ControlTestResults) {  // EX-5.5.1 EX-5.5.2 EX-5.5.3 EX-5.5.4 EX-5.5.5 EX-5.7.1 EX-5.7.2
  {
    Game g;
    EXPECT_EQ(Tested(g, g.Foot(kBlue, Grade::kC, 4, {500, 500}, N), 3, ""), Control::kFree);
  }
  {
    Game g;
    const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Put(foot, Of::kLastSet, SetIndex({Die::kAverage, Die::kD6}));
    g.Put(foot, Of::kLastKind, LastMove::kAhead);
    EXPECT_EQ(Tested(g, foot, 5, ""), Control::kRepeats);
    g.s.phase = Phase::kMovement;
    g.s.to_act = kBlue;
    EXPECT_EQ(g.Do("roll B0 avd"), "CF-5.7");
    EXPECT_EQ(g.Do("roll B0 avd+d6"), "");
  }
  {
    Game g;  // guns that stood still halt
    const int gun = g.Gun(kBlue, GunClass::kField, {500, 500}, N);
    EXPECT_EQ(Tested(g, gun, 6, "+0"), Control::kHalted);
  }
  {
    Game g;
    EXPECT_EQ(Tested(g, g.Foot(kBlue, Grade::kB, 4, {500, 500}, N), 2, "+1"), Control::kFree);
  }
  for (const auto& [die, stops] : {std::pair{5, true}, std::pair{6, false}}) {
    Game g;
    const int horse = g.Horse(kBlue, Grade::kA, 4, {500, 500}, N);
    const int general = g.Leader(kBlue, Rank::kGeneral, {100, 100});
    g.Commands(general, horse);
    g.Attach(general, horse);
    g.Put(horse, Of::kStatus, Conduct::kPursuing);
    g.Put(horse, Of::kWantsStop, 1);
    EXPECT_EQ(Tested(g, horse, die, "-2"), stops ? Control::kFree : Control::kContinues);
  }
}

TEST(CloseFireControl, HaltedUnitMayFaceAThreat) {  // EX-5.6.1 EX-5.6.2
  Game g;
  g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Horse(kBlue, Grade::kC, 4, {700, 500}, N);
  g.Horse(kRed, Grade::kC, 4, {700, 560}, S);
  g.Put(0, Of::kControl, Control::kHalted);
  g.Put(1, Of::kControl, Control::kHalted);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("form B0 line right"), "") << g.because;
  EXPECT_EQ(g.Do("roll B1 avd"), "CF-5.6");
  g.Start(Phase::kCharges);
  EXPECT_EQ(g.Do("charge B1 at R2 avd"), "CF-5.6");
  g.Start(Phase::kCharges, kRed);
  EXPECT_EQ(g.Do("charge R2 at B1 avd"), "");
  EXPECT_EQ(g.Do("done Red"), "");
  EXPECT_EQ(g.Do("done Blue"), "");
  EXPECT_EQ(g.Do("counter B1 avd"), "") << g.because;
}

TEST(CloseFireControl, ControlledUnitsThatStillTest) {  // EX-5.8.1 EX-5.8.2 EX-5.8.3 EX-5.8.4
  for (const auto& [die, stops] : {std::pair{2, true}, std::pair{1, false}, std::pair{4, false}}) {
    Game g;
    const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Put(foot, Of::kStatus, Conduct::kRouting);
    g.Put(foot, Of::kWantsStop, 1);
    EXPECT_EQ(Tested(g, foot, die, "") == Control::kFree, stops);
    EXPECT_EQ(g.Mood(foot), stops ? Conduct::kReady : Conduct::kRouting);
  }
  Game g;
  const int horse = g.Horse(kBlue, Grade::kD, 4, {500, 500}, N);
  g.Put(horse, Of::kMissed, SetIndex({Die::kAverage, Die::kAverage}));
  EXPECT_EQ(Tested(g, horse, 3, ""), Control::kFree);
}

// A unit that routs, pursues or loots tests only when its player says so.
TEST(CloseFireControl, StopAsksForAControlTest) {  // CF-5.8
  for (const Conduct mood : {Conduct::kRouting, Conduct::kPursuing, Conduct::kLooting}) {
    Game g;
    const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Put(foot, Of::kStatus, mood);
    g.Start(Phase::kCommand);
    Game silent = g;
    EXPECT_EQ(silent.Do("done Blue"), "");
    EXPECT_EQ(silent.Request(), "");
    EXPECT_EQ(silent.Mood(foot), mood);
    EXPECT_EQ(g.Do("stop B0"), "") << g.because;
    EXPECT_EQ(g.Mood(foot), mood) << "stopped before the test";
    EXPECT_EQ(g.Do("done Blue"), "");
    EXPECT_NE(g.Request().find("control test of foot B0"), std::string::npos) << g.Request();
    // Routers and pursuers add one.
    EXPECT_EQ(g.Do(mood == Conduct::kLooting ? "dice 3" : "dice 2"), "");
    EXPECT_EQ(g.Mood(foot), Conduct::kReady);
    EXPECT_TRUE(g.Told("it stops and may re-form"));
  }
  Game g;
  const int ready = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int enemy = g.Foot(kRed, Grade::kC, 4, {500, 900}, S);
  g.Put(enemy, Of::kStatus, Conduct::kRouting);
  g.Start(Phase::kCommand);
  EXPECT_EQ(g.Do("stop B0"), "CF-5.8");
  EXPECT_EQ(g.because, "foot B0 is neither routing, pursuing nor looting");
  EXPECT_EQ(g.Do("stop R1"), "CF-9.2");
  g.Put(ready, Of::kStatus, Conduct::kRouting);
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("stop B0"), "CF-9.2");
}

// Section 6. A B foot unit under a brigadier, hit as the lines say.
TEST(CloseFireControl, Looting) {  // CF-5.8
  Game g;
  Terrain town;
  town.town = town.rough = true;
  town.outline_yd = Box(400, 400, 600, 600);
  g.Ground(town);
  g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int away = g.Foot(kBlue, Grade::kC, 4, {1000, 500}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 1200}, S);
  g.Start(Phase::kMovement);
  const auto offered = [&](const std::string& line) {
    const std::vector<Choice> menu = Choices(g.s, kBlue);
    return std::any_of(menu.begin(), menu.end(), [&](const Choice& c) { return c.line == line; });
  };
  EXPECT_TRUE(offered("loot B0"));
  EXPECT_FALSE(offered("loot B1"));
  // A unit that has thrown its dice must complete its move first (CF-11.3).
  EXPECT_EQ(g.Do("roll B1 avd"), "");
  EXPECT_EQ(g.Do("dice 4"), "");
  EXPECT_EQ(g.Do("loot B1"), "CF-11.3");
  EXPECT_EQ(g.Do("loot B0"), "") << g.because;
  EXPECT_EQ(g.Mood(0), Conduct::kLooting);
  EXPECT_TRUE(IsUnformed(g.s, 0));
  EXPECT_TRUE(g.Told("B0 starts looting"));
  EXPECT_EQ(g.Do("roll B0 avd"), "CF-5.8");
  EXPECT_EQ(g.Do("loot B0"), "CF-5.8");
  EXPECT_EQ(g.Mood(away), Conduct::kReady);
  // It loots until a control test stops it. It lacks the +1 of routers and pursuers, so a four is
  // free.
  g.Start(Phase::kMusketry);
  EXPECT_EQ(g.Do("fire B0"), "CF-15.1");
  const auto stopped = [&](const char* die) {
    Game h = g;
    h.Start(Phase::kCommand);
    EXPECT_EQ(h.Do("stop B0"), "");
    EXPECT_EQ(h.Do("done Blue"), "");
    EXPECT_NE(h.Request().find("B0"), std::string::npos) << h.Request();
    EXPECT_EQ(h.Do(die), "");
    return h.Mood(0) == Conduct::kReady;
  };
  EXPECT_FALSE(stopped("dice 2"));
  EXPECT_TRUE(stopped("dice 4"));
  EXPECT_FALSE(stopped("dice 5"));
  g.Start(Phase::kCommand);
  EXPECT_EQ(g.Do("done Blue"), "");
  EXPECT_EQ(g.Do("dice 3"), "");  // of B1 alone
  EXPECT_EQ(g.Mood(0), Conduct::kLooting);
}

struct Risk {
  Game g;
  int foot, leader;
  std::vector<Event> events;
  Risk() {
    foot = g.Foot(kBlue, Grade::kC, 5, {500, 500}, N);
    leader = g.Leader(kBlue, Rank::kBrigadier, {500, 500});
    g.Commands(leader, foot);
    g.Attach(leader, foot);
    g.Start(Phase::kArtillery);
  }
};

TEST(CloseFireRisk, TestsOnceForFireAndOnceForCombat) {  // EX-6.1.1 EX-6.1.2 EX-6.1.3
  Risk t;
  Play play(t.g.s, t.events, {{{5}, -1, 0}, {{4}, -1, 0}}, false);
  play.RiskLeaders(t.foot, false);
  play.RiskLeaders(t.foot, false);  // no second test
  EXPECT_EQ(LeaderAt(t.g.s, t.leader)[By::kFireRisk], 1);
  play.RiskLeaders(t.foot, true);
  EXPECT_EQ(LeaderAt(t.g.s, t.leader)[By::kCombatRisk], 1);
  const std::size_t before = t.events.size();
  play.ManoeuvreDp(t.foot, 1, "CF-14.1", "wheeling");  // no test
  for (std::size_t i = before; i < t.events.size(); ++i) EXPECT_NE(t.events[i].clause, "CF-6.1");
}

TEST(CloseFireRisk, LeaderOfADestroyedUnitTests) {  // CF-6.1
  Game g;
  const int gun = g.Gun(kRed, GunClass::kHeavy, {500, 600}, S);
  const int foot = g.Foot(kBlue, Grade::kC, 1, {500, 500}, N);
  const int brigadier = g.Leader(kBlue, Rank::kBrigadier, {500, 500});
  g.Commands(brigadier, foot);
  g.Attach(brigadier, foot);
  g.Put(foot, Of::kDp, 1);
  g.Start(Phase::kArtillery, kRed);
  EXPECT_EQ(g.Do("fire R0"), "") << g.because;
  EXPECT_EQ(g.Do("dice 3"), "");  // 3 + 1 - 1 at close range: its only base is lost
  EXPECT_FALSE(At(g.s, foot).OnTable());
  EXPECT_EQ(g.Do("dice 1"), "") << "the risk to him";
  EXPECT_EQ(g.Do("dice 1"), "");
  EXPECT_EQ(LeaderAt(g.s, brigadier).Fate(), LeaderFate::kKilled);
  (void)gun;
}

TEST(CloseFireRisk, SeverityOfHits) {  // EX-6.2.1 EX-6.2.2 EX-6.2.3
  for (const auto& [wounded, die, wounds, gone] :
       {std::tuple{0, 3, 1, 0}, std::tuple{1, 2, 1, 1}, std::tuple{0, 5, 0, 0},
        std::tuple{0, 1, 0, 1}}) {
    Risk t;
    t.g.PutLeader(t.leader, By::kWounds, wounded);
    Play play(t.g.s, t.events, {{{1}, -1, 0}, {{static_cast<std::int8_t>(die)}, -1, 0}}, false);
    play.RiskLeaders(t.foot, true);
    EXPECT_EQ(LeaderAt(t.g.s, t.leader)[By::kGone], gone);
    if (gone == 0) {
      EXPECT_EQ(LeaderAt(t.g.s, t.leader)[By::kWounds], wounds);
    }
  }
}

TEST(CloseFireRisk, WoundedLeaders) {  // EX-6.3.1 EX-6.3.2
  Staff t;
  t.g.PutLeader(t.general, By::kWounds, 1);
  EXPECT_EQ(t.g.Do("attach L1 to B0"), "");
  EXPECT_EQ(t.g.Do("inspire L1"), "CF-6.3");
  Staff u;
  u.g.PutLeader(u.brigadier, By::kWounds, 1);
  u.g.Attach(u.brigadier, u.foot);
  u.g.Put(u.foot, Of::kDp, 1);
  EXPECT_EQ(u.g.Do("steady L3"), "CF-6.3");
  EXPECT_EQ(u.g.Do("ride L3 to 500 430"), "");
}

TEST(CloseFireRisk, LoneLeadersMayBeShotAt) {  // EX-6.4.1 EX-6.4.2
  for (const auto& [gap, allowed] : {std::pair{45.0, true}, std::pair{38.0, false}}) {
    Game g;
    g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    const int general = g.Leader(kRed, Rank::kGeneral, {500, 600});
    g.Foot(kRed, Grade::kC, 4, {500, 600 + gap}, S);
    g.Start(Phase::kMusketry);
    EXPECT_EQ(g.Do("snipe B0 at L0"), allowed ? "" : "CF-6.4") << g.because;
    if (!allowed) continue;
    EXPECT_EQ(g.Do("dice 5"), "");
    EXPECT_EQ(g.Do("dice 4"), "");
    EXPECT_EQ(LeaderAt(g.s, general)[By::kWounds], 1);
    EXPECT_EQ(g.Is(0, Of::kFired), 1);
  }
}

TEST(CloseFireRisk, CavalryCapturesLoneLeaders) {  // EX-6.5.1
  Game g;
  const int hussars = g.Hussars(kBlue, Grade::kC, 3, {500, 500}, N);
  const int rider = g.Leader(kRed, Rank::kGeneral, {500, 560});
  g.Start(Phase::kMovement);
  g.Put(hussars, Of::kRolled, 1);
  g.Put(hussars, Of::kAllowanceMilliYd, 60000);
  EXPECT_EQ(g.Do("go B0 to 500 547"), "") << g.because;
  EXPECT_EQ(LeaderAt(g.s, rider).Fate(), LeaderFate::kCaptured);
}

TEST(CloseFireRisk, CavalryCapturesALoneMessenger) {  // CF-6.5
  Game g;
  g.Horse(kBlue, Grade::kC, 3, {500, 500}, N);
  const int rider = g.Leader(kRed, Rank::kGeneral, {510, 540});
  g.Start(Phase::kMovement);
  EXPECT_EQ(g.Do("roll B0 avd+avd"), "");
  EXPECT_EQ(g.Do("dice 5 5"), "");
  EXPECT_EQ(g.Do("ahead B0 100"), "") << g.because;
  EXPECT_EQ(LeaderAt(g.s, rider).Fate(), LeaderFate::kCaptured);
}

TEST(CloseFireRoster, LeadersTurnCards) {  // CF-3.7
  for (const bool leader : {false, true}) {
    Game g;
    g.setup.settings.blinds = true;
    const int card = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Put(card, Of::kPresence, Presence::kHidden);
    g.Foot(kRed, Grade::kC, 4, {500, 800}, S);
    if (leader) g.Leader(kRed, Rank::kGeneral, {700, 800});
    g.Start(Phase::kArtillery, kRed);
    EXPECT_EQ(g.Do("done Red"), "");
    EXPECT_EQ(At(g.s, card).OnTable(), leader);
    EXPECT_EQ(g.ToldClause("CF-3.7"), leader);
  }
}

TEST(CloseFireCommand, AttachesOnContactWithTheUnit) {  // CF-4.2 CF-4.3
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 9, {500, 500}, N);
  const int brigadier = g.Leader(kBlue, Rank::kBrigadier, {305, 490});
  g.Commands(brigadier, foot);
  g.Foot(kRed, Grade::kC, 4, {305, 600}, S);
  g.Start(Phase::kCommand);
  // 195 yd to the middle of its front, 105 to its nearest base.
  EXPECT_EQ(g.Do("attach L0 to B0"), "") << g.because;
}

TEST(CloseFireTurn, OffersUnitsFromTheRight) {  // EX-9.3.1
  Game g;
  for (const double x : {100.0, 300.0, 500.0}) g.Gun(kBlue, GunClass::kField, {x, 400}, N, true);
  g.Start(Phase::kMovement);
  std::vector<std::string> order;
  for (const Choice& choice : Choices(g.s, kBlue))
    if (choice.line.starts_with("unlimber ")) order.push_back(choice.line);
  EXPECT_EQ(order, (std::vector<std::string>{"unlimber B2", "unlimber B1", "unlimber B0"}));
}

TEST(CloseFireTurn, Initiative) {  // EX-9.1.1 EX-9.1.2
  Game g;
  g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Leader(kBlue, Rank::kMarshal, {500, 100});
  g.setup.leaders[0].exceptional = true;
  g.Start(Phase::kInitiative);
  EXPECT_EQ(g.Do("initiative"), "");
  EXPECT_EQ(g.Do("dice 4 5"), "");  // 4 + 1 against 5: again
  EXPECT_EQ(g.Do("dice 4 4"), "");
  EXPECT_EQ(g.Do("choose second"), "");
  EXPECT_EQ(g.s.first, kRed);
  EXPECT_EQ(g.s.initiative, kBlue);
  EXPECT_EQ(g.s.phase, Phase::kArtillery);
}

TEST(CloseFireTurn, FireCountsAtOnce) {  // EX-9.2.1 EX-15.6.1
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int gun = g.Gun(kRed, GunClass::kField, {600, 610}, S);
  const int red = g.Foot(kRed, Grade::kC, 4, {500, 600}, S);
  g.Start(Phase::kArtillery, kRed);
  EXPECT_EQ(g.Do("fire R1 at B0"), "") << g.because;
  EXPECT_EQ(g.Do("dice 5"), "");
  EXPECT_EQ(g.Do("done Red"), "");
  EXPECT_EQ(g.Do("done Blue"), "");
  EXPECT_EQ(g.s.phase, Phase::kMusketry);
  EXPECT_EQ(g.Do("done Red"), "");
  const int dp = g.Dp(foot);
  EXPECT_GE(dp, 1);
  EXPECT_EQ(g.Do("fire B0 at R2"), "") << g.because;
  EXPECT_EQ(g.s.waiting->ask.dice.size(), static_cast<std::size_t>(4 - dp));
  (void)gun;
  (void)red;
}

TEST(CloseFireTurn, PlugBayonets) {  // EX-9.4.1 EX-9.4.2
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int horse = g.Horse(kRed, Grade::kC, 4, {500, 600}, S);
  g.setup.units[0].plug_bayonets = true;
  g.Start(Phase::kCommand);
  EXPECT_EQ(g.Do("fix B0"), "");
  g.s.phase = Phase::kMusketry;
  EXPECT_EQ(g.Do("fire B0 at R1"), "CF-9.4");
  g.Put(foot, Of::kFixed, 0);
  g.Put(foot, Of::kContactedByCavalry, 1);
  g.s.engaged = {{foot, horse}};
  Melee melee;
  melee.units[0] = {foot};
  melee.units[1] = {horse};
  EXPECT_TRUE(FighterOf(Field(g.s), foot, melee).unready);
  g.Put(foot, Of::kFixed, 1);
  EXPECT_FALSE(FighterOf(Field(g.s), foot, melee).unready);
}

}  // namespace
}  // namespace fos::closefire::test
