// SPDX-License-Identifier: MIT
#include "vision/scene/stand_scene.h"

#include <gtest/gtest.h>

namespace fos {
namespace {

StandObservation At(const std::string& id, Vec2 centre, double bearing_deg,
                    double sigma_in = 0.01) {
  StandObservation o;
  o.stand.text = id;
  o.table_from_stand = {centre, HeadingFromBearing(bearing_deg)};
  o.footprint = {1.5, 0.75};
  o.centre_cov = IsotropicCov(sigma_in);
  o.heading_sigma_rad = 0.01;
  return o;
}

// A camera 40 in above (20, 10) that looks straight down, 20 pixels an inch.
TEST(CoveredBy, CoversTheBaseAndTheFiguresThatLeanFromTheCamera) {
  CameraModel lens;
  lens.width_px = 800;
  lens.height_px = 400;
  lens.fx_px = lens.fy_px = 800;
  lens.cx_px = 400;
  lens.cy_px = 200;
  const TableCamera camera = MakeTableCamera(lens, {CV_PI, 0, 0}, {-20, 10, 40});
  Scenario scenario;
  scenario.kinds.resize(1);
  scenario.kinds[0].thickness_in = 0.1;
  scenario.kinds[0].figures_height_in = 1;
  const cv::Mat covered = CoveredBy({At("A#1", {30, 10}, 0)}, scenario, camera);
  ASSERT_EQ(covered.size(), cv::Size(800, 400));
  const auto at = [&](Vec2 place, double height_in) {
    const ImagePoint p = ImageFromTable(camera, place, height_in);
    return covered.at<std::uint8_t>(cvRound(p.y_px), cvRound(p.x_px)) != 0;
  };
  EXPECT_TRUE(at({30, 10}, 0));
  EXPECT_TRUE(at({29.3, 10}, 0)) << "the base's nearer edge";
  EXPECT_FALSE(at({29.15, 10}, 0)) << "beside it";
  EXPECT_TRUE(at({30.7, 10}, 1)) << "a figure's head, which is seen beyond the base";
  EXPECT_FALSE(at({31.2, 10}, 0)) << "beyond the figures";
  EXPECT_FALSE(at({30, 10.45}, 0)) << "beside it";
  scenario.kinds[0].figures_height_in = 60;
  EXPECT_GT(cv::countNonZero(CoveredBy({At("A#1", {30, 10}, 0)}, scenario, camera)), 0)
      << "taller than the camera hangs";
}

TEST(DiffScenes, SameSceneHasNoChanges) {
  const StandScene scene{{At("A#1", {5, 5}, 0), At("A#2", {7, 5}, 90)}, {}, {}};
  EXPECT_TRUE(DiffScenes(scene, scene).empty());
}

TEST(DiffScenes, IgnoresJitter) {
  const StandScene before{{At("A#1", {5, 5}, 359.5)}, {}, {}};
  const StandScene after{{At("A#1", {5.04, 5.03}, 0.9)}, {}, {}};
  EXPECT_TRUE(DiffScenes(before, after).empty());
}

TEST(DiffScenes, ReportsAShiftOfMoreThanATenthOfAnInch) {
  const StandScene before{{At("A#1", {5, 5}, 0)}, {}, {}};
  const StandScene after{{At("A#1", {5.1, 5}, 0)}, {}, {}};
  const auto changes = DiffScenes(before, after);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_TRUE(changes[0].from && changes[0].to);
}

TEST(DiffScenes, IgnoresAShiftWithinThreeSigma) {
  const StandScene before{{At("A#1", {5, 5}, 0, 0.05)}, {}, {}};
  const StandScene after{{At("A#1", {5.1, 5}, 0, 0.05)}, {}, {}};
  EXPECT_TRUE(DiffScenes(before, after).empty());
}

TEST(DiffScenes, ReportsATurnOnTheSpot) {
  const StandScene before{{At("A#1", {5, 5}, 358)}, {}, {}};
  const StandScene after{{At("A#1", {5, 5}, 3)}, {}, {}};
  EXPECT_EQ(DiffScenes(before, after).size(), 1U);
}

TEST(DiffScenes, ReportsARemovalAndAnAdditionAsOneEntryEach) {
  const StandScene before{{At("A#1", {5, 5}, 0), At("A#2", {7, 5}, 0)}, {}, {}};
  const StandScene after{{At("A#2", {7, 5}, 0), At("B#1", {9, 5}, 0)}, {}, {}};
  const auto changes = DiffScenes(before, after);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].stand.text, "A#1");
  EXPECT_TRUE(changes[0].from && !changes[0].to);
  EXPECT_EQ(changes[1].stand.text, "B#1");
  EXPECT_TRUE(!changes[1].from && changes[1].to);
}

TEST(WithNamesChanged, SwapsTheIdsOfTwoUnitsOrChangesNothing) {
  StandScene scene;
  for (const char* id : {"A#1", "B#1", "C#1"}) {
    StandObservation stand;
    stand.stand.text = id;
    stand.unit = std::string(1, id[0]);
    stand.table_from_stand.origin.x = id[0] - 'A';
    scene.stands.push_back(stand);
  }
  const IdentityDoubt doubt{{{{"A#1"}, {"B#1"}, "B"}, {{"B#1"}, {"A#1"}, "A"}}, "A and B"};
  const auto changed = WithNamesChanged(scene, doubt);
  ASSERT_TRUE(changed);
  ASSERT_EQ(changed->stands.size(), 3U);
  EXPECT_EQ(changed->stands[0].stand.text, "A#1");
  EXPECT_EQ(changed->stands[0].unit, "A");
  EXPECT_EQ(changed->stands[0].table_from_stand.origin.x, 1);
  EXPECT_EQ(changed->stands[1].stand.text, "B#1");
  EXPECT_EQ(changed->stands[1].table_from_stand.origin.x, 0);
  EXPECT_EQ(changed->stands[2].table_from_stand.origin.x, 2);
  // A name that another has, or a stand that has gone.
  EXPECT_FALSE(WithNamesChanged(scene, {{{{"A#1"}, {"C#1"}, "C"}}, ""}));
  scene.stands.pop_back();
  EXPECT_TRUE(WithNamesChanged(scene, {{{{"A#1"}, {"C#1"}, "C"}}, ""}));
  EXPECT_FALSE(WithNamesChanged(scene, {{{{"C#1"}, {"D#1"}, "D"}}, ""}));
}

}  // namespace
}  // namespace fos
