// SPDX-License-Identifier: MIT
// The window's pictures of docs/guide.md and README.md, taken from the real window and compared with
// those that are there. To write them anew:
//   FOS_WRITE_DOCS=1 build/tests/window_test --gtest_filter='GuidePictures.*'
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "tests/support/played_window.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

namespace fs = std::filesystem;
using test::FileHas;
using test::Played;
using test::Quoted;
using test::SampleClip;

fs::path ShippedScenario(const char* name) {
  return fs::path(FOS_SOURCE_DIR) / "datasets/scenarios" / name;
}

// The share of pixels that plainly differ. A clock, a date or a moving film changes few.
double PlainlyDifferent(const cv::Mat& a, const cv::Mat& b) {
  if (a.empty() || a.size() != b.size()) return 1;
  cv::Mat apart;
  cv::absdiff(a, b, apart);
  cv::cvtColor(apart, apart, cv::COLOR_BGR2GRAY);
  constexpr double kPlain = 48;  // JPEG's own errors are smaller, but for some pixels of letters
  return cv::countNonZero(apart > kPlain) / static_cast<double>(apart.total());
}

// Writes the picture into the guide, where that is wanted; else checks that the guide has it.
void Compare(const cv::Mat& shown, const char* name) {
  const fs::path file = fs::path(FOS_SOURCE_DIR) / "docs/pictures" / (std::string(name) + ".jpg");
  ASSERT_FALSE(shown.empty()) << name;
  if (const char* write = std::getenv("FOS_WRITE_DOCS"); write != nullptr && *write != '\0') {
    constexpr int kQuality = 82;
    ASSERT_TRUE(cv::imwrite(file.string(), shown, {cv::IMWRITE_JPEG_QUALITY, kQuality}));
    return;
  }
  const cv::Mat kept = cv::imread(file.string());
  EXPECT_LT(PlainlyDifferent(shown, kept), 0.06)
      << name << " shows something else now; write it anew with FOS_WRITE_DOCS=1";
}

void Photograph(const Played& played, const char* name) {
  ASSERT_TRUE(played.Settle()) << name;
  Compare(played.Screen(), name);
}

#define FOS_START(name, ...)                   \
  const auto name = Played::Start(__VA_ARGS__); \
  if ((name) == nullptr) GTEST_SKIP() << "install xvfb and xdotool"

constexpr const char* kQuietly = "verdict = false\n";

TEST(GuidePictures, TheStartScreen) {
  const test::TempDir dir;
  {
    FOS_START(game, dir, {"--game", ShippedScenario("skirmish.toml").string()}, "live", kQuietly);
    ASSERT_TRUE(game->Settle());
    game->Say("shoot B-gun field at E5");
    ASSERT_TRUE(game->Settle());
    EXPECT_EQ(game->Leave(), 0);
  }
  {
    FOS_START(clip, dir,
              {SampleClip().string(), "--out", (dir.path() / "out").string(), "--db",
               (dir.path() / "data/fallofshot/club.db").string()},
              "live", kQuietly);
    ASSERT_TRUE(Played::WaitFor([&] { return FileHas(dir.path() / "out/events.jsonl", "\"end\""); }));
    ASSERT_TRUE(clip->Settle());
    EXPECT_EQ(clip->Leave(), 0);
  }
  FOS_START(start, dir, {}, "", kQuietly);
  Photograph(*start, "start");
}

TEST(GuidePictures, AShot) {
  const test::TempDir dir;
  const fs::path out = dir.path() / "out";
  FOS_START(played, dir, {SampleClip().string(), "--out", out.string(), "--no-log"}, "live",
            "verdict = true\n");
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(out / "events.jsonl", "\"end\""); }));
  // The film stays at its last picture after some rounds.
  Photograph(*played, "verdict");
  played->Key("x");
  played->Drag(281, 360, 150, 450);
  Photograph(*played, "move-the-point");
  played->Key("Escape");
  ASSERT_TRUE(played->Settle());
  // A hair outside the circle.
  played->Key("x");
  for (int i = 0; i < 7; ++i) played->Key("Left");
  played->Key("Return");
  Photograph(*played, "too-close");
  played->Key("u");
  ASSERT_TRUE(played->Settle());
  played->Key("space");
  Photograph(*played, "../images/window");  // of README.md
  played->Key("e");
  Photograph(*played, "evidence");
  played->Key("e");
  played->Key("F2");
  Photograph(*played, "settings");
  EXPECT_EQ(played->Leave(), 0);
}

TEST(GuidePictures, Onlookers) {
  const test::TempDir dir;
  if (std::system("xvfb-run -a true >/dev/null 2>&1") != 0) GTEST_SKIP() << "install xvfb";
  const std::string command =
      "XDG_CONFIG_HOME=" + Quoted(dir.path() / "config") + " xvfb-run -a -s '-screen 0 1280x720x24 -noreset' " +
      Quoted(FOS_PROGRAM) + " live " + Quoted(SampleClip()) + " --out " +
      Quoted(dir.path() / "out") + " --no-log --audience --exit-at-end --screenshot " +
      Quoted(dir.path() / "players.png");
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  Compare(cv::imread((dir.path() / "players_audience.png").string()), "audience");
}

TEST(GuidePictures, TheMap) {
  const test::TempDir dir;
  {
    FOS_START(ancient, dir, {"--game", ShippedScenario("ancient_indian.toml").string(), "--no-log"},
              "live", kQuietly);
    Photograph(*ancient, "symbols");
    EXPECT_EQ(ancient->Leave(), 0);
  }
  FOS_START(colonial, dir, {"--game", ShippedScenario("tamanieb.toml").string(), "--no-log"}, "live",
            kQuietly);
  for (const char* dice : {"6", "94", "6"}) {
    ASSERT_TRUE(colonial->Settle());
    colonial->Type(dice);
    colonial->Key("Return");
  }
  ASSERT_TRUE(colonial->Settle());
  colonial->Click(480, 442);  // the gun
  Photograph(*colonial, "reach");
  EXPECT_EQ(colonial->Leave(), 0);
}

TEST(GuidePictures, DiceAndClauses) {
  const test::TempDir dir;
  FOS_START(played, dir, {"--game", ShippedScenario("skirmish.toml").string(), "--no-log"}, "live",
            kQuietly);
  for (const char* line : {"done Blue", "done Red", "turn B-light NW", "fire B-light at E5",
                           "done Blue", "done Red"}) {
    ASSERT_TRUE(played->Settle());
    played->Say(line);
  }
  Photograph(*played, "forecast");
  played->Key("F4");
  Photograph(*played, "clause");
  EXPECT_EQ(played->Leave(), 0);
}

TEST(GuidePictures, SecretChoicesAndReplay) {
  const test::TempDir dir;
  // The skirmish up to the first melee, and whole.
  std::ifstream in(ShippedScenario("skirmish.script"));
  std::ofstream part(dir.path() / "part.script");
  for (std::string line; std::getline(in, line) && !line.starts_with("card ");) part << line << '\n';
  part.close();
  const auto play = [&](const fs::path& script, const char* club) {
    const std::string command = Quoted(FOS_PROGRAM) + " play " +
                                Quoted(ShippedScenario("skirmish.toml")) + ' ' + Quoted(script) +
                                " --seed 7 --db " + Quoted(dir.path() / club) + " >/dev/null 2>&1";
    (void)std::system(command.c_str());  // the part of a game ends with a question
    return fs::is_regular_file(dir.path() / club);
  };
  ASSERT_TRUE(play(dir.path() / "part.script", "part.db"));
  ASSERT_TRUE(play(ShippedScenario("skirmish.script"), "whole.db"));
  {
    FOS_START(replay, dir,
              {"--replay", "last", "--until", "24", "--db", (dir.path() / "whole.db").string()},
              "live", kQuietly);
    Photograph(*replay, "replay");
    EXPECT_EQ(replay->Leave(), 0);
  }
  FOS_START(secret, dir,
            {"--game", ShippedScenario("skirmish.toml").string(), "--resume", "1", "--db",
             (dir.path() / "part.db").string()},
            "live", kQuietly);
  ASSERT_TRUE(secret->Settle());
  secret->Key("1");
  Photograph(*secret, "secret");
  EXPECT_EQ(secret->Leave(), 0);
}

TEST(GuidePictures, TheSetUp) {
  const test::TempDir dir;
  const std::string out = (dir.path() / "set").string();
  {
    FOS_START(played, dir, {SampleClip().string(), "--out", out}, "setup", kQuietly);
    // The table is found as soon as there is a picture; from then on saving writes the rig too.
    ASSERT_TRUE(Played::Until([&] { played->Key("ctrl+s"); },
                              [&] { return fs::exists(dir.path() / "set/rig.toml"); }));
    played->Key("F3");
    Photograph(*played, "setup-camera");
    played->Key("F5");
    Photograph(*played, "setup-table");
    played->Key("F6");
    ASSERT_TRUE(played->Settle());
    played->Key("k");  // a house
    played->Key("n");
    for (const auto& [x, y] : {std::pair{545, 420}, {640, 420}, {640, 480}}) played->Click(x, y);
    Photograph(*played, "setup-terrain");
    played->Key("Escape");
    played->Key("ctrl+s");
    EXPECT_EQ(played->Leave(), 0);
  }
  FOS_START(armies, dir, {"--out", (dir.path() / "armies").string()}, "setup", kQuietly);
  ASSERT_TRUE(armies->Settle());
  for (const char* key : {"F7", "a", "s", "a"}) armies->Key(key);
  Photograph(*armies, "setup-armies");
}

TEST(GuidePictures, TheArmiesAreReadOffThePicture) {
  const test::TempDir dir;
  const fs::path scenario = dir.path() / "read/scenario.toml";
  FOS_START(played, dir, {"--out", (dir.path() / "read").string()}, "setup", kQuietly);
  ASSERT_TRUE(played->Settle());
  played->Key("1");  // the sample recording
  ASSERT_TRUE(played->Settle());
  played->Key("F5");
  played->Key("a");
  // The rig is written once the table is found.
  ASSERT_TRUE(Played::Until([&] { played->Key("ctrl+s"); },
                            [&] { return fs::exists(dir.path() / "read/rig.toml"); }));
  played->Key("F7");
  ASSERT_TRUE(played->Settle());
  const cv::Mat before = played->Screen();
  played->Key("c");
  const cv::Rect question(850, 75, 400, 30);
  ASSERT_TRUE(Played::WaitFor([&] {
    return test::MeanDifference(before(question), played->Screen()(question)) > 2;
  }));
  played->Key("Down");  // line infantry
  for (int i = 0; i < 3; ++i) played->Key("Return");
  Photograph(*played, "setup-read");
  played->Key("ctrl+s");
  EXPECT_TRUE(Played::WaitFor([&] { return FileHas(scenario, "line_infantry"); }));
  EXPECT_EQ(played->Leave(), 0);
}

#undef FOS_START

}  // namespace
}  // namespace fos
