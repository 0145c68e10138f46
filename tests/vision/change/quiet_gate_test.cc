// SPDX-License-Identifier: MIT
#include "vision/change/quiet_gate.h"

#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>

namespace fos {
namespace {

constexpr double kPixelsPerInch = 24;
constexpr double kLeastChange = 12;

// Of a webcam's noise, one sigma of two grey levels.
cv::Mat Noisy(const cv::Mat& picture, std::uint64_t seed) {
  cv::RNG random(seed);
  cv::Mat noise(picture.size(), CV_16SC3);
  random.fill(noise, cv::RNG::NORMAL, 0, 2);
  cv::Mat out;
  picture.convertTo(out, CV_16SC3);
  out += noise;
  out.convertTo(out, CV_8UC3);
  return out;
}

cv::Mat Cloth() { return cv::Mat(360, 640, CV_8UC3, cv::Scalar(70, 120, 90)); }

// One that has learnt what noise does.
QuietGate Learnt() {
  QuietGate gate(Cloth().size(), kPixelsPerInch, kLeastChange);
  for (std::uint64_t seed = 1; seed < 20; ++seed) gate.Remember(Noisy(Cloth(), seed));
  return gate;
}

TEST(QuietGate, LooksPastNoise) {
  QuietGate gate = Learnt();
  int same = 0;
  for (std::uint64_t seed = 20; seed < 40; ++seed)
    same += gate.ShowsTheSame(Noisy(Cloth(), seed)) ? 1 : 0;
  EXPECT_GE(same, 18);
}

TEST(QuietGate, IsNotSureBeforeItKnowsTheNoise) {
  QuietGate gate(Cloth().size(), kPixelsPerInch, kLeastChange);
  EXPECT_FALSE(gate.ShowsTheSame(Cloth()));
  gate.Remember(Cloth());
  EXPECT_FALSE(gate.ShowsTheSame(Cloth()));
}

TEST(QuietGate, IsNeverSureAfterSomethingHappened) {
  QuietGate gate = Learnt();
  gate.Forget();
  EXPECT_FALSE(gate.ShowsTheSame(Noisy(Cloth(), 3)));
}

TEST(QuietGate, IsOfNoUseWhereNoiseHidesThings) {
  QuietGate gate(Cloth().size(), kPixelsPerInch, kLeastChange);
  const cv::Mat brighter = Cloth() + cv::Scalar::all(0.6 * kLeastChange);
  for (int i = 0; i < 20; ++i) gate.Remember(i % 2 == 0 ? Cloth() : brighter);
  EXPECT_FALSE(gate.ShowsTheSame(Cloth()));
}

TEST(QuietGate, NoticesAShellAnywhere) {
  QuietGate gate = Learnt();
  constexpr int kShell_px = 10;  // 0.4 in
  for (int x = 100; x < 116; x += 3) {
    for (int y = 100; y < 116; y += 3) {
      cv::Mat picture = Noisy(Cloth(), 3);
      picture({x, y, kShell_px, kShell_px}) += cv::Scalar::all(kLeastChange);
      EXPECT_FALSE(gate.ShowsTheSame(picture)) << x << ' ' << y;
    }
  }
}

TEST(QuietGate, NoticesAStickAcrossManyBlocks) {
  QuietGate gate = Learnt();
  cv::Mat picture = Noisy(Cloth(), 3);
  cv::line(picture, {50, 40}, {110, 80}, cv::Scalar(200, 200, 200), 2);  // 3 in long, 0.08 thick
  EXPECT_FALSE(gate.ShowsTheSame(picture));
}

}  // namespace
}  // namespace fos
