// SPDX-License-Identifier: MIT
#include "vision/image/shrink.h"

#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>

namespace fos {
namespace {

cv::Mat Noise(cv::Size size, int type = CV_8UC3) {
  cv::Mat out(size, type);
  cv::RNG random(7);
  random.fill(out, cv::RNG::UNIFORM, 0, 256);
  return out;
}

TEST(Shrink, GivesTheMeansThatOpenCvGives) {
  for (const int scale : {2, 3, 4, 5, 7, 16, 17}) {
    for (const int type : {CV_8UC3, CV_8UC1}) {
      for (const cv::Size size : {cv::Size(641, 363), cv::Size(100, 50)}) {
        const cv::Mat picture = Noise(size, type);
        const cv::Size small(size.width / scale, size.height / scale);
        cv::Mat expected;
        cv::resize(picture({0, 0, small.width * scale, small.height * scale}), expected, small, 0,
                   0, cv::INTER_AREA);
        cv::Mat out;
        Shrink(picture, scale, out);
        ASSERT_EQ(out.size(), small);
        EXPECT_EQ(cv::norm(out, expected, cv::NORM_INF), 0) << "by " << scale;
      }
    }
  }
}

TEST(Shrink, WritesOverAPictureOfTheSameSize) {
  const cv::Mat bgr = Noise({60, 40});
  cv::Mat out(8, 12, CV_8UC3);
  const void* const before = out.data;
  Shrink(bgr, 5, out);
  EXPECT_EQ(out.data, before);
  Shrink(bgr, 1, out);
  EXPECT_EQ(cv::norm(out, bgr, cv::NORM_INF), 0);
  EXPECT_NE(out.data, bgr.data);
}

}  // namespace
}  // namespace fos
