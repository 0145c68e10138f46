// SPDX-License-Identifier: MIT
#include "vision/stands/edge_profile.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "vision/stands/edge_covariance.h"

namespace fos {
namespace {

// An edge that lies `at_px` outward of the middle, blurred by 0.8 px.
EdgeProfile Step(const cv::Vec3f& inside, const cv::Vec3f& outside, double at_px) {
  EdgeProfile profile;
  for (int i = 0; i < kProfileSamples; ++i) {
    const double share = 0.5 * std::erfc((ProfileOffset(i) - at_px) * M_SQRT1_2 / 0.8);
    profile[static_cast<std::size_t>(i)] =
        static_cast<float>(share) * inside + static_cast<float>(1 - share) * outside;
  }
  return profile;
}

TEST(FindCrossing, TellsWhetherLightOrColourPartsTheSides) {
  const cv::Vec3f white(0.8F, 0.8F, 0.8F);
  const cv::Vec3f black(0.05F, 0.05F, 0.05F);
  const auto light = FindCrossing(Step(white, black, 0.4), white, std::nullopt, 3);
  ASSERT_TRUE(light);
  EXPECT_NEAR(light->at_px, 0.4, 0.03);
  EXPECT_NEAR(light->chroma_share, 0, 0.01);
  // As light as each other by Rec. 709.
  const cv::Vec3f green(0.08F, 0.32F, 0.08F);
  const cv::Vec3f red(0.08F, 0.131F, 0.715F);
  const auto colour = FindCrossing(Step(green, red, -0.7), green, std::nullopt, 3);
  ASSERT_TRUE(colour);
  EXPECT_NEAR(colour->at_px, -0.7, 0.03);
  EXPECT_GT(colour->chroma_share, 0.98);
}

// A paint half as bright again as the picture can show: half of what it shows lies farther out.
TEST(FindCrossing, TakesOffWhatABurntOutPaintAdds) {
  const cv::Vec3f paint(1.5F, 1.5F, 1.5F);
  const cv::Vec3f dark(0.05F, 0.05F, 0.05F);
  const cv::Vec3f shown(1, 1, 1);
  const auto cut_off = [&](const cv::Vec3f& inside, const cv::Vec3f& outside) {
    EdgeProfile profile = Step(inside, outside, 0.3);
    for (auto& c : profile)
      for (int k = 0; k < 3; ++k) (*c)[k] = std::min((*c)[k], 1.0F);
    return profile;
  };
  const auto burnt = FindCrossing(cut_off(paint, dark), shown, std::nullopt, 3);
  ASSERT_TRUE(burnt);
  EXPECT_NEAR(burnt->at_px, 0.3, 0.15);
  EXPECT_NEAR(burnt->burnt, 1, 0.01);
  const auto on_burnt = FindCrossing(cut_off(dark, paint), dark, shown, 3);
  ASSERT_TRUE(on_burnt);
  EXPECT_NEAR(on_burnt->at_px, 0.3, 0.15);
  EXPECT_NEAR(on_burnt->burnt, -1, 0.01);
}

TEST(EdgeVariance, TrustsAnEdgeOfWhatIsBurntOutLess) {
  constexpr double kPixelsPerInch = 20;
  const double plain_in = std::sqrt(EdgeVariance(false, 0, 0, 0.005, kPixelsPerInch));
  const double burnt_in = std::sqrt(EdgeVariance(false, 0, -1, 0.005, kPixelsPerInch));
  EXPECT_GT(burnt_in, 2 * plain_in);
}

TEST(EdgeVariance, TrustsAnEdgeOfColourAloneLess) {
  constexpr double kPixelsPerInch = 20;
  const double light_in = std::sqrt(EdgeVariance(false, 0, 0, 0.005, kPixelsPerInch));
  const double colour_in = std::sqrt(EdgeVariance(false, 1, 0, 0.005, kPixelsPerInch));
  EXPECT_LT(light_in, 0.3 / kPixelsPerInch);
  EXPECT_GT(colour_in, 1 / kPixelsPerInch);
}

}  // namespace
}  // namespace fos
