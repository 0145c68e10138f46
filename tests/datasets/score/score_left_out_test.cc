// SPDX-License-Identifier: MIT
#include "datasets/score/score_left_out.h"

#include <gtest/gtest.h>

#include <opencv2/imgcodecs.hpp>
#include <random>
#include <string>
#include <vector>

#include "calibration/camera/table_camera.h"
#include "tests/support/plane_picture.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

const cv::Size kPicture(1280, 720);

CameraModel TrueLens() {
  CameraModel lens;
  lens.width_px = kPicture.width;
  lens.height_px = kPicture.height;
  lens.fx_px = lens.fy_px = 1150;
  lens.cx_px = 645;
  lens.cy_px = 355;
  lens.distortion = {-0.12, 0.04, 0.0002, -0.0003, 0};
  return lens;
}

// Corners of a board of 10 x 7 squares of an inch, held to all sides, measured with this noise.
std::vector<BoardView> Views(int count, double noise_px) {
  std::vector<BoardView> views;
  std::mt19937 random(5);
  std::normal_distribution<double> noise(0, noise_px);
  const TableFrame frame{10, 7, 1.0};
  for (int i = 0; i < count; ++i) {
    const TableCamera camera =
        test::Overhead(TrueLens(), frame, 12 + i % 4, 31.0 * i, 8 + 9 * (i % 4), 77.0 * i);
    BoardView view;
    view.name = std::to_string(i);
    view.blur_px = 0.7;
    view.square_px = 90;
    for (int c = 1; c < frame.columns; ++c) {
      for (int r = 1; r < frame.rows; ++r) {
        const Vec2 at{static_cast<double>(c), static_cast<double>(r)};
        const ImagePoint p = ImageFromTable(camera, at, 0);
        view.seen.push_back({p.x_px + noise(random), p.y_px + noise(random)});
        view.board_in.push_back({at.x, frame.rows - at.y});  // y down
      }
    }
    views.push_back(view);
  }
  return views;
}

// Of corners with normal noise, left-out views show what was printed beforehand, and OpenCV's fit
// is as good as ours.
TEST(ScoreLeftOut, MeasuresWhatTheNoiseIs) {
  constexpr double kNoise_px = 0.1;
  const auto score = ScoreLeftOut(Views(16, kNoise_px), {}, kPicture);
  ASSERT_TRUE(score.ok()) << score.error().message;
  EXPECT_EQ(score->views, 16);
  EXPECT_EQ(score->folds, 4);
  // Two coordinates; the pose of a view takes up a little.
  EXPECT_NEAR(score->ours_px, std::sqrt(2.0) * kNoise_px, 0.01);
  EXPECT_NEAR(score->opencv_px, std::sqrt(2.0) * kNoise_px, 0.01);
  EXPECT_LE(score->worst_fold, 1.05);
  EXPECT_NEAR(score->printed_px / score->ours_px, 1, 0.05);
  EXPECT_GT(score->printed_least, 0.9);
  EXPECT_LT(score->printed_most, 1.1);
  EXPECT_NEAR(score->ninths_ratio, 1, 0.1);
  EXPECT_EQ(score->opencv_on_theirs_px, 0) << "no pictures were given";
}

TEST(ScoreLeftOut, RefusesViewsThatFixNoLens) {
  EXPECT_FALSE(ScoreLeftOut(Views(2, 0.1), {}, kPicture).ok());
  EXPECT_FALSE(ScoreLeftOut({}, {}, kPicture).ok());
}

TEST(ScoreLeftOutSets, NamesEachSetAndWhyItCouldNotBeScored) {
  const test::TempDir dir;
  EXPECT_TRUE(ScoreLeftOutSets(dir.path()).empty());
  EXPECT_TRUE(ScoreLeftOutSets(dir.path() / "none").empty());
  EXPECT_EQ(LeftOutTable({}), "");
  dir.Write("lens1/truth_camera.yaml", "");
  dir.Write("lens1/lens/00.jpg", "no picture");
  dir.Write("opencv_chessboard/readme", "");
  const cv::Mat blank = cv::Mat::zeros(120, 160, CV_8UC1);
  ASSERT_TRUE(cv::imwrite((dir.path() / "opencv_chessboard/left01.png").string(), blank));
  const auto scores = ScoreLeftOutSets(dir.path());
  ASSERT_EQ(scores.size(), 2U);
  EXPECT_EQ(scores[0].name, "lens1");
  EXPECT_EQ(scores[1].name, "opencv_chessboard left");
  for (const LeftOutScore& score : scores) EXPECT_NE(score.error, "") << score.name;
  EXPECT_NE(LeftOutTable(scores).find("lens1                    not scored: "), std::string::npos)
      << LeftOutTable(scores);
}

}  // namespace
}  // namespace fos
