// SPDX-License-Identifier: MIT
#include "datasets/sweep/hand_video.h"

#include <gtest/gtest.h>
#include <opencv2/imgproc.hpp>
#include <opencv2/videoio.hpp>

#include "calibration/camera/pose_fit.h"
#include "tests/support/plane_picture.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

// A board of 8 x 8 squares, sixty frames at twenty a second, with an arm over it from 20 to 35.
constexpr int kFrames = 60;
constexpr int kComes = 20;
constexpr int kGone = 36;

void Film(const std::filesystem::path& file, const cv::Mat& board) {
  cv::VideoWriter video(file.string(), cv::CAP_OPENCV_MJPEG,
                        cv::VideoWriter::fourcc('M', 'J', 'P', 'G'), 20, board.size());
  ASSERT_TRUE(video.isOpened());
  for (int i = 0; i < kFrames; ++i) {
    cv::Mat picture = board.clone();
    if (i >= kComes && i < kGone) {
      const cv::Rect arm(230 + 3 * (i - kComes), 200, 90, board.rows - 200);
      cv::rectangle(picture, arm, cv::Scalar(120, 150, 200), cv::FILLED);
    }
    video.write(picture);
  }
}

TEST(ScoreHandVideos, CountsFramesReportedAsLabelled) {
  const test::TempDir dir;
  EXPECT_TRUE(ScoreHandVideos(dir.path(), WatchHandVideo).empty());
  EXPECT_EQ(HandVideoTable({}, true), "");
  TableSpec table;
  table.frame = {8, 8, 2.25};
  const TableCamera camera = test::Overhead(AssumedLens({640, 480}), table.frame, 28, 0, 1, 40);
  cv::Mat board;
  cv::cvtColor(test::PictureOfPlane(camera, test::PaintedTable(table)), board, cv::COLOR_GRAY2BGR);
  std::string corners;
  for (const Vec2 corner : {Vec2{0, 18}, Vec2{18, 18}, Vec2{18, 0}, Vec2{0, 0}}) {
    const ImagePoint at = ImageFromTable(camera, corner, 0);
    corners += (corners.empty() ? "" : ", ") + std::string("[") + std::to_string(at.x_px) + ", " +
               std::to_string(at.y_px) + "]";
  }
  // The hand of the last move was not seen.
  dir.Write("game/truth.json",
            R"({"video": "game.avi", "fps": 20, "board_corners_px": [)" + corners + R"(], "moves": [
      {"hand": [20, 35], "settled": [38, 47]}, {"hand": [48, 56], "settled": null}]})");
  Film(dir.path() / "game/game.avi", board);
  dir.Write(
      "broken/truth.json",
      R"({"video": "none.avi", "board_corners_px": [[0, 0], [9, 0], [9, 9], [0, 9]], "moves": []})");
  const std::vector<HandVideoScore> scores = ScoreHandVideos(dir.path(), WatchHandVideo);
  ASSERT_EQ(scores.size(), 2u);
  EXPECT_EQ(scores[0].name, "broken");
  EXPECT_NE(scores[0].error.find("none.avi"), std::string::npos) << scores[0].error;
  const HandVideoScore& game = scores[1];
  EXPECT_EQ(game.error, "");
  EXPECT_EQ(game.hands.labelled, (33 - 24 + 1) + (54 - 52 + 1));
  EXPECT_EQ(game.hands.told, 33 - 24 + 1);
  EXPECT_EQ(game.settled.labelled, 45 - 40 + 1);
  EXPECT_EQ(game.settled.told, game.settled.labelled);
  EXPECT_EQ(game.knocks, 0);
  const std::string text = HandVideoTable(scores, true);
  EXPECT_NE(text.find("frames 52 to 54, a hand: 0 of 3 told so"), std::string::npos) << text;
}

}  // namespace
}  // namespace fos
