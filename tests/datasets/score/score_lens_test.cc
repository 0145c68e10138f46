// SPDX-License-Identifier: MIT
#include "datasets/score/score_lens.h"

#include <gtest/gtest.h>

#include "datasets/score/score_report.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

CameraModel Lens() {
  CameraModel lens;
  lens.width_px = 1280;
  lens.height_px = 720;
  lens.fx_px = lens.fy_px = 800;
  lens.cx_px = 645;
  lens.cy_px = 355;
  lens.distortion = {-0.28, 0.09, 0.0002, -0.0003, 0};
  return lens;
}

TEST(ScoreLens, ScoresALensAgainstItselfAsPerfect) {
  const auto score = ScoreLens(Lens(), Lens());
  ASSERT_TRUE(score.ok());
  EXPECT_LT(score->raw_max_px, 1e-6);
  EXPECT_LT(score->turned_max_px, 1e-6);
}

TEST(ScoreLens, ExplainsAPrincipalPointErrorMostlyByATurn) {
  CameraModel estimate = Lens();
  estimate.cx_px += 2;
  const auto score = ScoreLens(Lens(), estimate);
  ASSERT_TRUE(score.ok());
  EXPECT_NEAR(score->raw_rms_px, 2, 1e-3);
  EXPECT_LT(score->turned_rms_px, 1);
  EXPECT_GT(score->turned_rms_px, 0.01);
}

TEST(ScoreLens, DoesNotExplainAFocalLengthErrorByATurn) {
  CameraModel estimate = Lens();
  estimate.fx_px *= 1.01;
  estimate.fy_px *= 1.01;
  const auto score = ScoreLens(Lens(), estimate);
  ASSERT_TRUE(score.ok());
  EXPECT_NEAR(score->turned_rms_px, score->raw_rms_px, 0.05 * score->raw_rms_px);
  // At the corner, 734 px from the centre, one hundredth of that.
  EXPECT_NEAR(score->raw_max_px, 7.4, 0.1);
}

TEST(ScoreLens, RefusesAnotherPictureSize) {
  CameraModel estimate = Lens();
  estimate.width_px = 640;
  EXPECT_EQ(ScoreLens(Lens(), estimate).error().code, ErrorCode::kBadFormat);
}

TEST(ScoreLensSets, NamesWhatCannotBeCalibrated) {
  const test::TempDir dir;
  EXPECT_TRUE(ScoreLensSets(dir.path()).empty());
  EXPECT_TRUE(ScoreLensSets(dir.path() / "none").empty());
  EXPECT_EQ(LensTable({}), "");
  dir.Write("a/truth_camera.yaml", "no camera");
  dir.Write("b/lens/00.jpg", "no picture");
  ASSERT_TRUE(WriteCamera(Lens(), dir.path() / "b/truth_camera.yaml").ok());
  ASSERT_TRUE(WriteCamera(Lens(), dir.Write("c/x", "").parent_path() / "truth_camera.yaml").ok());
  const std::vector<LensSetScore> scores = ScoreLensSets(dir.path());
  ASSERT_EQ(scores.size(), 3u);
  for (const LensSetScore& score : scores) EXPECT_NE(score.error, "") << score.name;
  EXPECT_NE(LensTable(scores).find("b                        not calibrated: "), std::string::npos)
      << LensTable(scores);
  EXPECT_NE(ScoreJson({}, scores).find("\"lens\": \"b\""), std::string::npos);
}

}  // namespace
}  // namespace fos
