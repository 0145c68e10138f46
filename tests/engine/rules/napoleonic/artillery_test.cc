// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "engine/rules/napoleonic/artillery.h"
#include "tests/support/napoleonic_game.h"

// Worked examples EX-3A to EX-3H of the catalogue, one test each.
namespace fos::napoleonic::test {
namespace {

// A shot that comes to rest far from everything.
void Miss(Game& g) { ASSERT_EQ(g.Lands(1, 1, {}), ""); }

// The number of shots of a kind that the battery's guns may still call at a square.
int ShotsLeft(Game& g, const std::vector<PieceNo>& guns, ShotKind kind, std::string_view target) {
  int shots = 0;
  for (bool fired = true; fired;) {
    fired = false;
    for (const PieceNo gun : guns) {
      if (!g.Shoot(gun, kind, target).empty()) continue;
      EXPECT_EQ(g.Lands(1, 1, {}), "");
      ++shots;
      fired = true;
    }
  }
  return shots;
}

TEST(NapoleonicArtillery, AGunDestroyedInTheStepStillFires) {  // EX-3A.1
  Game g;
  const PieceNo red_gun = g.Gun(kRed, "foot_gun", "G9");
  const PieceNo red_crew = g.Unit(kRed, "foot_crew", 1, "G9");
  g.Unit(kRed, "line_infantry", 4, "A12");
  const PieceNo blue_gun = g.Gun(kBlue, "foot_gun", "G3");
  g.Unit(kBlue, "foot_crew", 2, "G3");
  g.Start();
  EXPECT_EQ(g.Shoot(blue_gun, ShotKind::kField, "G9"), "");
  EXPECT_EQ(g.Lands(26, 34, {{g.Stand(red_crew), 300, 0}}, {{red_gun, 0, 0}}), "");
  EXPECT_EQ(g.WhereIs(red_gun), "gone");
  EXPECT_EQ(g.Left(red_crew), 0);
  EXPECT_EQ(g.Shoot(red_gun, ShotKind::kField, "G3"), "");
}

TEST(NapoleonicArtillery, StandsLostToArtilleryThrowNoDice) {  // EX-3A.2
  Game g;
  const PieceNo blue = g.Unit(kBlue, "line_infantry", 4, "D4");
  const PieceNo red = g.Unit(kRed, "line_infantry", 4, "D5");
  const PieceNo gun = g.Gun(kRed, "foot_gun", "D9");
  g.Unit(kRed, "foot_crew", 2, "D9");
  const PieceNo horse_gun = g.Gun(kRed, "horse_gun", "F9");
  g.Unit(kRed, "mounted_crew", 1, "F9");
  g.Start();
  for (const auto& [piece, kind] :
       {std::pair{gun, ShotKind::kField}, {horse_gun, ShotKind::kHorse}}) {
    ASSERT_EQ(g.Shoot(piece, kind, "D4"), "") << g.because;
    ASSERT_EQ(g.Lands(14, 14, {{g.Stand(blue), 200, 0}}), "");
  }
  EXPECT_EQ(g.Left(blue), 2);
  g.To(Step::kMusketry);
  ASSERT_EQ(g.Fire(blue, "D5"), "");
  EXPECT_EQ(g.s.volleys.front().dice, 2);
  (void)red;
}

// A battery in D3 facing north, some of it lost, with `crew` foot crew stands.
struct BatteryIn {
  Game g;
  std::vector<PieceNo> guns;
  BatteryIn(int gun_count, bool wagon, int crew, const char* mover = "foot_crew") {
    const int battery = g.Battery(kBlue);
    for (int i = 0; i < gun_count; ++i) guns.push_back(g.Gun(kBlue, "foot_gun", "D3", battery));
    if (wagon) g.Gun(kBlue, "supply_wagon", "D3", battery);
    g.Unit(kBlue, mover, crew, "D3");
    g.Unit(kRed, "line_infantry", 4, "D6");
    g.Start();
  }
  int Field() { return ShotsLeft(g, guns, ShotKind::kField, "D6"); }
  int Howitzer() { return ShotsLeft(g, guns, ShotKind::kHowitzer, "D6"); }
};

TEST(NapoleonicArtillery, ACompleteBatteryHasThreeShots) {  // NAP-3C
  BatteryIn b(2, true, 4);
  EXPECT_EQ(b.Field(), 2);
  EXPECT_EQ(b.Howitzer(), 1);
}

TEST(NapoleonicArtillery, OneCrewMansOneGun) {  // EX-3B.1
  BatteryIn b(2, true, 1);
  EXPECT_EQ(b.Field(), 1);
  EXPECT_EQ(b.Howitzer(), 1);
}

TEST(NapoleonicArtillery, InfantryDoesNotFireGuns) {  // EX-3B.2
  BatteryIn b(1, true, 4, "guards_infantry");
  EXPECT_EQ(b.g.Shoot(b.guns[0], ShotKind::kField, "D6"), "NAP-3B");
  EXPECT_EQ(b.Field() + b.Howitzer(), 0);
}

TEST(NapoleonicArtillery, TwoGunsWithoutTheWagonHaveOneShotOfEachKind) {  // EX-3C.1
  BatteryIn b(2, false, 5);
  EXPECT_EQ(b.Field(), 1);
  EXPECT_EQ(b.Howitzer(), 1);
}

TEST(NapoleonicArtillery, OneGunWithTheWagonHasOneShotOfEachKind) {  // EX-3C.2
  BatteryIn b(1, true, 5);
  EXPECT_EQ(b.Field(), 1);
  EXPECT_EQ(b.Howitzer(), 1);
}

TEST(NapoleonicArtillery, OneGunAloneHasOneShotOfEitherKind) {  // EX-3C.3
  BatteryIn field(1, false, 5);
  EXPECT_EQ(field.Field(), 1);
  EXPECT_EQ(field.Howitzer(), 0);
  BatteryIn howitzer(1, false, 5);
  EXPECT_EQ(howitzer.Howitzer(), 1);
  EXPECT_EQ(howitzer.Field(), 0);
}

TEST(NapoleonicArtillery, AWagonAloneDoesNotFire) {  // EX-3C.4
  BatteryIn b(0, true, 5);
  EXPECT_TRUE(b.g.s.gun_rights.empty());
  EXPECT_EQ(b.g.Shoot(0, ShotKind::kField, "D6"), "NAP-3C");
}

TEST(NapoleonicArtillery, CapturedGunsPoolOnlyWhenDeclared) {  // NAP-3C
  for (const bool pooled : {false, true}) {
    Game g;
    const int own = g.Battery(kBlue);
    const int theirs = g.Battery(kRed);
    const PieceNo gun = g.Gun(kBlue, "foot_gun", "D3", own);
    g.Gun(kBlue, "supply_wagon", "D3", own);
    g.Unit(kBlue, "foot_crew", 4, "D3");
    const PieceNo captured = g.Gun(kRed, "foot_gun", "D3", theirs);
    g.setup.equipment.back().facing = N;
    g.Unit(kRed, "line_infantry", 4, "D6");
    g.Unit(kBlue, "line_infantry", 4, "D2");
    g.Start();
    ApplyTo(g.s, EquipmentTaken{captured, kBlue});
    if (pooled) {
      EXPECT_EQ(g.Do(Pool{kBlue, captured, own}), "NAP-3C");  // not in the artillery step
      g.To(Step::kEnd);
      EXPECT_EQ(g.Do(Pool{kBlue, captured, own}), "");
    }
    g.NextTurn();
    // Pooled, it is a complete battery: 2 and 1. Separate: 1 and 1, and one of either kind.
    EXPECT_EQ(ShotsLeft(g, {gun, captured}, ShotKind::kField, "D6"), 2);
    EXPECT_EQ(ShotsLeft(g, {gun, captured}, ShotKind::kHowitzer, "D6"), 1);
    EXPECT_EQ(g.s.battery_rights.size(), pooled ? 1u : 2u);
  }
}

TEST(NapoleonicArtillery, AHorseGunNeedsNoWagon) {  // EX-3D.1
  Game g;
  const int battery = g.Battery(kBlue);
  g.Gun(kBlue, "foot_gun", "D3", battery);
  const PieceNo horse = g.Gun(kBlue, "horse_gun", "D3");
  g.Unit(kBlue, "foot_crew", 4, "D3");
  g.Unit(kRed, "line_infantry", 4, "D6");
  g.Start();
  EXPECT_EQ(g.Shoot(horse, ShotKind::kField, "D6"), "NAP-3D");
  EXPECT_EQ(g.Shoot(horse, ShotKind::kHorse, "D6"), "");
  Miss(g);
  EXPECT_EQ(g.Shoot(horse, ShotKind::kHorse, "D6"), "NAP-3D");
}

// A field gun in C3 and friends in other squares: may it aim there?
std::string Aim(Facing facing, std::string_view target, const std::vector<std::string>& friends,
                ShotKind kind = ShotKind::kField) {
  Game g(12, 14);
  const int battery = g.Battery(kBlue);
  const PieceNo gun = g.Gun(kBlue, "foot_gun", "C3", battery);
  g.setup.equipment.back().facing = facing;
  g.Gun(kBlue, "supply_wagon", "C3", battery);
  g.Unit(kBlue, "foot_crew", 2, "C3");
  for (const std::string& square : friends) g.Unit(kBlue, "line_infantry", 4, square);
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  return g.Shoot(gun, kind, target);
}

TEST(NapoleonicArtillery, TheArcIncludesFortyFiveDegrees) {  // EX-3E.1
  EXPECT_EQ(Aim(N, "D5", {}), "");
  EXPECT_EQ(Aim(N, "F4", {}), "NAP-3E");
  EXPECT_EQ(Aim(N, "F6", {}), "");
}

TEST(NapoleonicArtillery, FriendsNextToTheGunScreen) {  // EX-3E.2
  EXPECT_EQ(Aim(N, "D5", {"C4"}), "NAP-3E");
  EXPECT_EQ(Aim(N, "D5", {"D4"}), "NAP-3E");
  EXPECT_EQ(Aim(N, "D5", {"D6"}), "");
}

TEST(NapoleonicArtillery, OnADiagonalOnlyTheDiagonalScreens) {  // EX-3E.3
  EXPECT_EQ(Aim(NE, "E5", {"C4", "D3"}), "");
  EXPECT_EQ(Aim(NE, "E5", {"D4"}), "NAP-3E");
}

TEST(NapoleonicArtillery, RangesOfGunAndHowitzer) {  // EX-3E.4
  EXPECT_EQ(Aim(N, "C12", {}), "NAP-3E");
  EXPECT_EQ(Aim(N, "C11", {}), "");
  EXPECT_EQ(Aim(N, "C9", {}, ShotKind::kHowitzer), "");
  EXPECT_EQ(Aim(N, "C10", {}, ShotKind::kHowitzer), "NAP-3E");
}

// A Blue shot is called at E6, which holds two Red stands.
struct ShotAtE6 {
  Game g;
  PieceNo red;
  explicit ShotAtE6(ShotKind kind = ShotKind::kField, bool wood = false) {
    if (wood) g.Wood("E6");
    const int battery = g.Battery(kBlue);
    const PieceNo gun = g.Gun(kBlue, "foot_gun", "E2", battery);
    g.Gun(kBlue, "supply_wagon", "E2", battery);
    g.Unit(kBlue, "foot_crew", 2, "E2");
    red = g.Unit(kRed, "line_infantry", 2, "E6");
    g.Unit(kRed, "line_infantry", 4, "L12");
    g.Start();
    EXPECT_EQ(g.Shoot(gun, kind, "E6"), "");
  }
};
// From a point to the footprints [16.5,17.7]x[22.0,22.6] and [18.3,19.5]x[22.0,22.6]: sqrt(0.3^2 +
// 0.6^2) at (18.0, 21.4), sqrt(0.3^2 + 1.1^2) at (18.0, 20.9), thousandths of an inch.
constexpr int kBothAt = 671;
constexpr int kBeyond = 1140;

TEST(NapoleonicArtillery, TheShooterPicksOneWithinTheCircle) {  // EX-3F.1
  ShotAtE6 t;
  const std::vector<PieceNo> red = t.g.Stands(t.red);
  EXPECT_EQ(t.g.Lands(18.0, 21.4, {{red[0], kBothAt, 0}, {red[1], kBothAt, 0}}), "");
  EXPECT_EQ(t.g.s.ask.kind, PendingInput::kShotStand);
  EXPECT_EQ(t.g.s.ask.side, kBlue);
  EXPECT_EQ(t.g.Do(ChooseStands{{red[0], red[1]}}), "NAP-3F");
  EXPECT_EQ(t.g.Do(ChooseStands{{red[1]}}), "");
  EXPECT_EQ(t.g.Stands(t.red), std::vector<PieceNo>{red[0]});
}

TEST(NapoleonicArtillery, BeyondOneInchNoStandIsLost) {  // EX-3F.2
  ShotAtE6 t;
  const std::vector<PieceNo> red = t.g.Stands(t.red);
  EXPECT_EQ(t.g.Lands(18.0, 20.9, {{red[0], kBeyond, 0}, {red[1], kBeyond, 0}}), "");
  EXPECT_EQ(t.g.Left(t.red), 2);
  EXPECT_FALSE(t.g.s.Waiting());
  ShotAtE6 exact;  // 1.000 counts, 1.001 does not
  const PieceNo first = exact.g.Stand(exact.red);
  EXPECT_EQ(exact.g.Lands(18.0, 21.0, {{first, 1000, 0}}), "");
  EXPECT_EQ(exact.g.Left(exact.red), 1);
  ShotAtE6 just_over;
  EXPECT_EQ(just_over.g.Lands(18.0, 21.0, {{first, 1001, 0}}), "");
  EXPECT_EQ(just_over.g.Left(just_over.red), 2);
  EXPECT_EQ(just_over.g.Count<CloseCall>(), 1);  // DEF-14
}

// A Red foot gun and two crew stands in F7, both within the circle.
struct ShotAtGun {
  Game g;
  PieceNo gun, crew;
  ShotAtGun() {
    gun = g.Gun(kRed, "foot_gun", "F7");
    crew = g.Unit(kRed, "foot_crew", 2, "F7");
    g.Unit(kRed, "line_infantry", 4, "L12");
    const PieceNo blue = g.Gun(kBlue, "foot_gun", "F2");
    g.Unit(kBlue, "foot_crew", 2, "F2");
    g.Start();
    EXPECT_EQ(g.Shoot(blue, ShotKind::kField, "F7"), "");
  }
  void Land(int gun_milli) {
    const std::vector<PieceNo> stands = g.Stands(crew);
    EXPECT_EQ(
        g.Lands(21.4, 25.5, {{stands[0], 700, 0}, {stands[1], 300, 0}}, {{gun, gun_milli, 0}}), "");
  }
};

TEST(NapoleonicArtillery, ATouchedGunIsLostWithItsNearestCrew) {  // EX-3F.3
  ShotAtGun t;
  const std::vector<PieceNo> crew = t.g.Stands(t.crew);
  t.Land(0);
  EXPECT_EQ(t.g.WhereIs(t.gun), "gone");
  EXPECT_EQ(t.g.Stands(t.crew), std::vector<PieceNo>{crew[0]});
  EXPECT_FALSE(t.g.s.Waiting());
}

TEST(NapoleonicArtillery, AnEighthOfAnInchTouches) {  // EX-3F.4
  ShotAtGun near_miss;
  near_miss.Land(200);
  EXPECT_EQ(near_miss.g.WhereIs(near_miss.gun), "F7");
  EXPECT_EQ(near_miss.g.s.ask.kind, PendingInput::kShotStand);
  EXPECT_EQ(near_miss.g.Do(ChooseStands{{near_miss.g.Stand(near_miss.crew)}}), "");
  EXPECT_EQ(near_miss.g.Left(near_miss.crew), 1);
  ShotAtGun touch;
  touch.Land(125);
  EXPECT_EQ(touch.g.WhereIs(touch.gun), "gone");
  ShotAtGun just_over;
  just_over.Land(126);
  EXPECT_EQ(just_over.g.WhereIs(just_over.gun), "F7");
}

TEST(NapoleonicArtillery, AShotIsMeasuredAndNeverDrawn) {  // NAP-GUN
  ShotAtE6 t;
  EXPECT_EQ(t.g.s.ask.kind, PendingInput::kFallOfShot);
  EXPECT_EQ(t.g.Do(Draw{}), "NAP-GUN");
  EXPECT_EQ(t.g.Lands(18, 21, {{9999, 0, 0}}), "NAP-3F");
  EXPECT_EQ(t.g.Lands(1, 1, {}), "");
}

TEST(NapoleonicArtillery, AShotOverWaterHasNoEffect) {  // NAP-3F
  ShotAtE6 t;
  ShotFacts facts;
  facts.over_water = true;
  facts.stands = {{t.g.Stand(t.red), 100, 0}};
  EXPECT_EQ(t.g.Do(Land{facts}), "");
  EXPECT_EQ(t.g.Left(t.red), 2);
}

TEST(NapoleonicArtillery, FriendsWithinTheCircleMayBeLostToo) {  // NAP-3F
  Game g;
  const PieceNo gun = g.Gun(kBlue, "foot_gun", "E2");
  g.Unit(kBlue, "foot_crew", 2, "E2");
  const PieceNo own = g.Unit(kBlue, "line_infantry", 4, "E5");
  g.Unit(kRed, "line_infantry", 4, "E6");
  g.Start();
  EXPECT_EQ(g.Shoot(gun, ShotKind::kField, "E6"), "");
  EXPECT_EQ(g.Lands(18, 19, {{g.Stand(own), 500, 0}}), "");
  EXPECT_EQ(g.Left(own), 3);
}

TEST(NapoleonicArtillery, AppliesTheSettingsOfTheShot) {  // NAP-3E, NAP-3F
  const auto play = [](auto&& change, double y, int stands_milli) {
    Game g(12, 14);
    change(g.setup.settings);
    const PieceNo gun = g.Gun(kBlue, "horse_gun", "E2");
    g.Unit(kBlue, "mounted_crew", 1, "E2");
    const PieceNo red = g.Unit(kRed, "line_infantry", 4, "E13");
    const PieceNo red_gun = g.Gun(kRed, "foot_gun", "E13");
    const PieceNo crew = g.Unit(kRed, "foot_crew", 2, "E13");
    g.Start();
    EXPECT_EQ(g.Shoot(gun, ShotKind::kHorse, "E6"), "");
    const auto s = g.Stands(red);
    EXPECT_EQ(
        g.Lands(18, y,
                {{s[0], stands_milli, 0}, {s[1], stands_milli / 2, 0}, {g.Stand(crew), 900, 0}},
                {{red_gun, stands_milli > 500 ? 0 : 900, 0}}),
        "");
    if (g.s.ask.kind == PendingInput::kShotStand) g.Do(ChooseStands{{s[0]}});
    return std::tuple{g.Left(red), StandsOf(g.s, red).front() == s[0], g.Left(crew)};
  };
  const auto as_shipped = [](Settings&) {};
  // Beyond the horse gun's 6 squares the shot counts, unless a setting excludes it.
  EXPECT_EQ(play(as_shipped, 50, 400), std::tuple(3, false, 2));
  EXPECT_EQ(play([](Settings& s) { s.overrange_counts = false; }, 50, 400), std::tuple(4, true, 2));
  EXPECT_EQ(play([](Settings& s) { s.shooter_chooses = false; }, 50, 400), std::tuple(3, true, 2));
  EXPECT_EQ(play([](Settings& s) { s.out_of_arc_counts = false; }, 1, 400), std::tuple(4, true, 2));
  EXPECT_EQ(play(as_shipped, 1, 400), std::tuple(3, false, 2));
  // A gun hit with its crew is the whole effect, unless a setting adds a stand.
  EXPECT_EQ(play(as_shipped, 50, 600), std::tuple(4, true, 1));
  EXPECT_EQ(play([](Settings& s) { s.gun_hit_extra_stand = true; }, 50, 600),
            std::tuple(3, false, 1));
}

TEST(NapoleonicArtillery, NothingScreensAHowitzer) {  // EX-3G.1
  EXPECT_EQ(Aim(N, "C7", {"C4"}, ShotKind::kHowitzer), "");
  EXPECT_EQ(Aim(N, "C7", {"C4"}, ShotKind::kField), "NAP-3E");
}

TEST(NapoleonicArtillery, AShellIsJudgedLikeASwab) {  // EX-3G.2
  ShotAtE6 t(ShotKind::kHowitzer);
  const std::vector<PieceNo> red = t.g.Stands(t.red);
  EXPECT_EQ(t.g.Lands(18.0, 21.4, {{red[0], kBothAt, 0}, {red[1], kBothAt, 0}}), "");
  EXPECT_EQ(t.g.Do(ChooseStands{{red[0]}}), "");
  EXPECT_EQ(t.g.Left(t.red), 1);
}

TEST(NapoleonicArtillery, TwoShotsOfCanister) {  // EX-3H.1
  Game g;
  g.FootBattery(kBlue, "E4");
  const PieceNo red = g.Unit(kRed, "line_infantry", 4, "E5");
  g.Unit(kRed, "line_infantry", 4, "L12");
  g.Start();
  EXPECT_EQ(g.Shoot(0, ShotKind::kField, "E6", true), "NAP-3H");
  EXPECT_EQ(g.Shoot(0, ShotKind::kField, "E5", true), "");
  EXPECT_EQ(g.Dice({1, 4, 6}), "");
  EXPECT_EQ(g.Left(red), 3);
  EXPECT_EQ(g.Shoot(1, ShotKind::kField, "E5", true), "");
  EXPECT_EQ(g.Dice({2, 2, 5}), "");
  EXPECT_EQ(g.Left(red), 1);
  EXPECT_EQ(g.Shoot(0, ShotKind::kHowitzer, "E5"), "");
}

TEST(NapoleonicArtillery, CanisterOnADiagonalUsesTheMiddleColumn) {  // EX-3H.2
  Game g;
  g.FootBattery(kBlue, "E4");
  const PieceNo red = g.Unit(kRed, "line_cavalry", 3, "F5");
  g.Start();
  EXPECT_EQ(g.Shoot(0, ShotKind::kField, "F5", true), "");
  EXPECT_EQ(g.Dice({1, 1, 3}), "");
  EXPECT_EQ(g.Left(red), 2);
}

TEST(NapoleonicArtillery, OneDieLessIntoWoods) {  // EX-3H.3
  Game g;
  g.Wood("E5");
  const PieceNo gun = g.Gun(kBlue, "horse_gun", "E4");
  g.Unit(kBlue, "mounted_crew", 1, "E4");
  g.Unit(kRed, "light_infantry", 3, "E5");
  g.Start();
  EXPECT_EQ(g.Shoot(gun, ShotKind::kHorse, "E5", true), "");
  EXPECT_EQ(g.s.ask.count, 1);
}

// Red attacks in turn 1. Blue's horse gun in E4 holds canister when Red cavalry comes.
struct Holding {
  Game g;
  PieceNo gun, crew, cavalry, guard;
  Holding(bool passed_counts = true) {
    g.setup.first_attacker = kRed;
    g.setup.settings.held_if_passed = passed_counts;
    gun = g.Gun(kBlue, "foot_gun", "E4");
    crew = g.Unit(kBlue, "foot_crew", 2, "E4");
    g.Unit(kBlue, "line_infantry", 4, "A1");
    cavalry = g.Unit(kRed, "line_cavalry", 3, "E7");
    guard = g.Unit(kRed, "guards_infantry", 4, "F6");
    g.Unit(kRed, "foot_crew", 2, "E12");
    g.Gun(kRed, "foot_gun", "E12");
    g.Start();
  }
};

TEST(NapoleonicArtillery, HeldCanisterMeetsACharge) {  // EX-3H.4
  Holding t;
  EXPECT_EQ(t.g.Do(HoldCanister{kBlue, t.gun, ShotKind::kField}), "");
  EXPECT_EQ(t.g.Shoot(t.gun, ShotKind::kField, "E7"), "NAP-3H");  // it cannot fire anything else
  t.g.To(Step::kMovement);
  EXPECT_EQ(t.g.MoveUnit(t.cavalry, "E6 E5 E4"), "");
  t.g.To(Step::kHeldCanister);
  EXPECT_EQ(t.g.Do(FireHeld{kBlue, t.gun, t.g.At("D5"), t.cavalry}), "NAP-3H");
  EXPECT_EQ(t.g.Do(FireHeld{kBlue, t.gun, t.g.At("E5"), t.cavalry}), "");
  EXPECT_EQ(t.g.Dice({1, 1, 4}), "");  // near: every 1 is a hit on line cavalry
  EXPECT_EQ(t.g.Left(t.cavalry), 1);
  EXPECT_EQ(t.g.s.step, Step::kMelee);
}

TEST(NapoleonicArtillery, HeldCanisterMayNeedTheEnemyToStop) {  // NAP-3H
  Holding t(/*passed_counts=*/false);
  EXPECT_EQ(t.g.Do(HoldCanister{kBlue, t.gun, ShotKind::kField}), "");
  t.g.To(Step::kMovement);
  EXPECT_EQ(t.g.MoveUnit(t.cavalry, "E6 E5 E4"), "");
  t.g.To(Step::kHeldCanister);
  EXPECT_EQ(t.g.Do(FireHeld{kBlue, t.gun, t.g.At("E5"), t.cavalry}), "NAP-3H");
}

TEST(NapoleonicArtillery, OnlyTheDefenderHoldsCanister) {  // NAP-3H
  Holding t;
  EXPECT_EQ(t.g.Do(HoldCanister{kRed, 1, ShotKind::kField}), "NAP-3H");
}

TEST(NapoleonicArtillery, ADestroyedGunLosesItsHeldShot) {  // EX-3H.5
  Holding t;
  EXPECT_EQ(t.g.Do(HoldCanister{kBlue, t.gun, ShotKind::kField}), "");
  EXPECT_EQ(t.g.Shoot(1, ShotKind::kField, "E4"), "");
  EXPECT_EQ(t.g.Lands(18, 14, {}, {{t.gun, 0, 0}}), "");
  EXPECT_EQ(t.g.WhereIs(t.gun), "gone");
  EXPECT_EQ(t.g.Shoot(t.gun, ShotKind::kField, "E7"), "NAP-3H");
  t.g.To(Step::kMovement);
  EXPECT_EQ(t.g.MoveUnit(t.cavalry, "E6 E5"), "");
  t.g.To(Step::kHeldCanister);
  EXPECT_EQ(t.g.Do(FireHeld{kBlue, t.gun, t.g.At("E5"), t.cavalry}), "NAP-3H");
}

TEST(NapoleonicArtillery, CanisterMayPoolDiceAndCountLaterShots) {  // NAP-3H
  Game g;
  g.setup.settings.pool_dice = true;
  g.setup.settings.canister_later_unit_bonus = true;
  g.FootBattery(kBlue, "E4");
  const PieceNo red = g.Unit(kRed, "line_cavalry", 3, "F5");
  g.Start();
  EXPECT_EQ(g.Shoot(0, ShotKind::kField, "F5", true), "");
  EXPECT_EQ(g.Dice({1, 4, 3}), "");  // a single 1 is half a pair and stays on the table
  EXPECT_EQ(g.Left(red), 3);
  EXPECT_EQ(g.Shoot(1, ShotKind::kField, "F5", true), "");
  EXPECT_EQ(g.s.ask.count, 4);
  EXPECT_EQ(g.Dice({1, 5, 6, 6}), "");
  EXPECT_EQ(g.Left(red), 2);
}

TEST(NapoleonicArtillery, ACrewStandServesOneHeldGun) {  // NAP-3B, NAP-3H
  Game g;
  const int battery = g.Battery(kBlue);
  const PieceNo first = g.Gun(kBlue, "foot_gun", "E4", battery);
  const PieceNo second = g.Gun(kBlue, "foot_gun", "E4", battery);
  const PieceNo crew = g.Unit(kBlue, "foot_crew", 2, "E4");
  const PieceNo cavalry = g.Unit(kRed, "line_cavalry", 3, "E7");
  const PieceNo infantry = g.Unit(kRed, "line_infantry", 4, "D5");
  const PieceNo red_gun = g.Gun(kRed, "foot_gun", "E10");
  g.Unit(kRed, "foot_crew", 1, "E10");
  g.Unit(kBlue, "line_infantry", 4, "A1");
  g.Start();
  g.NextTurn();  // Red attacks
  EXPECT_EQ(g.Do(HoldCanister{kBlue, first, ShotKind::kField}), "") << g.because;
  EXPECT_EQ(g.Do(HoldCanister{kBlue, second, ShotKind::kHowitzer}), "") << g.because;
  EXPECT_EQ(g.Shoot(red_gun, ShotKind::kField, "E4"), "");
  EXPECT_EQ(g.Lands(18, 14, {{g.Stand(crew), 0, 0}}), "");
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(cavalry, "E6 E5"), "");
  g.To(Step::kHeldCanister);
  EXPECT_EQ(g.Do(FireHeld{kBlue, first, g.At("E5"), cavalry}), "");
  EXPECT_EQ(g.Dice({6, 6, 6}), "");
  EXPECT_EQ(g.Do(FireHeld{kBlue, second, g.At("D5"), infantry}), "NAP-3B");
}

TEST(NapoleonicArtillery, HeldCanisterHitsAUnitThatForms) {  // NAP-3H
  Holding t;
  const PieceNo guard = t.guard;
  EXPECT_EQ(t.g.Do(HoldCanister{kBlue, t.gun, ShotKind::kField}), "");
  t.g.To(Step::kMovement);
  FormSquare form{kRed, t.g.At("E5"), 1, 1, {guard}, {}};
  const Facing facings[] = {N, E, S, W};
  for (std::size_t i = 0; i < 4; ++i)
    form.placements.push_back({t.g.Stands(guard)[i], t.g.At("E5"), facings[i]});
  EXPECT_EQ(t.g.Do(form), "") << t.g.because;
  t.g.To(Step::kHeldCanister);
  EXPECT_EQ(t.g.Do(FireHeld{kBlue, t.gun, t.g.At("E5"), guard}), "") << t.g.because;
}

TEST(NapoleonicArtillery, ABarelyTouchedGunIsACloseCall) {  // NAP-3F
  for (const auto& [milli_in, calls] : {std::pair{125, 1}, {175, 1}, {176, 0}, {74, 0}}) {
    ShotAtGun t;
    EXPECT_EQ(t.g.Lands(21.4, 25.5, {}, {{t.gun, milli_in, 500}}), "");
    EXPECT_EQ(t.g.Count<CloseCall>(), calls) << milli_in;
  }
}

}  // namespace
}  // namespace fos::napoleonic::test
