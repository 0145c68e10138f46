// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/lines.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "engine/game/script_runner.h"
#include "engine/rules/ancient/json.h"
#include "engine/rules/ancient/legal.h"
#include "engine/rules/ancient/line_game.h"
#include "engine/rules/rule_sets.h"
#include "tests/support/ancient_game.h"

// Lines, the rules' common interface, and the sample games of docs/scripts.md.
namespace fos::ancient::test {
namespace {

namespace fs = std::filesystem;

Game Laid() {
  Game g;
  g.Unit(kBlue, "light_cavalry", "E3");
  g.Unit(kBlue, "foot_crew", "C2");
  g.Catapult(kBlue, "heavy_catapult", "C2");
  g.Unit(kRed, "light_infantry", "E4", 1);
  g.Unit(kRed, "heavy_infantry", "E6");
  g.Start();
  return g;
}

TEST(AncientLines, EachLineIsReadBack) {
  Game g = Laid();
  for (const char* line : {"dice 1 2 6",
                           "coin heads",
                           "draw",
                           "lands 18 21.5 stand R4#2 0.75 catapult c1 1",
                           "lands off",
                           "take R4#1 R4#2",
                           "take c1",
                           "back E7",
                           "back off",
                           "turn B1 NE",
                           "turn c1 W",
                           "shoot c1 by B2#1 at C8",
                           "fire B1 at E4",
                           "charge B1",
                           "move B1 via E4 E5 down facing NW",
                           "move B2#2 with c1 via C3",
                           "support B1 at E4",
                           "card Blue PINCERS at E4",
                           "done Red",
                           "time up",
                           "surrender Blue",
                           "overrule move B1 via E4 E5 E6"}) {
    const auto action = ParseAction(g.s, line);
    ASSERT_TRUE(action.ok()) << line << ": " << action.error().message;
    EXPECT_EQ(ActionToLine(g.s, *action), line);
  }
}

TEST(AncientLines, AnUnreadableWordIsReportedWithTheNearest) {
  Game g = Laid();
  const auto why = [&](const char* line) {
    const auto action = ParseAction(g.s, line);
    return action.ok() ? std::string() : action.error().message;
  };
  EXPECT_NE(why("mvoe B1 to E5").find("`move`"), std::string::npos);
  EXPECT_NE(why("card Blue PINCER at E4").find("`PINCERS`"), std::string::npos);
  EXPECT_NE(why("lands 900 1").find("lands off"), std::string::npos);
  for (const char* line : {"", "time", "time down", "shoot c1 at C8", "take X#1", "move", "charge",
                           "lands 1 2 gun c1 1", "dice 7", "done Green"})
    EXPECT_NE(why(line), "") << line;
}

TEST(AncientLines, AMoveAvoidsRunningDownWherePossible) {
  Game g = Laid();
  g.To(Step::kMovement);
  const auto round = ParseAction(g.s, "move B1 to E5");
  ASSERT_TRUE(round.ok());
  EXPECT_NE(std::get<Move>(round->what).path.front(), g.At("E4"));
  const auto over = ParseAction(g.s, "move B1 to E4 down");
  ASSERT_TRUE(over.ok());
  EXPECT_EQ(g.Do(over->what), "");
  EXPECT_EQ(g.s.step, Step::kMovement);
}

TEST(AncientLines, AnActionWithInvalidNumbersIsRefused) {
  Game g = Laid();
  EXPECT_EQ(g.Do(CallShot{0, 9, 0, 3}), "ANC-T");
  EXPECT_EQ(g.Do(Support{0, 0, 9999, 0}), "ANC-T");
  EXPECT_EQ(g.Do(TurnUnit{7, 0, 0, N}), "ANC-T");
  EXPECT_FALSE(ActionFromJson("{\"action\":\"jump\"}").ok());
  EXPECT_FALSE(ActionFromJson("nothing").ok());
  EXPECT_FALSE(EventFromJson("{\"event\":\"stand_lost\",\"stand\":99999999,\"cause\":0}").ok());
}

std::vector<fs::path> SampleGames() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(fs::path(FOS_SOURCE_DIR) / "datasets/scenarios"))
    if (entry.path().extension() == ".script" &&
        entry.path().filename().string().rfind("ancient_", 0) == 0)
      out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

std::string TextOf(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(AncientLines, ASampleGameForEachArmyList) {  // ANC-L
  const std::vector<fs::path> games = SampleGames();
  ASSERT_EQ(games.size(), 7u);
  for (const fs::path& script : games) {
    SCOPED_TRACE(script.filename().string());
    fs::path scenario = script;
    scenario.replace_extension(".toml");
    auto game = fos::OpenGame(scenario, 7);
    ASSERT_TRUE(game.ok()) << game.error().message;
    int refused = 0;
    ScriptOptions options;
    options.seed = 7;
    options.report = [&](const ScriptStep& step) {
      if (!step.outcome.refused) return;
      ++refused;
      ADD_FAILURE() << "line " << step.line << " `" << step.text
                    << "`: " << step.outcome.refused->because;
    };
    const Status played = RunScript(**game, TextOf(script), options);
    ASSERT_TRUE(played.ok()) << played.error().message;
    EXPECT_EQ((*game)->Next().kind, PromptKind::kOver);
    EXPECT_GT((*game)->Played(), 50u);
    // Replaying the accepted lines gives the same game bit for bit.
    auto again = fos::OpenGame(scenario, 8);
    ASSERT_TRUE(again.ok());
    for (const std::string& line : (*game)->Lines()) {
      const auto outcome = (*again)->Play(line);
      ASSERT_TRUE(outcome.ok()) << line;
      ASSERT_FALSE(outcome->refused) << line << ": " << outcome->refused->because;
    }
    EXPECT_EQ((*again)->DescribeTable(), (*game)->DescribeTable());
  }
}

// Plays a whole turn using only what the window has: prompts and the options' lines.
TEST(AncientLines, PlaysAWholeTurnFromItsOptions) {
  auto game = fos::OpenGame(fs::path(FOS_SOURCE_DIR) / "datasets/scenarios/ancient_roman.toml", 3);
  ASSERT_TRUE(game.ok()) << game.error().message;
  RuleGame& g = **game;
  Generator chance{11};
  std::set<std::string> phases;
  for (int steps = 0; steps < 400; ++steps) {
    const Prompt prompt = g.Next();
    if (prompt.turn > 2 || prompt.kind == PromptKind::kOver) break;
    phases.insert(prompt.phase);
    EXPECT_FALSE(prompt.sentence.empty());
    ASSERT_FALSE(prompt.sides.empty());
    std::string line;
    if (prompt.kind == PromptKind::kShot) {
      ASSERT_EQ(prompt.pieces.size(), 1u);
      line = "lands off";
    } else {
      auto options = g.Options(prompt.sides.front());
      std::erase_if(options, [](const LineOption& o) { return o.line.starts_with("surrender"); });
      ASSERT_FALSE(options.empty()) << prompt.sentence;
      const auto& option = options[static_cast<std::size_t>(
          steps % 5 == 0 ? static_cast<int>(options.size()) - 1
                         : chance.Below(static_cast<int>(options.size())))];
      EXPECT_FALSE(option.label.empty());
      EXPECT_TRUE(option.clause.empty() || FindClause(option.clause) != nullptr) << option.clause;
      line = option.line;
    }
    auto outcome = g.Play(line);
    // A unit that moved onto a friend must make room before the step ends: here it moves back.
    while (outcome.ok() && outcome->refused && outcome->refused->clause == "ANC-V2" && g.Undo())
      outcome = g.Play(line);
    ASSERT_TRUE(outcome.ok()) << line << ": " << outcome.error().message;
    EXPECT_FALSE(outcome->refused) << line << ": " << outcome->refused->because;
  }
  EXPECT_TRUE(phases.contains("catapults"));
  EXPECT_TRUE(phases.contains("missiles"));
  EXPECT_TRUE(phases.contains("movement"));
  EXPECT_TRUE(phases.contains("end of turn"));
  const GameView view = g.View();
  EXPECT_EQ(view.sides.size(), 2u);
  EXPECT_GT(view.pieces.size(), 20u);
}

}  // namespace
}  // namespace fos::ancient::test
