// SPDX-License-Identifier: MIT
#include "vision/change/table_background.h"

#include <gtest/gtest.h>

#include "vision/image/shrink.h"

namespace fos {
namespace {

constexpr int kShrunkBy = 2;
constexpr double kNewFrom = 12;  // grey levels

// A cloth, with a webcam's noise of three grey levels.
cv::Mat NoisyCloth(std::uint64_t seed) {
  cv::Mat out(240, 320, CV_16SC3);
  cv::RNG(seed).fill(out, cv::RNG::NORMAL, cv::Scalar(70, 120, 90), 3);
  out.convertTo(out, CV_8UC3);
  return out;
}

// Behind an edge of sun that creeps over the table, its light is taken in frame after frame.
TEST(TableBackground, StaysSmoothWhereLightIsTakenAgainAndAgain) {
  TableBackground background(kShrunkBy, 6, 0.03);
  background.Set(NoisyCloth(1));
  const cv::Mat all(background.Small().size(), CV_8UC1, cv::Scalar(255));
  constexpr int kFrames = 40;
  for (std::uint64_t i = 0; i < kFrames; ++i)
    background.TakeLight({}, Shrunk(NoisyCloth(2 + i), kShrunkBy), all, kNewFrom);
  // No rougher than one frame of which it is made.
  for (const cv::Mat& picture : {background.Full(), background.Small()}) {
    cv::Scalar mean;
    cv::Scalar deviation;
    cv::meanStdDev(picture, mean, deviation);
    for (int c = 0; c < 3; ++c) EXPECT_LT(deviation[c], 4) << "channel " << c;
  }
}

}  // namespace
}  // namespace fos
