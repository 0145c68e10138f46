// SPDX-License-Identifier: MIT
// Whether the camera is set up well, from one picture and its pose.
#include "vision/image/picture_hints.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <opencv2/imgproc.hpp>

namespace fos {
namespace {

// Dark print on light paper, turned a little so that its edges run through the pixels.
cv::Mat Print(double blur_px) {
  constexpr int kOver = 4;
  cv::Mat large(480 * kOver, 800 * kOver, CV_8UC3, cv::Scalar(200, 210, 205));
  for (int y = 0; y < 6; ++y) {
    for (int x = 0; x < 10; ++x) {
      const float over = kOver;
      const cv::Point2f centre(40.F + 80.F * static_cast<float>(x),
                               40.F + 80.F * static_cast<float>(y));
      const cv::RotatedRect box(over * centre, cv::Size2f(44 * over, 44 * over), 7);
      cv::Point2f corners[4];
      box.points(corners);
      const std::vector<cv::Point> outline(corners, corners + 4);
      cv::fillConvexPoly(large, outline, cv::Scalar(30, 30, 32));
    }
  }
  cv::Mat out;
  cv::resize(large, out, {}, 1.0 / kOver, 1.0 / kOver, cv::INTER_AREA);
  if (blur_px > 0) cv::GaussianBlur(out, out, {}, blur_px);
  return out;
}

Hint::Tone ToneOf(const std::vector<Hint>& hints, const std::string& about) {
  for (const Hint& hint : hints) {
    if (hint.text.rfind(about, 0) == 0) return hint.tone;
  }
  ADD_FAILURE() << "nothing is said about " << about;
  return Hint::Tone::kGood;
}

TEST(PictureHints, MeasuresTheBlurOfEdges) {
  for (const double blur : {1.0, 1.6, 2.4, 3.2}) {
    const PictureHints seen = LookAtPicture(Print(blur));
    ASSERT_TRUE(seen.blur_px.has_value()) << blur;
    EXPECT_NEAR(*seen.blur_px, blur, 0.2 * blur);
  }
  EXPECT_LT(LookAtPicture(Print(0)).blur_px.value_or(9), 0.8);
  const auto tone = [](double blur) {
    return ToneOf(HintsOf(LookAtPicture(Print(blur)), std::nullopt), "Focus");
  };
  EXPECT_EQ(tone(0.7), Hint::Tone::kGood);
  EXPECT_EQ(tone(1.6), Hint::Tone::kCould);
  EXPECT_EQ(tone(3.2), Hint::Tone::kMust);
  // A bare cloth tells nothing about the focus.
  const cv::Mat cloth(480, 800, CV_8UC3, cv::Scalar(60, 110, 70));
  EXPECT_FALSE(LookAtPicture(cloth).blur_px.has_value());
  EXPECT_EQ(ToneOf(HintsOf(LookAtPicture(cloth), std::nullopt), "Focus"), Hint::Tone::kCould);
}

TEST(PictureHints, ReportsGlareAndDarknessAsSharesOfTheBoard) {
  cv::Mat picture(100, 200, CV_8UC3, cv::Scalar(90, 120, 100));
  picture(cv::Rect(0, 0, 50, 100)) = cv::Scalar(255, 255, 255);
  EXPECT_NEAR(LookAtPicture(picture).burnt, 0.25, 1e-9);
  cv::Mat board(picture.size(), CV_8UC1, cv::Scalar(0));
  board(cv::Rect(100, 0, 100, 100)) = 255;
  EXPECT_EQ(LookAtPicture(picture, board).burnt, 0);  // the window beside it does no harm
  EXPECT_EQ(ToneOf(HintsOf(LookAtPicture(picture), std::nullopt), "Light"), Hint::Tone::kMust);
  EXPECT_EQ(ToneOf(HintsOf(LookAtPicture(picture, board), std::nullopt), "Light"),
            Hint::Tone::kGood);
  const auto light = [](double level) {
    const cv::Mat even(100, 200, CV_8UC3, cv::Scalar(level, level, level));
    return ToneOf(HintsOf(LookAtPicture(even), std::nullopt), "Light");
  };
  EXPECT_EQ(light(10), Hint::Tone::kMust);
  EXPECT_EQ(light(40), Hint::Tone::kMust);
  EXPECT_EQ(light(100), Hint::Tone::kCould);
  EXPECT_EQ(light(160), Hint::Tone::kGood);
  EXPECT_EQ(light(255), Hint::Tone::kMust);
  for (const cv::Mat& odd : {cv::Mat(), cv::Mat(1, 1, CV_8UC3, cv::Scalar(9, 9, 9)),
                             cv::Mat(90, 90, CV_8UC1, cv::Scalar(9))}) {
    EXPECT_FALSE(LookAtPicture(odd).blur_px.has_value());
    EXPECT_FALSE(HintsOf(LookAtPicture(odd), std::nullopt).empty());
  }
}

TableCamera Over(double x_in, double y_in, double height_in, double tilt_rad) {
  CameraModel lens;
  lens.width_px = 1920;
  lens.height_px = 1080;
  lens.fx_px = lens.fy_px = 1500;
  lens.cx_px = 960;
  lens.cy_px = 540;
  const cv::Vec3d rvec(CV_PI - tilt_rad, 0, 0);
  const cv::Matx33d rotation = MakeTableCamera(lens, rvec, {}).rotation;
  return MakeTableCamera(lens, rvec, -(rotation * cv::Vec3d(x_in, y_in, height_in)));
}

TEST(PictureHints, ComputesHeightAndTiltFromThePose) {
  TableSpec table;
  table.frame = {12, 9, 4.0};
  table.fiducials =
      FiducialSpec{"DICT_4X4_50",
                   2,
                   {{0, {-1.5, -1.5}}, {1, {49.5, -1.5}}, {2, {49.5, 37.5}}, {3, {-1.5, 37.5}}}};
  const ViewHints overhead = LookAtView(Over(24, 18, 70, 0), table);
  EXPECT_NEAR(overhead.height_in, 70, 1e-9);
  EXPECT_NEAR(overhead.tilt_deg, 0, 1e-6);
  EXPECT_NEAR(overhead.least_px_per_in, 1500.0 / 70, 0.01);
  EXPECT_EQ(overhead.corners_outside, 0);
  EXPECT_EQ(overhead.markers_outside, 0);
  EXPECT_NEAR(overhead.share_of_picture, 48 * 36 * std::pow(1500.0 / 70, 2) / (1920.0 * 1080),
              0.01);
  const auto all_good = HintsOf(LookAtPicture(Print(0.8)), overhead);
  for (const Hint& hint : all_good) EXPECT_EQ(hint.tone, Hint::Tone::kGood) << hint.text;

  const ViewHints near = LookAtView(Over(24, 18, 40, 0), table);
  EXPECT_EQ(near.corners_outside, 4);
  EXPECT_EQ(ToneOf(HintsOf({}, near), "Coverage"), Hint::Tone::kMust);
  const ViewHints beside = LookAtView(Over(26, 18, 66, 0), table);
  EXPECT_EQ(beside.corners_outside, 0);
  const ViewHints far = LookAtView(Over(24, 18, 140, 0), table);
  EXPECT_EQ(ToneOf(HintsOf({}, far), "Size"), Hint::Tone::kMust);
  const ViewHints tilted = LookAtView(Over(24, -40, 70, 0.7), table);
  EXPECT_NEAR(tilted.tilt_deg, 0.7 * 180 / CV_PI, 1e-6);
  EXPECT_EQ(ToneOf(HintsOf({}, tilted), "Height"), Hint::Tone::kMust);
  // From below the horizon nothing is in view, and nothing breaks.
  const ViewHints astray = LookAtView(Over(24, 18, 70, 2.5), table);
  EXPECT_EQ(astray.corners_outside, 4);
  EXPECT_EQ(astray.least_px_per_in, 0);
}

TEST(PictureHints, ReportsALensThatScattersLight) {
  TableSpec table;
  table.frame = {12, 9, 4.0};
  const TableCamera camera = Over(24, 18, 70, 0);
  const auto haze = [&](double darkest) {
    cv::Mat picture(1080, 1920, CV_8UC3, cv::Scalar(190, 200, 180));
    picture(cv::Rect(0, 0, 100, 100)) = cv::Scalar::all(darkest);
    for (const Hint& hint : HintsOf(LookAtPicture(picture), LookAtView(camera, table, picture)))
      if (hint.text.rfind("Haze", 0) == 0) return hint.tone;
    return Hint::Tone::kGood;
  };
  EXPECT_EQ(haze(12), Hint::Tone::kGood);
  EXPECT_EQ(haze(75), Hint::Tone::kCould);
  EXPECT_EQ(haze(115), Hint::Tone::kMust);
}

}  // namespace
}  // namespace fos
