// SPDX-License-Identifier: MIT
#include "vision/pipeline/recent_frames.h"

#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>

namespace fos {
namespace {

TEST(RecentFrames, TheirMeanIsRoundedAsOpenCvRoundsIt) {
  cv::RNG random(3);
  const cv::Rect part(3, 5, 50, 31);
  for (int count = 1; count <= 13; ++count) {
    RecentFrames frames;
    cv::Mat sum(part.size(), CV_32FC3, cv::Scalar::all(0));
    for (int i = 0; i < count; ++i) {
      cv::Mat bgr(40, 61, CV_8UC3);
      random.fill(bgr, cv::RNG::UNIFORM, 0, 256);
      frames.Add({{i}, 0.0, bgr}, 20);
      cv::accumulate(bgr(part), sum);
    }
    cv::Mat expected;
    sum.convertTo(expected, CV_8UC3, 1.0 / count);
    EXPECT_EQ(cv::norm(frames.Mean(part), expected, cv::NORM_INF), 0) << "of " << count;
  }
}

}  // namespace
}  // namespace fos
