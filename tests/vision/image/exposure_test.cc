// SPDX-License-Identifier: MIT
#include "vision/image/exposure.h"

#include <gtest/gtest.h>

#include "calibration/camera/response.h"
#include "tests/support/small_table.h"

namespace fos {
namespace {

// All of it in so many times less light.
cv::Mat Darkened(const cv::Mat& bgr, double times) {
  cv::Mat out = bgr.clone();
  for (cv::Vec3b& pixel : cv::Mat_<cv::Vec3b>(out))
    for (uchar& code : pixel.val)
      code = cv::saturate_cast<uchar>(
          SrgbCodeOfLight(static_cast<double>(LightOfSrgbCode()[code]) / times));
  return out;
}

TEST(Exposure, BrightensOnlyWhatLacksLight) {
  const SyntheticTable made = RenderTable(test::SmallTable(1));
  EXPECT_LT(LightLacking(made.bgr, made.camera, made.table), 1.2);
  const cv::Mat dim = Darkened(made.bgr, 3);
  const cv::Mat dark = Darkened(made.bgr, 12);
  const double of_dim = LightLacking(dim, made.camera, made.table);
  const double of_dark = LightLacking(dark, made.camera, made.table);
  EXPECT_GT(of_dim, 1.5);
  EXPECT_NEAR(of_dark / of_dim, 4, 0.4);
  const cv::Mat brightened = Brightened(dark, of_dark);
  EXPECT_NEAR(LightLacking(brightened, made.camera, made.table), 1, 0.1);
  // A few grey levels are lost where the camera had fewer codes for them.
  EXPECT_LT(cv::norm(brightened, Brightened(dim, of_dim), cv::NORM_L1) /
                static_cast<double>(3 * dark.total()),
            6);
  // Nothing is copied where it is light enough.
  EXPECT_EQ(Brightened(dark, 1).data, dark.data);
  // Black is not amplified without end.
  EXPECT_LE(LightLacking(cv::Mat::zeros(dark.size(), CV_8UC3), made.camera, made.table), 30);
}

}  // namespace
}  // namespace fos
