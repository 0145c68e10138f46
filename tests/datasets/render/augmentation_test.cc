// SPDX-License-Identifier: MIT
#include "datasets/render/augmentation.h"

#include <gtest/gtest.h>

#include "datasets/render/srgb.h"

namespace fos {
namespace {

cv::Vec3b Seen(const std::string& name, const cv::Vec3b& bgr) {
  const Result<Augmentation> look = AugmentationNamed(name);
  EXPECT_TRUE(look.ok()) << name;
  const cv::Mat picture(24, 24, CV_8UC3, cv::Scalar(bgr[0], bgr[1], bgr[2]));
  return Augmented(*look, picture, 1).at<cv::Vec3b>(12, 12);
}

TEST(Augmentation, ParsesItsName) {
  EXPECT_TRUE(AugmentationNamed("soft").ok());
  EXPECT_TRUE(AugmentationNamed("hue359").ok());
  for (const char* name : {"", "Dark", "hue", "hue-1", "hue360", "hue12x", "gloomy"})
    EXPECT_FALSE(AugmentationNamed(name).ok()) << name;
}

TEST(Augmentation, RotatesHuesAndKeepsGrey) {
  const cv::Vec3b grey(120, 120, 120);
  EXPECT_LE(cv::norm(cv::Vec3d(Seen("hue120", grey)) - cv::Vec3d(grey)), 2);
  const cv::Vec3b green(60, 130, 50);
  EXPECT_LE(cv::norm(cv::Vec3d(Seen("hue0", green)) - cv::Vec3d(green)), 3);
  const cv::Vec3b turned = Seen("hue120", green);
  EXPECT_GT(cv::norm(cv::Vec3d(turned) - cv::Vec3d(green)), 40);
  // As light as it was.
  const auto luma = [](const cv::Vec3b& c) { return 0.114 * c[0] + 0.587 * c[1] + 0.299 * c[2]; };
  EXPECT_NEAR(luma(turned), luma(green), 4);
}

TEST(Augmentation, RotatesTheScenariosPaintsToo) {
  Scenario scenario;
  scenario.sides.resize(1);
  scenario.sides[0].paint = {50, 130, 60};
  scenario.kinds.resize(1);
  scenario.kinds[0].bar = {240, 240, 240};
  const Scenario turned = Augmented(*AugmentationNamed("hue120"), scenario);
  const cv::Vec3b seen = Seen("hue120", {60, 130, 50});
  EXPECT_EQ(turned.sides[0].paint, (Colour{seen[2], seen[1], seen[0]}));
  EXPECT_NEAR(turned.kinds[0].bar.r, 240, 2);
  // A lamp changes what the camera makes of paints, not the paints.
  EXPECT_EQ(Augmented(*AugmentationNamed("dark"), scenario).sides[0].paint,
            scenario.sides[0].paint);
}

TEST(Augmentation, BlursLightAndNotCodes) {
  cv::Mat stripes(24, 24, CV_8UC3, cv::Scalar(0, 0, 0));
  for (int x = 0; x < stripes.cols; x += 2) stripes.col(x).setTo(cv::Scalar(255, 255, 255));
  const cv::Mat soft = Augmented(*AugmentationNamed("soft"), stripes, 1);
  constexpr int kHalfOfTheLight = 188;
  EXPECT_NEAR(soft.at<cv::Vec3b>(12, 12)[1], kHalfOfTheLight, 2);
  const cv::Mat even(24, 24, CV_8UC3, cv::Scalar(3, 90, 251));
  EXPECT_EQ(cv::norm(Augmented(*AugmentationNamed("soft"), even, 1), even, cv::NORM_INF), 0);
}

TEST(Augmentation, LaysAPatchOfSunThatCreeps) {
  const Augmentation sunny = *AugmentationNamed("sunny");
  const cv::Mat even(40, 400, CV_8UC3, cv::Scalar(120, 120, 120));
  const cv::Mat seen = Augmented(sunny, even, 0);
  const auto light = [](const cv::Mat& picture, int x, int channel) {
    return LightOfSrgb(picture.at<cv::Vec3b>(20, x)[channel] / 255.0);
  };
  EXPECT_NEAR(light(seen, 200, 1) / light(seen, 10, 1), sunny.sun, 0.1);
  EXPECT_GT(light(seen, 10, 0), light(seen, 10, 2)) << "the sky is blue";
  constexpr int kEdge_px = 280;
  EXPECT_GT(light(Augmented(sunny, even, 50), kEdge_px, 1), 1.3 * light(seen, kEdge_px, 1));
}

TEST(Augmentation, VeilsTheDarkAndSharpensEdgesAlone) {
  // 0.2 of full light.
  EXPECT_NEAR(Seen("veiled", {0, 0, 0})[1], 124, 2);
  EXPECT_EQ(Seen("sharpened", {120, 120, 120}), cv::Vec3b(120, 120, 120));
  cv::Mat step(24, 24, CV_8UC3, cv::Scalar::all(60));
  step.colRange(12, 24) = cv::Scalar::all(180);
  const cv::Mat sharp = Augmented(*AugmentationNamed("sharpened"), step, 1);
  EXPECT_LT(sharp.at<cv::Vec3b>(12, 11)[1], 40);
  EXPECT_GT(sharp.at<cv::Vec3b>(12, 12)[1], 200);
}

TEST(Augmentation, ScalesLinearLightAndSeedsItsNoise) {
  // 0.6 of the blue, 1.15 of the red; 180 is 0.456 of white.
  const cv::Vec3b warm = Seen("warm", {180, 180, 180});
  EXPECT_NEAR(warm[0], 143, 2);
  EXPECT_NEAR(warm[2], 192, 2);
  const cv::Mat picture(60, 60, CV_8UC3, cv::Scalar(90, 110, 60));
  for (const char* name : {"dark", "noisy", "coarse"}) {
    const Augmentation look = *AugmentationNamed(name);
    const cv::Mat first = Augmented(look, picture, 1);
    EXPECT_EQ(first.size(), picture.size());
    EXPECT_EQ(cv::norm(first, Augmented(look, picture, 1), cv::NORM_L1), 0) << name;
    EXPECT_GT(cv::norm(first, Augmented(look, picture, 2), cv::NORM_L1), 0) << name;
  }
}

}  // namespace
}  // namespace fos
