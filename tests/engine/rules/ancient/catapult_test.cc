// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/catapults.h"

#include <gtest/gtest.h>

#include "tests/support/ancient_game.h"

// Worked examples EX-C1 to EX-C4 of the catalogue.
namespace fos::ancient::test {
namespace {

// Blue's catapult in C3 facing N, manned by its crew, and a Red target.
struct Battery {
  Game g;
  PieceNo crew = 0, catapult = 0;
  explicit Battery(std::string_view kind) {
    crew = g.Unit(kBlue, kind == "light_catapult" ? "horse_crew" : "foot_crew", "C3");
    catapult = g.Catapult(kBlue, kind, "C3");
    g.Unit(kRed, "heavy_infantry", "L12");
    g.Unit(kBlue, "heavy_infantry", "L1");
  }
  std::string At(std::string_view square) {
    const State before = g.s;
    const std::string answer = g.Shoot(catapult, g.Stand(crew), square);
    g.s = before;
    return answer;
  }
};

TEST(AncientCatapults, AStandThatMansACatapultIsBusy) {  // EX-C1.1
  Game g;
  const PieceNo light = g.Unit(kBlue, "light_infantry", "E4");
  const PieceNo catapult = g.Catapult(kBlue, "heavy_catapult", "E4");
  const PieceNo red = g.Unit(kRed, "heavy_infantry", "F5");
  const PieceNo attacker = g.Unit(kBlue, "heavy_infantry", "F4");
  g.Bystanders();
  g.Start();
  EXPECT_EQ(g.Shoot(catapult, g.Stand(light), "E7"), "");
  EXPECT_EQ(g.Lands(2, 2, {}), "");
  g.To(Step::kMissiles);
  EXPECT_EQ(g.DiceOf(light, "F5"), 2);
  g.Done(kBlue);
  g.Done(kRed);
  EXPECT_EQ(g.Dice({6, 6}), "");
  EXPECT_EQ(g.MoveUnit(light, "F5"), "ANC-C1");  // neither it nor its unit may charge
  EXPECT_EQ(g.MoveUnit(attacker, "F5"), "");
  g.To(Step::kAttackerSupport);
  EXPECT_EQ(g.Back(light, "F5"), "");
  EXPECT_EQ(g.s.melees.size(), 1u);
  int involved = 0;
  for (const PieceNo i : g.Stands(light)) involved += g.s.StandAt(i).melee >= 0;
  EXPECT_EQ(involved, 2);  // 2 x 0.5
  EXPECT_EQ(g.Left(red), 4);
}

TEST(AncientCatapults, ABusyStandFightsAtFullValueWhenAttacked) {  // EX-C1.1
  Game g;
  const PieceNo light = g.Unit(kRed, "light_infantry", "E5");
  const PieceNo catapult = g.Catapult(kRed, "heavy_catapult", "E5");
  const PieceNo blue = g.Unit(kBlue, "heavy_infantry", "E4");
  g.Bystanders();
  g.Start();
  EXPECT_EQ(g.Shoot(catapult, g.Stand(light), "E3"), "");
  EXPECT_EQ(g.Lands(2, 2, {}), "");
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(blue, "E5"), "");
  g.To(Step::kMelee);
  int involved = 0;
  for (const PieceNo i : g.Stands(light)) involved += g.s.StandAt(i).melee >= 0;
  EXPECT_EQ(involved, 3);  // 1.5
}

TEST(AncientCatapults, RidersCannotManACatapult) {  // EX-C1.2
  Game g;
  const PieceNo cavalry = g.Unit(kBlue, "light_cavalry", "E4");
  const PieceNo catapult = g.Catapult(kBlue, "light_catapult", "E4");
  const PieceNo commander = g.Unit(kBlue, "commander", "F4");
  g.Bystanders();
  g.Start();
  EXPECT_EQ(g.Shoot(catapult, g.Stand(cavalry), "E7"), "ANC-C1");
  EXPECT_EQ(g.Shoot(catapult, g.Stand(commander), "E7"), "ANC-C1");  // not in its square
  g.To(Step::kMovement);
  EXPECT_EQ(g.MoveUnit(commander, "E4"), "");
  g.NextTurn();
  EXPECT_EQ(g.Shoot(catapult, g.Stand(commander), "E7"), "");
}

TEST(AncientCatapults, OneStandMansOneCatapult) {  // ANC-C1
  Game g;
  const PieceNo crew = g.Unit(kBlue, "foot_crew", "E4", 1);
  const PieceNo first = g.Catapult(kBlue, "light_catapult", "E4");
  const PieceNo second = g.Catapult(kBlue, "heavy_catapult", "E4");
  g.Bystanders();
  g.Start();
  EXPECT_EQ(g.Shoot(first, g.Stand(crew), "E7"), "");
  EXPECT_EQ(g.Lands(2, 2, {}), "");
  EXPECT_EQ(g.Shoot(second, g.Stand(crew), "E7"), "ANC-C1");
}

TEST(AncientCatapults, AimsWithinFortyFiveDegreesOverAllScreens) {  // EX-C2.1
  Battery b("light_catapult");
  b.g.Unit(kBlue, "heavy_infantry", "C4");
  b.g.Start();
  EXPECT_EQ(b.At("D5"), "");
  EXPECT_EQ(b.At("F4"), "ANC-C2");
  EXPECT_EQ(b.At("C6"), "");  // over friends in C4
}

TEST(AncientCatapults, ALightCatapultReachesFourSquares) {  // EX-C3.1
  Battery b("light_catapult");
  b.g.setup.equipment.back().facing = NE;
  b.g.Start();
  EXPECT_EQ(b.At("C7"), "");
  EXPECT_EQ(b.At("E6"), "");
  EXPECT_EQ(b.At("F6"), "ANC-C3");  // 4.5
}

TEST(AncientCatapults, AHeavyCatapultReachesSixSquares) {  // EX-C3.2
  Battery north("heavy_catapult");
  north.g.Start();
  EXPECT_EQ(north.At("G7"), "");
  EXPECT_EQ(north.At("C10"), "ANC-C3");
  Battery north_east("heavy_catapult");
  north_east.g.setup.equipment.back().facing = NE;
  north_east.g.Start();
  EXPECT_EQ(north_east.At("G7"), "");
}

// ---- what the circle must reach ----------------------------------------------------------------

// Points in inches, in the model's frame placed on the table.
double Gap(ValidTarget target, const std::vector<Vec2>& points, Vec2 mark, bool segment = true) {
  return DistanceToTarget(target, points, segment, Pose2{}, {1.0, 2.5}, mark);
}

TEST(AncientCatapults, AChariotIsHitByItsAxle) {  // EX-C4.1
  const std::vector<Vec2> axle = {{18, 21}, {19, 21}};
  EXPECT_NEAR(Gap(ValidTarget::kAxle, axle, {18.5, 22.5}), 1.5, 1e-9);
  EXPECT_NEAR(Gap(ValidTarget::kAxle, axle, {18.5, 21.9}), 0.9, 1e-9);
}

TEST(AncientCatapults, TheAxleIsASegmentOrItsMidpoint) {  // EX-C4.2
  const std::vector<Vec2> axle = {{18, 21}, {19, 21}};
  EXPECT_NEAR(Gap(ValidTarget::kAxle, axle, {19.6, 21}), 0.6, 1e-9);
  EXPECT_NEAR(Gap(ValidTarget::kAxle, axle, {19.6, 21}, /*segment=*/false), 1.1, 1e-9);
}

TEST(AncientCatapults, AnElephantIsHitByEitherLeg) {  // EX-C4.3
  const std::vector<Vec2> legs = {{26, 30}, {27, 30}};
  EXPECT_NEAR(Gap(ValidTarget::kLegs, legs, {27.8, 30.6}), 1.0, 1e-9);
  EXPECT_NEAR(Gap(ValidTarget::kLegs, legs, {26.5, 29.0}), 1.118, 1e-3);  // between them
  EXPECT_EQ(ValidTargetOf(Book().types[static_cast<std::size_t>(Book().TypeOf("war_elephants"))]),
            ValidTarget::kLegs);
  EXPECT_EQ(ValidTargetOf(Book().types[static_cast<std::size_t>(Book().TypeOf("light_chariots"))]),
            ValidTarget::kAxle);
}

// Blue's heavy catapult shoots at E6.
struct Shooting {
  Game g;
  PieceNo crew = 0, catapult = 0;
  Shooting() {
    crew = g.Unit(kBlue, "foot_crew", "E2");
    catapult = g.Catapult(kBlue, "heavy_catapult", "E2");
    g.Bystanders();
  }
  void Start() {
    g.Start();
    ASSERT_EQ(g.Shoot(catapult, g.Stand(crew), "E6"), "");
  }
};

TEST(AncientCatapults, TheShooterChoosesOneTarget) {  // EX-C4.4
  Shooting f;
  const PieceNo heavy = f.g.Unit(kRed, "heavy_infantry", "E6");
  const PieceNo elephant = f.g.Unit(kRed, "elephants", "F6");
  f.Start();
  EXPECT_EQ(f.g.Lands(19.8, 22, {{f.g.Stand(heavy), 300}, {f.g.Stand(elephant), 900}}), "");
  EXPECT_TRUE(f.g.Asks(PendingInput::kShotPiece));
  EXPECT_EQ(f.g.Do(Choose{{f.g.Stand(heavy), f.g.Stand(elephant)}, {}}), "ANC-C4");
  EXPECT_EQ(f.g.Do(Choose{{f.g.Stand(elephant)}, {}}), "");
  EXPECT_EQ(f.g.Left(elephant), 0);
  EXPECT_EQ(f.g.Left(heavy), 4);
}

TEST(AncientCatapults, InWoodsTheMarkMustLieInTheSquare) {  // EX-C4.5
  Shooting f;
  f.g.Wood("E6");
  const PieceNo heavy = f.g.Unit(kRed, "heavy_infantry", "E6");
  f.Start();
  EXPECT_EQ(f.g.Lands(18, 19.8, {{f.g.Stand(heavy), 400}}), "");  // in E5
  EXPECT_EQ(f.g.Left(heavy), 4);
  f.g.NextTurn();
  ASSERT_EQ(f.g.Shoot(f.catapult, f.g.Stand(f.crew, 1), "E6"), "");
  EXPECT_EQ(f.g.Lands(18, 20.0, {{f.g.Stand(heavy), 400}}), "");  // on the line
  EXPECT_EQ(f.g.Left(heavy), 3);
}

TEST(AncientCatapults, AnInchIsInclusiveAndFriendsCount) {  // ANC-C4
  Shooting f;
  const PieceNo friends = f.g.Unit(kBlue, "heavy_infantry", "E5");
  const PieceNo red = f.g.Unit(kRed, "heavy_infantry", "E6");
  f.Start();
  EXPECT_EQ(f.g.Lands(18, 19, {{f.g.Stand(friends), 1000}, {f.g.Stand(red), 1001}}), "");
  EXPECT_EQ(f.g.Left(friends), 3);
  EXPECT_EQ(f.g.Left(red), 4);
  int close = 0;
  for (const Event& event : f.g.events) close += std::holds_alternative<CloseCall>(event);
  EXPECT_EQ(close, 2);
}

TEST(AncientCatapults, TheLandingSquareMayHaveToBeAValidTarget) {  // ANC-C4
  for (const bool must : {false, true}) {
    Shooting f;
    f.g.setup.settings.landing_must_be_valid = must;
    const PieceNo far = f.g.Unit(kRed, "heavy_infantry", "E9");  // range 6 ends at E8
    f.Start();
    EXPECT_EQ(f.g.Lands(18, 33, {{f.g.Stand(far), 0}}), "");
    EXPECT_EQ(f.g.Left(far), must ? 4 : 3);
  }
}

TEST(AncientCatapults, ShieldsDoNotCountAgainstCatapultsUnlessAgreed) {  // ANC-F4
  for (const bool only_missiles : {true, false}) {
    Shooting f;
    f.g.setup.settings.shields_only_missiles = only_missiles;
    const PieceNo archers = f.g.Unit(kRed, "assyrian_heavy_archers", "E6");
    f.Start();
    EXPECT_EQ(f.g.Lands(18, 19.8, {{f.g.Stand(archers), 400}}), "");
    EXPECT_EQ(f.g.Left(archers), only_missiles ? 2 : 3);
  }
}

TEST(AncientCatapults, AShotOffTheBoardHasNoEffect) {  // ANC-C4
  Shooting f;
  f.Start();
  ShotFacts facts;
  facts.off_board = true;
  EXPECT_EQ(f.g.Do(Land{facts}), "");
  EXPECT_FALSE(f.g.s.shot);
}

TEST(AncientCatapults, AStandIsNoNearerThanItsSquare) {  // ANC-C4
  Game g;
  const PieceNo crew = g.Unit(kBlue, "horse_crew", "C3");
  const PieceNo catapult = g.Catapult(kBlue, "light_catapult", "C3");
  const PieceNo far = g.Unit(kRed, "heavy_infantry", "E5");
  g.Bystanders();
  g.Start();
  EXPECT_EQ(g.Shoot(catapult, g.Stand(crew), "C6"), "");
  EXPECT_EQ(g.Lands(2, 2, {{g.Stand(far), 200}}), "ANC-C4");
  EXPECT_NE(g.because.find("E5"), std::string::npos) << g.because;
  EXPECT_EQ(g.Left(far), 4);
  EXPECT_EQ(g.Lands(15.5, 18, {{g.Stand(far), 200}}), "");  // it may overlap the line
  EXPECT_EQ(g.Left(far), 3);
}

}  // namespace
}  // namespace fos::ancient::test
