// SPDX-License-Identifier: MIT
#include "calibration/lens/lens_collector.h"

#include <gtest/gtest.h>

#include "tests/support/charuco_picture.h"

namespace fos {
namespace {

using test::CharucoViews;
using test::Held;
using test::Webcam;

// A board carried about: every view is held for two pictures.
TEST(LensCollector, AsksForWhatLacksAndStopsByItself) {
  const CameraModel truth = Webcam(640, 480);
  LensCollector collector(test::kCharuco);
  const cv::Mat blank(480, 640, CV_8UC1, cv::Scalar(90));
  EXPECT_EQ(collector("blank", blank).last.rfind("no board in view", 0), 0U);
  EXPECT_FALSE(collector.Lens().ok());

  // Face on and filling the picture: a tilt is asked for next.
  const std::vector<LensView> flat = CharucoViews(truth, {{8, 0, 0, 0}, {8, 0, 0, 0}});
  EXPECT_EQ(collector("a", flat[0].grey).last, "hold it still");
  EXPECT_TRUE(collector("b", flat[1].grey).taken);
  EXPECT_EQ(collector.Now().views, 1);
  for (const bool cell : collector.Now().covered) EXPECT_TRUE(cell);
  EXPECT_NE(collector.Now().next.find("tilt"), std::string::npos) << collector.Now().next;
  EXPECT_FALSE(collector.Now().corners.empty());
  EXPECT_EQ(collector("c", flat[0].grey).last, "much like a view taken before");
  EXPECT_EQ(collector("small", cv::Mat(240, 320, CV_8UC1, cv::Scalar(90))).last,
            "a picture of another size");
  EXPECT_EQ(collector("none", cv::Mat()).last, "not a picture");
  cv::Mat smeared;
  cv::GaussianBlur(flat[0].grey, smeared, {}, 5.0);
  collector("smeared", smeared);
  EXPECT_FALSE(collector("smeared", smeared).taken) << collector.Now().last;

  std::vector<Held> held;
  constexpr std::array<double, 5> kDistances_in = {8, 10, 12.5, 15.5, 19.5};
  for (int i = 0; i < 20; ++i) {
    held.push_back({kDistances_in[static_cast<std::size_t>(i / 4)], 9.0 * i, 30.0, 90.0 * i});
  }
  int shown = 0;
  std::string hints;
  for (const LensView& view : CharucoViews(truth, held)) {
    if (collector.Now().done) break;
    collector(view.name, view.grey);
    collector(view.name, view.grey);
    hints += collector.Now().next + "\n";
    ++shown;
  }
  ASSERT_TRUE(collector.Now().done) << CollectionText(collector.Now()) << "\n" << hints;
  EXPECT_LT(shown, 20);  // by itself, before there were no more
  EXPECT_TRUE(collector.Now().next.empty());
  EXPECT_GE(collector.Now().views, 12);
  for (const bool side : collector.Now().tilted) EXPECT_TRUE(side);
  EXPECT_TRUE(collector.Now().near_and_far);
  const auto lens = collector.Lens();
  ASSERT_TRUE(lens.ok()) << lens.error().message;
  EXPECT_NEAR(lens->camera.fx_px, truth.fx_px, 0.01 * truth.fx_px);
  EXPECT_LT(lens->held_out_rms_px, 0.2);
  EXPECT_NE(CollectionText(collector.Now()).find("###/###/###"), std::string::npos);
}

TEST(LensCollector, WhatLacksIsNamedWhenTheViewsEnd) {
  const CameraModel truth = Webcam(640, 480);
  LensCollector collector(test::kCharuco);
  // Only ever in the middle, small and face on.
  for (const LensView& view :
       CharucoViews(truth, {{20, 0, 0, 0}, {20, 40, 2, 0}, {25, 80, 1, 0}, {30, 0, 1, 90}})) {
    collector(view.name, view.grey);
    collector(view.name, view.grey);
  }
  EXPECT_NE(collector.Now().next.find("corner of the picture"), std::string::npos)
      << collector.Now().next;
  const auto lens = collector.Lens();
  ASSERT_FALSE(lens.ok());
  EXPECT_NE(lens.error().message.find("still lacking"), std::string::npos) << lens.error().message;
}

}  // namespace
}  // namespace fos
