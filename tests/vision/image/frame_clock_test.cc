// SPDX-License-Identifier: MIT
#include "vision/image/frame_clock.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "vision/image/frame_steps.h"

namespace fos {
namespace {

std::vector<double> TimesOf(double fps, const std::vector<double>& stamps_s) {
  FrameClock clock(fps);
  std::vector<double> out;
  for (const double stamp : stamps_s) out.push_back(clock.Next(stamp));
  return out;
}

TEST(FrameClock, CountsPeriodsWhileRoundedStampsAgree) {
  std::vector<double> stamps_s;
  for (int i = 0; i < 300; ++i) stamps_s.push_back(60 + std::round(i * 1000 / 30.0) / 1000);
  const std::vector<double> times_s = TimesOf(30, stamps_s);
  for (std::size_t i = 0; i < times_s.size(); ++i) {
    EXPECT_DOUBLE_EQ(times_s[i], static_cast<double>(i) / 30);
  }
}

TEST(FrameClock, FollowsDroppedFramesAndAnotherRate) {
  EXPECT_EQ(TimesOf(10, {0, 0.1, 0.4, 0.5}), (std::vector<double>{0, 0.1, 0.4, 0.5}));
  std::vector<double> slow_s;
  for (int i = 0; i < 100; ++i) slow_s.push_back(i * 0.2);
  EXPECT_NEAR(TimesOf(10, slow_s).back(), 99 * 0.2, 0.05);
}

TEST(FrameClock, GoesOnWhereTheStampsStandGoBackOrAreMissing) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<double>& stamps_s :
       {std::vector<double>{5, 5.1, 5.1, 2, 2.1, 1e9, 1e9 + 0.1}, {none, none, 3, 3.1}}) {
    const std::vector<double> times_s = TimesOf(10, stamps_s);
    for (std::size_t i = 0; i < times_s.size(); ++i) {
      EXPECT_NEAR(times_s[i], static_cast<double>(i) / 10, 1e-9);
    }
  }
}

TEST(FrameClock, AlwaysRises) {
  // Periods of 0.1: a frame that is late by less and less.
  const std::vector<double> times_s = TimesOf(10, {0, 0.19, 0.2, 0.24, 0.2401, 0.26, 0.5, 0.51});
  for (std::size_t i = 1; i < times_s.size(); ++i) EXPECT_GT(times_s[i], times_s[i - 1]) << i;
}

TEST(FrameSteps, CountOneAPictureAtTheRateThatWasPromised) {
  FrameSteps steps(30);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(steps.Next(i / 30.0), 1) << i;
}

TEST(FrameSteps, CountTheTimeOfPicturesThatDoNotCome) {
  FrameSteps steps(30);
  steps.Next(0);
  EXPECT_EQ(steps.Next(2 / 30.0), 2);
  EXPECT_EQ(steps.Next(5 / 30.0), 3);
}

TEST(FrameSteps, CountNoPictureForMoreThanATenthOfASecond) {
  FrameSteps steps(30);
  steps.Next(0);
  EXPECT_EQ(steps.Next(0.2), 3);
  EXPECT_EQ(steps.Next(60), 3);
  EXPECT_EQ(steps.Next(60.4, /*skipped=*/1), 6);
}

TEST(FrameSteps, CountAtLeastThePicturesWhateverTheClockSays) {
  FrameSteps steps(30);
  steps.Next(1);
  EXPECT_EQ(steps.Next(1), 1);
  EXPECT_EQ(steps.Next(0.5), 1);
  EXPECT_EQ(steps.Next(0.5, /*skipped=*/4), 5);
}

TEST(FrameSteps, OfASlowCameraAreNoSlower) {
  FrameSteps steps(5);
  steps.Next(0);
  EXPECT_EQ(steps.Next(0.2), 2);
  EXPECT_EQ(FrameSteps::PerSecond(5), 15);
}

}  // namespace
}  // namespace fos
