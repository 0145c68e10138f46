// SPDX-License-Identifier: MIT
#include "ui/cli/commands.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include <opencv2/imgcodecs.hpp>

#include "calibration/camera/camera_model.h"
#include "datasets/odds/labelled_things.h"
#include "tests/support/clip_files.h"
#include "tests/support/shell_run.h"
#include "tests/support/temp_dir.h"
#include "ui/cli/calibrate_table.h"
#include "ui/cli/judge_command.h"
#include "ui/cli/output_file.h"
#include "ui/cli/plain_stream.h"
#include "ui/session/club_file.h"

namespace fos {
namespace {

struct Outcome {
  int status;
  std::string out;
  std::string err;
};
Outcome RunWith(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  Console console{out, err};
  const int status = RunCommandLine(arguments, console);
  return {status, out.str(), err.str()};
}

bool OneLine(const std::string& text) {
  return !text.empty() && text.find('\n') == text.size() - 1;
}

TEST(CommandLine, HelpAndVersion) {
  const Outcome help = RunWith({"--help"});
  EXPECT_EQ(help.status, kExitDone);
  for (const Command& command : Commands()) {
    EXPECT_NE(help.out.find(command.name), std::string::npos);
    const Outcome own = RunWith({command.name, "--help"});
    EXPECT_EQ(own.status, kExitDone) << command.name;
    EXPECT_NE(own.out.find("Usage: fallofshot " + std::string(command.name)), std::string::npos);
    EXPECT_TRUE(own.err.empty());
  }
  const Outcome version = RunWith({"--version"});
  EXPECT_EQ(version.status, kExitDone);
  EXPECT_EQ(version.out.rfind("fallofshot ", 0), 0u);
}

TEST(CommandLine, TheVersionNamesTheCommitAndTheLibraries) {
  std::ostringstream out;
  std::ostringstream err;
  Console console{out, err};
  Program program;
  program.commit = "0123abcd";
  program.libraries = {"Paint 3.1"};
  EXPECT_EQ(RunCommandLine({"--version"}, console, program), kExitDone);
  const std::string version = out.str();
  EXPECT_EQ(version.rfind("fallofshot " FOS_VERSION ", commit 0123abcd\n", 0), 0u) << version;
  for (const char* library : {"OpenCV " CV_VERSION, "SQLite 3.", "Cairo 1.", "Boost 1.", "fmt ",
                              "SQLiteCpp ", "toml++ ", "nlohmann/json ", "Paint 3.1"}) {
    EXPECT_NE(version.find(library), std::string::npos) << library << " is not in " << version;
  }
  EXPECT_NE(RunWith({"--version"}).out.find("commit unknown"), std::string::npos);
}

TEST(CommandLine, WithoutACommandTheProgramStarts) {
  std::ostringstream out;
  std::ostringstream err;
  Console console{out, err};
  Program program;
  program.start = [](const std::vector<std::string>&, Console& to) {
    to.out << "started";
    return kExitDone;
  };
  EXPECT_EQ(RunCommandLine({}, console, program), kExitDone);
  EXPECT_EQ(out.str(), "started");
}

TEST(CommandLine, WrongUsageExitsWithTwo) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {}, {""}, {"evalute"}, {"--no-such"}, {"evaluate", "a", "--no-such"}}) {
    const Outcome outcome = RunWith(arguments);
    EXPECT_EQ(outcome.status, kExitBadUsage);
    EXPECT_TRUE(OneLine(outcome.err)) << outcome.err;
    EXPECT_TRUE(outcome.out.empty());
  }
  EXPECT_NE(RunWith({"evalute"}).err.find("the nearest is `evaluate`"), std::string::npos);
  // No control characters reach the terminal.
  EXPECT_EQ(RunWith({"\x1b[2J\a\n"}).err.find_first_of("\x1b\a"), std::string::npos);
}

TEST(Judge, ProfileTellsHowOftenEachStageRanAndItsShare) {
  StageTimes times;
  for (int i = 0; i < 3; ++i) times.Add("shot", 500);
  times.Add("watch", 2);
  const std::string table = StageTable(times.Calls(), /*judged_s=*/4);
  EXPECT_NE(table.find("  shot                       3 times   37.5 %   median "), std::string::npos)
      << table;
  EXPECT_NE(table.find("  watch                      1 times    0.1 %   median "), std::string::npos)
      << table;
  EXPECT_NE(table.find("may be more than 100 %"), std::string::npos) << table;
  EXPECT_EQ(StageTable({}, 0), "");
}

// Where a command writes when nothing is said must not be a surprise.
TEST(CommandLine, HelpStatesWhatAnOptionIsWithoutIt) {
  const auto help = [](const std::vector<std::string>& command) { return RunWith(command).out; };
  EXPECT_NE(help({"print", "--help"}).find("the PDF to write (default sheets.pdf)"),
            std::string::npos);
  EXPECT_NE(help({"calibrate", "lens", "--help"}).find("(default camera.yaml)"),
            std::string::npos);
  EXPECT_NE(help({"judge", "--help"}).find("evidence/ (default out)"), std::string::npos);
  EXPECT_EQ(help({"stats", "--help"}).find("0000"), std::string::npos);
  EXPECT_EQ(help({"dispute", "--help"}).find("(default )"), std::string::npos);
}

// Markers and the board for the lens are printed before there is a table.toml.
TEST(CommandLine, PrintsForANewTable) {
  const test::TempDir dir;
  // In a folder that is not there yet.
  const std::string pdf = (dir.path() / "der Übersee-Club" / "new.pdf").string();
  const Outcome printed = RunWith({"print", "--out", pdf});
  EXPECT_EQ(printed.status, kExitDone) << printed.err;
  EXPECT_NE(printed.out.find("12 x 9 squares of 4 in"), std::string::npos) << printed.out;
  EXPECT_TRUE(std::filesystem::exists(pdf));
}

TEST(CommandLine, PaperIsNamedInAnyLetters) {
  const test::TempDir dir;
  const std::string table =
      dir.Write("table.toml", "[board]\ncolumns = 4\nrows = 3\nsquare = 4.0\n").string();
  const std::string pdf = (dir.path() / "a4.pdf").string();
  const Outcome printed = RunWith({"print", table, "--paper", "A4", "--out", pdf});
  EXPECT_EQ(printed.status, kExitDone) << printed.err;
  EXPECT_TRUE(std::filesystem::exists(pdf));
  const Outcome large = RunWith({"print", table, "--paper", "A3"});
  EXPECT_EQ(large.status, kExitBadUsage);
  EXPECT_NE(large.err.find("`A3`; use a4 or letter"), std::string::npos) << large.err;
}

// What the man pages and the completion are made of is what --help prints.
TEST(CommandLine, ThePagesHoldWhatTheHelpSays) {
  for (const Command& command : Commands()) {
    const std::vector<CommandPage> pages = PagesOf(command);
    ASSERT_FALSE(pages.empty()) << command.name;
    for (const CommandPage& page : pages) {
      EXPECT_EQ(page.usage.rfind(command.name, 0), 0u) << page.usage;
      EXPECT_FALSE(page.summary.empty()) << page.usage;
      ASSERT_FALSE(page.flags.empty()) << page.usage;
      EXPECT_EQ(page.flags.front().name, "--help");
    }
    if (pages.size() > 1) continue;  // each form has a help of its own
    const std::string help = RunWith({command.name, "--help"}).out;
    for (const CommandPage::Entry& flag : pages.front().flags) {
      EXPECT_NE(help.find(flag.name), std::string::npos) << command.name << ' ' << flag.name;
    }
  }
  const auto command = [](std::string_view name) {
    return *std::find_if(Commands().begin(), Commands().end(),
                         [&](const Command& one) { return one.name == name; });
  };
  EXPECT_EQ(PagesOf(command("calibrate")).size(), 3u);
  EXPECT_EQ(PagesOf(command("evaluate")).size(), 4u);
}

TEST(CommandLine, EveryCommandRefusesAnUnknownFlag) {
  for (const Command& command : Commands()) {
    const Outcome outcome = RunWith({command.name, "--no-such-flag"});
    EXPECT_EQ(outcome.status, kExitBadUsage) << command.name;
    EXPECT_NE(outcome.err.find("--no-such-flag"), std::string::npos) << outcome.err;
  }
}

TEST(CommandLine, BadInputPrintsOneLineAndExitsWithOne) {
  const test::TempDir dir;
  const Outcome outcome =
      RunWith({"evaluate", dir.path().string(), "--judged", dir.path().string()});
  EXPECT_EQ(outcome.status, kExitBadInput);
  EXPECT_TRUE(OneLine(outcome.err)) << outcome.err;
  EXPECT_NE(outcome.err.find(dir.path().string()), std::string::npos);
}

// Clicks on a board of 12 x 9 squares of 4 in.
Result<std::vector<Click>> Clicks(const std::string& text) {
  return ParseClicks(text, TableFrame{12, 9, 4.0});
}

TEST(ParseClicks, FourBareClicksAreTheBoardsCorners) {
  const auto clicks = Clicks(" 312,540  1500,530.5\t1480,90\n330,-2.5 ");
  ASSERT_TRUE(clicks.ok()) << clicks.error().message;
  const std::vector<Vec2> corners = {{0, 0}, {48, 0}, {48, 36}, {0, 36}};
  ASSERT_EQ(clicks->size(), corners.size());
  for (std::size_t i = 0; i < corners.size(); ++i) {
    EXPECT_EQ((*clicks)[i].crossing_in, corners[i]) << i;
  }
  EXPECT_EQ((*clicks)[1].at.y_px, 530.5);
  EXPECT_EQ((*clicks)[3].at.x_px, 330);
  EXPECT_EQ((*clicks)[3].at.y_px, -2.5);
}

TEST(ParseClicks, NamedClicksComeInAnyOrderAndNumber) {
  const auto clicks = Clicks("10,20:L9-NE 30,40:A1-SW 50,60:C4-nw 70,80:C4-Se 90,10:C4-SW");
  ASSERT_TRUE(clicks.ok()) << clicks.error().message;
  const std::vector<Vec2> named = {{48, 36}, {0, 0}, {8, 16}, {12, 12}, {8, 12}};
  ASSERT_EQ(clicks->size(), named.size());
  for (std::size_t i = 0; i < named.size(); ++i) {
    EXPECT_EQ((*clicks)[i].crossing_in, named[i]) << i;
    EXPECT_EQ((*clicks)[i].at.x_px, 10 + 20.0 * static_cast<double>(i));
  }
}

TEST(ParseClicks, NamesTheBadClick) {
  struct Case {
    const char* text;
    ErrorCode code;
    const char* says;
  };
  std::string many;
  for (int i = 0; i < 101; ++i) many += "1,2:A1-SW ";
  for (const Case& bad : std::initializer_list<Case>{
           {"", ErrorCode::kOutOfRange, "0 clicks"},
           {"1,2 3,4 5,6", ErrorCode::kOutOfRange, "3 clicks"},
           {"1,2 3,4 5,6 7,8 9,10", ErrorCode::kOutOfRange, "5 clicks"},
           {many.c_str(), ErrorCode::kOutOfRange, "100"},
           {"1,2:A1-SW x,3:B1-SW", ErrorCode::kBadFormat, "click 2 is `x,3:B1-SW`"},
           {"1;2:A1-SW", ErrorCode::kBadFormat, "click 1"},
           {"1,:A1-SW", ErrorCode::kBadFormat, "click 1"},
           {"1,2;A1-SW", ErrorCode::kBadFormat, "click 1"},
           {"nan,2:A1-SW", ErrorCode::kBadFormat, "click 1"},
           {"1,inf:A1-SW", ErrorCode::kBadFormat, "click 1"},
           {"1,1e5:A1-SW", ErrorCode::kBadFormat, "click 1"},
           {"1,2:A1-SW 3,4", ErrorCode::kBadFormat, "click 2: ``"},
           {"1,2:A1", ErrorCode::kBadFormat, "click 1: `A1`"},
           {"1,2:A1-N", ErrorCode::kBadFormat, "click 1: `A1-N`"},
           {"1,2:-SW", ErrorCode::kBadFormat, "click 1: `-SW`"},
           {"1,2:A1-SW 1,2:M1-SW", ErrorCode::kOutOfRange, "click 2: the board of 12 x 9"},
           {"1,2:A10-SW", ErrorCode::kOutOfRange, "`A10-SW`"}}) {
    const auto clicks = Clicks(bad.text);
    ASSERT_FALSE(clicks.ok()) << bad.text;
    EXPECT_EQ(clicks.error().code, bad.code) << bad.text;
    EXPECT_NE(clicks.error().message.find(bad.says), std::string::npos) << clicks.error().message;
  }
}

class CalibrateLine : public ::testing::Test {
 protected:
  // Expects a refusal: the exit status, and one line on standard error.
  void Refused(const std::vector<std::string>& arguments, int status,
               const std::string& says) const {
    std::vector<std::string> line = {"calibrate"};
    line.insert(line.end(), arguments.begin(), arguments.end());
    const Outcome outcome = RunWith(line);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_TRUE(OneLine(outcome.err)) << outcome.err;
    EXPECT_NE(outcome.err.find(says), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  // A picture of bare cloth.
  std::string Bare(const std::string& name) const {
    const std::filesystem::path file = dir_.path() / name;
    std::filesystem::create_directories(file.parent_path());
    EXPECT_TRUE(cv::imwrite(file.string(), cv::Mat(240, 320, CV_8UC3, cv::Scalar(60, 110, 70))));
    return file.string();
  }
  std::string Table(const std::string& more = "") const {
    return dir_.Write("table.toml", "[board]\ncolumns = 4\nrows = 3\nsquare = 4.0\n" + more)
        .string();
  }
  test::TempDir dir_;
};

TEST_F(CalibrateLine, RefusesBadLensArguments) {
  const std::string dir = dir_.path().string();
  Refused({}, kExitBadUsage, "calibrate lens");
  Refused({"lenses"}, kExitBadUsage, "`lenses`");
  Refused({"lens"}, kExitBadUsage, "SOURCE");
  Refused({"lens", dir, "--squares-x", "2"}, kExitBadUsage, "--squares-x");
  Refused({"lens", dir, "--marker", "nan"}, kExitBadUsage, "--marker");
  Refused({"lens", dir}, kExitBadInput, "no .jpg, .png or .webp");
  Refused({"lens", dir, "--table", dir + "/none.toml"}, kExitBadInput, "none.toml");
  Refused({"lens", dir, "--table", Table()}, kExitBadInput, "no [charuco]");
  const std::string out = dir + "/camera.yaml";
  Bare("views/0.png");
  dir_.Write("views/1.jpg", "no picture");
  Refused({"lens", dir + "/views", "--out", out}, kExitBadInput, "view");
  EXPECT_FALSE(std::filesystem::exists(out));
  Refused({"lens", dir + "/views", "--chessboard", "--marker-grid"}, kExitBadUsage,
          "--chessboard and --marker-grid are two kinds of board");
  Refused({"lens", dir + "/views", "--marker", "1.5"}, kExitBadUsage,
          "--marker is 1.5 and --square 1; a marker lies inside its square");
  Refused({"lens", dir + "/views/0.png"}, kExitBadInput, "give the folder with all views");
}

TEST_F(CalibrateLine, RefusesBadTableArguments) {
  const std::string bare = Bare("bare.png");
  Refused({"table"}, kExitBadUsage, "PICTURE");
  Refused({"table", bare, "--north", "upwards"}, kExitBadUsage, "`upwards`");
  Refused({"table", bare, "--height", "-1"}, kExitBadUsage, "--height");
  Refused({"table", bare}, kExitBadInput, "table.toml: no such file; name it with --table");
  // A rig that is misspelt is taken for a new one, so the message names it.
  Refused({"projectiles", bare, "--rig", "misspelt.toml"}, kExitBadInput,
          "name it with --table, as misspelt.toml is new");
  Refused({"table", "no/such.png"}, kExitBadInput, "no/such.png: no such file; give a picture");
  Refused({}, kExitBadUsage, "nothing to calibrate given; use `calibrate lens`");
  const std::string table = Table();
  Refused({"table", dir_.path() / "none.png"}, kExitBadInput, "none.png");
  Refused({"table", bare, "--camera", dir_.path() / "none.yaml"}, kExitBadInput, "none.yaml");
  Refused({"table", bare, "--scenario", dir_.path() / "none.toml"}, kExitBadInput, "none.toml");
  Refused({"table", bare, "--clicks", "1,2"}, kExitBadUsage, "--clicks: 1 click;");
  // The lens file beside the picture is taken by itself, so its name must be said.
  const std::filesystem::path lens = dir_.path() / "camera.yaml";
  ASSERT_TRUE(WriteCamera(AssumedLens({640, 480}), lens).ok());
  Refused({"table", bare}, kExitBadInput, "camera.yaml is for 640 x 480");
  // A clip of single pictures is one too.
  Bare("clip/frames/000000.png");
  Refused({"table", dir_.path() / "clip", "--table", table}, kExitBadInput,
          "no grid of the board's size stands out");
  std::filesystem::create_directory(dir_.path() / "empty");
  Refused({"table", dir_.path() / "empty", "--table", table}, kExitBadInput,
          "neither a recording nor frames/ is in it");
  const std::string rig = dir_.path() / "rig.toml";
  Refused({"table", bare, "--rig", rig}, kExitBadInput, "bare.png");  // there is no table in it
  EXPECT_FALSE(std::filesystem::exists(rig));
}

TEST(CommandLine, EvaluateNamesLabelledFoldersThatAreNotClips) {
  const test::TempDir dir;
  dir.Write("chess/truth.json", R"({"moves": []})");
  const Outcome outcome = RunWith({"evaluate", dir.path().string()});
  EXPECT_EQ(outcome.status, kExitBadInput);  // nothing else is in it
  EXPECT_TRUE(OneLine(outcome.out)) << outcome.out;
  EXPECT_NE(outcome.out.find("chess: left out"), std::string::npos) << outcome.out;
  EXPECT_TRUE(OneLine(outcome.err)) << outcome.err;
}

TEST(CommandLine, EvaluateListsTheKnownLooks) {
  const Outcome unknown = RunWith({"evaluate", ".", "--look", "gloomy"});
  EXPECT_EQ(unknown.status, kExitBadUsage);
  EXPECT_NE(unknown.err.find("gloomy"), std::string::npos) << unknown.err;
  EXPECT_NE(unknown.err.find("dark, warm"), std::string::npos) << unknown.err;
  EXPECT_EQ(RunWith({"evaluate", ".", "--look", "dark", "--judged", "."}).status, kExitBadUsage);
  EXPECT_EQ(RunWith({"evaluate", ".", "--focal", "0.97", "--judged", "."}).status, kExitBadUsage);
  EXPECT_EQ(RunWith({"evaluate", ".", "--focal", "0"}).status, kExitBadUsage);
}

TEST(CommandLine, EvaluateSweepsSyntheticTablesWithoutAFolder) {
  const Outcome outcome = RunWith({"evaluate", "--sweep", "1", "--seed", "2"});
  EXPECT_EQ(outcome.status, kExitDone) << outcome.err;
  EXPECT_NE(outcome.out.find("1 made-up tables"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find(" 0 invented"), std::string::npos) << outcome.out;
  EXPECT_EQ(RunWith({"evaluate", "--sweep", "0"}).status, kExitBadUsage);
}

TEST(CommandLine, EvaluateDrawsWhereASweepOfStandsGoesWrong) {
  const test::TempDir dir;
  const std::filesystem::path out = dir.path() / "out";
  const Outcome outcome = RunWith({"evaluate", "--sweep", "1", "--seed", "110014", "--world", "wild",
                                   "--details", "--out", out.string()});
  EXPECT_EQ(outcome.status, kExitDone) << outcome.err;
  const bool wrong = outcome.out.find("seed 110014:") != std::string::npos;
  EXPECT_EQ(std::filesystem::exists(out / "table_110014.png"), wrong) << outcome.out;
}

TEST(CommandLine, EvaluateRefusesAnUnknownWorldOfShots) {
  const Outcome odd = RunWith({"evaluate", "--shots", "1", "--world", "odd"});
  EXPECT_EQ(odd.status, kExitBadUsage);
  EXPECT_NE(odd.err.find("--world is plain or wild, not 'odd'"), std::string::npos) << odd.err;
  EXPECT_EQ(RunWith({"evaluate", "--shots", "1", "--unseen"}).status, kExitBadUsage);
  EXPECT_EQ(RunWith({"evaluate", "--shots", "1", "--world", "wild", "--faults"}).status,
            kExitBadUsage);
}

TEST(CommandLine, EvaluateThrowsDiceWithSixOrTwelveSidesOnly) {
  for (const char* sides : {"8", "6.0", "twelve"}) {
    const Outcome odd = RunWith({"evaluate", "--throws", "1", "--dice", sides});
    EXPECT_EQ(odd.status, kExitBadUsage);
    EXPECT_NE(odd.err.find("--dice is 6 or 12, not '" + std::string(sides) + "'"),
              std::string::npos)
        << odd.err;
  }
  const Outcome twelve = RunWith({"evaluate", "--throws", "1", "--dice", "12", "--seed", "1"});
  EXPECT_EQ(twelve.status, kExitDone) << twelve.err;
  EXPECT_NE(twelve.out.find("1 throws on 1 tables"), std::string::npos) << twelve.out;
  EXPECT_NE(twelve.out.find("no number to be seen"), std::string::npos) << twelve.out;
}

TEST(CommandLine, EvaluateChecksThePlotFileBeforeTheSweep) {
  const Outcome outcome = RunWith({"evaluate", "--shots", "100000", "--plot", "plot.svg"});
  EXPECT_EQ(outcome.status, kExitBadInput);
  EXPECT_NE(outcome.err.find("plot.svg"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("name it .png"), std::string::npos) << outcome.err;
  EXPECT_TRUE(OneLine(outcome.err)) << outcome.err;
}

TEST(CommandLine, AnArmyOfAnyNumberOfPointsMakesAGame) {
  const Outcome lists = RunWith({"army", "ancient"});
  EXPECT_EQ(lists.status, kExitDone);
  EXPECT_NE(lists.out.find("Roman"), std::string::npos);
  EXPECT_NE(lists.out.find("184 points, 200 stated"), std::string::npos) << lists.out;
  const Outcome roman = RunWith({"army", "ancient", "Roman"});
  EXPECT_NE(roman.out.find("adds up to 184 points, 200 are stated"), std::string::npos);
  EXPECT_NE(RunWith({"army", "napoleonic", "division"}).out.find("180 points, 180 stated"),
            std::string::npos);
  for (const char* wrong : {"chess", "colonial"})
    EXPECT_EQ(RunWith({"army", wrong, "division"}).status, kExitBadUsage);
  EXPECT_EQ(RunWith({"army", "ancient", "Romans"}).status, kExitBadInput);
  const Outcome nameless = RunWith({"army", "ancient", "--points", "300"});
  EXPECT_EQ(nameless.status, kExitBadUsage);
  EXPECT_NE(nameless.err.find("--points needs a LIST"), std::string::npos) << nameless.err;
  EXPECT_EQ(RunWith({"army", "ancient", "--out", "x.toml"}).status, kExitBadUsage);
  const test::TempDir dir;
  const std::string nowhere = dir.Write("none", "") / "game.toml";
  const Outcome unwritten = RunWith({"army", "ancient", "Roman", "--out", nowhere});
  EXPECT_EQ(unwritten.status, kExitBadInput);
  EXPECT_NE(unwritten.err.find(nowhere + ": cannot be written"), std::string::npos)
      << unwritten.err;
  EXPECT_EQ(RunWith({"army", "ancient", "Roman", "--sides", "Both", "--out", nowhere}).status,
            kExitBadUsage);
  // A square's side is no part of a list.
  const Outcome unused = RunWith({"army", "ancient", "Roman", "--square", "3"});
  EXPECT_EQ(unused.status, kExitBadUsage);
  EXPECT_NE(unused.err.find("--square is for a game's file; name that with --out"),
            std::string::npos)
      << unused.err;

  const std::string script = (dir.path() / "game.script").string();
  std::ofstream(script) << "dice 6 1\nshow\n";
  const auto plays = [&](const std::vector<std::string>& arguments, const char* square_in) {
    const std::string file = (dir.path() / "game.toml").string();
    std::vector<std::string> army = {"army"};
    for (const std::string& argument : arguments) army.push_back(argument);
    for (const std::string& argument :
         {std::string("--out"), file, std::string("--square"), std::string(square_in)})
      army.push_back(argument);
    const Outcome made = RunWith(army);
    EXPECT_EQ(made.status, kExitDone) << made.err;
    const Outcome played = RunWith({"play", file, script});
    EXPECT_EQ(played.status, kExitDone) << played.err;
    return made.out;
  };
  plays({"ancient", "Roman", "--against", "Carthaginian"}, "3");
  EXPECT_NE(plays({"ancient", "Indian", "--points", "333", "--sides", "Poros,Alexander"}, "5")
                .find(" of 333 points"),
            std::string::npos);
  // Whole units are scaled; what is left is less than the cheapest stand.
  EXPECT_NE(plays({"napoleonic", "division", "--points", "500"}, "4").find("499 of 500 points"),
            std::string::npos);
  plays({"napoleonic", "division", "--points", "40", "--against", "army headquarters"}, "4");
}

// What is cut or damaged is told without the words of a library.
TEST(CommandLine, ACutLogIsToldInPlainWords) {
  const test::TempDir dir;
  const auto cut = dir.path() / "events.jsonl";
  std::ofstream(cut) << "{\"type\":\"shot\",\"frame\":3,\"ti\n";
  const Outcome asked = RunWith({"dispute", cut.string()});
  EXPECT_EQ(asked.status, kExitBadInput);
  EXPECT_TRUE(OneLine(asked.err));
  EXPECT_NE(asked.err.find("events.jsonl:1: not an event: it is cut off or damaged at character"),
            std::string::npos)
      << asked.err;
  // The folder stands for the log in it.
  EXPECT_EQ(RunWith({"dispute", dir.path().string()}).err, asked.err);
  std::ofstream(cut) << "{\"type\":\"shot\",\"frame\":3}\n";
  const Outcome lacks = RunWith({"dispute", cut.string()});
  EXPECT_TRUE(OneLine(lacks.err));
  EXPECT_EQ(lacks.err.find("json.exception"), std::string::npos) << lacks.err;
  const auto photograph = dir.path() / "table.png";
  std::ofstream(photograph) << "\x89PNG\r\n";
  const Outcome no_log = RunWith({"dispute", photograph.string()});
  EXPECT_EQ(no_log.status, kExitBadInput);
  EXPECT_TRUE(OneLine(no_log.err));
  EXPECT_NE(no_log.err.find("table.png: not the log of a match; give events.jsonl"),
            std::string::npos)
      << no_log.err;
}

// A score of nothing is no success.
TEST(CommandLine, EvaluateFailsWhereNoClipWasJudged) {
  const test::TempDir dir;
  const Outcome ran = RunWith({"evaluate", std::string(FOS_SOURCE_DIR) + "/datasets/sets",
                               "--judged", dir.path().string()});
  EXPECT_EQ(ran.status, kExitBadInput);
  EXPECT_NE(ran.err.find("no clip in it could be judged"), std::string::npos) << ran.err;
}

TEST(CommandLine, EvaluateWritesWhatSpeaksForAShot) {
  const test::TempDir dir;
  const std::string sets = std::string(FOS_SOURCE_DIR) + "/datasets/sets";
  const std::string file = (dir.path() / "terms.jsonl").string();
  const Outcome ran = RunWith(
      {"evaluate", sets, "--out", (dir.path() / "out").string(), "--terms", file});
  ASSERT_EQ(ran.status, kExitDone) << ran.err;
  const Result<std::vector<LabelledThing>> things = ReadThings(file);
  ASSERT_TRUE(things.ok()) << things.error().message;
  EXPECT_TRUE(std::any_of(things->begin(), things->end(), [](const LabelledThing& thing) {
    return thing.table == "open_qtip" && thing.is_it && thing.tip_right;
  }));
  // Dice on a table whose shells look like them.
  const Outcome dice = RunWith({"evaluate", "--throws", "1", "--seed", "640045", "--terms", file});
  ASSERT_EQ(dice.status, kExitDone) << dice.err;
  const Result<std::vector<LabelledThing>> judged = ReadThings(file);
  ASSERT_TRUE(judged.ok()) << judged.error().message;
  EXPECT_FALSE(judged->empty());
  EXPECT_TRUE(std::none_of(judged->begin(), judged->end(),
                           [](const LabelledThing& thing) { return thing.is_it; }));
  const Outcome both = RunWith({"evaluate", sets, "--judged", ".", "--terms", file});
  EXPECT_EQ(both.status, kExitBadUsage);
  EXPECT_EQ(RunWith({"evaluate", "--shots", "1", "--terms", file}).status, kExitBadUsage);
  const Outcome nowhere =
      RunWith({"evaluate", "--shots", "9", "--world", "wild", "--terms", "/no/such/terms.jsonl"});
  EXPECT_EQ(nowhere.status, kExitBadInput);
  EXPECT_TRUE(OneLine(nowhere.err)) << nowhere.err;
  const Outcome no_dice =
      RunWith({"evaluate", "--throws", "9", "--terms", "/no/such/terms.jsonl"});
  EXPECT_EQ(no_dice.status, kExitBadInput);
  EXPECT_TRUE(OneLine(no_dice.err)) << no_dice.err;
}

// The rules limit how many batteries a game may have.
TEST(CommandLine, WritesNoArmyThatCannotBePlayed) {
  const test::TempDir dir;
  const std::string file = (dir.path() / "game.toml").string();
  const Outcome made =
      RunWith({"army", "napoleonic", "division", "--points", "10000", "--out", file});
  EXPECT_EQ(made.status, kExitBadInput);
  EXPECT_EQ(made.err, "fallofshot: " + file +
                          ": not written, it could not be played: more than 100 batteries; want "
                          "at most 100\n");
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

// As root a rename would replace the device.
TEST(CommandLine, WritesToADeviceAndDoesNotReplaceIt) {
  const test::TempDir dir;
  const std::string table = dir.Write("table.toml", test::kTableToml).string();
  const Outcome full = RunWith({"print", table, "--out", "/dev/full"});
  EXPECT_EQ(full.status, kExitBadInput);
  EXPECT_TRUE(OneLine(full.err)) << full.err;
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
  EXPECT_FALSE(std::filesystem::exists("/dev/full.partial"));
  EXPECT_EQ(RunWith({"print", table, "--out", "/dev/null"}).status, kExitDone);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  // A link stays, and what it points to is written.
  const std::filesystem::path link = dir.path() / "link.pdf";
  const std::filesystem::path real = dir.Write("real.pdf", "old");
  std::filesystem::create_symlink(real, link);
  EXPECT_EQ(RunWith({"print", table, "--out", link.string()}).status, kExitDone);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_GT(std::filesystem::file_size(real), 1000u);
  // Nobody reads this pipe.
  const std::filesystem::path pipe = dir.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(RunWith({"print", table, "--out", pipe.string()}).status, kExitBadInput);
}

TEST(CommandLine, CalibrateMakesTheFoldersOfWhatItWrites) {
  const test::TempDir dir;
  const std::string map = dir.path() / "a" / "map.png";
  const std::string rig = dir.path() / "b" / "rig.toml";
  const Outcome outcome = RunWith({"calibrate", "table",
                                   std::string(FOS_SOURCE_DIR) + "/datasets/sets/open_qtip",
                                   "--map", map, "--rig", rig});
  EXPECT_EQ(outcome.status, kExitDone) << outcome.err;
  EXPECT_TRUE(std::filesystem::is_regular_file(map));
  EXPECT_TRUE(std::filesystem::is_regular_file(rig));
}

TEST(CommandLine, AnOverlongPathIsBadInput) {
  for (const std::string& path :
       {std::string(300, 'x'), std::string(5000, 'x'), "/" + std::string(300, 'x') + "/club.db"}) {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"judge", path},
                                                      {"play", path, path},
                                                      {"games", "--db", path},
                                                      {"replay", "last", "--db", path},
                                                      {"dispute", path},
                                                      {"print", path},
                                                      {"import", path, "--db", path},
                                                      {"evaluate", path},
                                                      {"calibrate", "table", path},
                                                      {"report", "last", "--db", path}}) {
      const Outcome outcome = RunWith(arguments);
      EXPECT_EQ(outcome.status, kExitBadInput) << arguments[0];
      EXPECT_TRUE(OneLine(outcome.err)) << arguments[0] << ": " << outcome.err;
      EXPECT_EQ(outcome.err.find("internal error"), std::string::npos)
          << arguments[0] << ": " << outcome.err;
      EXPECT_LT(outcome.err.size(), 1200u) << arguments[0];
    }
  }
}

// libjpeg writes "Corrupt JPEG data" to standard error by itself.
TEST(Program, PrintsOnlyItsOwnLines) {
  const test::TempDir dir;
  cv::Mat picture(480, 640, CV_8UC3);
  cv::randu(picture, 0, 255);
  std::vector<std::uint8_t> bytes;
  ASSERT_TRUE(cv::imencode(".jpg", picture, bytes));
  for (std::size_t at = bytes.size() / 2; at < bytes.size() - 2; at += 97) bytes[at] = 0xff;
  dir.Write("clip/frames/000000.jpg", std::string(bytes.begin(), bytes.end()));
  dir.Write("clip/table.toml", test::kTableToml);
  dir.Write("clip/scenario.toml", test::kScenarioToml);
  CameraModel lens;
  lens.width_px = 640;
  lens.height_px = 480;
  lens.fx_px = lens.fy_px = 600;
  lens.cx_px = 320;
  lens.cy_px = 240;
  ASSERT_TRUE(WriteCamera(lens, dir.path() / "clip/camera.yaml").ok());
  const std::string printed =
      test::RunInShell(std::string("'") + FOS_PROGRAM + "' judge '" +
                       (dir.path() / "clip").string() + "' --out '" +
                       (dir.path() / "out").string() + "'")
          .out;
  EXPECT_TRUE(OneLine(printed)) << printed;
  EXPECT_EQ(printed.rfind("fallofshot: ", 0), 0u) << printed;
}

// Neither to standard output nor to standard error.
TEST(CommandLine, NothingCommandsTheTerminal) {
  // C0, C1, broken UTF-8, an override of the direction, a zero-width space, a byte order mark.
  for (const std::string bad : {"\x1b[2J", "\xc2\x9b", "\xff\xfe", "\xe2\x80\xae", "\xe2\x80\x8b",
                                "\xef\xbb\xbf", "\xed\xa0\x80", "\xc0\x80"}) {
    const Outcome refused = RunWith({"judge" + bad});
    EXPECT_EQ(refused.status, kExitBadUsage);
    EXPECT_EQ(refused.err.find(bad), std::string::npos) << refused.err;
    std::ostringstream raw;
    {
      PlainStream plain(raw);
      plain << "a" << bad << "b\tc\n" << bad.substr(0, bad.size() - 1) << std::flush;
    }
    EXPECT_EQ(raw.str().find(bad), std::string::npos);
    EXPECT_EQ(raw.str().rfind("a", 0), 0u);
    EXPECT_NE(raw.str().find("b\tc\n"), std::string::npos) << raw.str();
    EXPECT_FALSE(SeatsFrom("Blue=A" + bad, {"Blue"}).ok());
  }
  // Text of every script passes, also one byte at a time.
  const std::string good = "Ærø, Größe, Москва, 日本, 🎲, नमस्ते\n";
  std::ostringstream raw;
  PlainStream plain(raw);
  for (const char byte : good) plain << byte << std::flush;
  EXPECT_EQ(raw.str(), good);
}

TEST(CommandLine, ReportsAFailedWrite) {
  std::ostringstream out;
  std::ostringstream err;
  out.setstate(std::ios::badbit);
  Console console{out, err};
  EXPECT_EQ(RunCommandLine({"--version"}, console), kExitBadInput);
  EXPECT_NE(err.str().find("standard output"), std::string::npos);
}

}  // namespace
}  // namespace fos
