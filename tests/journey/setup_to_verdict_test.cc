// SPDX-License-Identifier: MIT
// From the printed board to the verdict and the season's statistics, each step with the file the
// step before it wrote (docs/setup.md, docs/log.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "calibration/camera/camera_model.h"
#include "engine/files/event_log.h"
#include "engine/files/whole_file.h"
#include "tests/support/charuco_picture.h"
#include "tests/support/console_run.h"
#include "tests/support/page_commands.h"
#include "tests/support/temp_dir.h"
#include "vision/image/frame_source.h"

namespace fos {
namespace {

namespace fs = std::filesystem;
using test::ConsoleRun;
using test::RunFallofshot;

const fs::path kSample = fs::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";

// Views of a ChArUco board through the sample clip's lens, as people hold it: near and far, tilted
// to all sides, never quite in a corner.
void WriteLensViews(const fs::path& folder) {
  const Result<CameraModel> lens = ReadCamera(kSample / "camera.yaml");
  ASSERT_TRUE(lens.ok()) << lens.error().message;
  const std::vector<test::Held> held = {{9, 3, 28, 10},     {9, -8, 33, 95},   {9.5, 12, 30, 185},
                                        {9.5, -4, 34, 275}, {11, 25, 27, 50},  {12, 165, 30, 220},
                                        {10, 2, 6, 0},      {13, 90, 24, 140}, {10.5, 40, 31, 320}};
  fs::create_directories(folder);
  for (const LensView& view : test::CharucoViews(*lens, held))
    ASSERT_TRUE(cv::imwrite((folder / view.name).string(), view.grey));
}

// The shots of a log: number, place.
std::vector<ShotEvent> ShotsOf(const fs::path& log) {
  std::vector<ShotEvent> out;
  const auto events = ReadEventLog(log);
  EXPECT_TRUE(events.ok()) << events.error().message;
  if (!events.ok()) return out;
  for (const EventRecord& event : *events) {
    if (const auto* shot = std::get_if<ShotEvent>(&event.body)) out.push_back(*shot);
  }
  return out;
}

TEST(Journey, FromTheBoardToTheVerdict) {
  const test::TempDir dir;
  const std::string camera = (dir.path() / "camera.yaml").string();
  const std::string rig = (dir.path() / "rig.toml").string();
  const std::string club = (dir.path() / "club.db").string();
  const std::string out = (dir.path() / "out").string();

  const std::string sheets = (dir.path() / "sheets.pdf").string();
  const ConsoleRun printed = RunFallofshot({"print", kSample.string(), "--out", sheets});
  ASSERT_EQ(printed.status, kExitDone) << printed;
  const auto pdf = ReadWholeFile(sheets);
  ASSERT_TRUE(pdf.ok()) << pdf.error().message;
  EXPECT_EQ(pdf->substr(0, 4), "%PDF");
  // Markers, board, template and two pages of paints: those of the scenario beside the table.
  EXPECT_NE(pdf->find("/Count 5"), std::string::npos);

  WriteLensViews(dir.path() / "views");
  const ConsoleRun lens =
      RunFallofshot({"calibrate", "lens", (dir.path() / "views").string(), "--out", camera});
  ASSERT_EQ(lens.status, kExitDone) << lens;

  const ConsoleRun table =
      RunFallofshot({"calibrate", "table", kSample.string(), "--camera", camera, "--table",
                     (kSample / "table.toml").string(), "--rig", rig});
  ASSERT_EQ(table.status, kExitDone) << table;

  // The sample's first pictures show the table without its swab, the last ones with it.
  const std::string shown = (dir.path() / "projectiles.png").string();
  const ConsoleRun projectiles = RunFallofshot(
      {"calibrate", "projectiles", kSample.string(), "--rig", rig, "--picture", shown});
  ASSERT_EQ(projectiles.status, kExitDone) << projectiles;
  EXPECT_TRUE(fs::exists(shown));

  // The same shot with the lens just measured as with the one that ships with the clip.
  const ConsoleRun judged = RunFallofshot({"judge", kSample.string(), "--rig", rig, "--out", out,
                                           "--db", club, "--players", "French=Ada,British=Grace"});
  ASSERT_EQ(judged.status, kExitDone) << judged;
  const ConsoleRun shipped =
      RunFallofshot({"judge", kSample.string(), "--out", (dir.path() / "shipped").string()});
  ASSERT_EQ(shipped.status, kExitDone) << shipped;
  const auto shots = ShotsOf(dir.path() / "out/events.jsonl");
  const auto expected = ShotsOf(dir.path() / "shipped/events.jsonl");
  ASSERT_EQ(expected.size(), 1u);
  ASSERT_EQ(shots.size(), 1u) << judged;
  // Within what both say together: three sigma.
  EXPECT_LT(Distance(shots[0].point, expected[0].point),
            3 * (shots[0].sigma_in + expected[0].sigma_in))
      << judged;
  EXPECT_TRUE(fs::exists(dir.path() / "out" / shots[0].evidence));

  const ConsoleRun disputed =
      RunFallofshot({"dispute", (dir.path() / "out/events.jsonl").string(), "--shot", "1"});
  EXPECT_EQ(disputed.status, kExitDone) << disputed;
  // The same place and calls as in the game, and about as sure of them, though a part of one
  // picture is measured instead of several whole ones.
  EXPECT_NE(disputed.out.find("\n  0.00"), std::string::npos) << disputed;  // from the first
  const auto lines_after = [&](const std::string& from) {
    std::istringstream text(
        disputed.out.substr(std::min(disputed.out.find(from), disputed.out.size())));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line) && lines.size() < 4;) lines.push_back(line);
    return lines;
  };
  const std::vector<std::string> then = lines_after("Then: ");
  const std::vector<std::string> now = lines_after("Now: ");
  ASSERT_EQ(then.size(), 4U) << disputed;
  ASSERT_EQ(now.size(), 4U) << disputed;
  const std::regex number(R"(\d+\.\d+)");
  for (std::size_t i = 0; i < 4; ++i) {
    if (i == 1) continue;  // how it was measured
    const auto words = [&](const std::string& line) {
      const std::string text = std::regex_replace(line, number, "#");
      return text.substr(text.find('#'));
    };
    EXPECT_EQ(words(then[i]), words(now[i]));
    std::sregex_iterator a(then[i].begin(), then[i].end(), number);
    std::sregex_iterator b(now[i].begin(), now[i].end(), number);
    for (; a != std::sregex_iterator() && b != std::sregex_iterator(); ++a, ++b) {
      constexpr double kAsSure = 1.5;
      EXPECT_LE(std::stod(b->str()), kAsSure * std::stod(a->str())) << then[i] << '\n' << now[i];
      EXPECT_GE(std::stod(b->str()), std::stod(a->str()) / kAsSure) << then[i] << '\n' << now[i];
    }
  }

  const ConsoleRun replayed = RunFallofshot({"replay", "last", "--db", club});
  EXPECT_EQ(replayed.status, kExitDone) << replayed;
  const std::string report = (dir.path() / "battle.pdf").string();
  const ConsoleRun reported =
      RunFallofshot({"report", "last", "--db", club, "--out", (dir.path() / "battle.html").string(),
                     "--pdf", report});
  EXPECT_EQ(reported.status, kExitDone) << reported;
  EXPECT_TRUE(fs::exists(report));
  EXPECT_EQ(RunFallofshot({"games", "--db", club}).status, kExitDone);
  const ConsoleRun stats = RunFallofshot({"stats", "--db", club});
  EXPECT_EQ(stats.status, kExitDone) << stats;
  EXPECT_NE(stats.out.find("1 game"), std::string::npos) << stats;
}

// docs/setup.md, line by line, in the folder in which people would type it. Only what the reader
// has to fill in is filled in, and what needs a camera and a display is left to the window's tests.
TEST(Journey, TheSetupPagesCommandsRunInItsOrder) {
  const auto commands = test::CommandsOf(fs::path(FOS_SOURCE_DIR) / "docs/setup.md", "fallofshot ");
  ASSERT_GE(commands.size(), 6u);
  const test::TempDir dir;
  for (const char* name : {"table.toml", "scenario.toml"})
    fs::copy_file(kSample / name, dir.path() / name);
  WriteLensViews(dir.path() / "views");
  auto video = OpenVideo(kSample / "video.mkv");
  ASSERT_TRUE(video.ok());
  std::vector<cv::Mat> pictures;
  for (;;) {
    const auto next = (*video)->Next();
    ASSERT_TRUE(next.ok());
    if (!next->has_value()) break;
    pictures.push_back((**next).bgr);
  }
  fs::create_directories(dir.path() / "FOLDER");
  for (const auto& [file, at] : {std::pair<const char*, std::size_t>{"PICTURE.png", 0},
                                 {"FOLDER/1_bare.png", 0},
                                 {"FOLDER/2_laid.png", pictures.size() - 1}})
    ASSERT_TRUE(cv::imwrite((dir.path() / file).string(), pictures[at]));
  const fs::path before = fs::current_path();
  fs::current_path(dir.path());
  std::set<std::string> run;
  for (std::vector<std::string> command : commands) {
    if (command[0] == "setup" || command[0] == "live") continue;
    const std::string name = command[0] == "calibrate" ? command[1] : command[0];
    for (std::string& word : command) {
      if (word == "0") word = "views";
      if (word == "PICTURE") word = "PICTURE.png";
      if (word == "CLIP") word = kSample.string();
      if (word == "TABLE") word = ".";
    }
    const ConsoleRun done = RunFallofshot(command);
    EXPECT_EQ(done.status, kExitDone) << name << ": " << done;
    run.insert(name);
  }
  fs::current_path(before);
  EXPECT_EQ(run, (std::set<std::string>{"judge", "lens", "print", "projectiles", "table"}));
  for (const char* file : {"sheets.pdf", "camera.yaml", "rig.toml", "projectiles.png"})
    EXPECT_TRUE(fs::exists(dir.path() / file)) << file;
  EXPECT_EQ(ShotsOf(dir.path() / "out/events.jsonl").size(), 1u);
}

// A clip may bring the views instead of the lens (contract, section 2).
TEST(Journey, AClipWithLensViewsIsJudgedAndItsLensWritten) {
  const test::TempDir dir;
  const fs::path clip = dir.path() / "clip";
  fs::create_directories(clip);
  for (const char* name : {"video.mkv", "table.toml", "scenario.toml"})
    fs::copy_file(kSample / name, clip / name);
  std::ofstream(clip / "table.toml", std::ios::app)
      << "\n[charuco]\nsquares_x = 9\nsquares_y = 6\nsquare_length = 1.0\n"
         "marker_length = 0.75\ndictionary = \"DICT_5X5_100\"\n";
  WriteLensViews(clip / "lens");
  const fs::path out = dir.path() / "out";
  const ConsoleRun judged = RunFallofshot({"judge", clip.string(), "--out", out.string()});
  ASSERT_EQ(judged.status, kExitDone) << judged;
  EXPECT_EQ(ShotsOf(out / "events.jsonl").size(), 1u);
  EXPECT_FALSE(fs::exists(clip / "camera.yaml")) << "nothing is written into a clip";
  // What was written beside the output is read again.
  ASSERT_TRUE(fs::exists(out / "camera.yaml"));
  fs::copy_file(out / "camera.yaml", clip / "camera.yaml");
  fs::remove_all(clip / "lens");
  const ConsoleRun again =
      RunFallofshot({"judge", clip.string(), "--out", (dir.path() / "again").string()});
  ASSERT_EQ(again.status, kExitDone) << again;
  EXPECT_EQ(ShotsOf(dir.path() / "again/events.jsonl").size(), 1u);
}

}  // namespace
}  // namespace fos
