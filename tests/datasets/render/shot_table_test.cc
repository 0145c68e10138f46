// SPDX-License-Identifier: MIT
#include "datasets/render/shot_table.h"

#include <gtest/gtest.h>

#include <opencv2/core.hpp>

#include "engine/table/shapes.h"

namespace fos {
namespace {

double MostDifferent(const cv::Mat& a, const cv::Mat& b) {
  return cv::norm(a.reshape(1), b.reshape(1), cv::NORM_INF);
}

TEST(ShotTable, RendersAPixelAlikeInAnyPart) {
  const ShotTable made = MakeShotTable(3);
  const ShotScene scene = With(made, {});
  const cv::Mat whole = LightOf(made.camera, scene, {64, 48, 64, 48});
  const cv::Mat part = LightOf(made.camera, scene, {80, 64, 32, 16});
  EXPECT_LT(MostDifferent(whole(cv::Rect(16, 16, 32, 16)), part), 1e-6);
}

TEST(ShotTable, ChangesNothingOutsideTheShotsPart) {
  const ShotTable made = MakeShotTable(5);
  std::mt19937 random(1);
  const Dropped shot = DropShot(made, Projectile::kQtip, {}, random);
  ASSERT_TRUE(shot.shot);
  const cv::Rect whole(0, 0, made.camera.lens.width_px, made.camera.lens.height_px);
  const cv::Rect part = PartChanged(made, shot);
  cv::Mat before = LightOf(made.camera, With(made, {}), whole);
  cv::Mat after = LightOf(made.camera, With(made, {shot}), whole);
  EXPECT_GT(MostDifferent(before, after), 0.1);
  before(part).setTo(0);
  after(part).setTo(0);
  // A shadow's last faint rim may reach further.
  EXPECT_LT(MostDifferent(before, after), 0.05);
}

TEST(ShotTable, LaysSwabsOfRealLengthOnTheirSupport) {
  for (std::uint32_t seed = 1; seed < 30; ++seed) {
    const ShotTable made = MakeShotTable(seed);
    std::mt19937 random(seed);
    const Dropped shot = DropShot(made, Projectile::kQtip, {}, random);
    ASSERT_TRUE(shot.shot) << seed;
    EXPECT_NEAR(cv::norm(shot.axis_to - shot.axis_from), 3.0, 0.05) << seed;
    EXPECT_GE(shot.height_in, 0.109) << seed;
    EXPECT_LT(shot.height_in, 1.3) << seed;
    EXPECT_NEAR(Distance(shot.point, {shot.axis_from[0], shot.axis_from[1]}), 0, 1e-9) << seed;
  }
}

TEST(Webcam, ChangesOnlyTheLightFromMomentToMoment) {
  Webcam webcam;
  webcam.read_noise = webcam.shot_noise = 0;
  const cv::Mat grey(120, 60, CV_32FC3, cv::Scalar(0.2, 0.2, 0.2));
  const cv::Mat plain = Delivered(webcam, grey, 1);
  EXPECT_EQ(MostDifferent(Delivered(webcam, grey, 1, CameraMoment{}), plain), 0);
  CameraMoment darker;
  darker.exposure = 0.5;
  // Half the light is 0.73 of the grey level.
  EXPECT_NEAR(cv::mean(Delivered(webcam, grey, 1, darker))[1] / cv::mean(plain)[1], 0.73, 0.02);
  CameraMoment warmer;
  warmer.white = {0.9, 1, 1.1};
  const cv::Scalar warm = cv::mean(Delivered(webcam, grey, 1, warmer));
  EXPECT_LT(warm[0], warm[1]);
  EXPECT_GT(warm[2], warm[1]);
  CameraMoment banded;
  banded.band = 0.1;
  banded.band_rows = 60;
  const cv::Mat bands = Delivered(webcam, grey, 1, banded);
  // Lightest a quarter of the way from one band to the next, darkest at three quarters.
  EXPECT_GT(cv::mean(bands.row(15))[1], cv::mean(plain.row(15))[1] + 2);
  EXPECT_LT(cv::mean(bands.row(45))[1], cv::mean(plain.row(45))[1] - 2);
  EXPECT_NEAR(cv::mean(bands.row(75))[1], cv::mean(bands.row(15))[1], 2);
}

TEST(ShotTable, ReportsUnhiddenShotsAsVisible) {
  const ShotTable made = MakeShotTable(2);
  std::mt19937 random(2);
  Dropped shot = DropShot(made, Projectile::kQtip, {}, random);
  ASSERT_TRUE(shot.shot);
  Dropped lid;
  lid.boxes = {UprightBox({shot.point, 0}, {2, 2}, 1, 1.1, {})};
  EXPECT_EQ(ShareSeen(made.camera, With(made, {shot, lid}), shot.visible_points), 0);
  ShotTable bare = made;
  bare.scene.pills.clear();
  bare.scene.boxes.clear();
  EXPECT_GT(ShareSeen(made.camera, With(bare, {shot}), shot.visible_points), 0.99);
}

}  // namespace
}  // namespace fos
