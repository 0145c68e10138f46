// SPDX-License-Identifier: MIT
// A new player's first evening, from `fallofshot` without a word more: in few actions, by keys
// alone and by mouse alone.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <opencv2/imgproc.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/colour_blind.h"
#include "tests/support/played_window.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

using test::FileHas;
using test::Played;
using test::RowsOf;

const cv::Rect kBand(620, 0, 650, 120);    // of the word of a verdict, in a window of 1280 x 720
const cv::Scalar kMissGreen(112, 196, 92);  // of the usual colours

// The start screen, as on a machine where the program never ran.
std::unique_ptr<Played> FirstStart(const test::TempDir& dir) {
  return Played::Start(dir, {}, "", "verdict = true\n");
}

bool ShowsMiss(const Played& played) { return RowsOf(played.Screen(), kBand, kMissGreen) > 80; }

// The pixels of a side panel that are as green as the word "good" lies on.
int Good(const Played& played) {
  cv::Mat good;
  cv::inRange(played.Screen()(cv::Rect(850, 60, 420, 600)), kMissGreen - cv::Scalar::all(6),
              kMissGreen + cv::Scalar::all(6), good);
  return cv::countNonZero(good);
}

// Whether the empty board of a new set-up is seen there.
bool ShowsCloth(const Played& played, int x, int y) {
  const cv::Mat screen = played.Screen();
  if (screen.empty()) return false;
  const auto& bgr = screen.at<cv::Vec3b>(y, x);
  return bgr[1] > bgr[0] + 5 && bgr[1] > bgr[2] + 5;
}

// Begins a new set-up: the question for the rules, which lies over the middle of the empty board.
void BeginNewSetUp(const Played& played, const char* rules) {
  played.Key("s");
  ASSERT_TRUE(Played::WaitFor(
      [&] { return ShowsCloth(played, 120, 320) && !ShowsCloth(played, 700, 400); }));
  played.Key(rules);
  ASSERT_TRUE(Played::WaitFor([&] { return ShowsCloth(played, 700, 400); }));
}

TEST(WindowJourney, FiveActionsToTheFirstVerdictOnARecording) {
  const test::TempDir dir;
  const auto played = FirstStart(dir);
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  played->Key("1");  // the sample recording
  ASSERT_TRUE(Played::WaitFor([&] { return ShowsMiss(*played); }));
  EXPECT_LE(played->Actions(), 5);
  EXPECT_EQ(played->Leave(), 0);
}

TEST(WindowJourney, FifteenActionsToARefereedMatchOnANewTable) {
  const test::TempDir dir;
  const auto played = FirstStart(dir);
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  BeginNewSetUp(*played, "1");
  played->Key("1");  // the sample recording instead of a camera
  ASSERT_TRUE(Played::WaitFor([&] { return Good(*played) > 1000; }));
  played->Key("F5");
  ASSERT_TRUE(Played::WaitFor([&] { return Good(*played) == 0; }));
  played->Key("a");  // find the table
  ASSERT_TRUE(Played::WaitFor([&] { return Good(*played) > 300; }));
  played->Key("F7");
  played->Key("a");  // an army of the lists for one side,
  played->Key("s");
  played->Key("a");  // and for the other
  played->Key("F9");
  ASSERT_TRUE(played->Settle());
  played->Key("r");  // save and referee
  const std::filesystem::path out = dir.path() / "data/fallofshot/live";
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(out / "events.jsonl", "\"setup\""); }));
  // The recording shows other armies than the lists: the players accept what stands there.
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(out / "events.jsonl", "\"stands\""); }));
  played->Key("F12");
  EXPECT_LE(played->Actions(), 15);
  EXPECT_TRUE(
      Played::WaitFor([&] { return FileHas(out / "events.jsonl", "\"accepted\":true"); }));
  EXPECT_EQ(played->Leave(), 0);
}

// A new set-up begins empty, with the rules that the players choose, and in a folder of its own:
// the last one stays as it was saved, and one key opens it.
TEST(WindowJourney, ANewMatchHasNothingOfTheLastOne) {
  const test::TempDir dir;
  const std::filesystem::path kept = dir.path() / "data/fallofshot";
  const auto text = [](const std::filesystem::path& file) {
    std::ostringstream out;
    out << std::ifstream(file).rdbuf();
    return out.str();
  };
  // rules  of a new set-up; nullptr: the last one is opened
  const auto set_up = [&](const char* rules, const std::vector<const char*>& keys) {
    const auto played = FirstStart(dir);
    if (played == nullptr) return false;
    if (rules != nullptr) BeginNewSetUp(*played, rules);
    for (const char* key : keys) {
      EXPECT_TRUE(played->Settle());
      played->Key(key);
    }
    EXPECT_TRUE(played->Settle());
    EXPECT_EQ(played->Leave(), 0);
    return true;
  };
  if (!set_up("1", {"F7", "a", "F9", "s"})) GTEST_SKIP() << "install xvfb and xdotool";
  const std::string first = text(kept / "setup/scenario.toml");
  EXPECT_NE(first.find("[[unit]]"), std::string::npos) << first;
  set_up("3", {"F9", "s"});
  const std::string second = text(kept / "setup-2/scenario.toml");
  EXPECT_NE(second.find("ruleset"), std::string::npos) << second;
  EXPECT_EQ(second.find("[[unit]]"), std::string::npos) << second;
  EXPECT_NE(second.substr(0, second.find('\n')), first.substr(0, first.find('\n')));
  set_up(nullptr, {"l", "F7", "Return", "F9", "s"});
  EXPECT_NE(text(kept / "setup-2/scenario.toml").find("[[unit]]"), std::string::npos);
  EXPECT_EQ(text(kept / "setup/scenario.toml"), first);
  EXPECT_FALSE(std::filesystem::exists(kept / "setup-3"));
}

// What both journeys below leave behind.
void ExpectDisputed(const test::TempDir& dir) {
  const std::filesystem::path said = dir.path() / "data/fallofshot/live/session.jsonl";
  EXPECT_TRUE(Played::WaitFor([&] { return FileHas(said, "\"move\""); }));
  EXPECT_TRUE(Played::WaitFor([&] { return FileHas(said, "take_back"); }));
  EXPECT_TRUE(Played::WaitFor([&] { return FileHas(said, "accept"); }));
}

TEST(WindowJourney, AVerdictIsDisputedAndAcceptedByKeysAlone) {
  const test::TempDir dir;
  const std::filesystem::path look = dir.path() / "config/fallofshot/preferences.toml";
  const auto played = FirstStart(dir);
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  played->Key("Down");
  played->Key("Down");  // below the set-up: the sample recording
  played->Key("Return");
  ASSERT_TRUE(Played::WaitFor([&] { return ShowsMiss(*played); }));
  played->Key("x");
  for (int i = 0; i < 4; ++i) played->Key("Left");
  played->Key("Return");
  const std::filesystem::path said = dir.path() / "data/fallofshot/live/session.jsonl";
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(said, "\"move\""); }));
  played->Key("u");
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(said, "take_back"); }));
  played->Key("a");
  ExpectDisputed(dir);
  played->Key("F2");
  played->Key("t");  // the light theme
  EXPECT_TRUE(Played::WaitFor([&] { return FileHas(look, "light = true"); }));
  played->Key("Escape");
  EXPECT_EQ(played->Leave(), 0);
}

TEST(WindowJourney, AVerdictIsDisputedAndAcceptedByMouseAlone) {
  const test::TempDir dir;
  const std::filesystem::path look = dir.path() / "config/fallofshot/preferences.toml";
  const auto played = FirstStart(dir);
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  ASSERT_TRUE(played->Settle());
  played->Click(200, 150);  // the sample recording
  ASSERT_TRUE(Played::WaitFor([&] { return ShowsMiss(*played); }));
  const std::filesystem::path said = dir.path() / "data/fallofshot/live/session.jsonl";
  played->Click(1100, 534);  // dispute: drag the point
  // The point lies in the middle of the picture, and the nearest stand to the left of it.
  played->Drag(281, 360, 240, 375);
  played->Click(700, 672);  // it lies there
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(said, "\"move\""); }));
  ASSERT_TRUE(played->Settle());
  played->Click(1100, 604);  // take back
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(said, "take_back"); }));
  ASSERT_TRUE(Played::WaitFor([&] { return ShowsMiss(*played); }));
  ASSERT_TRUE(played->Settle());
  played->Click(780, 534);  // accept
  ExpectDisputed(dir);
  ASSERT_TRUE(Played::WaitFor([&] { return !ShowsMiss(*played); }));
  ASSERT_TRUE(played->Settle());
  played->Click(1140, 18);  // the settings
  ASSERT_TRUE(played->Settle());
  played->Click(510, 60);  // the light theme
  EXPECT_TRUE(Played::WaitFor([&] { return FileHas(look, "light = true"); }));
  EXPECT_EQ(played->Leave(), 0);
}

// In pictures of the real window a hit and a miss look plainly different to colour-blind players.
TEST(WindowJourney, SafeColoursTellAHitFromAMissInAPicture) {
  const test::TempDir dir;
  const auto played = Played::Start(dir, {}, "", "verdict = true\nsafe_colours = true\n");
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  ASSERT_TRUE(played->Settle());
  played->Key("1");
  const cv::Rect band(1100, 10, 150, 80);  // beside the word
  const auto ground = [&] {
    const cv::Scalar bgr = cv::mean(played->Screen()(band));
    return std::array<double, 3>{bgr[2] / 255, bgr[1] / 255, bgr[0] / 255};
  };
  const cv::Scalar blue(233, 180, 86);
  ASSERT_TRUE(
      Played::WaitFor([&] { return RowsOf(played->Screen(), kBand, blue) > 80; }));
  const std::array<double, 3> miss = ground();
  played->Key("x");
  played->Drag(281, 360, 150, 450);  // onto the nearest stand
  const cv::Scalar vermilion(0, 94, 213);
  ASSERT_TRUE(
      Played::WaitFor([&] { return RowsOf(played->Screen(), kBand, vermilion) > 80; }));
  const std::array<double, 3> hit = ground();
  for (const test::ColourBlindness& by : test::kColourBlind)
    EXPECT_GT(test::DifferenceSeen(hit, miss, by), 20);
  played->Key("Escape");
  EXPECT_EQ(played->Leave(), 0);
}

// A screen that says of itself that it is twice as fine has everything twice as large, and the
// players' own size counts more.
TEST(WindowJourney, AFineScreenHasLargeLetters) {
  const auto rows_of_title = [](const std::string& with, bool fine) {
    const test::TempDir dir;
    const auto played = Played::Start(dir, {}, "", with, "1600x900", fine ? "192" : "");
    if (played == nullptr) return -1;
    EXPECT_TRUE(played->Settle());
    // The title in the corner: rows with bright letters.
    cv::Mat bright;
    cv::inRange(played->Screen()(cv::Rect(0, 0, 240, 60)), cv::Scalar::all(150),
                cv::Scalar::all(255), bright);
    cv::Mat rows;
    cv::reduce(bright, rows, 1, cv::REDUCE_MAX);
    int first = 0;
    while (first < rows.rows && rows.at<unsigned char>(first, 0) == 0) ++first;
    int last = first;
    while (last < rows.rows && rows.at<unsigned char>(last, 0) != 0) ++last;
    return last - first;
  };
  const int plain = rows_of_title("verdict = true\n", false);
  if (plain < 0) GTEST_SKIP() << "install xvfb and xdotool";
  EXPECT_NEAR(rows_of_title("verdict = true\n", true), 2 * plain, 2);
  EXPECT_NEAR(rows_of_title("ui_scale = 1.00\n", true), plain, 1);
}

}  // namespace
}  // namespace fos
