// SPDX-License-Identifier: MIT
// Every command that README.md shows, from the first to the last, in its order. Those that need a
// camera or a display are started by the window's tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/console_run.h"
#include "tests/support/page_commands.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

namespace fs = std::filesystem;
using test::ConsoleRun;
using test::RunFallofshot;

// In a folder that looks like the source tree, with a club's file of its own.
class Documents : public ::testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    fs::create_directory_symlink(fs::path(FOS_SOURCE_DIR) / "datasets", dir_.path() / "datasets");
    setenv("XDG_DATA_HOME", (dir_.path() / "data").c_str(), 1);
    fs::current_path(dir_.path());
  }
  void TearDown() override {
    fs::current_path(before_);
    unsetenv("XDG_DATA_HOME");
  }
  test::TempDir dir_;
  fs::path before_;
};

TEST_F(Documents, TheReadmesCommandsRunInItsOrder) {
  const auto commands =
      test::CommandsOf(fs::path(FOS_SOURCE_DIR) / "README.md", "build/fallofshot ");
  ASSERT_GE(commands.size(), 8u);
  int ran = 0;
  for (const auto& command : commands) {
    ASSERT_FALSE(command.empty());
    const std::vector<std::string> elsewhere = {"live", "setup", "doctor"};
    if (std::find(elsewhere.begin(), elsewhere.end(), command[0]) != elsewhere.end()) continue;
    const ConsoleRun run = RunFallofshot(command);
    std::string line;
    for (const std::string& word : command) line += ' ' + word;
    EXPECT_EQ(run.status, kExitDone) << "fallofshot" << line << "\n" << run;
    ++ran;
  }
  EXPECT_GE(ran, 9);
  EXPECT_TRUE(fs::exists("battle.pdf"));
  EXPECT_FALSE(fs::exists("data")) << "no file but the one that is named";
}

}  // namespace
}  // namespace fos
