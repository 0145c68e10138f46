// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <future>
#include <set>
#include <sstream>
#include <thread>

#include "engine/rules/rule_sets.h"
#include "tests/hexless/hexless.h"
#include "tests/support/console_run.h"
#include "tests/support/temp_dir.h"
#include "ui/session/club_file.h"

namespace fos::hexless {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBattle = R"(ruleset = "hexless"
scenario = { name = "At the ford", turns = 4 }
table = { length = 36, width = 24 }
side = [{ name = "Blue" }, { name = "Red" }]
figure = [{ id = "A1", side = "Blue", at = [10, 8] }, { id = "A2", side = "Blue", at = [14, 8] },
          { id = "B1", side = "Red", at = [10, 20] }, { id = "B2", side = "Red", at = [14, 14.001] }]
)";

class Hexless : public testing::Test {
 protected:
  static void SetUpTestSuite() { AddRuleSet(Description()); }
  fs::path Battle() const { return dir_.Write("battle.toml", kBattle); }
  fs::path Club() const { return dir_.path() / "club.db"; }
  std::unique_ptr<RuleGame> Game(std::uint64_t seed = 1) const {
    return fos::OpenGame(Battle(), seed).value();
  }
  // The last sentence told, or the clause that refuses the line.
  static std::string Do(RuleGame& game, const char* line) {
    const LineOutcome outcome = game.Play(line).value();
    if (outcome.refused) return outcome.refused->clause;
    return outcome.told.empty() ? "" : outcome.told.back();
  }
  test::TempDir dir_;
};

TEST_F(Hexless, ItsNumbersJustInsideAndJustOutside) {
  const auto game = Game();
  EXPECT_EQ(Do(*game, "done Red"), "HS-1");
  EXPECT_EQ(Do(*game, "move A1 16.001 8"), "HS-2");   // 6 in
  EXPECT_EQ(Do(*game, "move A2 14 12.002"), "HS-2");  // 2 in from enemies
  EXPECT_EQ(Do(*game, "move A1 13.001 8"), "HS-2");   // 1 in from friends
  EXPECT_EQ(Do(*game, "shoot A1 at B1"), "A1 shoots at B1, 12.0 in away: a 5 or more hits.");
  EXPECT_EQ(Do(*game, "done Blue"), "HS-1");  // the dice are awaited
  EXPECT_EQ(Do(*game, "dice 4"), "A1 misses B1.");
  EXPECT_EQ(Do(*game, "shoot A2 at B2"), "A2 shoots at B2, 6.0 in away: a 5 or more hits.");
  EXPECT_TRUE(game->Undo());
  EXPECT_EQ(Do(*game, "move A2 14 2"), "A2 moves to (14, 2).");
  EXPECT_EQ(Do(*game, "shoot A2 at B2"), "HS-3");  // 12.001 in
  EXPECT_EQ(Do(*game, "done Blue"), "Turn 1: Red acts.");
  EXPECT_EQ(Do(*game, "charge B2 at A1"), "HS-2");  // 7.2 in, less the last inch
}

TEST_F(Hexless, PlaysAScript) {
  const fs::path script = dir_.Write("script", R"(move A2 14 8.001
shoot A2 at B2    # 6 in: a 4 hits
dice 4
dice 4
done Blue
charge B2 at A2
charge B1 at A2
shoot B1 at A1
dice 5
dice 3
done Red
charge A2 at B2
dice 2 3
done Blue
show
)");
  const test::ConsoleRun run = test::RunFallofshot({"play", Battle(), script});
  ASSERT_EQ(run.status, kExitDone) << run;
  for (const char* said :
       {"A2 hits B2.", "B2 stands, shaken.",
        "refused (HS-5): B2 is shaken until its side has acted",
        "refused (HS-2): B1 moves 6 in; this is 11.6 in", "A1 does not stand: lost.",
        "Melee: A2 3, B2 3.", "A2 falls back.", "A2 at (14, 8.001)\n"})
    EXPECT_NE(run.out.find(said), std::string::npos) << said << " in\n" << run.out;
}

TEST_F(Hexless, RandomGamesEndReplayAndReachEveryClause) {
  std::set<std::string> cited;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto game = Game(seed);
    Generator chance{seed};
    while (game->Next().kind != PromptKind::kOver) {
      ASSERT_LT(game->Played(), 500u);
      const std::string before = game->StateJson();
      const std::string line = game->RandomLine(chance);
      const LineOutcome outcome = game->Play(line).value();
      ASSERT_FALSE(outcome.refused) << line;
      cited.insert(outcome.clauses.begin(), outcome.clauses.end());
      ASSERT_TRUE(game->Undo());
      ASSERT_EQ(game->StateJson(), before) << line;
      ASSERT_FALSE(game->Play(outcome.line)->refused);
    }
    const auto again = Game(seed);
    for (const std::string& line : game->Lines()) ASSERT_FALSE(again->Play(line)->refused) << line;
    EXPECT_EQ(again->StateJson(), game->StateJson()) << seed;
  }
  for (const Clause& clause : Description().clauses())
    EXPECT_TRUE(cited.contains(std::string(clause.id)));
}

TEST_F(Hexless, IsLoggedReplayedAndReported) {
  const auto run = [](const std::vector<std::string>& arguments) {
    const test::ConsoleRun ran = test::RunFallofshot(arguments);
    EXPECT_EQ(ran.status, kExitDone) << ran;
    return ran.out;
  };
  const fs::path script = dir_.Write("script", "shoot A1 at B1\ndice 6\ndice 1\nrandom\n");
  run({"play", Battle(), script, "--seed", "3", "--db", Club()});
  EXPECT_NE(run({"games", "--db", Club()}).find("At the ford"), std::string::npos);
  EXPECT_EQ(run({"replay", "last", "--db", Club()}).find("differ"), std::string::npos);
  const fs::path page = dir_.path() / "report.html";
  run({"report", "last", "--db", Club(), "--out", page});
  std::ostringstream html;
  html << std::ifstream(page).rdbuf();
  for (const char* told : {"under the Hexless Skirmish rules", "B1 does not stand: lost."})
    EXPECT_NE(html.str().find(told), std::string::npos) << told;
}

// The real program on a display of its own. The first answer to each prompt, or a throw of the
// dice, plays the game to its end.
TEST_F(Hexless, IsPlayedInTheWindow) {
  if (std::system("command -v xvfb-run xdotool >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "install xvfb and xdotool";
  const fs::path stop = dir_.path() / "stop";
  setenv("XDG_CONFIG_HOME", dir_.path().c_str(), 1);
  const std::string script =
      "#!/bin/sh\n" FOS_HEXLESS " live --game " + Battle().string() + " --db " + Club().string() +
      " & game=$!\nuntil [ -e " + stop.string() +
      " ]; do xdotool key 1 key r; sleep 0.1; done\nxdotool key ctrl+q\nwait $game\n";
  // -noreset: without it the server restarts when a key's sender leaves, and may refuse the window.
  const std::string command = "xvfb-run -a -s '-screen 0 1280x1024x24 -noreset' sh " +
                              dir_.Write("play.sh", script).string();
  auto left = std::async(std::launch::async, [&] { return std::system(command.c_str()); });
  const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(120);
  const auto lines = [&] {
    const Result<OpenedGame> game = OpenGameLog({Club().string()}, "last");
    return !game.ok() ? 0
                      : std::count_if(game->log.records.begin(), game->log.records.end(),
                                      [](const Record& r) { return r.kind == RecordKind::kLine; });
  };
  while (lines() < 8 && std::chrono::steady_clock::now() < late)
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_GE(lines(), 8);
  dir_.Write("stop", "");
  EXPECT_EQ(left.get(), 0);
}

}  // namespace
}  // namespace fos::hexless
