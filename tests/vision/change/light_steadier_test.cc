// SPDX-License-Identifier: MIT
#include "vision/change/light_steadier.h"

#include <gtest/gtest.h>

#include <cmath>
#include <opencv2/imgproc.hpp>

namespace fos {
namespace {

constexpr double kBandsFps = 10;
constexpr double kThreshold = 12;
const cv::Size kSmall(160, 120);

// Cloth with darker lines and a few light things.
cv::Mat SmallScene() {
  cv::Mat out(kSmall, CV_8UC3, cv::Scalar(58, 104, 92));
  for (int x = 10; x < kSmall.width; x += 30) out.colRange(x, x + 2).setTo(cv::Scalar(26, 47, 41));
  for (int i = 0; i < 6; ++i)
    out(cv::Rect(15 + 22 * i, 20 + 13 * i, 9, 6)).setTo(cv::Scalar(180, 190, 200));
  return out;
}

// Three waves from top to bottom.
cv::Mat Banded(const cv::Mat& bgr, double depth, double phase) {
  cv::Mat gain(bgr.size(), CV_32FC3);
  for (int row = 0; row < bgr.rows; ++row)
    gain.row(row).setTo(
        cv::Scalar::all(1 + depth * std::sin(phase + 2 * CV_PI * 3 * row / bgr.rows)));
  cv::Mat out;
  cv::multiply(bgr, gain, out, 1, CV_8UC3);
  return out;
}

cv::Mat AllOf(const cv::Mat& bgr) { return cv::Mat(bgr.size(), CV_8UC1, cv::Scalar(255)); }

TEST(LightSteadier, TakesBandsOut) {
  const cv::Mat scene = SmallScene();
  LightSteadier steadier(kBandsFps);
  EXPECT_FALSE(steadier.GainsOf(Banded(scene, 0.12, 0), scene, AllOf(scene), kThreshold));
  for (int frame = 1; frame < 6; ++frame) {
    const cv::Mat now = Banded(scene, 0.12, 1.3 * frame);
    const auto gains = steadier.GainsOf(now, scene, AllOf(scene), kThreshold);
    ASSERT_TRUE(gains) << frame;
    EXPECT_TRUE(steadier.Bands());
    EXPECT_GT(cv::norm(now, scene, cv::NORM_INF), 12);
    constexpr double kRest = 5;  // levels, of 24: the smoothing over rows, and rounding
    EXPECT_LT(cv::norm(LightSteadier::Steadied(now, scene, *gains), scene, cv::NORM_INF), kRest);
  }
}

// White balance and exposure hunt; a hand covers a third of the picture.
TEST(LightSteadier, FollowsAnExposureThatHuntsBesideAHand) {
  const cv::Mat scene = SmallScene();
  LightSteadier steadier(kBandsFps);
  cv::Mat unchanged = AllOf(scene);
  const cv::Rect hand(60, 0, 50, 120);
  unchanged(hand).setTo(0);
  (void)steadier.GainsOf(scene, scene, unchanged, kThreshold);
  cv::Mat now;
  cv::multiply(scene, cv::Scalar(1.15, 1.0, 0.9), now);
  now(hand).setTo(cv::Scalar(90, 120, 190));
  const auto gains = steadier.GainsOf(now, scene, unchanged, kThreshold);
  ASSERT_TRUE(gains);
  EXPECT_FALSE(steadier.Bands());
  const cv::Vec3f gain = gains->at<cv::Vec3f>(60);
  EXPECT_NEAR(gain[0], 1.15, 0.02);
  EXPECT_NEAR(gain[1], 1.0, 0.02);
  EXPECT_NEAR(gain[2], 0.9, 0.02);
}

// A white thing is put down while the light hunts. Bright pictures cut it off; it must not look as
// if it came and went.
TEST(LightSteadier, AWhiteThingLooksAlikeInBrightAndDarkPictures) {
  const cv::Mat scene = SmallScene();
  cv::Mat with = scene.clone();
  const cv::Rect thing(70, 80, 30, 6);
  with(thing).setTo(cv::Scalar(220, 228, 235));
  LightSteadier steadier(kBandsFps);
  (void)steadier.GainsOf(scene, scene, AllOf(scene), kThreshold);
  cv::Mat before = scene;
  for (int frame = 0; frame < 8; ++frame) {
    cv::Mat now;
    cv::multiply(with, cv::Scalar::all(frame % 2 == 0 ? 1.2 : 0.85), now);
    const auto gains = steadier.GainsOf(now, scene, AllOf(scene), kThreshold);
    ASSERT_TRUE(gains) << frame;
    before = LightSteadier::Steadied(now, before, *gains);
    EXPECT_LT(cv::norm(before(thing), with(thing), cv::NORM_INF), frame == 0 ? 30 : 5) << frame;
    EXPECT_GT(cv::norm(before(thing), scene(thing), cv::NORM_INF), 100) << frame;
  }
}

TEST(LightSteadier, LeavesSteadyLightAndLampsToOneSideAlone) {
  const cv::Mat scene = SmallScene();
  LightSteadier steadier(kBandsFps);
  for (int frame = 0; frame < 12; ++frame) {
    // Two hundredths a second: daylight.
    const cv::Mat now = (1 + 0.002 * frame) * scene;
    EXPECT_FALSE(steadier.GainsOf(now, scene, AllOf(scene), kThreshold)) << frame;
  }
  // From the left: that is no matter of rows.
  cv::Mat lit = scene.clone();
  lit.colRange(0, 60) *= 1.6;
  EXPECT_FALSE(steadier.GainsOf(lit, scene, AllOf(scene), kThreshold));
}

TEST(LightSteadier, TakesTheKnownPictureWhereItIsTooBrightToTell) {
  const cv::Mat scene(cv::Size(20, 20), CV_8UC3, cv::Scalar(120, 180, 150));
  const cv::Mat now = 1.5 * scene;  // 255 in green
  const cv::Mat gains(20, 1, CV_32FC3, cv::Scalar::all(1.5));
  EXPECT_EQ(cv::norm(LightSteadier::Steadied(now, scene, gains), scene, cv::NORM_INF), 0);
}

}  // namespace
}  // namespace fos
