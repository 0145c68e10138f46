// SPDX-License-Identifier: MIT
#include "engine/shots/fall_of_shot.h"

#include <gtest/gtest.h>

namespace fos {
namespace {

Scenario SmallScenario() {
  Scenario scenario;
  scenario.ruleset = "napoleonic";
  scenario.kinds.push_back({"line_infantry", {1.2, 0.6}, 0.1, {}, 0.18, 1.1, false, {}});
  scenario.kinds.push_back({"foot_gun", {0.8, 1.5}, 0.1, {}, 0.18, 1.0, true, {}});
  return scenario;
}
ProjectileSpec Swab() {
  ProjectileSpec spec;
  spec.hit_radius_in = 1.0;
  spec.touch_radius_in = 0.125;
  return spec;
}
StandObservation Stand(const char* id, int kind, const Scenario& scenario, Vec2 centre) {
  StandObservation stand;
  stand.stand = {id};
  stand.kind = kind;
  stand.footprint = scenario.kinds[static_cast<std::size_t>(kind)].footprint;
  stand.table_from_stand = {centre, 0};
  return stand;
}
ShotVerdict Judge(Vec2 tip, const std::vector<StandObservation>& stands, const Scenario& scenario,
                  double sigma_in = 0) {
  ShotObservation shot;
  shot.point = tip;
  shot.point_cov = IsotropicCov(sigma_in);
  return JudgeShot(shot, stands, Swab(), scenario, {12, 9, 4.0}, {});
}

TEST(JudgeShot, TwoStandsInTheCircleAreAChoice) {  // NAP-3F, EX-3F.1
  const Scenario scenario = SmallScenario();
  const std::vector<StandObservation> stands = {Stand("a#1", 0, scenario, {17.1, 22.3}),
                                                Stand("a#2", 0, scenario, {18.9, 22.3})};
  const ShotVerdict verdict = Judge({18.0, 21.4}, stands, scenario);
  ASSERT_EQ(verdict.stands.size(), 2U);
  EXPECT_NEAR(verdict.stands[0].measured.gap.inches, 0.6708, 1e-4);
  EXPECT_EQ(verdict.casualties.size(), 2U);
  EXPECT_TRUE(verdict.choice);
  EXPECT_TRUE(Judge({18.0, 20.9}, stands, scenario).casualties.empty());  // EX-3F.2: 1.14 in
}

TEST(JudgeShot, DistanceOfExactlyTheRadiusCounts) {  // NAP-3F, Edge
  const Scenario scenario = SmallScenario();
  const std::vector<StandObservation> stands = {Stand("a#1", 0, scenario, {10, 10})};
  EXPECT_EQ(Judge({10, 11.3}, stands, scenario).stands[0].call, Call::kHit);
  EXPECT_EQ(Judge({10, 11.3001}, stands, scenario).stands[0].call, Call::kMiss);
}

TEST(JudgeShot, EquipmentMustBeTouched) {  // EX-3F.4
  const Scenario scenario = SmallScenario();
  const std::vector<StandObservation> stands = {Stand("g#1", 1, scenario, {21.4, 25.75})};
  EXPECT_EQ(Judge({22.0, 25.5}, stands, scenario).stands[0].call, Call::kMiss);  // 0.2 in beside it
  EXPECT_EQ(Judge({21.925, 25.5}, stands, scenario).stands[0].call, Call::kHit);  // 0.125 in
}

TEST(CallFor, CallsNothingWithoutAnyDoubtAllowed) {  // an untrusted table: contract, 4
  for (const double p : {0.0, 1e-300, 0.5, 1.0}) {
    EXPECT_EQ(CallFor(p, {.doubt = 0}), Call::kTooClose) << p;
  }
  EXPECT_EQ(CallFor(1, {.doubt = 0.001}), Call::kHit);
  EXPECT_EQ(CallFor(0, {.doubt = 0.001}), Call::kMiss);
}

TEST(JudgeShot, CallsTooCloseWithinTheUncertainty) {
  const Scenario scenario = SmallScenario();
  const std::vector<StandObservation> stands = {Stand("a#1", 0, scenario, {10, 10})};
  // The far half of 2.5 % is 1.96 sigma from the limit.
  EXPECT_EQ(Judge({10, 11.3 + 0.019}, stands, scenario, 0.01).stands[0].call, Call::kTooClose);
  EXPECT_EQ(Judge({10, 11.3 + 0.020}, stands, scenario, 0.01).stands[0].call, Call::kMiss);
  EXPECT_EQ(Judge({10, 11.3 - 0.019}, stands, scenario, 0.01).stands[0].call, Call::kTooClose);
  EXPECT_EQ(Judge({10, 11.3 - 0.020}, stands, scenario, 0.01).stands[0].call, Call::kHit);
}

TEST(JudgeShot, OnlyStandsWithinTwoAndAHalfInchesAreReported) {
  const Scenario scenario = SmallScenario();
  const std::vector<StandObservation> stands = {Stand("a#1", 0, scenario, {10, 10})};
  EXPECT_EQ(Judge({10, 12.79}, stands, scenario).stands.size(), 1U);
  EXPECT_TRUE(Judge({10, 12.81}, stands, scenario).stands.empty());
}

TEST(JudgeShot, GroundReportsWaterProtectionAndFire) {  // NAP-3F.1, NAP-6A, NAP-6C, NAP-6D
  Scenario scenario = SmallScenario();
  scenario.terrain.push_back({"river", {{0, 0}, {8, 0}, {8, 2}, {0, 2}}, 0, {}});
  scenario.terrain.push_back({"bridge", {{4, 0}, {5, 0}, {5, 2}, {4, 2}}, 0, {}});
  scenario.terrain.push_back({"wood",
                              {{12, 8}, {15, 8}, {15, 11}, {12, 11}},
                              0,
                              {{"tree", Circle{{13, 9}, 0.7}, {}, 2.2}}});
  EXPECT_TRUE(Judge({2, 1}, {}, scenario).ground.water);
  const GroundVerdict on_bridge = Judge({4.5, 1}, {}, scenario).ground;
  EXPECT_FALSE(on_bridge.water);
  EXPECT_FALSE(on_bridge.is_protected);
  EXPECT_EQ(on_bridge.burning_tests, std::vector<std::string>{"bridge"});
  const GroundVerdict in_wood = Judge({13.8, 9}, {}, scenario).ground;
  EXPECT_TRUE(in_wood.is_protected);
  EXPECT_EQ(in_wood.square, "D3");
  EXPECT_EQ(in_wood.burning_tests, std::vector<std::string>{"tree"});  // 0.1 in from its outline
  EXPECT_TRUE(Judge({13.9, 9}, {}, scenario).ground.burning_tests.empty());
}

}  // namespace
}  // namespace fos
