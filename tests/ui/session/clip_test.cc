// SPDX-License-Identifier: MIT
#include "ui/session/clip.h"

#include <gtest/gtest.h>

#include <filesystem>

#include <opencv2/core.hpp>

#include "calibration/registration/rig_profile.h"
#include "tests/support/clip_files.h"
#include "tests/support/recordings.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

using test::TempDir;

constexpr std::string_view kCameraYaml = R"(%YAML:1.0
---
image_width: 1920
image_height: 1080
camera_matrix: !!opencv-matrix
   rows: 3
   cols: 3
   dt: d
   data: [ 1800., 0., 960., 0., 1800., 540., 0., 0., 1. ]
distortion_coefficients: !!opencv-matrix
   rows: 1
   cols: 5
   dt: d
   data: [ -0.1, 0.02, 0., 0., 0. ]
)";

// A whole clip; the video is not decoded here, so its bytes do not matter.
void WriteClip(const TempDir& dir) {
  dir.Write("table.toml", test::kTableToml);
  dir.Write("scenario.toml", test::kScenarioToml);
  dir.Write("camera.yaml", kCameraYaml);
  dir.Write("video.mkv", "x");
}

std::string ErrorOf(const TempDir& dir) {
  const Result<Clip> clip = OpenClip(dir.path());
  return clip.ok() ? "none" : clip.error().message;
}

TEST(OpenClip, ReadsAWholeClip) {
  const TempDir dir;
  WriteClip(dir);
  const Result<Clip> clip = OpenClip(dir.path());
  ASSERT_TRUE(clip.ok()) << clip.error().message;
  EXPECT_TRUE(clip->paths.is_video);
  EXPECT_EQ(clip->table.frame.columns, 12);
  EXPECT_EQ(clip->scenario.units.size(), 2u);
  ASSERT_TRUE(clip->camera);
  EXPECT_EQ(clip->camera->fx_px, 1800);
}

TEST(OpenClip, AcceptsFramesAndLensViews) {
  const TempDir dir;
  WriteClip(dir);
  std::filesystem::remove(dir.path() / "video.mkv");
  std::filesystem::remove(dir.path() / "camera.yaml");
  dir.Write("frames/000000.png", "x");
  dir.Write("lens/01.jpg", "x");
  dir.Write("lens/00.JPG", "x");
  dir.Write("lens/notes.txt", "x");
  const Result<Clip> clip = OpenClip(dir.path());
  ASSERT_TRUE(clip.ok()) << clip.error().message;
  EXPECT_FALSE(clip->paths.is_video);
  EXPECT_EQ(clip->paths.pictures.filename(), "frames");
  EXPECT_FALSE(clip->camera);
  ASSERT_EQ(clip->paths.lens_views.size(), 2u);
  EXPECT_EQ(clip->paths.lens_views[0].filename(), "00.JPG");
}

TEST(OpenClip, NamesMissingFiles) {
  EXPECT_EQ(OpenClip("/nowhere/at/all").error().code, ErrorCode::kNotFound);
  const TempDir no_lens;
  WriteClip(no_lens);
  std::filesystem::remove(no_lens.path() / "camera.yaml");
  EXPECT_NE(ErrorOf(no_lens).find("calibrate table --rig"), std::string::npos) << ErrorOf(no_lens);
  const struct {
    const char* file;
    const char* says;
  } cases[] = {{"table.toml", "table.toml: no such file"},
               {"scenario.toml", "scenario.toml: no such file"},
               {"camera.yaml", "neither camera.yaml nor pictures in lens/"},
               {"video.mkv", "neither video.mkv nor frames/000000.png"}};
  for (const auto& c : cases) {
    const TempDir dir;
    WriteClip(dir);
    std::filesystem::remove(dir.path() / c.file);
    EXPECT_NE(ErrorOf(dir).find(c.says), std::string::npos) << ErrorOf(dir);
    // A folder of that name does not count as the file.
    std::filesystem::create_directory(dir.path() / c.file);
    EXPECT_NE(ErrorOf(dir).find(c.says), std::string::npos) << ErrorOf(dir);
  }
}

TEST(OpenClip, NamesARecordingThatIsToBeRenamed) {
  const TempDir dir;
  WriteClip(dir);
  const std::string film = (dir.path() / "video.mkv").string();
  EXPECT_NE(OpenClip(film).error().message.find("`fallofshot setup " + film + "`"),
            std::string::npos);
  std::filesystem::remove(film);
  test::WriteRecording(dir.path() / "IMG_0001.MP4", {cv::Mat(48, 64, CV_8UC3, cv::Scalar(9))}, 30,
                       "mp4v");
  EXPECT_NE(ErrorOf(dir).find("rename IMG_0001.MP4 to video.MP4"), std::string::npos)
      << ErrorOf(dir);
  std::filesystem::rename(dir.path() / "IMG_0001.MP4", dir.path() / "video.MP4");
  EXPECT_EQ(ErrorOf(dir), "none");
}

TEST(OpenClip, PassesOnReadErrors) {
  const struct {
    const char* file;
    std::string text;
    const char* says;
  } cases[] = {
      {"table.toml", test::Replaced(test::kTableToml, "columns", "colums"), "table.toml:2:"},
      {"scenario.toml", test::Replaced(test::kScenarioToml, "\"L9\"", "\"M9\""), "off the board"},
      {"camera.yaml", "%YAML:1.0\n---\nimage_width: 1920\n", "camera.yaml"},
      {"camera.yaml", "", "camera.yaml"},
  };
  for (const auto& c : cases) {
    const TempDir dir;
    WriteClip(dir);
    dir.Write(c.file, c.text);
    EXPECT_NE(ErrorOf(dir).find(c.says), std::string::npos) << ErrorOf(dir);
    EXPECT_EQ(ErrorOf(dir).find('\n'), std::string::npos) << ErrorOf(dir);
  }
}

TEST(OpenClip, ReadsAClubsOwnRulingsAtOnce) {
  const TempDir dir;
  WriteClip(dir);
  dir.Write("scenario.toml",
            test::Replaced(test::kScenarioToml, "turns = 8", "settings = \"club.toml\""));
  EXPECT_NE(ErrorOf(dir).find("club.toml: no such file"), std::string::npos) << ErrorOf(dir);
  const std::string head = "schema = \"fall-of-shot/rules-settings/1\"\nruleset = \"napoleonic\"\n";
  dir.Write("club.toml", head + "[artillery]\nchoise = \"nearest\"\n");
  EXPECT_NE(ErrorOf(dir).find("club.toml:4:"), std::string::npos) << ErrorOf(dir);
  dir.Write("club.toml", head + "[artillery]\nchoice = \"nearest\"\n");
  EXPECT_EQ(ErrorOf(dir), "none");
}

TEST(OpenClip, LensViewsNeedTheirBoardDescribed) {
  const TempDir dir;
  WriteClip(dir);
  std::filesystem::remove(dir.path() / "camera.yaml");
  dir.Write("lens/00.jpg", "x");
  const std::string_view toml = test::kTableToml;
  dir.Write("table.toml", toml.substr(0, toml.find("[charuco]")));
  EXPECT_NE(ErrorOf(dir).find("table.toml: no [charuco]"), std::string::npos) << ErrorOf(dir);
}

// The rig's lens and table replace the clip's, so that the clip needs none that can be used.
TEST(OpenClip, ARigReplacesLensAndTable) {
  const TempDir dir;
  WriteClip(dir);
  RigProfile rig;
  rig.table = OpenClip(dir.path())->table;
  rig.lens.fx_px = 1700;
  std::filesystem::remove(dir.path() / "camera.yaml");
  dir.Write("lens/00.jpg", "x");
  const std::string_view toml = test::kTableToml;
  dir.Write("table.toml", toml.substr(0, toml.find("[charuco]")));
  for (const char* unused : {"lens", "table.toml"}) {
    const Result<Clip> clip = OpenClip(dir.path(), &rig);
    ASSERT_TRUE(clip.ok()) << clip.error().message;
    EXPECT_EQ(clip->camera->fx_px, 1700);
    EXPECT_EQ(clip->table.frame.columns, 12);
    std::filesystem::remove_all(dir.path() / unused);
  }
  EXPECT_TRUE(OpenClip(dir.path(), &rig).ok());
  // The units stand on the rig's board.
  rig.table.frame.columns = 2;
  const Result<Clip> small = OpenClip(dir.path(), &rig);
  ASSERT_FALSE(small.ok());
  EXPECT_NE(small.error().message.find("off the board"), std::string::npos);
}

}  // namespace
}  // namespace fos
