#include "ui/app/commands.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/support/temp_dir.h"

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

TEST(CommandLine, WrongUsageIsTwo) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {}, {""}, {"evalute"}, {"--no-such"}, {"evaluate", "a", "--no-such"}}) {
    const Outcome outcome = RunWith(arguments);
    EXPECT_EQ(outcome.status, kExitBadUsage);
    EXPECT_TRUE(OneLine(outcome.err)) << outcome.err;
    EXPECT_TRUE(outcome.out.empty());
  }
  EXPECT_NE(RunWith({"evalute"}).err.find("the nearest is `evaluate`"), std::string::npos);
}

TEST(CommandLine, EveryCommandRefusesAnUnknownFlag) {
  for (const Command& command : Commands()) {
    const Outcome outcome = RunWith({command.name, "--no-such-flag"});
    EXPECT_EQ(outcome.status, kExitBadUsage) << command.name;
    EXPECT_NE(outcome.err.find("--no-such-flag"), std::string::npos) << outcome.err;
  }
}

TEST(CommandLine, BadInputIsOneLineAndOne) {
  const test::TempDir dir;
  const Outcome outcome =
      RunWith({"evaluate", dir.path().string(), "--judged", dir.path().string()});
  EXPECT_EQ(outcome.status, kExitBadInput);
  EXPECT_TRUE(OneLine(outcome.err)) << outcome.err;
  EXPECT_NE(outcome.err.find(dir.path().string()), std::string::npos);
}

TEST(CommandLine, EvaluateSweepsMadeUpTablesWithoutAFolder) {
  const Outcome outcome = RunWith({"evaluate", "--sweep", "1", "--seed", "2"});
  EXPECT_EQ(outcome.status, kExitDone) << outcome.err;
  EXPECT_NE(outcome.out.find("1 made-up tables"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find(" 0 invented"), std::string::npos) << outcome.out;
  EXPECT_EQ(RunWith({"evaluate", "--sweep", "0"}).status, kExitBadUsage);
}

TEST(CommandLine, AnArmyOfAnyNumberOfPointsIsAGame) {
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
  EXPECT_NE(plays({"napoleonic", "division", "--points", "500"}, "4").find("500 of 500 points"),
            std::string::npos);
  plays({"napoleonic", "division", "--points", "40", "--against", "army headquarters"}, "4");
}

TEST(CommandLine, AWriteThatFailsIsReported) {
  std::ostringstream out;
  std::ostringstream err;
  out.setstate(std::ios::badbit);
  Console console{out, err};
  EXPECT_EQ(RunCommandLine({"--version"}, console), kExitBadInput);
  EXPECT_NE(err.str().find("standard output"), std::string::npos);
}

}  // namespace
}  // namespace fos
