#include "ui/cli/commands.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <opencv2/imgcodecs.hpp>

#include "tests/support/temp_dir.h"
#include "ui/cli/calibrate_table.h"

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
  Refused({"lens", dir}, kExitBadInput, "no .jpg or .png");
  Refused({"lens", dir, "--table", dir + "/none.toml"}, kExitBadInput, "none.toml");
  Refused({"lens", dir, "--table", Table()}, kExitBadInput, "no [charuco]");
  const std::string out = dir + "/camera.yaml";
  Bare("views/0.png");
  dir_.Write("views/1.jpg", "no picture");
  Refused({"lens", dir + "/views", "--out", out}, kExitBadInput, "view");
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(CalibrateLine, RefusesBadTableArguments) {
  const std::string bare = Bare("bare.png");
  Refused({"table"}, kExitBadUsage, "PICTURE");
  Refused({"table", bare, "--north", "upwards"}, kExitBadUsage, "`upwards`");
  Refused({"table", bare, "--height", "-1"}, kExitBadUsage, "--height");
  Refused({"table", bare}, kExitBadInput, "table.toml");
  Refused({"table", "no/such.png"}, kExitBadInput, "no/such.png: no such file; give a picture");
  Refused({}, kExitBadUsage, "nothing to calibrate given; use `calibrate lens`");
  const std::string table = Table();
  Refused({"table", dir_.path() / "none.png"}, kExitBadInput, "none.png");
  Refused({"table", bare, "--camera", dir_.path() / "none.yaml"}, kExitBadInput, "none.yaml");
  Refused({"table", bare, "--scenario", dir_.path() / "none.toml"}, kExitBadInput, "none.toml");
  Refused({"table", bare, "--clicks", "1,2"}, kExitBadInput, "1 click;");
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
}

TEST(CommandLine, EvaluateSweepsSyntheticTablesWithoutAFolder) {
  const Outcome outcome = RunWith({"evaluate", "--sweep", "1", "--seed", "2"});
  EXPECT_EQ(outcome.status, kExitDone) << outcome.err;
  EXPECT_NE(outcome.out.find("1 made-up tables"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find(" 0 invented"), std::string::npos) << outcome.out;
  EXPECT_EQ(RunWith({"evaluate", "--sweep", "0"}).status, kExitBadUsage);
}

TEST(CommandLine, EvaluateRefusesAnUnknownWorldOfShots) {
  const Outcome odd = RunWith({"evaluate", "--shots", "1", "--world", "odd"});
  EXPECT_EQ(odd.status, kExitBadUsage);
  EXPECT_NE(odd.err.find("--world is plain or wild, not 'odd'"), std::string::npos) << odd.err;
  EXPECT_EQ(RunWith({"evaluate", "--shots", "1", "--unseen"}).status, kExitBadUsage);
  EXPECT_EQ(RunWith({"evaluate", "--shots", "1", "--world", "wild", "--faults"}).status,
            kExitBadUsage);
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
  EXPECT_EQ(RunWith({"army", "ancient", "--out", "x.toml"}).status, kExitBadUsage);
  EXPECT_EQ(RunWith({"army", "ancient", "Roman", "--sides", "Both"}).status, kExitBadUsage);

  const test::TempDir dir;
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
