// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "engine/rules/ancient/movement.h"
#include "tests/support/ancient_game.h"

// Worked examples EX-M1 to EX-M4 of the catalogue.
namespace fos::ancient::test {
namespace {

TEST(AncientEnd, OneHeavyCavalryStandRidesHome) {  // EX-M1.1
  Game g;
  const PieceNo rider = g.Unit(kBlue, "heavy_cavalry", "E7", 1);
  const PieceNo prey = g.Unit(kRed, "light_infantry", "E8", 1);
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.Where(rider), "E3");
  EXPECT_EQ(g.MoveUnit(rider, "E4"), "ANC-M1");  // it may only go home
  EXPECT_EQ(g.Turn(rider, W), "");
  g.NextTurn();
  g.NextTurn();
  g.To(Step::kMovement);
  EXPECT_EQ(g.Where(rider), "off");
  EXPECT_EQ(g.Left(prey), 1);
}

TEST(AncientEnd, OneCompanionStandStaysFree) {  // EX-M1.2
  Game g;
  const PieceNo companion = g.Unit(kBlue, "macedonian_companions", "E7", 1);
  const PieceNo guards = g.Unit(kBlue, "guard_infantry", "C7", 1);
  g.Unit(kRed, "heavy_infantry", "E8");
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.Where(companion), "E7");
  EXPECT_EQ(g.Where(guards), "C7");
  EXPECT_EQ(g.MoveUnit(companion, "E8"), "");
}

TEST(AncientEnd, DetachmentsCountTogether) {  // ANC-M1
  Game g;
  const PieceNo light = g.Unit(kBlue, "light_cavalry", "E5", 2);
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveStands({g.Stand(light)}, "E6"), "");
  g.NextTurn();
  g.NextTurn();
  g.To(Step::kMovement);
  EXPECT_EQ(g.Left(light), 2);  // two detachments of one stand are one unit of two
  EXPECT_EQ(CellName(g.s, g.s.StandAt(g.Stand(light)).cell), "E6");
}

TEST(AncientEnd, ACommanderMayExemptThemAndACutOffStandMayStay) {  // ANC-M1
  for (const bool exempts : {false, true}) {
    Game g;
    g.setup.settings.commander_exempts = exempts;
    const PieceNo heavy = g.Unit(kBlue, "heavy_infantry", "E7", 1);
    g.Unit(kBlue, "commander", "E7");
    g.Bystanders();
    g.Start();
    g.To(Step::kMovement);
    EXPECT_EQ(g.Where(heavy), exempts ? "E7" : "E5");
  }
  for (const bool destroyed : {true, false}) {
    Game g;
    g.setup.settings.cut_off_destroyed = destroyed;
    const PieceNo heavy = g.Unit(kBlue, "heavy_infantry", "E5", 1);
    for (const char* square : {"D5", "D4", "E4", "F4", "F5"})
      g.Unit(kRed, "light_infantry", square);
    g.Unit(kRed, "heavy_infantry", "E6");
    g.Bystanders();
    g.Start();
    g.To(Step::kMovement);
    EXPECT_EQ(g.Where(heavy), destroyed ? "gone" : "E5");
    if (!destroyed) {
      EXPECT_EQ(g.MoveUnit(heavy, "E6"), "ANC-M1");
    }
  }
}

TEST(AncientEnd, OffTheBoardStillCounts) {  // EX-M2.1
  Game g;
  const PieceNo rider = g.Unit(kBlue, "light_cavalry", "E2", 1);
  g.Bystanders();
  g.Start();
  const int before = PointsOf(g.s, kBlue);
  g.To(Step::kMovement);
  EXPECT_EQ(g.Where(rider), "off");
  EXPECT_EQ(PointsOf(g.s, kBlue), before);
  EXPECT_EQ(before, 5 + 12);
}

TEST(AncientEnd, RidersDoNotStopForSingleFoot) {  // EX-M3.1
  Game g;
  const PieceNo riders = g.Unit(kBlue, "light_cavalry", "E3");
  const PieceNo first = g.Unit(kRed, "light_infantry", "E4", 1);
  const PieceNo second = g.Unit(kRed, "light_infantry", "E5", 1);
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(riders, "E4 E5 E6 E7 E8"), "");
  EXPECT_EQ(g.Where(riders), "E8");
  EXPECT_EQ(g.Where(first), "gone");
  EXPECT_EQ(g.Where(second), "gone");
  g.To(Step::kEnd);  // no melee
}

TEST(AncientEnd, StandsInAWoodAreNotRunDown) {  // EX-M3.2
  Game g;
  const PieceNo riders = g.Unit(kBlue, "light_cavalry", "E3");
  const PieceNo single = g.Unit(kRed, "light_infantry", "E4", 1);
  g.Wood("E4");
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(riders, "E4 E5"), "ANC-V4");
  EXPECT_EQ(g.MoveUnit(riders, "E4", {}, /*down=*/true), "ANC-M3");
  EXPECT_EQ(g.MoveUnit(riders, "E4"), "");
  EXPECT_EQ(g.Left(single), 1);
  g.To(Step::kAttackerSupport);  // a melee
}

TEST(AncientEnd, TwoStandsAreNotRunDown) {  // EX-M3.3
  Game g;
  const PieceNo riders = g.Unit(kBlue, "heavy_cavalry", "E3");
  g.Unit(kRed, "heavy_infantry", "E4", 1);
  g.Unit(kRed, "sub_commander", "E4");
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(riders, "E4", {}, /*down=*/true), "ANC-M3");
}

TEST(AncientEnd, OnlyRidersRunDownOnlyFoot) {  // ANC-M3
  const auto may = [](std::string_view mover, std::string_view prey) {
    Game g;
    const PieceNo unit = g.Unit(kBlue, mover, "E3");
    const PieceNo single = g.Unit(kRed, prey, "E4", 1);
    g.Bystanders();
    g.Start();
    g.To(Step::kMovement);
    if (TypeOfUnit(g.s, unit).arm == Arm::kElephant) {
      g.Do(Rouse{kBlue, unit});
      g.Dice({4});
    }
    const bool done = g.MoveUnit(unit, "E4", {}, /*down=*/true).empty();
    EXPECT_EQ(g.Where(single), done ? "gone" : "E4");
    return done;
  };
  for (const char* mover : {"heavy_cavalry", "chariots", "elephants"})
    EXPECT_TRUE(may(mover, "roman_legionary")) << mover;
  EXPECT_FALSE(may("heavy_infantry", "light_infantry"));
  EXPECT_FALSE(may("commander", "light_infantry"));
  EXPECT_TRUE(may("light_cavalry", "foot_crew"));
  EXPECT_FALSE(may("light_cavalry", "horse_crew"));
  EXPECT_FALSE(may("light_cavalry", "commander"));
  EXPECT_FALSE(may("light_cavalry", "chariots"));
}

TEST(AncientEnd, TakesOnlyTheCatapultWhereTheMoveEnds) {  // ANC-M3
  Game g;
  const PieceNo riders = g.Unit(kBlue, "light_cavalry", "E3");
  g.Unit(kRed, "foot_crew", "E4", 1);
  g.Unit(kRed, "foot_crew", "E6", 1);
  const PieceNo passed = g.Catapult(kRed, "heavy_catapult", "E4");
  const PieceNo taken = g.Catapult(kRed, "heavy_catapult", "E6");
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(riders, "E4 E5 E6", {}, /*down=*/true), "");
  EXPECT_EQ(g.s.EquipmentAt(passed).owner, kRed);
  EXPECT_EQ(g.s.EquipmentAt(taken).owner, kBlue);
}

TEST(AncientEnd, LimitsRunDownsAndNeedsAStandThere) {  // ANC-M3
  Game g;
  g.setup.settings.run_down_max = 1;
  const PieceNo riders = g.Unit(kBlue, "light_cavalry", "E3");
  g.Unit(kRed, "light_infantry", "E4", 1);
  g.Unit(kRed, "light_infantry", "E5", 1);
  g.Bystanders();
  g.Start();
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(riders, "D4", {}, /*down=*/true), "ANC-M3");
  EXPECT_EQ(g.MoveUnit(riders, "E4 E5 E6"), "ANC-M3");
  EXPECT_EQ(g.MoveUnit(riders, "E4 D5"), "");
}

TEST(AncientEnd, OneMoreTurnWhenTimeIsUp) {  // EX-M4.1
  Game g;
  g.Bystanders();
  g.Start();
  g.NextTurn();
  ASSERT_EQ(g.s.attacker, kRed);
  EXPECT_EQ(g.Do(TimeUp{}), "");
  EXPECT_EQ(g.Do(TimeUp{}), "ANC-M4");
  g.NextTurn();  // Red's turn ends, Blue's begins
  EXPECT_EQ(g.s.attacker, kBlue);
  g.To(Step::kOver);
  EXPECT_EQ(g.s.turn, 3);
  EXPECT_EQ(g.s.ending.reason, EndReason::kTime);
  EXPECT_EQ(g.s.ending.winner, kNobody);
  EXPECT_EQ(g.Do(EndStep{kBlue}), "ANC-M4");
}

TEST(AncientEnd, ASideThatConcedesOrIsDestroyedHasLost) {  // ANC-M4
  Game g;
  g.Unit(kBlue, "elephants", "B1");
  g.Bystanders();
  g.Start();
  EXPECT_EQ(g.Do(Concede{kBlue}), "");
  EXPECT_EQ(g.s.ending.winner, kRed);

  Game last;
  const PieceNo riders = last.Unit(kBlue, "light_cavalry", "E3");
  last.Unit(kRed, "light_infantry", "E4", 1);
  last.Start();
  last.To(Step::kMovement);
  EXPECT_EQ(last.MoveUnit(riders, "E4", {}, /*down=*/true), "");
  EXPECT_EQ(last.s.step, Step::kOver);
  EXPECT_EQ(last.s.ending.reason, EndReason::kDestroyed);
  EXPECT_EQ(last.s.ending.winner, kBlue);
}

TEST(AncientEnd, TurnLimitObjectivesAndCapturedCatapults) {  // ANC-M4
  for (const auto captured :
       {CapturedPoints::kCaptor, CapturedPoints::kOriginalOwner, CapturedPoints::kNeither}) {
    Game g;
    g.setup.settings.turn_limit = 1;
    g.setup.settings.captured = captured;
    g.setup.objectives.push_back({"hill", 30, g.Path("E5")});
    const PieceNo blue = g.Unit(kBlue, "heavy_infantry", "E4");
    g.Catapult(kRed, "heavy_catapult", "E5");
    g.Bystanders();
    g.Start();
    g.To(Step::kMovement);
    EXPECT_EQ(g.MoveUnit(blue, "E5"), "");
    g.To(Step::kOver);
    EXPECT_EQ(g.s.ending.points[0], 24 + 30 + (captured == CapturedPoints::kCaptor ? 8 : 0));
    EXPECT_EQ(g.s.ending.points[1], 12 + (captured == CapturedPoints::kOriginalOwner ? 8 : 0));
    EXPECT_EQ(g.s.ending.winner, kBlue);
  }
}

TEST(AncientEnd, AShotDueAtTheSameTimeIsStillTaken) {  // ANC-T, ANC-M4
  Game g;
  const PieceNo blue = g.Unit(kBlue, "horse_crew", "E3", 2);
  const PieceNo blue_catapult = g.Catapult(kBlue, "light_catapult", "E3");
  const PieceNo red = g.Unit(kRed, "horse_crew", "E7", 1);
  const PieceNo red_catapult = g.Catapult(kRed, "light_catapult", "E7");
  g.Start();
  const PieceNo man = g.Stand(red);
  EXPECT_EQ(g.Shoot(blue_catapult, g.Stand(blue), "E7"), "") << g.because;
  EXPECT_EQ(g.Lands(18, 26, {{man, 300}}), "");
  EXPECT_EQ(g.Left(red), 0);
  EXPECT_EQ(g.s.step, Step::kCatapults);
  EXPECT_EQ(g.Shoot(red_catapult, man, "E3"), "") << g.because;
  EXPECT_EQ(g.Lands(18, 10, {{g.Stand(blue), 300}}), "");
  EXPECT_EQ(g.Left(blue), 1);
  EXPECT_EQ(g.s.step, Step::kOver);
  EXPECT_EQ(g.s.ending.winner, kBlue);
}

TEST(AncientEnd, GuardsOfAnyKindStayFree) {  // ANC-M1
  for (const bool guards : {false, true}) {
    Game g;
    const PieceNo rider = g.Unit(kBlue, "heavy_cavalry", "E7", 1);
    g.setup.units.back().guards = guards;
    g.Unit(kRed, "light_infantry", "E8");
    g.Bystanders();
    g.Start();
    g.To(Step::kMovement);
    EXPECT_EQ(g.Where(rider), guards ? "E7" : "E3");
    EXPECT_EQ(g.MoveUnit(rider, guards ? "E8" : "E4"), guards ? "" : "ANC-M1");
  }
}

TEST(AncientEnd, ACatapultWithoutAStandCountsForNobody) {  // ANC-P7, ANC-M4
  for (const bool counts : {false, true}) {
    Game g;
    g.setup.settings.unmanned_counts = counts;
    const PieceNo crew = g.Unit(kBlue, "horse_crew", "E3", 1);  // 3 points
    g.Catapult(kBlue, "light_catapult", "E3");                  // 6 points
    g.Unit(kBlue, "heavy_infantry", "A1");                      // 12 points
    g.Unit(kRed, "heavy_infantry", "L12");
    g.Start();
    EXPECT_EQ(PointsOf(g.s, kBlue), 21);
    ApplyTo(g.s, StandLost{g.Stand(crew), LossCause::kMissiles});
    EXPECT_EQ(PointsOf(g.s, kBlue), counts ? 18 : 12);
  }
}

}  // namespace
}  // namespace fos::ancient::test
