// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "tests/support/closefire_game.h"

// Worked examples of sections 15 to 17.
namespace fos::closefire::test {
namespace {

TEST(CloseFireFire, WhoMayFire) {  // EX-15.1.1 EX-15.1.2
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  g.s.units[0].bases.Edit()[0].pike = true;
  g.Foot(kRed, Grade::kC, 4, {500, 600}, S);
  g.Start(Phase::kMusketry);
  EXPECT_EQ(g.Do("fire B0 at R1"), "");
  EXPECT_EQ(g.s.waiting->ask.dice.size(), 3u);
  Game h;
  h.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  h.Foot(kRed, Grade::kC, 4, {500, 600}, S);
  h.Put(0, Of::kStatus, Conduct::kRetiring);
  h.Start(Phase::kMusketry);
  EXPECT_EQ(h.Do("fire B0 at R1"), "CF-15.1");
  (void)foot;
}

TEST(CloseFireFire, OnlyControlledGunsChooseTheirTarget) {  // EX-15.2.1 EX-15.2.2 EX-15.2.3
  Game g;
  g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int gun = g.Gun(kBlue, GunClass::kField, {700, 500}, N);
  g.Foot(kRed, Grade::kC, 2, {480, 570}, S);
  g.Foot(kRed, Grade::kC, 2, {560, 600}, S);
  g.Foot(kRed, Grade::kC, 2, {700, 570}, S);
  g.Foot(kRed, Grade::kC, 2, {760, 600}, S);
  g.Start(Phase::kMusketry);
  EXPECT_EQ(g.Do("fire B0 at R3"), "CF-15.2");
  EXPECT_EQ(g.Do("fire B0 at R2"), "");
  g.Start(Phase::kArtillery);
  g.s.waiting.reset();
  EXPECT_EQ(g.Do("fire B1 at R5"), "CF-15.2");
  const int leader = g.Leader(kBlue, Rank::kBrigadier, {700, 480});
  g.Commands(leader, gun);
  EXPECT_EQ(g.Do("fire B1 at R5"), "");
  Game h;
  h.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  h.Foot(kRed, Grade::kC, 2, {500, 535}, S);
  h.Horse(kRed, Grade::kC, 2, {540, 590}, S);
  h.Start(Phase::kMusketry);
  EXPECT_EQ(h.Do("fire B0 at R2"), "CF-15.2");
}

TEST(CloseFireFire, AbandonedGunsAreNotTargets) {  // CF-15.2
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int gun = g.Gun(kRed, GunClass::kField, {500, 530}, S);
  const int enemy = g.Foot(kRed, Grade::kC, 4, {500, 590}, S);
  g.Put(gun, Of::kCrew, Crew::kAway);
  g.Start(Phase::kMusketry);
  ASSERT_EQ(TargetsOf(Field(g.s), foot).size(), 1u);
  EXPECT_EQ(TargetsOf(Field(g.s), foot)[0].unit, enemy);
  g.Put(gun, Of::kCrew, Crew::kServing);
  EXPECT_TRUE(TargetsOf(Field(g.s), foot).empty());  // it is in close fire
}

TEST(CloseFireMusketry, WallIsHardCoverButNotFieldworks) {  // CF-17.3 CF-20.3
  Game g;
  const int firer = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int target = g.Foot(kRed, Grade::kC, 4, {500, 600}, S);
  Terrain wall;
  wall.hard_cover = wall.obstacle = true;
  wall.outline_yd = Box(400, 594, 600, 598);
  g.Ground(wall);
  const Field field(g.s);
  EXPECT_TRUE(field.HardCoverAgainst(target, firer));
  EXPECT_FALSE(field.HardCoverAgainst(firer, target));
  EXPECT_EQ(field.WorksAgainst(target, firer), 0);
}

TEST(CloseFireFire, BasesNearFriendsAreSafe) {  // EX-15.3.1
  Game g;
  g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Foot(kRed, Grade::kC, 2, {500, 600}, S);
  g.Foot(kBlue, Grade::kC, 4, {500, 637}, S);
  g.Start(Phase::kMusketry);
  EXPECT_EQ(g.Do("fire B0 at R1"), "CF-15.3");
}

// A gun, a unit between and a target: the refusal cites the clause that hides it.
TEST(CloseFireFire, RefusalsCiteWhatHidesTheTarget) {  // CF-7.1 CF-7.2 CF-7.3 CF-7.4 CF-15.2
  const auto refused = [](bool formed, bool wood, int level) {
    Game g;
    g.Gun(kBlue, GunClass::kField, {500, 500}, N);
    if (formed) {
      g.Foot(kBlue, Grade::kC, 4, {500, 530}, N);
    } else {
      g.Hussars(kBlue, Grade::kD, 4, {500, 530}, N);
    }
    g.Foot(kRed, Grade::kC, 2, {500, 700}, S);
    Terrain ground;
    ground.wood = wood;
    ground.level = level;
    ground.outline_yd = wood ? Box(400, 650, 600, 800) : Box(400, 400, 600, 505);
    g.Ground(ground);
    g.Start(Phase::kArtillery);
    return g.Do("fire B0 at R2");
  };
  EXPECT_EQ(refused(true, false, 0), "CF-7.1");
  EXPECT_EQ(refused(true, true, 0), "CF-7.2");
  EXPECT_EQ(refused(true, false, 1), "CF-7.3");  // the foot stand within 40 yd
  EXPECT_EQ(refused(false, false, 0), "CF-7.4");
}

TEST(CloseFireFire, ARulingSaysWhereDpsStop) {  // CF-8.1 CF-8.2
  Game g;
  g.Gun(kBlue, GunClass::kField, {500, 500}, N);
  const int foot = g.Foot(kRed, Grade::kC, 3, {500, 700}, S);
  g.Put(foot, Of::kDp, 3);
  g.Start(Phase::kArtillery);
  EXPECT_EQ(g.Do("fire B0 at R1"), "");
  EXPECT_EQ(g.Do("dice 6"), "");
  EXPECT_TRUE(g.Told("Foot R1 has 3 DPs, its limit: one more is a casualty."));
  EXPECT_EQ(g.Request(), "which base does foot R1 lose?");
  Game move;
  const int line = move.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  move.Put(line, Of::kDp, 3);
  move.Start(Phase::kMovement);
  EXPECT_EQ(move.Do("roll B0 avd+d6"), "");
  EXPECT_EQ(move.Do("dice 3 6"), "");
  EXPECT_TRUE(move.Told("Foot B0 has 3 DPs and takes no more for moving"));
  EXPECT_EQ(move.Dp(line), 3);
}

TEST(CloseFireFire, UnitWithoutDiceDoesNotFire) {  // EX-15.4.2 EX-17.1.2
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 3, {500, 500}, N);
  g.Foot(kRed, Grade::kC, 3, {500, 600}, S);
  g.Put(foot, Of::kDp, 3);
  g.Start(Phase::kMusketry);
  EXPECT_EQ(g.Do("fire B0 at R1"), "");
  EXPECT_FALSE(g.s.waiting.has_value());
  EXPECT_EQ(g.Is(foot, Of::kFired), 0);
  EXPECT_EQ(MusketDice(ShippedTables(), {3, 0, 3, false, false}), 0);
}

TEST(CloseFireFire, Ranges) {  // EX-15.5.1 EX-15.5.2 EX-15.5.3
  const Tables& book = ShippedTables();
  GunShot field;
  field.distance_yd = 480;
  EXPECT_EQ(GunSum(book, field, 4).Total(), 3);
  GunShot heavy;
  heavy.range_class = RangeClass::kHeavy;
  heavy.distance_yd = 360;
  EXPECT_EQ(GunSum(book, heavy, 4).Total(), 4);
  for (const auto& [gap, allowed] :
       {std::pair{40.0, false}, std::pair{41.0, true}, std::pair{121.0, false}}) {
    Game g;
    g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Foot(kRed, Grade::kC, 4, {500, 500 + gap}, S);
    g.Start(Phase::kMusketry);
    EXPECT_EQ(g.Do("fire B0 at R1") == "", allowed) << gap;
  }
}

TEST(CloseFireFire, RefusalsNameTheNearestAndACloseCall) {  // CF-1.3 CF-15.2 CF-15.5
  Game foot;
  foot.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  foot.Foot(kRed, Grade::kC, 4, {500, 540}, S);
  foot.Start(Phase::kMusketry);
  EXPECT_EQ(foot.Do("fire B0"), "CF-15.2");
  EXPECT_NE(foot.because.find("R1 is 40.0 yd away"), std::string::npos) << foot.because;
  EXPECT_NE(foot.because.find("a close call"), std::string::npos) << foot.because;
  Game gun;
  gun.Gun(kBlue, GunClass::kField, {500, 500}, N);
  gun.Foot(kRed, Grade::kC, 4, {500, 980.5}, S);
  gun.Foot(kRed, Grade::kC, 4, {800, 500}, W);
  gun.Start(Phase::kArtillery);
  EXPECT_EQ(gun.Do("fire B0 at R1"), "CF-1.4");
  EXPECT_NE(gun.because.find("outside its fire wedge"), std::string::npos) << gun.because;
  EXPECT_NE(gun.because.find("from its front it is "), std::string::npos) << gun.because;
  gun.Put(2, Of::kPresence, Presence::kDestroyed);
  EXPECT_EQ(gun.Do("fire B0"), "CF-15.5");
  EXPECT_NE(gun.because.find("480.5 yd measured, the limit is 480 yd"), std::string::npos)
      << gun.because;
}

TEST(CloseFireText, RulingsShowTheirSums) {  // CF-16.2 CF-17.4 CF-20.7
  Game foot;
  foot.Foot(kBlue, Grade::kC, 3, {500, 500}, N);
  foot.Foot(kRed, Grade::kC, 4, {500, 580}, S);
  foot.Start(Phase::kMusketry);
  EXPECT_EQ(foot.Do("fire B0"), "");
  EXPECT_EQ(foot.Do("dice 5 1 2"), "");
  EXPECT_TRUE(foot.Told("0 of 3 dice are a six: no hit."));
  Game gun;
  gun.Gun(kBlue, GunClass::kField, {500, 500}, N);
  gun.Foot(kRed, Grade::kC, 4, {500, 700}, S);
  gun.Start(Phase::kArtillery);
  EXPECT_EQ(gun.Do("fire B0"), "");
  EXPECT_EQ(gun.Do("dice 4"), "");
  EXPECT_TRUE(
      gun.Told("Field gun B0 fires at foot R1: die 4, new target -1 = 3; 0 DPs, no hit: 4 "
               "needed."));
  Game close;
  close.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  close.Foot(kRed, Grade::kC, 4, {500, 535}, S);
  close.Start(Phase::kCharges);
  for (const char* line : {"done Blue", "done Red", "dice 4", "dice 3"})
    EXPECT_EQ(close.Do(line), "") << close.because;
  EXPECT_TRUE(close.Told("Combat of foot B0 against foot R1: Blue 5, Red 4."));
  // A refusal says what would be allowed.
  foot.Start(Phase::kMovement);
  EXPECT_EQ(foot.Do("roll R1 avd"), "CF-9.2");
  Game move;
  move.Foot(kBlue, Grade::kC, 3, {500, 500}, N);
  move.Start(Phase::kMovement);
  EXPECT_EQ(move.Do("roll B0 avd+avd"), "CF-12.1");
  EXPECT_NE(move.because.find("its dice are 1 AvD or 1 AvD + 1 D6"), std::string::npos) << move.because;
}

TEST(CloseFireArtillery, GunThrowFactors) {  // EX-16.1.1 EX-16.1.2
  const Tables& book = ShippedTables();
  GunShot heavy;
  heavy.range_class = RangeClass::kHeavy;
  heavy.heavy = true;
  heavy.distance_yd = 300;
  heavy.new_target = true;
  EXPECT_EQ(GunSum(book, heavy, 4).Total(), 4);
  GunShot battalion;
  battalion.range_class = RangeClass::kBattalion;
  battalion.battalion = true;
  battalion.dp = 1;
  battalion.distance_yd = 200;
  battalion.same_target_and_range = true;
  EXPECT_EQ(GunSum(book, battalion, 5).Total(), 4);
}

TEST(CloseFireArtillery, GunResults) {  // EX-16.2.1 EX-16.2.2 EX-16.2.3 EX-16.2.4 EX-16.2.5
  const Tables& book = ShippedTables();
  GunShot far;
  far.distance_yd = 300;
  GunShot close;
  close.distance_yd = 100;
  EXPECT_EQ(GunDp(book, far, 4), 1);
  EXPECT_EQ(GunDp(book, far, 3), 0);
  EXPECT_EQ(GunDp(book, close, 3), 1);
  EXPECT_EQ(GunDp(book, close, 7), 2);
  EXPECT_EQ(GunDp(book, close, 1), 0);
}

TEST(CloseFireArtillery, BonusForSameTargetAndRange) {  // EX-16.3.1 EX-16.3.2 EX-16.3.3
  const auto factors = [](double remembered, bool other) {
    Game g;
    const int gun = g.Gun(kBlue, GunClass::kField, {500, 500}, N);
    const int a = g.Foot(kRed, Grade::kC, 4, {500, 500 + 250}, S);
    const int b = g.Foot(kRed, Grade::kC, 4, {700, 500 + 300}, S);
    g.Put(gun, Of::kTarget, (other ? b : a) + 1);
    g.Put(gun, Of::kTargetMilliYd, Milli(remembered));
    const Field field(g.s);
    return GunSum(ShippedTables(), ShotAt(field, gun, {a, 250, 1, 0, true, false}), 0).Total();
  };
  EXPECT_EQ(factors(250, false), 1 - 1);  // and beyond 240
  EXPECT_EQ(factors(215, false), -1);
  EXPECT_EQ(factors(250, true), -2);
}

TEST(CloseFireArtillery, Enfilade) {  // EX-16.4.1 EX-16.4.2
  Game g;
  const int line = g.Foot(kRed, Grade::kC, 4, {500, 500}, S);
  const Vec2 centre = Field(g.s).Centre(line);
  const auto gun_at = [&](double bearing) {
    const Vec2 at = centre + 300 * open_table::Ahead(bearing);
    const int gun = g.Gun(kBlue, GunClass::kField, at, 0);
    g.s.units[static_cast<std::size_t>(gun)].bases.Edit()[0].x = Milli(at.x);
    g.s.units[static_cast<std::size_t>(gun)].bases.Edit()[0].y = Milli(at.y);
    return gun;
  };
  const int near_axis = gun_at(80);
  const int off_axis = gun_at(120);
  EXPECT_TRUE(Field(g.s).Enfiladed(line, near_axis));
  EXPECT_FALSE(Field(g.s).Enfiladed(line, off_axis));
}

// A howitzer behind a wood.
struct Hidden {
  Game g;
  int howitzer, target, spotter;
  Hidden() {
    howitzer = g.Gun(kBlue, GunClass::kHowitzer, {500, 300}, N);
    Terrain wood;
    wood.wood = true;
    wood.outline_yd = Box(400, 400, 600, 420);
    g.Ground(wood);
    target = g.Foot(kRed, Grade::kC, 4, {500, 600}, S);
    spotter = g.Leader(kBlue, Rank::kBrigadier, {500, 480});
    g.Start(Phase::kArtillery);
  }
};

TEST(CloseFireArtillery, Indirect) {  // EX-16.5.1 EX-16.5.2 EX-16.5.3
  Hidden t;
  const int other = t.g.Foot(kRed, Grade::kC, 2, {500 + 40 + 50 + 20, 600}, S);
  EXPECT_EQ(t.g.Do("fire B0 at R1"), "") << t.g.because;
  EXPECT_EQ(t.g.Do("dice 6"), "");  // 6 - 1 new - 1 beyond 240 - 1 indirect = 3
  EXPECT_EQ(t.g.Dp(t.target) + t.g.Dp(other), 0);
  Hidden u;
  const int neighbour = u.g.Foot(kRed, Grade::kC, 2, {500 + 40 + 50 + 20, 600}, S);
  u.g.Put(u.howitzer, Of::kTarget, u.target + 1);
  u.g.Put(u.howitzer, Of::kTargetMilliYd, Milli(300));
  EXPECT_EQ(u.g.Do("fire B0 at R1"), "");
  EXPECT_EQ(u.g.Do("dice 5"), "");  // 5 + 1 - 1 - 1 = 4
  EXPECT_EQ(u.g.Do("dice 5"), "");
  EXPECT_EQ(u.g.Dp(neighbour), 1);
  EXPECT_EQ(u.g.Dp(u.target), 0);
  for (const auto& [die, dp] : {std::pair{2, 1}, std::pair{3, 0}}) {
    Hidden v;
    const int friends = v.g.Foot(kBlue, Grade::kC, 2, {500, 500}, N);
    EXPECT_EQ(v.g.Do("fire B0 at R1"), "");
    EXPECT_EQ(v.g.Do("dice 5"), "");
    EXPECT_EQ(v.g.Do("dice " + std::to_string(die)), "") << v.g.because;
    EXPECT_EQ(v.g.Dp(friends), dp);
  }
}

TEST(CloseFireArtillery, FourNeighboursHaveEqualChances) {  // CF-16.5
  Game g;
  const int howitzer = g.Gun(kBlue, GunClass::kHowitzer, {500, 500}, N);
  const int target = g.Foot(kRed, Grade::kC, 3, {500, 700}, S);
  for (const double x : {400.0, 440.0, 560.0, 600.0}) g.Foot(kRed, Grade::kC, 3, {x, 730}, S);
  Terrain hill;
  hill.level = 1;
  hill.outline_yd = Box(300, 560, 700, 600);
  g.Ground(hill);
  const int spotter = g.Leader(kBlue, Rank::kBrigadier, {500, 640});
  g.Commands(spotter, howitzer);
  g.Put(howitzer, Of::kTarget, target + 1);
  g.Start(Phase::kArtillery);
  EXPECT_EQ(g.Do("fire B0 at R1"), "") << g.because;
  EXPECT_EQ(g.Do("dice 6"), "");
  EXPECT_EQ(g.Do("dice 4"), "");  // it hits a neighbour
  EXPECT_EQ(g.Do("dice 5"), "");  // no neighbour has a five: thrown again
  EXPECT_EQ(g.Do("dice 6"), "");
  EXPECT_EQ(g.Do("dice 4"), "") << "the fourth";
  EXPECT_EQ(g.Dp(5), 1);
}

TEST(CloseFireMusketry, Dice) {  // EX-17.1.1 EX-17.2.1 EX-17.2.2 EX-17.3.1 EX-17.3.2 EX-17.3.3
  const Tables& book = ShippedTables();
  EXPECT_EQ(MusketDice(book, {5, 0, 2, false, false}), 3);
  EXPECT_EQ(MusketDice(book, {8, 2, 1, false, false}), 9);
  EXPECT_EQ(MusketDice(book, {5, 1, 1, false, false}), 5);
  EXPECT_EQ(MusketDice(book, {5, 0, 0, true, false}), 3);
  EXPECT_EQ(MusketDice(book, {5, 0, 0, true, true}), 2);
  EXPECT_EQ(MusketDice(book, {3, 0, 0, false, true}), 2);
}

TEST(CloseFireMusketry, NewStyleDiceByCommandStands) {  // CF-17.2
  Game g;
  UnitInfo two;
  two.new_style = true;
  two.parts = {4, 4};
  two.width_yd = 20;
  two.depth_yd = 15;
  const int foot = g.Add(two, 8, {500, 500}, N, Formation::kLine);
  g.Foot(kRed, Grade::kC, 2, {420, 560}, S);
  const Field field(g.s);
  const auto targets = TargetsOf(field, foot);
  ASSERT_EQ(targets.size(), 1u);
  EXPECT_LT(targets[0].stands, 8);
  EXPECT_EQ(VolleyAt(field, foot, targets[0]).extra, targets[0].command_stands);
}

TEST(CloseFireMusketry, AMergedUnitHasADieForEachBattalion) {  // CF-14.16 CF-17.2
  Game g;
  g.Foot(kBlue, Grade::kC, 4, {460, 500}, N, true);
  const int whole = g.Foot(kBlue, Grade::kC, 4, {540, 500}, N, true);
  g.Start(Phase::kMovement);
  ASSERT_EQ(g.Do("merge B0 into B1"), "") << g.because;
  ASSERT_EQ(g.Bases(whole), 8);
  g.Foot(kRed, Grade::kC, 4, {540, 560}, S);
  const Field field(g.s);
  const auto targets = TargetsOf(field, whole);
  ASSERT_EQ(targets.size(), 1u);
  EXPECT_TRUE(targets[0].all_stands);
  EXPECT_EQ(VolleyAt(field, whole, targets[0]).extra, 2);
}

TEST(CloseFireMusketry, Sixes) {  // EX-17.4.1
  Game g;
  g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int red = g.Foot(kRed, Grade::kC, 4, {500, 600}, S);
  g.Start(Phase::kMusketry);
  EXPECT_EQ(g.Do("fire B0 at R1"), "");
  EXPECT_EQ(g.Do("dice 6 6 2 1"), "");
  EXPECT_EQ(g.Dp(red), 2);
}

TEST(CloseFireFire, OneBaseMustBeInRangeAndWedge) {  // CF-15.2 CF-17.1 CF-19.1
  // A column beside the right flank: within 40 yd but outside the wedge, and in the wedge beyond 40
  // yd.
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int column = g.Horse(kRed, Grade::kC, 6, {611, 611}, 20);
  g.s.units[1].bases = Arranged(g.s, column, Formation::kMarch, {611, 611}, 20, 1);
  g.Put(column, Of::kFormation, Formation::kMarch);
  const Field field(g.s);
  EXPECT_LT(field.Gap(foot, column), 40);
  EXPECT_TRUE(field.InFrontWedge(foot, column));
  EXPECT_FALSE(field.InFrontWithin(foot, column, 40));
  EXPECT_TRUE(CloseFirePairs(field).empty());
}

TEST(CloseFireFire, DiceAreItemised) {  // CF-17.1 CF-17.2 CF-17.3
  Volley volley;
  volley.stands = 8;
  volley.extra = 2;
  volley.dp = 1;
  EXPECT_EQ(VolleyText(ShippedTables(), volley),
            "stands 8, new-style battalions +2, disorder -1 = 9");
  volley.hard_cover = volley.dragoons = true;
  EXPECT_EQ(VolleyText(ShippedTables(), volley),
            "stands 8, new-style battalions +2, disorder -1 = 9; halved for hard cover: 5; halved "
            "for dragoons on foot: 3");
  EXPECT_EQ(AllowanceText(ShippedTables(), {{4, 6}, true, true, true}),
            "40 + 60, inspired +20, rough -20, first fast move +20");
}

TEST(CloseFireFire, FootInCloseFireCannotShootAtLeaders) {  // CF-6.4 CF-15.2
  for (const auto& [gap, refused] : {std::pair{35.0, true}, std::pair{90.0, false}}) {
    Game g;
    const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
    g.Foot(kRed, Grade::kC, 2, {480, 500 + gap}, S);
    const int leader = g.Leader(kRed, Rank::kGeneral, {560, 580});
    g.Start(Phase::kMusketry);
    EXPECT_EQ(MayNotSnipe(Field(g.s), foot, leader).has_value(), refused) << gap;
  }
}

TEST(CloseFireFire, OfTwoEnemiesEquallyNearEitherIsTheNearest) {  // CF-15.2
  for (const int target : {1, 2}) {
    Game g;
    g.Foot(kBlue, Grade::kC, 3, {500, 500}, N);
    g.Foot(kRed, Grade::kC, 3, {460, 600}, S);
    g.Foot(kRed, Grade::kC, 3, {540, 600}, S);
    g.Start(Phase::kMusketry);
    EXPECT_EQ(g.Do(fmt::format("fire B0 at R{}", target)), "") << g.because;
  }
}

}  // namespace
}  // namespace fos::closefire::test
