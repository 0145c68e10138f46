// SPDX-License-Identifier: MIT
#include "vision/stands/edge_profile.h"

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
  const cv::Vec3f green(0.1F, 0.4F, 0.1F);
  const cv::Vec3f red(0.1F, 0.164F, 0.894F);
  const auto colour = FindCrossing(Step(green, red, -0.7), green, std::nullopt, 3);
  ASSERT_TRUE(colour);
  EXPECT_NEAR(colour->at_px, -0.7, 0.03);
  EXPECT_GT(colour->chroma_share, 0.98);
}

TEST(EdgeVariance, TrustsAnEdgeOfColourAloneLess) {
  constexpr double kPixelsPerInch = 20;
  const double light_in = std::sqrt(EdgeVariance(false, 0, 0.005, kPixelsPerInch));
  const double colour_in = std::sqrt(EdgeVariance(false, 1, 0.005, kPixelsPerInch));
  EXPECT_LT(light_in, 0.3 / kPixelsPerInch);
  EXPECT_GT(colour_in, 1 / kPixelsPerInch);
}

}  // namespace
}  // namespace fos
