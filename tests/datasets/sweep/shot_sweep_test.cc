// SPDX-License-Identifier: MIT
#include "datasets/sweep/shot_sweep.h"

#include <gtest/gtest.h>

namespace fos {
namespace {

// The table of a seed, played to its end.
Result<ShotSweep> TableOf(int seed) {
  ShotSweepOptions options;
  options.shots = 1;  // at least
  options.seed = seed;
  return SweepShots(options);
}

TEST(ShotSweep, FindsShotsOnASyntheticTable) {
  const Result<ShotSweep> swept = TableOf(16);
  ASSERT_TRUE(swept.ok()) << swept.error().message;
  EXPECT_EQ(swept->tables, 1);
  EXPECT_EQ(swept->unread_tables, 0);
  int there = 0;
  for (const auto& [view, count] : swept->shots) there += count.there;
  EXPECT_GE(there, 1);
  EXPECT_GT(swept->errors_in.size(), 0U);
  for (const double error : swept->errors_in) EXPECT_LT(error, 0.15);
  EXPECT_NE(SweepText(*swept, true).find("expected calibration error"), std::string::npos);
}

TEST(ShotSweep, CountsShotsByCameraFault) {
  ShotSweepOptions options;
  options.shots = 1;
  options.seed = 42000;  // whose lamps flicker
  options.faults = true;
  const Result<ShotSweep> swept = SweepShots(options);
  ASSERT_TRUE(swept.ok()) << swept.error().message;
  ASSERT_EQ(swept->scenes.count("camera: lamps flicker"), 1U);
  const ShotSweep::Scene& scene = swept->scenes.at("camera: lamps flicker");
  EXPECT_GE(scene.shots.found, 1);
  EXPECT_EQ(scene.invented, 0);
}

// Made-up tables on which something else was once taken for a shot: half a swab behind a gun and a
// dropped figure, a straw across a base, a bare end under a tree, a figure on a base of the shell's
// colour, the end of a tape measure.
class Lookalikes : public testing::TestWithParam<int> {};

TEST_P(Lookalikes, AreNoShots) {
  const Result<ShotSweep> swept = TableOf(GetParam());
  ASSERT_TRUE(swept.ok()) << swept.error().message;
  EXPECT_EQ(swept->unread_tables, 0);
  EXPECT_EQ(swept->invented, 0) << SweepText(*swept, true);
}

INSTANTIATE_TEST_SUITE_P(OnMadeUpTables, Lookalikes,
                         testing::Values(31042, 31051, 20025, 33007, 33008));

TEST(ShotSweep, AsksAboutASwabThatFellBesideAHandWithItsOtherEndHidden) {
  const Result<ShotSweep> swept = TableOf(32008);
  ASSERT_TRUE(swept.ok()) << swept.error().message;
  const auto scene = swept->scenes.find("as one is picked up");
  ASSERT_NE(scene, swept->scenes.end());
  EXPECT_EQ(scene->second.shots.found + scene->second.shots.asked, scene->second.shots.there)
      << SweepText(*swept, true);
}

}  // namespace
}  // namespace fos
