// SPDX-License-Identifier: MIT
#include "vision/change/other_exposure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <opencv2/imgproc.hpp>

namespace fos {
namespace {

constexpr double kApart = 12;  // grey levels

// A cloth of many shades, with light and dark things on it.
cv::Mat TableOfManyLevels() {
  cv::Mat out(180, 320, CV_32FC3);
  cv::RNG random(3);
  random.fill(out, cv::RNG::NORMAL, 0, 1);
  cv::GaussianBlur(out, out, {}, 4);
  out = 150 * out + cv::Scalar(70, 120, 90);
  for (int i = 0; i < 40; ++i) {
    const cv::Rect thing(random.uniform(0, 300), random.uniform(0, 165), 12, 8);
    out(thing).setTo(cv::Scalar(random.uniform(10, 240), random.uniform(10, 240),
                                random.uniform(10, 240)));
  }
  out.convertTo(out, CV_8UC3);
  return out;
}

const cv::Mat kAll(180, 320, CV_8UC1, cv::Scalar(255));

TEST(ToneChange, FollowsAnotherToneCurve) {
  const cv::Mat known = TableOfManyLevels();
  cv::Mat table(1, 256, CV_8UC1);
  for (int level = 0; level < 256; ++level)
    table.at<std::uint8_t>(level) =
        cv::saturate_cast<std::uint8_t>(255 * std::pow(level / 255.0, 0.6));
  cv::Mat now;
  cv::LUT(known, table, now);
  const auto tones = ToneChange::Between(now, known, {1, 1, 1}, kAll, kApart);
  ASSERT_TRUE(tones);
  cv::Mat off;
  cv::absdiff(tones->InTonesOfNow(known), now, off);
  const cv::Scalar mean = cv::mean(off);
  for (int c = 0; c < 3; ++c) EXPECT_LT(mean[c], 2) << c;
}

// A plain sheet over most of the table was taken for a camera that shows all levels alike: the bare
// table that it left was taken for hands, to the end.
TEST(ToneChange, TakesACoverForNoOtherTones) {
  const cv::Mat known = TableOfManyLevels();
  for (const double level : {40, 225}) {
    cv::Mat now = known.clone();
    cv::Mat sheet = now(cv::Rect(0, 0, 256, 180));
    cv::RNG(4).fill(sheet, cv::RNG::NORMAL, level, 2);
    EXPECT_FALSE(ToneChange::Between(now, known, {1, 1, 1}, kAll, kApart)) << level;
  }
}

}  // namespace
}  // namespace fos
