// SPDX-License-Identifier: MIT
#include "datasets/score/score_set.h"

#include <gtest/gtest.h>

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "datasets/score/score_boards.h"
#include "tests/support/clip_files.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTruthJson = R"({"clip": "c", "fps": 10.0, "frames": 50,
 "image_size": [1920, 1080],
 "camera": {"matrix": [1800, 0, 960, 0, 1800, 540, 0, 0, 1], "distortion": [0, 0, 0, 0, 0],
            "rvec": [3.14159, 0, 0], "tvec": [-24, 18, 80]},
 "stands": [{"key": "F-1L1#1", "unit": "F-1L1", "side": "French", "kind": "line_infantry",
   "intervals": [{"from": 0, "to": 49, "polygon": [[9.25, 10.4], [10.75, 10.4], [10.75, 9.6],
                  [9.25, 9.6]], "bearing": 0, "z": 0, "visible": 0.6}]}],
 "shots": [{"projectile": "qtip", "point": [20, 20, 0.1], "tail": [23, 20, 0.1],
            "at_rest_frame": 10, "last_frame": 49, "visible": 1.0}],
 "obstructed": [[20, 30]], "dice": [],
 "camera_moves": [{"frame": 5, "settled": 8, "rvec": [3.1, 0, 0], "tvec": [-24, 18, 80],
                   "shift_px": 4.0}], "someday": 1})";

void WriteClip(const test::TempDir& dir, const std::string& name) {
  dir.Write(name + "/truth.json", kTruthJson);
  dir.Write(name + "/table.toml", test::kTableToml);
  dir.Write(name + "/scenario.toml", test::kScenarioToml);
}

TEST(ReadTruth, ReadsEverything) {
  const test::TempDir dir;
  WriteClip(dir, "c");
  const Result<Truth> truth = ReadTruth(dir.path() / "c");
  ASSERT_TRUE(truth.ok()) << truth.error().message;
  EXPECT_EQ(truth->frames, 50);
  EXPECT_EQ(truth->stands.at(0).places.at(0).Centre(), (Vec2{10, 10}));
  EXPECT_EQ(truth->shots.at(0).point, (Vec2{20, 20}));
  EXPECT_TRUE(truth->Obstructed(30));
  EXPECT_FALSE(truth->Obstructed(31));
  EXPECT_EQ(truth->CameraAt(4).rvec[0], 3.14159);
  EXPECT_EQ(truth->CameraAt(5).rvec[0], 3.1);
}

TEST(ReadTruth, RejectsOtherFiles) {
  const test::TempDir dir;
  EXPECT_EQ(ReadTruth(dir.path()).error().code, ErrorCode::kNotFound);
  for (const std::string& bad :
       {std::string("{"), std::string("[]"),
        test::Replaced(kTruthJson, "\"fps\": 10.0", "\"fps\": \"ten\""),
        test::Replaced(kTruthJson, "[20, 20, 0.1]", "[20]"),
        test::Replaced(kTruthJson, "\"polygon\": [[9.25, 10.4], ", "\"polygon\": [")}) {
    dir.Write("truth.json", bad);
    EXPECT_EQ(ReadTruth(dir.path()).error().code, ErrorCode::kBadFormat) << bad;
  }
}

TEST(ScoreSet, FindsClipsAtAnyDepthAndJudgesEach) {
  const test::TempDir dir;
  WriteClip(dir, "sets/a");
  WriteClip(dir, "sets/deeper/b");
  WriteClip(dir, "sets/c");
  dir.Write("sets/no_label/table.toml", "");
  ASSERT_EQ(LabelledClips(dir.path() / "sets").size(), 3u);
  for (const int jobs : {1, 3}) {
    ScoreSetOptions options;
    options.out = dir.path() / "out";
    options.jobs = jobs;
    int told = 0;
    options.progress = [&told](int done, int all) {
      EXPECT_EQ(done, ++told);
      EXPECT_EQ(all, 3);
    };
    const JudgeFn judge = [](const fs::path& clip, const fs::path& out) -> Status {
      if (clip.filename() == "c") return Error{ErrorCode::kIo, "video.mkv: stops half-way"};
      if (clip.filename() == "b") throw std::logic_error("broken promise");
      fs::create_directories(out);
      EventLogWriter log;
      const Status appended =
          log.Append({15, 1.5, ShotEvent{1, "qtip", {20, 20.01}, 0.1, 0.01, "F6", 10, 1, ""}});
      return appended.ok() ? log.Write(out / "events.jsonl") : appended;
    };
    const auto scores = ScoreSet(dir.path() / "sets", options, judge);
    ASSERT_TRUE(scores.ok()) << scores.error().message;
    ASSERT_EQ(scores->size(), 3u);
    EXPECT_EQ((*scores)[0].clip, "a");
    EXPECT_EQ((*scores)[0].shots_found, 1);
    EXPECT_TRUE((*scores)[0].work_s);
    EXPECT_FALSE((*scores)[0].decode_s) << "there are no pictures to decode";
    EXPECT_EQ((*scores)[1].clip, "c");
    EXPECT_EQ((*scores)[1].error, "video.mkv: stops half-way");
    EXPECT_EQ((*scores)[1].shots_missed, 1);
    EXPECT_EQ((*scores)[2].clip, "deeper/b");
    EXPECT_EQ((*scores)[2].error, "broken promise");
    EXPECT_EQ((*scores)[2].shots_missed, 1);
    EXPECT_EQ((*scores)[2].half_visible.there, 3);
    EXPECT_EQ(told, 3);
  }
}

TEST(ScoreSet, RejectsAFolderWithoutLabelsAndNamesABrokenLabel) {
  const test::TempDir dir;
  EXPECT_EQ(ScoreSet(dir.path(), {}, {}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(ScoreSet(dir.path() / "none", {}, {}).error().code, ErrorCode::kNotFound);
  dir.Write("a/truth.json", "{");
  dir.Write("a/table.toml", "");
  const auto scores = ScoreSet(dir.path(), {}, {});
  ASSERT_TRUE(scores.ok());
  EXPECT_NE(scores->at(0).error.find("a/truth.json"), std::string::npos) << scores->at(0).error;
}

TEST(ScoreSet, SkipsOtherRecordingsAndCountsBrokenClips) {
  const test::TempDir dir;
  dir.Write("chess/truth.json", R"({"moves": []})");
  dir.Write("chess/game.avi", "");
  ASSERT_EQ(LabelledOthers(dir.path()), std::vector<fs::path>{dir.path() / "chess"});
  EXPECT_TRUE(LabelledClips(dir.path()).empty());
  EXPECT_EQ(ScoreSet(dir.path(), {}, {}).error().code, ErrorCode::kNotFound);
  // Of each of these clips only one of its files is left.
  for (const char* left : {"table.toml", "scenario.toml", "video.mkv", "frames/000000.png"}) {
    const std::string clip = std::string("clip_") + left[0];
    dir.Write(clip + "/truth.json", kTruthJson);
    dir.Write(clip + "/" + left, "");
  }
  EXPECT_EQ(LabelledClips(dir.path()).size(), 4u);
  EXPECT_EQ(LabelledOthers(dir.path()).size(), 1u);
  const auto scores = ScoreSet(dir.path(), {}, {});
  ASSERT_TRUE(scores.ok());
  for (const ClipScore& score : *scores) EXPECT_FALSE(score.error.empty()) << score.clip;
}

// A board of 8 x 8 squares seen from above, turned a little; its outer corners clockwise from the
// top left.
cv::Mat ChessBoard(const std::vector<cv::Point2f>& corners) {
  constexpr int kSquare_px = 40;
  constexpr int kBoard_px = 8 * kSquare_px;
  constexpr int kBorder_px = 15;
  cv::Mat flat(kBoard_px + 2 * kBorder_px, kBoard_px + 2 * kBorder_px, CV_8UC3,
               cv::Scalar(60, 80, 110));
  for (int i = 0; i < 64; ++i) {
    const cv::Rect square(kBorder_px + i % 8 * kSquare_px, kBorder_px + i / 8 * kSquare_px,
                          kSquare_px, kSquare_px);
    flat(square) = (i + i / 8) % 2 == 0 ? cv::Scalar(190, 215, 225) : cv::Scalar(40, 50, 70);
  }
  // Squares begin half a pixel before the middle of their first one.
  constexpr float kLow = kBorder_px - 0.5F;
  constexpr float kHigh = kBorder_px + kBoard_px - 0.5F;
  const std::vector<cv::Point2f> on_flat = {
      {kLow, kLow}, {kHigh, kLow}, {kHigh, kHigh}, {kLow, kHigh}};
  cv::Mat picture(480, 640, CV_8UC3, cv::Scalar(110, 120, 125));
  cv::warpPerspective(flat, picture, cv::getPerspectiveTransform(on_flat, corners), picture.size(),
                      cv::INTER_AREA, cv::BORDER_TRANSPARENT);
  cv::GaussianBlur(picture, picture, {}, 0.7);
  return picture;
}

TEST(ScoreBoardSets, MeasuresTheCornersOfSquaresAndCountsMissedBoards) {
  const test::TempDir dir;
  EXPECT_TRUE(ScoreBoardSets(dir.path()).empty());
  EXPECT_TRUE(ScoreBoardSets(dir.path() / "none").empty());
  EXPECT_EQ(BoardTable({}, true), "");
  const std::vector<cv::Point2f> corners = {{140, 62}, {497, 59}, {500, 416}, {143, 419}};
  dir.Write("sets/chess/truth_corners.json",
            R"({"board.png": {"refined": [[140, 62], [497, 59], [500, 416], [143, 419]]},
                "bare.png": {"refined": [[140, 62], [497, 59], [500, 416], [143, 419]]},
                "lost.png": {"refined": [[0, 0], [1, 0], [1, 1], [0, 1]]}})");
  const fs::path chess = dir.path() / "sets/chess";
  ASSERT_TRUE(cv::imwrite((chess / "board.png").string(), ChessBoard(corners)));
  ASSERT_TRUE(cv::imwrite((chess / "bare.png").string(),
                          cv::Mat(480, 640, CV_8UC3, cv::Scalar(110, 120, 125))));
  const std::vector<BoardSetScore> scores = ScoreBoardSets(dir.path());
  ASSERT_EQ(scores.size(), 1u);
  EXPECT_EQ(scores[0].name, "sets/chess");
  EXPECT_EQ(scores[0].error, "");
  EXPECT_EQ(scores[0].unit, "px");
  EXPECT_EQ(scores[0].pictures, 2);  // one is not there
  EXPECT_EQ(scores[0].found, 1) << BoardTable(scores, true);
  ASSERT_EQ(scores[0].errors.size(), 4u);
  for (const double error : scores[0].errors) EXPECT_LT(error, 2.0);
  const std::string text = BoardTable(scores, true);
  EXPECT_NE(text.find("found in 1 of 2"), std::string::npos) << text;
  EXPECT_NE(text.find("  bare.png: "), std::string::npos) << text;
}

TEST(ScoreBoardSets, SaysWhyASetCannotBeScored) {
  const test::TempDir dir;
  dir.Write("a/truth_corners.json", "{");
  dir.Write("aruco_gridboard/notes.txt", "");
  dir.Write("opencv_chessboard/left01.jpg", "no picture");
  ASSERT_TRUE(cv::imwrite((dir.path() / "aruco_gridboard/0.png").string(),
                          cv::Mat::zeros(120, 160, CV_8UC3)));
  const std::vector<BoardSetScore> scores = ScoreBoardSets(dir.path());
  ASSERT_EQ(scores.size(), 3u);
  EXPECT_FALSE(scores[0].error.empty());
  EXPECT_EQ(scores[1].name, "aruco_gridboard");
  EXPECT_EQ(scores[1].pictures, 1);
  EXPECT_FALSE(scores[1].error.empty());
  EXPECT_EQ(scores[2].pictures, 0);  // nothing in it can be read
  // A folder that is a set itself is found too.
  EXPECT_EQ(ScoreBoardSets(dir.path() / "aruco_gridboard").size(), 1u);
}

}  // namespace
}  // namespace fos
