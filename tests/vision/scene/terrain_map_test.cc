// SPDX-License-Identifier: MIT
#include "vision/scene/terrain_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "vision/scene/terrain_view.h"

namespace fos {
namespace {

const SwabShape kSwab;

// One kind of stand, 1.5 x 0.75 in and 0.1 in thick; a hill 0.5 in high east of x = 20.
Scenario HillScenario() {
  Scenario scenario;
  KindSpec kind;
  kind.footprint = {1.5, 0.75};
  kind.thickness_in = 0.1;
  scenario.kinds = {kind};
  TerrainArea hill;
  hill.type = "hill";
  hill.height_in = 0.5;
  hill.polygon = {{20, 0}, {30, 0}, {30, 20}, {20, 20}};
  scenario.terrain = {hill};
  return scenario;
}

StandObservation StandAt(Vec2 centre, double heading_rad = 0, double ground_in = 0) {
  StandObservation stand;
  stand.table_from_stand = {centre, heading_rad};
  stand.footprint = {1.5, 0.75};
  stand.ground_in = ground_in;
  return stand;
}

double AxisAt(const SwabRest& rest, double t) {
  return rest.tip_in + t * (rest.tail_in - rest.tip_in);
}

TEST(TerrainMap, AddsABasesThicknessToTheHillUnderIt) {
  TerrainMap terrain(HillScenario());
  EXPECT_EQ(terrain.GroundAt({10, 10}), 0);
  EXPECT_EQ(terrain.GroundAt({25, 10}), 0.5);
  terrain.SetStands({StandAt({10, 10}), StandAt({25, 10}, std::numbers::pi / 2, 0.5)});
  EXPECT_EQ(terrain.GroundAt({10, 10}), 0) << "a base is no ground";
  EXPECT_DOUBLE_EQ(terrain.SupportAt({10, 10}), 0.1);
  EXPECT_DOUBLE_EQ(terrain.SupportAt({10.74, 10.37}), 0.1);
  EXPECT_EQ(terrain.SupportAt({10.76, 10}), 0);
  EXPECT_EQ(terrain.SupportAt({10, 10.38}), 0);
  EXPECT_DOUBLE_EQ(terrain.SupportAt({25, 10.7}), 0.6) << "turned a quarter: long side northward";
  EXPECT_DOUBLE_EQ(terrain.SupportAt({25.5, 10}), 0.5);
  terrain.SetStands({});
  EXPECT_EQ(terrain.SupportAt({10, 10}), 0) << "the stands are those seen last";
}

TEST(TerrainMap, UsesTheHigherOfTwoHills) {
  Scenario scenario = HillScenario();
  TerrainArea top = scenario.terrain[0];
  top.polygon = {{24, 4}, {28, 4}, {28, 8}, {24, 8}};
  top.height_in = 1.0;
  scenario.terrain.insert(scenario.terrain.begin(), top);
  const TerrainMap terrain(scenario);
  EXPECT_EQ(terrain.GroundAt({26, 6}), 1.0);
  EXPECT_EQ(terrain.GroundAt({22, 6}), 0.5);
}

TEST(TerrainMap, ObstaclesAreFiguresTreesAndHouses) {
  Scenario scenario = HillScenario();
  TerrainArea wood;
  wood.type = "wood";
  wood.polygon = {{0, 0}, {4, 0}, {4, 4}, {0, 4}};
  wood.objects = {{"tree", Circle{{1, 1}, 0.5}, {}, 2.0},
                  {"hedge", std::nullopt, {{2, 2}, {3, 2}, {3, 2.2}, {2, 2.2}}, 0.5},
                  {"fence", std::nullopt, {{0, 3}, {4, 3}}, 0.4}};
  TerrainArea house;
  house.type = "house";
  house.polygon = {{6, 6}, {8, 6}, {8, 8}, {6, 8}};
  house.height_in = 1.5;
  scenario.terrain.push_back(wood);
  scenario.terrain.push_back(house);
  TerrainMap terrain(scenario);
  terrain.SetStands({StandAt({12, 12})});
  EXPECT_TRUE(terrain.ObstacleAt({1.3, 1.3}));
  EXPECT_FALSE(terrain.ObstacleAt({1.4, 1.4})) << "half an inch about the trunk";
  EXPECT_TRUE(terrain.ObstacleAt({2.5, 2.1}));
  EXPECT_FALSE(terrain.ObstacleAt({2.5, 3})) << "two corners enclose nothing";
  EXPECT_TRUE(terrain.ObstacleAt({7, 7})) << "a house without objects is its own";
  EXPECT_TRUE(terrain.ObstacleAt({12, 12})) << "figures stand there";
  EXPECT_FALSE(terrain.ObstacleAt({25, 10})) << "a hill is what one lies on";
}

TEST(TerrainMap, WithinABoxTheObstaclesAreTheSame) {
  Scenario scenario = HillScenario();
  TerrainArea wood;
  wood.type = "wood";
  wood.polygon = {{0, 0}, {4, 0}, {4, 4}, {0, 4}};
  wood.objects = {{"tree", Circle{{1, 1}, 0.5}, {}, 2.0},
                  {"hedge", std::nullopt, {{2, 2}, {3, 2}, {3, 2.2}, {2, 2.2}}, 0.5}};
  scenario.terrain.push_back(wood);
  TerrainMap terrain(scenario);
  terrain.SetStands({StandAt({6, 2}), StandAt({4, 6}, 0.7), StandAt({20, 20})});
  terrain.SetUnknown({{{{8, 8}, {9, 8}, {9, 9}}, 0.3}});
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-1, 10);
  std::uniform_real_distribution<double> share(0, 1);
  int obstacles = 0;
  for (int i = 0; i < 300; ++i) {
    const TableBox box = BoundsOf({{place(random), place(random)}, {place(random), place(random)}});
    const TerrainMap within = terrain.Within(box);
    for (int k = 0; k < 100; ++k) {
      const Vec2 at{box.low.x + share(random) * (box.high.x - box.low.x),
                    box.low.y + share(random) * (box.high.y - box.low.y)};
      ASSERT_EQ(within.ObstacleAt(at), terrain.ObstacleAt(at)) << at.x << ", " << at.y;
      obstacles += within.ObstacleAt(at) ? 1 : 0;
    }
  }
  EXPECT_GT(obstacles, 1000);
  EXPECT_FALSE(terrain.Within({{0, 0}, {10, 10}}).ObstacleAt({20, 20})) << "it is left out";
}

TEST(RestOf, RestsOnTheCottonOfBothEndsOnFlatCloth) {
  const TerrainMap terrain(HillScenario());
  const SwabRest rest = RestOf(terrain, {5, 5}, {8, 5}, kSwab);
  EXPECT_NEAR(rest.tip_in, 0.11, 1e-12);
  EXPECT_NEAR(rest.tail_in, 0.11, 1e-12);
  EXPECT_FALSE(rest.leaning);
  EXPECT_FALSE(rest.doubtful);
}

TEST(RestOf, IsBoundedByTheHeightOfAnUnexplainedObject) {
  TerrainMap terrain{Scenario{}};
  terrain.SetUnknown({{{{4.5, 4.5}, {5.5, 4.5}, {5.5, 5.5}, {4.5, 5.5}}, 0.2}});
  const SwabRest rest = RestOf(terrain, {5, 5}, {8, 5}, kSwab);
  const SwabRest highest = HighestRestOf(terrain, {5, 5}, {8, 5}, kSwab);
  EXPECT_NEAR(rest.tip_in, kSwab.cotton_radius_in, 1e-9);
  EXPECT_TRUE(rest.doubtful);
  // Over its edge, half an inch from the tip: higher there by a fifth of what it is held up by.
  EXPECT_NEAR(highest.tip_in, 1.2 * 0.2 + kSwab.cotton_radius_in, 0.01);
  EXPECT_NEAR(highest.tail_in, kSwab.cotton_radius_in, 0.01);
}

TEST(RestOf, IsHigherByAHill) {
  const TerrainMap terrain(HillScenario());
  const SwabRest rest = RestOf(terrain, {23, 5}, {26, 5}, kSwab);
  EXPECT_NEAR(rest.tip_in, 0.61, 1e-12);
  EXPECT_NEAR(rest.tail_in, 0.61, 1e-12);
  EXPECT_FALSE(rest.leaning) << "level ground, only higher";
}

TEST(RestOf, RaisesATipOnABase) {
  TerrainMap terrain(HillScenario());
  // The base reaches a tenth of an inch under the tip.
  terrain.SetStands({StandAt({4.35, 5})});
  const SwabRest rest = RestOf(terrain, {5, 5}, {8, 5}, kSwab);
  EXPECT_NEAR(rest.tip_in, 0.21, 0.01);
  EXPECT_NEAR(rest.tail_in, 0.11, 0.001);
  EXPECT_TRUE(rest.leaning);
  EXPECT_TRUE(rest.doubtful) << "a figure may hold it up";
}

TEST(RestOf, RestsOnTheEdgeOfABaseItLiesAcross) {
  TerrainMap terrain(HillScenario());
  // Base from x = 4 to 5.5, swab from 5 to 8: the end of the cotton lies on the base's edge, and
  // the line from there to the other cotton's end rises a little beyond it.
  terrain.SetStands({StandAt({4.75, 5})});
  const SwabRest rest = RestOf(terrain, {5, 5}, {8, 5}, kSwab);
  // Through (0.5 in, 0.21) and (3 in, 0.11): 0.21 + 0.1 / 2.5 * 0.5.
  EXPECT_NEAR(rest.tip_in, 0.23, 0.003);
  EXPECT_NEAR(rest.tail_in, 0.11, 0.001);
}

TEST(RestOf, StaysOnAHillWhileItsMiddleIsOnIt) {
  const TerrainMap terrain(HillScenario());
  // An inch hangs over: carried by the stick at the edge and the other end's cotton.
  const SwabRest over = RestOf(terrain, {19, 5}, {22, 5}, kSwab);
  EXPECT_NEAR(AxisAt(over, 1.0 / 3), 0.55, 0.003);
  EXPECT_NEAR(AxisAt(over, 5.0 / 6), 0.61, 0.003);
  // Two inches hang over: the tip falls to the cloth and the stick leans on the edge.
  const SwabRest leaning = RestOf(terrain, {18, 5}, {21, 5}, kSwab);
  EXPECT_NEAR(leaning.tip_in, 0.11, 0.003);
  EXPECT_NEAR(AxisAt(leaning, 2.0 / 3), 0.55, 0.01);
  EXPECT_TRUE(over.leaning && leaning.leaning);
}

TEST(RestOf, NeitherIntersectsNorFloats) {
  // Wherever a base lies across it: no slice is inside what carries it, the middle could not be
  // lower, and nothing is higher than a lever over a base allows.
  std::mt19937 random(7);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / 4294967295.0;
  };
  for (int i = 0; i < 400; ++i) {
    TerrainMap terrain(HillScenario());
    terrain.SetStands({StandAt({10 + uniform(-2, 2), 10 + uniform(-1, 1)}, uniform(-3, 3))});
    const Vec2 tip{8.5, 10};
    const Vec2 tail{11.5, 10};
    const SwabRest rest = RestOf(terrain, tip, tail, kSwab);
    EXPECT_LT(std::max(rest.tip_in, rest.tail_in), 0.5) << i;
    for (int k = 1; k < 200; ++k) {
      const double t = k / 200.0;
      const double radius = std::min(t, 1 - t) * 3 < 0.48 ? 0.11 : 0.05;
      // Between slices a base's corner may reach in by a slice's length times the slope.
      ASSERT_GT(AxisAt(rest, t), terrain.SupportAt(tip + t * (tail - tip)) + radius - 0.02)
          << i << ", " << t;
    }
  }
}

TEST(RestOf, IsNotTippedByABaseThatEndsAtItsMiddle) {
  TerrainMap terrain(HillScenario());
  // A base under the half before the middle, the cotton beyond it: from x = 9 to 9.75.
  terrain.SetStands({StandAt({9.385, 10}, std::numbers::pi / 2)});
  const SwabRest rest = RestOf(terrain, {8.25, 10}, {11.25, 10}, kSwab);
  EXPECT_LT(std::max(rest.tip_in, rest.tail_in), 0.3);
  EXPECT_GT(std::min(rest.tip_in, rest.tail_in), 0.1);
}

// A camera straight above (24, 18), 60 in over the cloth.
TableCamera Above() {
  CameraModel lens;
  lens.width_px = 1920;
  lens.height_px = 1080;
  lens.fx_px = lens.fy_px = 1800;
  lens.cx_px = 959.5;
  lens.cy_px = 539.5;
  return MakeTableCamera(lens, {std::numbers::pi, 0, 0}, {-24, 18, 60});
}

Scenario WithHouse() {
  Scenario scenario;
  TerrainArea house;
  house.type = "house";
  house.height_in = 3;
  house.polygon = {{40, 17}, {42, 17}, {42, 19}, {40, 19}};
  // The circle that says where it burns does not hide more than its walls do.
  house.objects = {{"house", Circle{{41, 18}, 1.42}, {}, 3}};
  scenario.terrain = {house};
  return scenario;
}

TEST(TerrainView, HidesWhatLiesBehindAWallFromTheCamera) {
  const TerrainView view(WithHouse(), Above());
  // Its far wall stands 18 in from the foot: its top hides the cloth up to 18 * 60 / 57 from it,
  // and a base's top at 0.1 in up to 0.1 less of that lean.
  const double cloth = 24 + 18 * 60.0 / 57;
  EXPECT_TRUE(view.Hides({cloth - 0.01, 18}, 0));
  EXPECT_FALSE(view.Hides({cloth + 0.01, 18}, 0));
  const double base = 42 + (3 - 0.1) * 18 / 57;  // h * d / (H - h), from the base's own level
  EXPECT_TRUE(view.Hides({base - 0.01, 18}, 0.1));
  EXPECT_FALSE(view.Hides({base + 0.01, 18}, 0.1));
  EXPECT_FALSE(view.Hides({39.99, 18}, 0)) << "nothing leans towards the foot";
  EXPECT_FALSE(view.Hides({41, 16.9}, 0)) << "nor sideways";
  EXPECT_TRUE(view.Hides({41, 18}, 0));
  EXPECT_FALSE(view.Hides({41, 18}, 3)) << "its own top is seen";
}

TEST(TerrainView, HidesLessBehindATreesTop) {
  Scenario scenario;
  TerrainArea wood;
  wood.type = "wood";
  wood.objects = {{"tree", Circle{{42, 18}, 1}, {}, 2}};
  scenario.terrain = {wood};
  const TerrainView view(scenario, Above());
  EXPECT_TRUE(view.Hides({42, 18}, 0.1));
  EXPECT_TRUE(view.Hides({42.99, 18}, 0)) << "under the crown";
  EXPECT_FALSE(view.Hides({41, 18.5}, 0.1));
  // Upright walls of the same circle would hide up to 19 * 60 / 58 from the foot, 0.66 in more.
  EXPECT_FALSE(view.Hides({43.5, 18}, 0));
  EXPECT_TRUE(view.Hides({43.02, 18}, 0)) << "and a little leans out";
  // On a hill it stands that much higher.
  TerrainArea hill;
  hill.type = "hill";
  hill.height_in = 1;
  hill.polygon = {{40, 16}, {44, 16}, {44, 20}, {40, 20}};
  scenario.terrain.push_back(hill);
  EXPECT_TRUE(TerrainView(scenario, Above()).Hides({43.2, 18}, 0));
}

TEST(TerrainView, MeasuresTheShareOfABaseBehindAHouse) {
  const TerrainView view(WithHouse(), Above());
  const double edge = 42 + (3 - 0.1) * 18 / 57;
  const Box2 base{1.5, 0.75};
  EXPECT_NEAR(view.HiddenShare({{edge, 18}, 0}, base, 0.1), 0.5, 1e-9);
  EXPECT_EQ(view.HiddenShare({{edge + 1, 18}, 0}, base, 0.1), 0);
  EXPECT_NEAR(view.HiddenShare({{edge - 0.4, 18}, std::numbers::pi / 2}, base, 0.1), 1, 1e-9);
  EXPECT_TRUE(view.Fills({{40.5, 18}, 0}, base));
  EXPECT_TRUE(view.Fills({{39.5, 18}, 0}, base)) << "a corner of it";
  EXPECT_FALSE(view.Fills({{39.2, 18}, 0}, base));
  EXPECT_TRUE(view.Near({30, 18}, 5).empty());
  EXPECT_FALSE(view.Near({46, 18}, 4).empty());
  EXPECT_TRUE(TerrainView(Scenario{}, Above()).empty());
  EXPECT_FALSE(TerrainView().Hides({0, 0}, 0));
}

}  // namespace
}  // namespace fos
