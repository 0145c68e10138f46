// SPDX-License-Identifier: MIT
// The real program on its own virtual display, drawn in software.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/files/scenario_file.h"
#include "engine/files/table_file.h"
#include "engine/journal/journal.h"
#include "tests/support/closefire_clip.h"
#include "tests/support/played_window.h"
#include "tests/support/shell_run.h"
#include "tests/support/temp_dir.h"
#include "ui/play/game_recorder.h"

namespace fos {
namespace {

using test::FileHas;
using test::MeanDifference;
using test::Played;
using test::Quoted;
using test::RowsOf;
using test::SampleClip;

TEST(Window, ShowsTheSampleClipToItsEnd) {
  const std::string xvfb = "xvfb-run -a -s '-screen 0 1280x720x24 -noreset' ";
  if (std::system((xvfb + "true >/dev/null 2>&1").c_str()) != 0) {
    GTEST_SKIP() << "Xvfb cannot start here; install xvfb and xauth";
  }
  const test::TempDir dir;
  const std::filesystem::path clip =
      SampleClip();
  const std::filesystem::path picture = dir.path() / "window.png";
  // Keep away from the user's settings.
  setenv("XDG_CONFIG_HOME", (dir.path() / "config").c_str(), 1);
  setenv("XDG_STATE_HOME", (dir.path() / "state").c_str(), 1);
  std::string command = xvfb;
  command.append(Quoted(FOS_PROGRAM)).append(" live ").append(Quoted(clip));
  command.append(" --out ").append(Quoted(dir.path() / "out"));
  command.append(" --db ").append(Quoted(dir.path() / "club.db"));
  command.append(" --exit-at-end --screenshot ").append(Quoted(picture));
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  const cv::Mat shown = cv::imread(picture.string());
  ASSERT_EQ(shown.cols, 1280);
  ASSERT_EQ(shown.rows, 720);
  cv::Scalar mean;
  cv::Scalar deviation;
  // Picture, map and rulings must each show something.
  for (const cv::Rect& part :
       {cv::Rect(100, 120, 600, 380), cv::Rect(880, 70, 360, 260), cv::Rect(850, 370, 420, 300)}) {
    cv::meanStdDev(shown(part), mean, deviation);
    EXPECT_GT(deviation[0] + deviation[1] + deviation[2], 30) << part.x << ' ' << part.y;
  }
  EXPECT_TRUE(std::filesystem::is_regular_file(dir.path() / "out/events.jsonl"));
  EXPECT_TRUE(std::filesystem::is_regular_file(dir.path() / "club.db"));
}

TEST(Window, SaysInOneLineThatThereIsNoDisplay) {
  const test::TempDir dir;
  const std::filesystem::path clip =
      SampleClip();
  const std::filesystem::path said = dir.path() / "said.txt";
  std::string command = "env -u DISPLAY -u WAYLAND_DISPLAY ";
  command.append(Quoted(FOS_PROGRAM)).append(" live ").append(Quoted(clip));
  command.append(" --out ").append(Quoted(dir.path() / "out")).append(" 2>").append(Quoted(said));
  command.append("; test $? -eq 1 && test $(wc -l <").append(Quoted(said)).append(") -eq 1");
  command.append(" && grep -q 'no display' ").append(Quoted(said));
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "out"));
}

constexpr const char* kSkirmish = FOS_SOURCE_DIR "/datasets/scenarios/skirmish.toml";

// What a command that needs no display does instead.
TEST(Window, WithoutADisplayNamesACommandThatFits) {
  const test::TempDir dir;
  const std::string game = kSkirmish;
  const std::string db = (dir.path() / "club.db").string();
  const std::string script =
      std::filesystem::path(game).replace_extension(".script").string();
  const std::string program = Quoted(FOS_PROGRAM);
  std::string played = program;
  played.append(" play ").append(Quoted(game)).append(" ").append(Quoted(script));
  played.append(" --seed 7 --db ").append(Quoted(db)).append(" >/dev/null");
  ASSERT_EQ(std::system(played.c_str()), 0);
  const struct {
    std::string arguments;
    const char* says;
    const char* never;
  } cases[] = {
      {"setup", "`fallofshot calibrate`", "judge"},
      {"replay last --window --db " + Quoted(db), "`fallofshot replay` without --window", "judge"},
      {"live --no-log --game " + Quoted(game), "`fallofshot play`", "judge"},
      {"live " + Quoted(SampleClip()) + " --out " + Quoted(dir.path() / "out"),
       "`fallofshot judge`", "replay"},
  };
  for (const auto& c : cases) {
    const std::string said = test::RunInShell("env -u DISPLAY -u WAYLAND_DISPLAY XDG_STATE_HOME=" +
                                              Quoted(dir.path()) + " " + program + " " +
                                              c.arguments + " 2>&1")
                                 .out;
    EXPECT_NE(said.find("no display"), std::string::npos) << said;
    EXPECT_NE(said.find(c.says), std::string::npos) << said;
    EXPECT_EQ(said.find(c.never), std::string::npos) << said;
  }
}

// What lies where the program is started is no part of it: another table's lens would be.
TEST(Window, ANewSetUpTakesNothingOfTheFolderItBeginsIn) {
  const test::TempDir dir;
  dir.Write("rig.toml", "no rig");
  const test::ShellRun run =
      test::RunInShell("cd " + Quoted(dir.path()) + " && env -u DISPLAY -u WAYLAND_DISPLAY " +
                       Quoted(FOS_PROGRAM) + " setup --out new 2>&1");
  EXPECT_NE(run.out.find("no display"), std::string::npos) << run.out;
}

// Before a window is opened.
TEST(Window, RefusesAPlayerOfASideThatTheGameLacks) {
  const test::TempDir dir;
  const std::string db = " --players Green=Ada --db " + Quoted(dir.path() / "club.db");
  for (const std::string& what :
       {"--game " + Quoted(kSkirmish),
        Quoted(SampleClip()) + " --out " + Quoted(dir.path() / "out")}) {
    const test::ShellRun run = test::RunInShell("env -u DISPLAY -u WAYLAND_DISPLAY " +
                                                Quoted(FOS_PROGRAM) + " live " + what + db);
    EXPECT_EQ(run.status, 2) << run;
    EXPECT_NE(run.out.find("--players: no side `Green`"), std::string::npos) << run;
  }
}

// The accepted lines in the club's file.
std::vector<std::string> LinesIn(const std::filesystem::path& club,
                                 GameStart::Kind kind = GameStart::Kind::kPlayed) {
  JournalOptions options;
  options.read_only = true;
  std::vector<std::string> out;
  const Result<Journal> journal = Journal::Open(club, options);
  if (!journal.ok()) return out;
  const Result<std::vector<GameSummary>> games = journal->Games();
  if (!games.ok()) return out;
  for (const GameSummary& game : *games) {
    if (game.kind != kind) continue;
    const Result<GameLog> log = journal->Read(game.id);
    if (!log.ok()) continue;
    for (const Record& record : log->records) {
      if (record.kind == RecordKind::kLine) out.push_back(record.text);
    }
  }
  return out;
}

// The window on the sample clip, which writes to `out` in that folder. with  as Played::Start().
std::unique_ptr<Played> WatchSample(const test::TempDir& dir,
                                    const std::vector<std::string>& more = {},
                                    const std::string& with = "") {
  std::vector<std::string> arguments = {SampleClip().string(), "--out",
                                        (dir.path() / "out").string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return Played::Start(dir, arguments, "live", with);
}

TEST(Window, PlaysAnArtilleryPhaseWithADispute) {
  const test::TempDir dir;
  const std::filesystem::path source = FOS_SOURCE_DIR;
  const std::filesystem::path club = dir.path() / "club.db";
  const auto played = WatchSample(
      dir, {"--game", (source / "datasets/scenarios/open_qtip.toml").string(), "--db",
            club.string()});
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  const auto lines = [&](std::size_t count) {
    return Played::WaitFor([&] { return LinesIn(club).size() == count; });
  };
  played->Say("shoot F-1A2 field at J5");
  ASSERT_TRUE(lines(1));
  ASSERT_TRUE(
      Played::WaitFor([&] { return FileHas(dir.path() / "out/events.jsonl", "\"verdict\""); }));
  // The verdict is written shortly before it is shown.
  ASSERT_TRUE(Played::Until(
      [&] {
        played->Key("Escape");
        played->Key("d");
        played->Type("it rolled");
        played->Key("Return");
      },
      [&] { return FileHas(dir.path() / "out/session.jsonl", "it rolled"); }));
  // Apply the measured shot; a key that comes while the field still closes is lost.
  ASSERT_TRUE(
      Played::Until([&] { played->Key("Return"); }, [&] { return LinesIn(club).size() == 2; }));
  played->Key("1");  // done French
  ASSERT_TRUE(lines(3));
  played->Key("1");  // done British
  ASSERT_TRUE(lines(4));
  const std::vector<std::string> said = LinesIn(club);
  EXPECT_EQ(said[0], "shoot F-1A2 field at J5");
  // At the measured point: in K5, more than an inch from every stand.
  EXPECT_EQ(said[1].rfind("lands 40.", 0), 0u) << said[1];
  EXPECT_NE(said[1].find("stand B-1V1#1 1.1"), std::string::npos) << said[1];
  EXPECT_EQ(said[2], "done French");
  EXPECT_EQ(said[3], "done British");
  EXPECT_EQ(played->Leave(), 0);
}

// The screenshot of a window that is closed while its recording plays shows what the display shows.
TEST(Window, PhotographsARecordingThatPlays) {
  const test::TempDir dir;
  const std::filesystem::path picture = dir.path() / "window.png";
  const auto played = WatchSample(dir, {"--screenshot", picture.string()}, "verdict = false\n");
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  // The recording's one shot is the last thing that changes the map; its line is written before the
  // window draws it.
  ASSERT_TRUE(
      Played::WaitFor([&] { return FileHas(dir.path() / "out/events.jsonl", "\"shot\""); }));
  const cv::Rect map(880, 70, 360, 200);
  cv::Mat seen;
  ASSERT_TRUE(Played::WaitFor([&] {
    constexpr std::chrono::milliseconds kSomeFrames{400};
    std::this_thread::sleep_for(kSomeFrames);
    const cv::Mat before = std::exchange(seen, played->Screen());
    return !before.empty() && MeanDifference(before(map), seen(map)) < 0.5;
  }));
  EXPECT_EQ(played->Leave(), 0);
  // The camera's picture and the map are the same to the eye in both.
  const cv::Mat kept = cv::imread(picture.string());
  ASSERT_EQ(kept.size(), seen.size());
  for (const cv::Rect& part : {cv::Rect(100, 120, 600, 340), map})
    EXPECT_LT(MeanDifference(kept(part), seen(part)), 12) << part.x;
}

// A window that begins in full screen shows the same as after it was repainted.
TEST(Window, BeginsInFullScreenWithoutGarbage) {
  const test::TempDir dir;
  const auto played = Played::Start(
      dir,
      {"--game",
       (std::filesystem::path(FOS_SOURCE_DIR) / "datasets/scenarios/skirmish.toml").string(),
       "--db", (dir.path() / "club.db").string()},
      "live", "full_screen = true\n", "1600x900");
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  const auto settled = [&] {
    const cv::Mat before = played->Screen();
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    return MeanDifference(before, played->Screen()) == 0;
  };
  ASSERT_TRUE(Played::WaitFor(settled));
  const cv::Mat first = played->Screen();
  // Another theme and back: every pixel is painted again.
  for (int i = 0; i < 2; ++i) {
    const cv::Mat before = played->Screen();
    ASSERT_TRUE(Played::Until([&] { played->Key("t"); },
                              [&] { return MeanDifference(before, played->Screen()) > 5; }));
    ASSERT_TRUE(Played::WaitFor(settled));
  }
  EXPECT_LT(MeanDifference(first, played->Screen()), 0.5);
  EXPECT_EQ(played->Leave(), 0);
}

// Else the buttons at its right would lie beside the screen.
TEST(Window, OpensNoLargerThanItsScreen) {
  const test::TempDir dir;
  const std::filesystem::path picture = dir.path() / "window.png";
  const auto played =
      Played::Start(dir, {"--game", kSkirmish, "--no-log", "--screenshot", picture.string()},
                    "live", "light = true\n", "1024x700");
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  EXPECT_EQ(played->Leave(), 0);
  EXPECT_EQ(cv::imread(picture.string()).size(), cv::Size(1024, 700));
}

TEST(Window, GoesFromAMatchToTheSetUpAndBack) {
  const test::TempDir dir;
  const std::filesystem::path out = dir.path() / "out";
  const auto played = WatchSample(dir, {"--db", (dir.path() / "club.db").string()});
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  // A match that has begun; its log is written before the set-up opens.
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(out / "events.jsonl", "\"stands\""); }));
  ASSERT_TRUE(Played::Until([&] { played->Key("F10"); },
                            [&] { return FileHas(out / "events.jsonl", "\"end\""); }));
  ASSERT_TRUE(Played::Until([&] { played->Key("ctrl+s"); },
                            [&] { return std::filesystem::exists(out / "setup/scenario.toml"); }));
  EXPECT_TRUE(FileHas(out / "setup/scenario.toml", "F-1A2"));
  played->Key("ctrl+q");
  // Back in the match, where a dispute can be recorded. The earlier log is set aside.
  ASSERT_TRUE(Played::Until(
      [&] {
        played->Key("Escape");
        played->Key("d");
        played->Type("it came back");
        played->Key("Return");
      },
      [&] { return FileHas(out / "session.jsonl", "it came back"); }));
  EXPECT_TRUE(FileHas(out / "earlier_01/events.jsonl", "\"end\""));
  EXPECT_EQ(played->Leave(), 0);
}

TEST(Window, WritesTheLogWhenItIsTerminated) {
  const test::TempDir dir;
  const std::filesystem::path out = dir.path() / "out";
  const auto played = WatchSample(dir);
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(out / "events.jsonl", "\"stands\""); }));
  EXPECT_EQ(played->Interrupt(), 130);
  EXPECT_TRUE(FileHas(out / "events.jsonl", "\"end\""));
}

// The verdict fills the screen when it comes, in letters a tenth of the screen high. The point is
// dragged onto a stand, the call changes, and what the camera had said stays beside it.
TEST(Window, AVerdictFillsTheScreenAndIsDisputedByDragging) {
  const test::TempDir dir;
  const std::filesystem::path out = dir.path() / "out";
  const std::filesystem::path club = dir.path() / "club.db";
  const auto played = WatchSample(dir, {"--db", club.string()}, "safe_colours = false\n");
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  const cv::Rect band(620, 0, 650, 120);
  const cv::Scalar miss(112, 196, 92);
  const cv::Scalar hit(68, 72, 238);
  const auto shows = [&](const cv::Scalar& call) {
    return [&, call] { return RowsOf(played->Screen(), band, call) > 80; };
  };
  ASSERT_TRUE(Played::WaitFor(shows(miss)));
  // The word's capitals: dark on the band.
  cv::Mat dark;
  cv::inRange(played->Screen()(band), cv::Scalar::all(0), cv::Scalar::all(40), dark);
  EXPECT_GE(cv::boundingRect(dark).height, 72);
  // One key leaves, and the same brings it back.
  played->Key("space");
  ASSERT_TRUE(Played::WaitFor([&] { return RowsOf(played->Screen(), band, miss) < 20; }));
  played->Key("space");
  ASSERT_TRUE(Played::WaitFor(shows(miss)));
  // The point lies in the middle of the picture, and the nearest stand to the left of it.
  played->Key("x");
  played->Drag(281, 360, 150, 450);
  ASSERT_TRUE(Played::WaitFor(shows(hit)));
  EXPECT_FALSE(std::filesystem::exists(out / "session.jsonl"));  // nothing is said yet
  played->Key("Return");
  ASSERT_TRUE(Played::WaitFor(
      [&] { return FileHas(out / "session.jsonl", "Camera said miss, players said hit"); }));
  // It is taken back, and the camera's call counts again.
  ASSERT_TRUE(Played::WaitFor(shows(hit)));
  played->Key("u");
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(out / "session.jsonl", "take_back"); }));
  ASSERT_TRUE(Played::WaitFor(shows(miss)));
  played->Click(780, 534);  // accept
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(out / "session.jsonl", "accept"); }));
  ASSERT_TRUE(Played::WaitFor([&] { return RowsOf(played->Screen(), band, miss) < 20; }));
  EXPECT_EQ(played->Leave(), 0);
  // The report tells it all.
  const std::filesystem::path report = dir.path() / "report.html";
  std::string command = Quoted(FOS_PROGRAM) + " report last --db " + Quoted(club) + " --out " +
                        Quoted(report) + " >/dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  EXPECT_TRUE(FileHas(report, "Camera said miss, players said hit"));
}

// The letters of a line are never taken for keys: a verdict waits until the line is played, and a
// line that is begun over a verdict is typed as beside it.
TEST(Window, AVerdictTakesNoLettersOfALine) {
  const test::TempDir dir;
  const std::filesystem::path source = FOS_SOURCE_DIR;
  const std::filesystem::path out = dir.path() / "out";
  const std::filesystem::path club = dir.path() / "club.db";
  const auto played = WatchSample(
      dir, {"--game", (source / "datasets/scenarios/open_qtip.toml").string(), "--db",
            club.string()},
      "safe_colours = false\n");
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  const cv::Rect band(620, 0, 650, 120);
  const cv::Scalar miss(112, 196, 92);
  const auto shows = [&] { return RowsOf(played->Screen(), band, miss) > 80; };
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(out / "events.jsonl", "\"stands\""); }));
  played->Key("slash");
  played->Type("shoot F-1A2");
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(out / "events.jsonl", "\"verdict\""); }));
  std::this_thread::sleep_for(std::chrono::seconds(1));
  EXPECT_FALSE(shows());
  played->Type(" field at J5");
  played->Key("Return");
  ASSERT_TRUE(Played::WaitFor([&] { return LinesIn(club).size() == 1; }));
  EXPECT_EQ(LinesIn(club)[0], "shoot F-1A2 field at J5");
  ASSERT_TRUE(Played::WaitFor(shows));
  played->Key("Return");  // apply the shot
  ASSERT_TRUE(Played::WaitFor([&] { return LinesIn(club).size() == 2; }));
  ASSERT_TRUE(Played::Until([&] { played->Key("space"); }, shows));
  played->Say("done French");
  ASSERT_TRUE(Played::WaitFor([&] { return LinesIn(club).size() == 3; }));
  EXPECT_EQ(LinesIn(club)[2], "done French");
  EXPECT_EQ(played->Leave(), 0);
}

// A swab that the camera did not tell is pointed at on the picture, and makes a shot.
TEST(Window, SomethingElseThatFellIsPointedAt) {
  const test::TempDir dir;
  const std::filesystem::path out = dir.path() / "out";
  const auto played = WatchSample(dir);
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(out / "events.jsonl", "\"end\""); }));
  played->Key("Escape");  // from the verdict to the table
  ASSERT_TRUE(Played::Until(
      [&] {
        played->Key("Escape");
        played->Key("j");
        played->Click(400, 300);
        played->Key("Return");
      },
      [&] { return FileHas(out / "session.jsonl", "\"say\":\"point\""); }));
  EXPECT_TRUE(FileHas(out / "session.jsonl", "\"shot\":2"));
  ASSERT_TRUE(
      Played::WaitFor([&] { return std::filesystem::exists(out / "evidence/shot_02.png"); }));
  EXPECT_EQ(played->Leave(), 0);
}

std::vector<GameSummary> GamesIn(const std::filesystem::path& club) {
  JournalOptions options;
  options.read_only = true;
  const auto journal = Journal::Open(club, options);
  if (!journal.ok()) return {};
  Result<std::vector<GameSummary>> all = journal->Games();
  return all.ok() ? std::move(all).value() : std::vector<GameSummary>{};
}

// Serves the sample clip as a stream that ends and can be opened again.
std::vector<std::string> AsCamera(const std::filesystem::path& clip) {
  return {"--source",   "file://" + (clip / "video.mkv").string(),
          "--table",    (clip / "table.toml").string(),
          "--scenario", (clip / "scenario.toml").string()};
}

bool HasPicture(const std::filesystem::path& folder) {
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing))
    if (entry.path().extension() == ".png") return true;
  return false;
}

TEST(Window, ALiveMatchContinuesAfterTheSetUp) {
  const test::TempDir dir;
  const std::filesystem::path out = dir.path() / "out";
  const std::filesystem::path club = dir.path() / "club.db";
  std::vector<std::string> arguments =
      AsCamera(SampleClip());
  arguments.insert(arguments.end(), {"--out", out.string(), "--db", club.string()});
  const auto played = Played::Start(dir, arguments);
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  const auto games = [&] { return GamesIn(club); };
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(out / "events.jsonl", "\"verdict\""); }));
  const auto disputed = [&](const char* words) {
    return Played::Until(
        [&] {
          played->Key("Escape");
          played->Key("d");
          played->Type(words);
          played->Key("Return");
        },
        [&] { return FileHas(out / "session.jsonl", words); });
  };
  ASSERT_TRUE(disputed("before it"));
  ASSERT_TRUE(Played::Until([&] { played->Key("F10"); },
                            [&] { return FileHas(out / "events.jsonl", "\"end\""); }));
  ASSERT_TRUE(Played::Until([&] { played->Key("ctrl+s"); },
                            [&] { return std::filesystem::exists(out / "setup/scenario.toml"); }));
  ASSERT_EQ(games().size(), 1u);
  const std::size_t records = games()[0].records;
  played->Key("ctrl+q");
  ASSERT_TRUE(Played::WaitFor([&] { return !std::filesystem::exists(out / "session.jsonl"); }));
  // The match is resumed and takes new answers.
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(out / "events.jsonl", "\"verdict\""); }));
  ASSERT_TRUE(disputed("after it"));
  // The earlier log is complete and unchanged.
  EXPECT_TRUE(FileHas(out / "earlier_01/session.jsonl", "before it"));
  EXPECT_TRUE(FileHas(out / "earlier_01/events.jsonl", "\"verdict\""));
  // A camera's pictures that come too fast are left out, so that the first shot may have been asked
  // about, which leaves no picture of a verdict.
  EXPECT_TRUE(HasPicture(out / "earlier_01/evidence"));
  EXPECT_FALSE(FileHas(out / "session.jsonl", "before it"));
  EXPECT_EQ(played->Leave(), 0);
  ASSERT_EQ(games().size(), 1u);
  EXPECT_GT(games()[0].records, records);
}

TEST(Window, ALiveMatchContinuesWhenAGameIsOpened) {
  const test::TempDir dir;
  const std::filesystem::path out = dir.path() / "out";
  const std::filesystem::path club = dir.path() / "club.db";
  const std::filesystem::path clip = dir.path() / "clip";
  test::CopyWithCloseFireTroops(SampleClip(),
                                clip);
  std::vector<std::string> arguments = AsCamera(clip);
  arguments.insert(arguments.end(), {"--out", out.string(), "--db", club.string()});
  const auto played = Played::Start(dir, arguments);
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  const auto games = [&] { return GamesIn(club); };
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(out / "events.jsonl", "\"verdict\""); }));
  ASSERT_TRUE(Played::WaitFor([&] { return games().size() == 1; }));
  const auto records = games()[0].records;
  ASSERT_TRUE(Played::Until([&] { played->Key("F9"); }, [&] { return games().size() > 1; }));
  // One record of the match, resumed, and one of the game.
  ASSERT_TRUE(Played::WaitFor([&] {
    const std::vector<GameSummary> now = games();
    return std::any_of(now.begin(), now.end(), [&](const GameSummary& game) {
      return game.kind == GameStart::Kind::kWatched && game.records > records;
    });
  }));
  EXPECT_EQ(played->Leave(), 0);
  ASSERT_EQ(games().size(), 2u);
  // The same with a match that was itself resumed.
  for (const GameSummary& game : games())
    if (game.kind == GameStart::Kind::kWatched)
      arguments.insert(arguments.end(), {"--resume", std::to_string(game.id)});
  const auto again = Played::Start(dir, arguments);
  ASSERT_NE(again, nullptr);
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(out / "events.jsonl", "\"verdict\""); }));
  const std::filesystem::path aside = [&] {
    int earlier = 1;
    const auto name = [&] { return out / ("earlier_0" + std::to_string(earlier)); };
    while (std::filesystem::exists(name())) ++earlier;
    return name();
  }();
  ASSERT_TRUE(Played::Until([&] { again->Key("F9"); },
                            [&] { return FileHas(aside / "events.jsonl", "\"end\""); }));
  ASSERT_TRUE(Played::WaitFor([&] {
    return FileHas(out / "events.jsonl", "\"verdict\"") &&
           !FileHas(out / "events.jsonl", "\"end\"");
  }));
  EXPECT_EQ(again->Leave(), 0);
  EXPECT_EQ(games().size(), 2u);
  // The game's lines are not in the match.
  EXPECT_TRUE(LinesIn(club, GameStart::Kind::kWatched).empty());
}

TEST(Window, PlaysAGameOfWhatAClipShows) {
  const test::TempDir dir;
  const std::filesystem::path clip = dir.path() / "clip";
  test::CopyWithCloseFireTroops(SampleClip(),
                                clip);
  const std::filesystem::path club = dir.path() / "club.db";
  const auto played = Played::Start(
      dir, {clip.string(), "--out", (dir.path() / "out").string(), "--db", club.string()});
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  const auto placed = [&] {
    const std::vector<std::string> lines = LinesIn(club);
    return std::any_of(lines.begin(), lines.end(),
                       [](const std::string& line) { return line.rfind("deploy ", 0) == 0; });
  };
  ASSERT_TRUE(Played::Until([&] { played->Key("F9"); }, placed));
  // The game continues: it asks for the initiative dice.
  ASSERT_TRUE(Played::Until([&] { played->Say("initiative"); },
                            [&] { return LinesIn(club).back() == "initiative"; }));
  EXPECT_EQ(played->Leave(), 0);
}

TEST(Window, PlaysAWholeTurnByMouseAndKeys) {
  const test::TempDir dir;
  const std::filesystem::path club = dir.path() / "club.db";
  const auto played = Played::Start(
      dir, {"--game",
            (std::filesystem::path(FOS_SOURCE_DIR) / "datasets/scenarios/skirmish.toml").string(),
            "--db", club.string()});
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  const auto lines = [&](std::size_t count) {
    return Played::WaitFor([&] { return LinesIn(club).size() == count; });
  };
  // The squares of the map in a window of 1280 x 720.
  const auto at = [&](char column, int row, double east, double north) {
    played->Click(static_cast<int>(183 + 53.4 * (column - 'A' + east)),
                  static_cast<int>(550 - 53.4 * (row - 1 + north)));
  };
  at('E', 3, 0.25, 0.25);  // the gun
  played->Key("1");        // the first answer: a shot at the village
  ASSERT_TRUE(lines(1));
  at('E', 5, 0.5, 0.5);    // the shot lies in the middle of the village
  at('E', 5, 0.25, 0.75);  // and this stand is within the circle
  played->Key("Return");
  ASSERT_TRUE(lines(2));
  for (std::size_t i = 3; LinesIn(club).size() < 4 && i < 6; ++i) {
    played->Key("BackSpace");  // deselects the unit
    played->Key("1");          // takes the stand if asked, otherwise: done
    ASSERT_TRUE(lines(i));
    if (LinesIn(club).back() == "done Red") break;
  }
  while (LinesIn(club).back() != "done Red") {
    const std::size_t now = LinesIn(club).size();
    ASSERT_LT(now, 8u);
    played->Key("1");
    ASSERT_TRUE(lines(now + 1));
  }
  std::size_t count = LinesIn(club).size();
  played->Say("turn B-light NW");
  ASSERT_TRUE(lines(++count));
  played->Say("fire B-light at E5");
  ASSERT_TRUE(lines(++count));
  played->Key("BackSpace");
  played->Key("1");  // done Blue
  ASSERT_TRUE(lines(++count));
  played->Key("1");  // done Red
  ASSERT_TRUE(lines(++count));
  played->Type("13");  // the dice
  played->Key("Return");
  ASSERT_TRUE(lines(++count)) << LinesIn(club).back();
  at('D', 3, 0.25, 0.25);  // the line infantry
  at('D', 4, 0.5, 0.5);    // one of its moves
  played->Key("Return");
  ASSERT_TRUE(lines(++count)) << LinesIn(club).back();
  EXPECT_EQ(LinesIn(club).back().rfind("move B-line via D4", 0), 0u) << LinesIn(club).back();
  played->Key("ctrl+z");
  played->Key("ctrl+y");
  ASSERT_TRUE(lines(++count));
  for (int i = 0; i < 12; ++i) {
    played->Key("BackSpace");
    played->Key("1");
    ASSERT_TRUE(lines(++count));
    const std::vector<std::string> said = LinesIn(club);
    if (said.back() == "done Red" && said[said.size() - 2] == "done Blue" && i > 0) break;
  }
  EXPECT_EQ(played->Leave(), 0);
  // The game is restored from the log, in its second turn.
  GameRecorder::Wanted wanted;
  wanted.club = club;
  wanted.scenario = std::filesystem::path(FOS_SOURCE_DIR) / "datasets/scenarios/skirmish.toml";
  Result<std::unique_ptr<GameRecorder>> log = GameRecorder::Open(wanted);
  ASSERT_TRUE(log.ok()) << log.error().message;
  Result<GameController::Setup> setup = (*log)->Setup();
  ASSERT_TRUE(setup.ok());
  const Result<std::unique_ptr<GameController>> controller =
      GameController::Open(std::move(setup).value());
  ASSERT_TRUE(controller.ok()) << controller.error().message;
  EXPECT_EQ((*controller)->Now()->prompt.turn, 2) << (*controller)->Now()->prompt.sentence;
}

std::size_t Count(const std::filesystem::path& file, const std::string& words) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  const std::string all = text.str();
  std::size_t count = 0;
  for (std::size_t at = all.find(words); at != std::string::npos; at = all.find(words, at + 1)) {
    ++count;
  }
  return count;
}

TEST(Window, SetsUpTerrainAndArmiesOverThePicture) {
  const test::TempDir dir;
  const std::filesystem::path out = dir.path() / "set";
  const std::filesystem::path source = FOS_SOURCE_DIR;
  const auto played = Played::Start(
      dir, {(source / "datasets/sets/open_qtip").string(), "--out", out.string()}, "setup");
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  // Find the table; from then on saving also writes the rig.
  ASSERT_TRUE(Played::Until([&] { played->Key("ctrl+s"); },
                            [&] { return std::filesystem::exists(out / "rig.toml"); }));
  const std::filesystem::path scenario = out / "scenario.toml";
  const std::size_t terrain = Count(scenario, "[[terrain]]");
  const std::size_t units = Count(scenario, "[[unit]]");
  // Draws a wood on the picture, in a window of 1280 x 720.
  ASSERT_TRUE(Played::Until(
      [&] {
        played->Key("F6");
        played->Key("Escape");
        played->Type("n");
        for (const auto& [x, y] : {std::pair{545, 420}, {640, 420}, {640, 480}, {545, 490}}) {
          played->Click(x, y);
        }
        played->Type("c");
        played->Key("ctrl+s");
      },
      [&] { return Count(scenario, "[[terrain]]") > terrain; }));
  // Places infantry from the list and drags it on the map to E3.
  ASSERT_TRUE(Played::Until(
      [&] {
        played->Key("F7");
        played->Key("Escape");
        played->Key("Return");
        played->Key("ctrl+s");
      },
      [&] { return Count(scenario, "[[unit]]") > units; }));
  ASSERT_TRUE(FileHas(scenario,
                      "id = \"F-LI1\"\nside = \"French\"\nkind = \"light_infantry\"\n"
                      "stands = 3\nsquare = \"G1\""));
  ASSERT_FALSE(FileHas(scenario, "square = \"E3\""));
  int tries = 0;
  ASSERT_TRUE(Played::Until(
      [&] {
        // The letter toggles picture and map, so press it only once.
        if (tries++ % 2 == 0) played->Type("v");
        played->Drag(455, 641, 325, 511);
        played->Key("ctrl+s");
      },
      [&] { return FileHas(scenario, "square = \"E3\""); }));
  EXPECT_EQ(played->Leave(), 0);
  // The saved file can be read, and the wood is where it was clicked: about J4 and I4.
  const Result<TableSpec> table = ReadTable(out / "table.toml");
  ASSERT_TRUE(table.ok()) << table.error().message;
  const Result<Scenario> plan = ReadScenario(scenario, table->frame);
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  EXPECT_TRUE(Contains(plan->terrain.back().polygon, table->frame.CentreOf({8, 3})));
  EXPECT_NEAR(Area(plan->terrain.back().polygon), 25, 4);
}

// The game in the club's file, computed again.
std::shared_ptr<const GameShown> GameIn(const std::filesystem::path& club) {
  Result<GameController::Setup> setup = GameRecorder::ReplaySetup(club, "last");
  if (!setup.ok()) return nullptr;
  const Result<std::unique_ptr<GameController>> controller =
      GameController::Open(std::move(setup).value());
  if (!controller.ok()) return nullptr;
  (*controller)->StepTo((*controller)->Now()->replay_turns.size());
  return (*controller)->Now();
}

// One game in the window, from its first prompt.
struct InTheWindow {
  explicit InTheWindow(const char* scenario)
      : played(Played::Start(
            dir, {"--game", ScenarioPath(scenario).string(), "--db", Club().string()})) {}
  static std::filesystem::path ScenarioPath(const char* name) {
    return std::filesystem::path(FOS_SOURCE_DIR) / "datasets/scenarios" / name;
  }
  std::filesystem::path Club() const { return dir.path() / "club.db"; }
  std::string Last() const {
    const std::vector<std::string> said = LinesIn(Club());
    return said.empty() ? "" : said.back();
  }
  // Acts, then waits until the rules have accepted one more line.
  testing::AssertionResult Accepted(const std::function<void()>& done) {
    const std::size_t before = LinesIn(Club()).size();
    done();
    if (Played::WaitFor([&] { return LinesIn(Club()).size() > before; })) {
      return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << "after `" << Last() << "`";
  }
  testing::AssertionResult Dice(const char* faces) {
    return Accepted([&] {
      played->Type(faces);
      played->Key("Return");
    });
  }
  testing::AssertionResult Answer(const char* key) {
    return Accepted([&] { played->Key(key); });
  }
  testing::AssertionResult Say(const char* line) {
    return Accepted([&] { played->Say(line); });
  }
  // Answers every prompt by keys until that turn: rolls, takes the first choice, is done.
  testing::AssertionResult GoOnTo(int turn) {
    for (int i = 0; i < 200; ++i) {
      const std::shared_ptr<const GameShown> game = GameIn(Club());
      if (game == nullptr) return testing::AssertionFailure() << "the log cannot be read";
      const Prompt& prompt = game->prompt;
      if (prompt.turn >= turn || prompt.kind == PromptKind::kOver)
        return testing::AssertionSuccess();
      std::string key = "1";
      if (prompt.kind == PromptKind::kDice || prompt.kind == PromptKind::kCoin) key = "r";
      if (prompt.kind == PromptKind::kDeclare) {
        // The index of a side's `done` among the answers without a unit.
        int place = 0;
        for (const int side : prompt.sides) {
          for (const LineOption& option : game->options[static_cast<std::size_t>(side)]) {
            // Final answers come after all these.
            if (!option.pieces.empty() || !option.for_good.empty()) continue;
            ++place;
            if (option.line.rfind("done", 0) == 0 && key == "1") key = std::to_string(place);
          }
        }
      }
      testing::AssertionResult answered = Accepted([&] {
        if (prompt.kind == PromptKind::kDeclare) played->Key("BackSpace");
        if (prompt.kind == PromptKind::kSecret) played->Key("q");
        played->Key(key);
      });
      if (!answered) return answered << " of " << prompt.sentence;
    }
    return testing::AssertionFailure() << "the turn does not end";
  }

  test::TempDir dir;
  std::unique_ptr<Played> played;
};

TEST(Window, PlaysAWholeTurnOfAncient) {
  InTheWindow game("ancient_roman.toml");
  if (game.played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  ASSERT_TRUE(game.Dice("41"));  // Rome attacks
  for (const char* done : {"done Roman", "done Carthaginian", "done Roman", "done Carthaginian"}) {
    ASSERT_TRUE(game.Answer("1"));  // nobody shoots
    EXPECT_EQ(game.Last(), done);
  }
  ASSERT_TRUE(game.Accepted([&] {
    game.played->Click(222, 456);  // R-1 in C2
    game.played->Click(236, 400);  // one of its moves
    game.played->Key("Return");
  }));
  // Click, click, Enter moves the whole unit.
  EXPECT_EQ(game.Last().rfind("move R-1 ", 0), 0u) << game.Last();
  EXPECT_NE(game.Last().find("via C3"), std::string::npos) << game.Last();
  ASSERT_TRUE(game.Say("move R-12 via G2 G3"));
  ASSERT_TRUE(game.GoOnTo(2));
  EXPECT_EQ(game.played->Leave(), 0);
  EXPECT_EQ(GameIn(game.Club())->prompt.turn, 2);
}

TEST(Window, PlaysAWholeTurnOfColonial) {
  InTheWindow game("tamanieb.toml");
  if (game.played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  for (const char* dice : {"6", "94", "6"}) ASSERT_TRUE(game.Dice(dice));
  ASSERT_TRUE(game.Accepted([&] {
    game.played->Click(480, 442);  // the gun
    game.played->Key("1");
  }));
  EXPECT_EQ(game.Last(), "fire I-Gun at M-Rifles1");
  ASSERT_TRUE(game.Dice("=5"));  // a twelve
  EXPECT_EQ(game.Last(), "dice 12 5");
  ASSERT_TRUE(game.GoOnTo(2));
  EXPECT_EQ(game.played->Leave(), 0);
  EXPECT_EQ(GameIn(game.Club())->prompt.turn, 2);
}

TEST(Window, PlaysAWholeTurnOfCloseFire) {
  InTheWindow game("kirchheim.toml");
  if (game.played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  ASSERT_TRUE(game.Answer("1"));
  EXPECT_EQ(game.Last(), "initiative");
  ASSERT_TRUE(game.Dice("35"));
  ASSERT_TRUE(game.Answer("1"));
  EXPECT_EQ(game.Last(), "choose \"first\"");
  ASSERT_TRUE(game.Accepted([&] {
    game.played->Click(299, 181);  // the gun in the middle of the French line
    game.played->Key("1");
  }));
  EXPECT_EQ(game.Last().rfind("fire F-G1 at A-", 0), 0u) << game.Last();
  ASSERT_TRUE(game.Dice("4"));
  ASSERT_TRUE(game.GoOnTo(2));
  EXPECT_EQ(game.played->Leave(), 0);
  EXPECT_EQ(GameIn(game.Club())->prompt.turn, 2);
}

// A leader is clicked and acts, like a unit.
TEST(Window, AClickedLeaderActs) {
  InTheWindow game("kirchheim.toml");
  if (game.played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  ASSERT_TRUE(game.Answer("1"));
  ASSERT_TRUE(game.Dice("35"));
  ASSERT_TRUE(game.Answer("1"));
  // Nobody fires.
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(game.Answer("1"));
  ASSERT_EQ(GameIn(game.Club())->prompt.phase, "Command");
  ASSERT_TRUE(game.Accepted([&] {
    game.played->Click(607, 164);  // F-B3 behind the hussars
    game.played->Key("1");
  }));
  EXPECT_NE(game.Last().find("F-B3"), std::string::npos) << game.Last();
  EXPECT_EQ(game.played->Leave(), 0);
}

// A unit is dragged to its square, and another's menu is opened on the map.
TEST(Window, AUnitIsDraggedAndAMenuOpensOnTheMap) {
  InTheWindow game("skirmish.toml");
  if (game.played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  for (const char* done : {"done Blue", "done Red", "done Blue", "done Red"})
    ASSERT_TRUE(game.Say(done));
  ASSERT_TRUE(game.played->Settle());
  // The squares of the map in a window of 1280 x 720: D3 begins at (343, 443).
  ASSERT_TRUE(game.Accepted([&] {
    game.played->Drag(357, 430, 370, 363);  // the line infantry in D3, to D4
    game.played->Key("Return");
  }));
  EXPECT_EQ(game.Last().rfind("move B-line via D4", 0), 0u) << game.Last();
  ASSERT_TRUE(game.played->Settle());
  const cv::Mat before = game.played->Screen();
  EXPECT_TRUE(game.played->Do("mousemove 464 350 click 3"));  // the light infantry in F4
  const cv::Rect about(470, 360, 300, 150);
  ASSERT_TRUE(Played::WaitFor(
      [&] { return MeanDifference(before(about), game.played->Screen()(about)) > 2; }));
  ASSERT_TRUE(game.played->Settle());
  ASSERT_TRUE(game.Accepted([&] { game.played->Click(630, 282); }));  // the menu's first row
  EXPECT_EQ(game.Last().rfind("turn B-light", 0), 0u) << game.Last();
  EXPECT_EQ(game.played->Leave(), 0);
}

TEST(Window, StepsThroughAKeptGame) {
  InTheWindow game("skirmish.toml");
  if (game.played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  ASSERT_TRUE(game.Say("done Blue"));
  ASSERT_TRUE(game.Say("done Red"));
  EXPECT_EQ(game.played->Leave(), 0);
  const std::size_t lines = LinesIn(game.Club()).size();
  const auto replay = Played::Start(game.dir, {"--replay", "last", "--db", game.Club().string()});
  ASSERT_NE(replay, nullptr);
  for (const char* key : {"Return", "Return", "BackSpace", "End", "Home", "1"}) replay->Key(key);
  replay->Say("done Blue");
  EXPECT_EQ(replay->Leave(), 0);
  EXPECT_EQ(LinesIn(game.Club()).size(), lines);  // a replay writes nothing
}

// A recording is looked at again: back by keys and on again, and nothing is judged twice.
TEST(Window, LooksAtARecordingAgain) {
  const test::TempDir dir;
  const auto played = WatchSample(dir, {}, "verdict = false\n");
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  const std::filesystem::path events = dir.path() / "out/events.jsonl";
  // Hurries to the shot and pauses there.
  ASSERT_TRUE(Played::Until([&] { played->Key("End"); },
                            [&] { return FileHas(events, "\"verdict\""); }));
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const cv::Mat rulings_at = played->Screen();
  const cv::Rect rulings(850, 370, 420, 300);
  ASSERT_FALSE(rulings_at.empty());
  const auto same = [&] {
    const cv::Mat now = played->Screen();
    return MeanDifference(now(rulings), rulings_at(rulings)) < 0.5;
  };
  // Some pictures before it the shot is not known yet. A second `End` may have gone on to the end of
  // the recording, 37 pictures after it.
  const auto back = [&] {
    for (int i = 0; i < 8; ++i) played->Key("shift+F8");
  };
  ASSERT_TRUE(Played::Until(back, [&] { return !same(); }));
  ASSERT_TRUE(Played::Until([&] { played->Key("End"); }, same));
  played->Key("F7");
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(events, "\"end\""); }));
  played->Key("Home");
  ASSERT_TRUE(Played::WaitFor(same));
  EXPECT_EQ(played->Leave(), 0);
  std::ifstream in(events);
  int verdicts = 0;
  for (std::string line; std::getline(in, line);)
    verdicts += line.find("\"type\":\"verdict\"") != std::string::npos ? 1 : 0;
  EXPECT_EQ(verdicts, 1);
}

// The verdict's film moves; the words beside it do not.
TEST(Window, AVerdictShowsItsFilm) {
  const test::TempDir dir;
  const auto played = WatchSample(dir, {}, "verdict = true\n");
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  ASSERT_TRUE(
      Played::WaitFor([&] { return FileHas(dir.path() / "out/events.jsonl", "\"verdict\""); }));
  // Lower left: the film; upper right: the word.
  const cv::Rect film(20, 490, 520, 220);
  const cv::Rect word(700, 10, 500, 90);
  cv::Mat before = played->Screen();
  double moved = 0;
  double stayed = 255;
  ASSERT_TRUE(Played::WaitFor([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    const cv::Mat now = played->Screen();
    moved = MeanDifference(now(film), before(film));
    stayed = MeanDifference(now(word), before(word));
    before = now;
    return moved > 0.3 && stayed < 0.2;
  })) << moved << ' ' << stayed;
  played->Key("l");
  const cv::Rect larger(20, 300, 520, 160);
  ASSERT_TRUE(Played::WaitFor([&] {
    const cv::Mat first = played->Screen();
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    return MeanDifference(played->Screen()(larger), first(larger)) > 0.3;
  }));
  EXPECT_EQ(played->Leave(), 0);
}

// A second window for onlookers, with its picture beside the players'.
TEST(Window, ShowsTheVerdictToTheAudience) {
  const std::string xvfb = "xvfb-run -a -s '-screen 0 1280x720x24 -noreset' ";
  if (std::system((xvfb + "true >/dev/null 2>&1").c_str()) != 0) GTEST_SKIP() << "install xvfb";
  const test::TempDir dir;
  setenv("XDG_CONFIG_HOME", (dir.path() / "config").c_str(), 1);
  setenv("XDG_STATE_HOME", (dir.path() / "state").c_str(), 1);
  std::string command = xvfb;
  command.append(Quoted(FOS_PROGRAM)).append(" live ").append(Quoted(SampleClip()));
  command.append(" --out ").append(Quoted(dir.path() / "out")).append(" --no-log --audience");
  command.append(" --exit-at-end --screenshot ").append(Quoted(dir.path() / "players.png"));
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  const cv::Mat players = cv::imread((dir.path() / "players.png").string());
  const cv::Mat audience = cv::imread((dir.path() / "players_audience.png").string());
  ASSERT_EQ(players.cols, 1280);
  ASSERT_EQ(audience.cols, 1280);
  ASSERT_EQ(audience.rows, 720);
  // The band of the verdict is one strong colour from edge to edge, with the word in it.
  const cv::Mat left = audience(cv::Rect(2, 4, 20, 100));
  cv::Scalar mean;
  cv::Scalar deviation;
  cv::meanStdDev(left, mean, deviation);
  EXPECT_LT(deviation[0] + deviation[1] + deviation[2], 6);
  EXPECT_GT(*std::max_element(mean.val, mean.val + 3), 180);
  cv::meanStdDev(audience(cv::Rect(400, 4, 480, 130)), mean, deviation);
  EXPECT_GT(deviation[0] + deviation[1] + deviation[2], 60);
  EXPECT_GT(MeanDifference(players, audience), 5);
}

// Panels that were dragged and layers that were hidden are the same at the next start.
TEST(Window, KeepsPanelsAndLayers) {
  const test::TempDir dir;
  const std::filesystem::path look = dir.path() / "config/fallofshot/preferences.toml";
  {
    const auto played = WatchSample(dir, {"--no-log"}, "verdict = false\n");
    if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
    ASSERT_TRUE(Played::Until([&] { played->Key("g"); },
                              [&] { return FileHas(look, "show_grid = false"); }));
    ASSERT_TRUE(FileHas(look, "column_share = 0.0000"));
    // The edge between picture and column, 1280 by 720.
    ASSERT_TRUE(Played::Until([&] { played->Drag(841, 120, 700, 120); },
                              [&] { return !FileHas(look, "column_share = 0.0000"); }));
    played->Key("ctrl+Up");
    ASSERT_TRUE(Played::WaitFor([&] { return !FileHas(look, "log_share = 0.0000"); }, 20));
    EXPECT_EQ(played->Leave(), 0);
  }
  std::ostringstream text;
  text << std::ifstream(look).rdbuf();
  EXPECT_NE(text.str().find("column_share = 0.45"), std::string::npos) << text.str();
  const auto again = WatchSample(dir, {"--no-log"}, text.str());
  ASSERT_NE(again, nullptr);
  // A double click on the edge's new place gives back its own one.
  ASSERT_TRUE(Played::Until(
      [&] { EXPECT_TRUE(again->Do("mousemove 700 120 click --repeat 2 --delay 60 1")); },
      [&] { return FileHas(look, "column_share = 0.0000"); }));
  EXPECT_TRUE(FileHas(look, "show_grid = false"));
  EXPECT_EQ(again->Leave(), 0);
}

// The onlookers' window that was asked for once opens again, until the settings say otherwise.
TEST(Window, KeepsTheOnlookersWindow) {
  const test::TempDir dir;
  const std::filesystem::path look = dir.path() / "config/fallofshot/preferences.toml";
  const std::string onlookers = "search --name 'Fall of Shot: audience'";
  {
    const auto played = WatchSample(dir, {"--audience", "--no-log"}, "verdict = false\n");
    if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
    EXPECT_TRUE(Played::WaitFor([&] { return FileHas(look, "audience = true"); }));
    EXPECT_EQ(played->Leave(), 0);
  }
  const auto again = WatchSample(dir, {"--no-log"}, "audience = true\n");
  ASSERT_NE(again, nullptr);
  EXPECT_TRUE(Played::WaitFor([&] { return again->Do(onlookers); }));
  EXPECT_EQ(again->Leave(), 0);
}

// A game that was left has its picture on the start screen, and its report is written from there.
TEST(Window, TheStartScreenShowsLastGamesAndWritesReports) {
  const test::TempDir dir;
  setenv("XDG_DATA_HOME", (dir.path() / "data").c_str(), 1);
  const std::string game =
      (std::filesystem::path(FOS_SOURCE_DIR) / "datasets/scenarios/skirmish.toml").string();
  {
    const auto played = Played::Start(dir, {"--game", game});
    if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
    played->Say("shoot B-gun field at E5");
    ASSERT_TRUE(Played::WaitFor(
        [&] { return LinesIn(dir.path() / "data/fallofshot/club.db").size() == 1; }));
    EXPECT_EQ(played->Leave(), 0);
  }
  const std::filesystem::path pictures = dir.path() / "state/fallofshot/pictures";
  std::vector<std::filesystem::path> kept;
  for (const auto& entry : std::filesystem::directory_iterator(pictures))
    kept.push_back(entry.path());
  EXPECT_EQ(kept.size(), 2u);  // of the game, and of its replay
  ASSERT_FALSE(kept.empty());
  const cv::Mat small = cv::imread(kept[0].string());
  EXPECT_EQ(small.cols, 320);
  const auto played = Played::Start(dir, {}, "live", "verdict = true\n");
  ASSERT_NE(played, nullptr);
  // The rows' pictures are where the rows are.
  ASSERT_TRUE(Played::WaitFor([&] {
    const cv::Mat now = played->Screen();
    if (now.empty()) return false;
    cv::Scalar mean;
    cv::Scalar deviation;
    cv::meanStdDev(now(cv::Rect(80, 100, 60, 50)), mean, deviation);
    return deviation[0] + deviation[1] + deviation[2] > 20;
  }));
  // One game to continue, the sample recording, one game to replay, one report.
  const std::filesystem::path reports = dir.path() / "data/fallofshot/reports";
  ASSERT_TRUE(Played::Until(
      [&] { played->Key("4"); },
      [&] {
        std::error_code ec;
        return std::filesystem::exists(reports / "report-1.html", ec) &&
               std::filesystem::exists(reports / "report-1.pdf", ec);
      }));
  (void)played->Do("key Escape");
  unsetenv("XDG_DATA_HOME");
}

// Of another club's file than the one that the start screen replays from, and for its server.
TEST(Window, TheStartScreenContinuesAGameInItsOwnFile) {
  const test::TempDir dir;
  setenv("XDG_DATA_HOME", (dir.path() / "data").c_str(), 1);
  const std::filesystem::path club = dir.path() / "other.db";
  {
    // The server is away; the game does not wait for it.
    const auto played = Played::Start(dir, {"--game", kSkirmish, "--db", club.string(), "--club",
                                            "postgresql://table-1@127.0.0.1:1/club"});
    if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
    played->Say("shoot B-gun field at E5");
    ASSERT_TRUE(Played::WaitFor([&] { return LinesIn(club).size() == 1; }));
    EXPECT_EQ(played->Leave(), 0);
  }
  EXPECT_TRUE(FileHas(dir.path() / "state/fallofshot/recent.json", club.string()));
  EXPECT_TRUE(FileHas(dir.path() / "state/fallofshot/recent.json", "--club"));
  const std::filesystem::directory_iterator kept(dir.path() / "state/fallofshot/pictures");
  EXPECT_EQ(std::distance(begin(kept), end(kept)), 1);  // none for a replay of that number
  unsetenv("XDG_DATA_HOME");
}

// Nothing is kept of it that could be continued.
TEST(Window, TheStartScreenOffersNoGameThatWasNotRecorded) {
  const test::TempDir dir;
  {
    const auto played = Played::Start(dir, {"--game", kSkirmish, "--no-log"});
    if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
    EXPECT_EQ(played->Leave(), 0);
  }
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "state/fallofshot/recent.json"));
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "state/fallofshot/pictures"));
}

// The small picture is of the game, whatever was open over it.
TEST(Window, TheKeptPictureShowsTheTableUnderTheSettings) {
  const test::TempDir dir;
  const auto kept = [&](bool settings) -> cv::Mat {
    const auto played = Played::Start(dir, {"--game", kSkirmish});
    if (played == nullptr) return {};
    if (settings) {
      const cv::Mat before = played->Screen();
      EXPECT_TRUE(Played::Until([&] { (void)played->Do("key F2"); },
                                [&] { return MeanDifference(before, played->Screen()) > 2; }));
    }
    EXPECT_EQ(played->Leave(), 0);
    for (const auto& entry :
         std::filesystem::directory_iterator(dir.path() / "state/fallofshot/pictures"))
      return cv::imread(entry.path().string());
    return {};
  };
  const cv::Mat plain = kept(false);
  if (plain.empty()) GTEST_SKIP() << "install xvfb and xdotool";
  const cv::Mat open = kept(true);
  ASSERT_EQ(open.size(), plain.size());
  EXPECT_LT(MeanDifference(plain, open), 2);
}

// The players accept a table that does not fit its scenario.
TEST(Window, PlayersAcceptTheTableAsItStands) {
  const test::TempDir dir;
  const std::filesystem::path clip = dir.path() / "clip";
  std::filesystem::create_directories(clip);
  for (const char* name : {"video.mkv", "camera.yaml", "table.toml"})
    std::filesystem::copy_file(SampleClip() / name, clip / name);
  std::ostringstream text;
  text << std::ifstream(SampleClip() / "scenario.toml").rdbuf();
  std::string scenario = text.str();
  // One unit elsewhere is enough; to look for many takes long.
  const std::size_t at = scenario.find("square = \"");
  ASSERT_NE(at, std::string::npos);
  char& column = scenario[at + 10];
  char& row = scenario[at + 11];
  column = static_cast<char>('A' + 'L' - column);
  row = static_cast<char>('1' + '9' - row);
  std::ofstream(clip / "scenario.toml") << scenario;
  const auto played =
      Played::Start(dir, {clip.string(), "--out", (dir.path() / "out").string()}, "live",
                    "verdict = false\n");
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  ASSERT_TRUE(
      Played::WaitFor([&] { return FileHas(dir.path() / "out/events.jsonl", "\"setup\""); }));
  ASSERT_TRUE(Played::Until([&] { played->Key("F12"); }, [&] {
    return FileHas(dir.path() / "out/session.jsonl", "\"say\":\"table\",\"changed\":true");
  }));
  EXPECT_TRUE(Played::WaitFor(
      [&] { return FileHas(dir.path() / "out/events.jsonl", "\"accepted\":true"); }));
  EXPECT_EQ(played->Leave(), 0);
}

// A verdict is spoken in the background; the program that speaks is called without a shell.
TEST(Window, SpeaksAVerdict) {
  const test::TempDir dir;
  const std::filesystem::path bin = dir.path() / "bin";
  std::filesystem::create_directories(bin);
  const std::filesystem::path said = dir.path() / "said.txt";
  std::ofstream(bin / "espeak-ng") << "#!/bin/sh\nprintf '%s\\n' \"$@\" >> " << said.string()
                                   << "\n";
  std::filesystem::permissions(bin / "espeak-ng", std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
  setenv("PATH", (bin.string() + ":" + path).c_str(), 1);
  const auto played = WatchSample(dir, {}, "speech = true\n");
  setenv("PATH", path.c_str(), 1);
  if (played == nullptr) GTEST_SKIP() << "install xvfb and xdotool";
  ASSERT_TRUE(Played::WaitFor([&] { return FileHas(said, "Shot 1. "); }));
  EXPECT_TRUE(FileHas(said, "--\n"));
  EXPECT_EQ(played->Leave(), 0);
}

}  // namespace
}  // namespace fos
