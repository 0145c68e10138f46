// SPDX-License-Identifier: MIT
#include "vision/appearance/two_lights.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>
#include <opencv2/imgproc.hpp>

#include "datasets/render/synthetic.h"
#include "tests/support/half_in_shade.h"
#include "tests/support/small_table.h"
#include "vision/image/rectify.h"

namespace fos {
namespace {

using test::HalfInShade;
using test::kSkyAlone;
using test::SmallTable;

TEST(TwoLights, TellsByHowMuchTheSunIsBrighter) {
  const SyntheticTable made = RenderTable(SmallTable(2));
  const cv::Mat bgr = HalfInShade(made.bgr, made.camera, 6);
  const auto lights = FindTwoLights(bgr, {}, made.camera, made.table.frame);
  ASSERT_FALSE(lights.empty());
  for (int k = 0; k < 3; ++k) {
    constexpr double kRight = 0.12;  // in logs: mottling, and the black that is added
    EXPECT_NEAR(lights[0].brighter_by[k], -std::log(kSkyAlone[k]), kRight) << k;
  }
}

TEST(TwoLights, MakesOneLightOfBoth) {
  const SyntheticTable made = RenderTable(SmallTable(2));
  const cv::Mat bgr = HalfInShade(made.bgr, made.camera, 6);
  const auto lights = FindTwoLights(bgr, {}, made.camera, made.table.frame);
  ASSERT_FALSE(lights.empty());
  const cv::Mat one = InOneLight(bgr, {}, made.camera, made.table.frame, lights[0]);
  // Over all of the board: stands as well as ground. The shade's code values are coarser, and its
  // edge is known to an eighth of an inch.
  int off = 0;
  int all = 0;
  for (double x = 0.2; x < made.table.frame.Width(); x += 0.2) {
    for (double y = 0.2; y < made.table.frame.Depth(); y += 0.2) {
      const ImagePoint p = ImageFromTable(made.camera, {x, y}, 0);
      const cv::Point at(cvRound(p.x_px), cvRound(p.y_px));
      ++all;
      constexpr double kLevels = 40;
      off += cv::norm(one.at<cv::Vec3b>(at), made.bgr.at<cv::Vec3b>(at)) > kLevels ? 1 : 0;
    }
  }
  EXPECT_LT(off, all / 25);
}

TEST(TwoLights, SeesNoneWhereOneLampLightsTheTable) {
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    const SyntheticTable made = RenderTable(SmallTable(seed));
    EXPECT_TRUE(FindTwoLights(made.bgr, {}, made.camera, made.table.frame).empty()) << seed;
  }
}

// A printed mat has two colours in the sun and two in the shade. Its spots meet all over the part
// in the sun; the two lights meet along one edge, and both colours lose as much there.
TEST(TwoLights, TellsTheSunFromThePatternOfAPrintedMat) {
  const SyntheticTable made = RenderTable(SmallTable(2));
  cv::Mat spots(made.bgr.size(), CV_32F);
  cv::RNG random(7);
  random.fill(spots, cv::RNG::NORMAL, 0, 1);
  const double spot_px = 0.5 * PixelsPerInch(made.camera, {8, 8}, 0);
  cv::GaussianBlur(spots, spots, {}, spot_px);
  cv::Mat mat = made.bgr.clone();
  cv::Mat(0.6 * made.bgr).copyTo(mat, spots > 0);
  const cv::Mat bgr = HalfInShade(mat, made.camera, 6);
  const auto lights = FindTwoLights(bgr, {}, made.camera, made.table.frame);
  const auto is_the_sun = [](const TwoLights& two) {
    constexpr double kRight = 0.2;
    bool right = true;
    for (int k = 0; k < 3; ++k)
      right = right && std::abs(two.brighter_by[k] + std::log(kSkyAlone[k])) < kRight;
    return right;
  };
  EXPECT_TRUE(std::any_of(lights.begin(), lights.end(), is_the_sun));
}

// The darkest and the lightest bands of a cloth meet in one small spot alone: no shadow ends so.
TEST(TwoLights, SeesNoneInAClothOfManyShades) {
  const SyntheticTable made = RenderTable(SmallTable(2));
  cv::Mat bgr = made.bgr.clone();
  const double third = made.table.frame.Width() / 3;
  const auto paint = [&](double from_x, double to_x, double from_y, double to_y, double share) {
    const std::array<Vec2, 4> corners{
        {{from_x, from_y}, {to_x, from_y}, {to_x, to_y}, {from_x, to_y}}};
    const cv::Scalar colour(share * 90, share * 150, share * 110);
    cv::fillConvexPoly(bgr, PixelsAt(made.camera, corners, 0), colour);
  };
  const double depth = made.table.frame.Depth();
  paint(0, third, 0, depth, 0.62);
  paint(third, 2 * third, 0, depth, 0.8);
  paint(2 * third, 3 * third, 0, depth, 1);
  EXPECT_TRUE(FindTwoLights(bgr, {}, made.camera, made.table.frame).empty());
  paint(third / 2, third / 2 + 0.8, depth / 2, depth / 2 + 0.8, 1);
  EXPECT_TRUE(FindTwoLights(bgr, {}, made.camera, made.table.frame).empty());
  // As large a part of the table in shade, and beside the rest.
  paint(third, 3 * third, 0, depth, 1);
  EXPECT_FALSE(FindTwoLights(bgr, {}, made.camera, made.table.frame).empty());
}

// A sun that burns the ground out: brought to the sun's light all pale paints in the shade would be
// burnt out, too, and left in the shade's they would all be blue.
TEST(TwoLights, ShowsAllInTheSunsColourButNotBurntOutWhereTheGroundIs) {
  SyntheticOptions options = SmallTable(2);
  options.cloth = {254, 252, 250};
  options.lamp = {2, 2, 2};
  const SyntheticTable made = RenderTable(options);
  const cv::Mat bgr = HalfInShade(made.bgr, made.camera, 6);
  const auto lights = FindTwoLights(bgr, {}, made.camera, made.table.frame);
  ASSERT_FALSE(lights.empty());
  const cv::Mat one = InOneLight(bgr, {}, made.camera, made.table.frame, lights[0]);
  const auto at = [&](Vec2 place) {
    const ImagePoint p = ImageFromTable(made.camera, place, 0);
    return cv::Vec3i(one.at<cv::Vec3b>(cv::Point(cvRound(p.x_px), cvRound(p.y_px))));
  };
  const cv::Vec3i in_shade = at({15.5, 0.5});
  const cv::Vec3i in_sun = at({0.5, 0.5});
  constexpr int kSame = 12;  // code values: mottling
  for (int k = 0; k < 3; ++k) {
    EXPECT_LT(in_shade[k], 250) << k;
    EXPECT_NEAR(in_shade[k], in_shade[1], kSame) << k;
    EXPECT_NEAR(in_shade[k], in_sun[k], kSame) << k;
  }
}

}  // namespace
}  // namespace fos
