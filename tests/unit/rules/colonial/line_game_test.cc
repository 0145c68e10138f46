#include "engine/rules/colonial/line_game.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>

#include "engine/chance.h"
#include "engine/rules/colonial/game_file.h"
#include "engine/rules/script_runner.h"
#include "tests/support/temp_dir.h"

// The game as the window sees it: what is wanted, what is legal, what it would come to.
namespace fos::colonial::test {
namespace {

namespace fs = std::filesystem;

fs::path Sample(const char* name) { return fs::path(FOS_SOURCE_DIR) / "datasets/scenarios" / name; }

std::unique_ptr<RuleGame> Opened(std::uint64_t seed = 7) {
  auto game = OpenGame(Sample("tamanieb.toml"), seed);
  EXPECT_TRUE(game.ok()) << game.error().message;
  return std::move(game).value();
}

TEST(ColonialLineGame, AWholeTurnByWhatItOffers) {
  const auto game = Opened();
  EXPECT_EQ(game->Ruleset(), "colonial");
  int fights = 0, moves = 0, choices = 0;
  std::string sums;
  Generator chance{5};
  while (game->Next().turn < 2 && game->Next().kind != AskKind::kOver) {
    const Prompt prompt = game->Next();
    ASSERT_FALSE(prompt.sides.empty());
    EXPECT_FALSE(prompt.sentence.empty());
    EXPECT_EQ(prompt.clause.rfind("COL-", 0), 0u) << prompt.sentence;
    if (prompt.kind == AskKind::kDice) {
      std::ostringstream line;
      line << "dice";
      for (int n = 0; n < prompt.dice; ++n) line << ' ' << 1 + chance.Below(prompt.faces);
      ASSERT_FALSE(game->Play(line.str()).value().refused) << line.str();
      continue;
    }
    const std::vector<LineOption> options = game->Options(prompt.sides.front());
    ASSERT_FALSE(options.empty());
    for (const LineOption& option : options) {
      EXPECT_FALSE(option.label.empty());
      EXPECT_EQ(option.clause.rfind("COL-", 0), 0u) << option.line;
    }
    // Fight where one can, else move, else end.
    const auto kind = [&](const char* verb) {
      return std::find_if(options.begin(), options.end(), [&](const LineOption& option) {
        return option.line.rfind(verb, 0) == 0;
      });
    };
    auto pick = kind("back");
    choices += pick != options.end();
    if (pick == options.end()) pick = kind("attack");
    if (pick == options.end()) pick = kind("fire");
    if (pick != options.end() && pick->line.rfind("back", 0) != 0) {
      ++fights;
      ASSERT_TRUE(pick->forecast.has_value());
      double sum = 0;
      for (const auto& [what, share] : pick->forecast->chances) sum += share;
      EXPECT_NEAR(sum, 1, 1e-12);
      int total = 0;
      for (const SumItem& item : pick->forecast->items) total += item.who == 0 ? item.amount : 0;
      EXPECT_EQ(total, pick->forecast->totals[0]);
      EXPECT_EQ(pick->pieces.size(), 2u);
      sums = pick->forecast->sentence;
    }
    if (pick == options.end()) {
      pick = kind("move");
      moves += pick != options.end();
    }
    if (pick == options.end()) pick = kind("done");
    ASSERT_NE(pick, options.end());
    const auto outcome = game->Play(pick->line).value();
    ASSERT_FALSE(outcome.refused) << pick->line << ": " << outcome.refused->because;
    EXPECT_FALSE(outcome.told.empty());
    // The sums are told once more before the dice.
    EXPECT_NE(game->Next().sentence.find(sums), std::string::npos);
    sums.clear();
  }
  EXPECT_GT(moves, 3);
  EXPECT_GT(fights + choices, 0);
}

TEST(ColonialLineGame, EveryOptionIsAccepted) {
  const auto game = Opened();
  Generator chance{3};
  for (int n = 0; n < 60 && game->Next().kind != AskKind::kOver; ++n) {
    ASSERT_FALSE(game->Play(game->RandomLine(chance)).value().refused);
    if (n % 12 != 0 || game->Next().kind == AskKind::kOver) continue;
    for (const int side : game->Next().sides)
      for (const LineOption& option : game->Options(side)) {
        const std::string before = game->StateJson();
        const auto outcome = game->Play(option.line).value();
        ASSERT_FALSE(outcome.refused) << option.line << ": " << outcome.refused->because;
        ASSERT_TRUE(game->Undo());
        ASSERT_EQ(game->StateJson(), before);
      }
  }
}

TEST(ColonialLineGame, PlayedAgainFromItsLines) {
  const auto game = Opened();
  Generator chance{11};
  while (game->Next().kind != AskKind::kOver)
    ASSERT_FALSE(game->Play(game->RandomLine(chance)).value().refused);
  const auto again = Opened();
  for (const std::string& line : game->Lines()) ASSERT_FALSE(again->Play(line).value().refused);
  EXPECT_EQ(again->StateJson(), game->StateJson());
  EXPECT_FALSE(game->View().result.empty());
  for (const PieceView& piece : game->View().pieces) EXPECT_EQ(piece.on_table, piece.fate.empty());
}

TEST(ColonialLineGame, WhatTheOverlayDraws) {
  const auto game = Opened();
  for (const char* line : {"dice 6", "dice 9 4", "dice 12"})
    ASSERT_FALSE(game->Play(line).value().refused) << line;
  const PieceReach gun = game->ReachOf("I-Gun");
  EXPECT_EQ(gun.allowance, 2);
  EXPECT_EQ(gun.range, 6);
  EXPECT_NE(std::find(gun.arc.begin(), gun.arc.end(), "K9"), gun.arc.end());
  EXPECT_EQ(std::find(gun.arc.begin(), gun.arc.end(), "A3"), gun.arc.end());
  const auto rifles = std::find_if(gun.sights.begin(), gun.sights.end(), [](const SightLine& line) {
    return line.target == "M-Rifles1";
  });
  ASSERT_NE(rifles, gun.sights.end());
  EXPECT_TRUE(rifles->clear) << rifles->because;
  const auto moved = std::find_if(gun.moves.begin(), gun.moves.end(),
                                  [](const auto& move) { return move.first == "L5"; });
  EXPECT_EQ(moved == gun.moves.end() ? 0 : moved->second, 2);
  EXPECT_TRUE(game->ReachOf("nobody").moves.empty());
  // Two in a square are drawn one behind the other.
  const GameView view = game->View();
  const auto piece = [&](const char* id) {
    return *std::find_if(view.pieces.begin(), view.pieces.end(),
                         [&](const PieceView& p) { return p.id == id; });
  };
  EXPECT_EQ(piece("M-Foot1#1").square, piece("M-Foot1#2").square);
  EXPECT_LT(piece("M-Foot1#1").at_in.y, piece("M-Foot1#2").at_in.y);  // it faces south
}

TEST(ColonialLineGame, TheSampleScriptEndsItsBattle) {
  const auto game = Opened();
  std::ostringstream script;
  script << std::ifstream(Sample("tamanieb.script")).rdbuf();
  int refused = 0;
  ScriptOptions options;
  options.seed = 7;
  options.report = [&](const ScriptStep& step) { refused += step.outcome.refused.has_value(); };
  const Status played = RunScript(*game, script.str(), options);
  ASSERT_TRUE(played.ok()) << played.error().message;
  EXPECT_EQ(game->Next().kind, AskKind::kOver);
  EXPECT_EQ(refused, 5);  // those the script says are
}

TEST(ColonialGameFile, ArmiesByDiceAndRatings) {  // COL-2.3, COL-2.6
  fos::test::TempDir dir;
  std::ostringstream text;
  text << std::ifstream(Sample("tamanieb.toml")).rdbuf();
  std::string scenario = text.str();
  const auto replace = [&](const std::string& from, const std::string& to) {
    scenario.replace(scenario.find(from), from.size(), to);
  };
  replace("by = \"agreed\"\npoints = 36", "by = \"dice\"");
  const fs::path path = dir.path() / "game.toml";
  std::ofstream(path) << scenario;
  auto game = OpenGame(path, 1);
  ASSERT_TRUE(game.ok()) << game.error().message;
  EXPECT_EQ((*game)->Next().dice, 8);
  EXPECT_EQ((*game)->Next().faces, 6);
}

TEST(ColonialGameFile, WhatIsRefused) {  // COL-1.2, COL-1.3, COL-2.2, COL-2.4
  fos::test::TempDir dir;
  std::ostringstream text;
  text << std::ifstream(Sample("tamanieb.toml")).rdbuf();
  const auto opened = [&](const std::function<void(std::string&)>& change) -> std::string {
    std::string scenario = text.str();
    change(scenario);
    const fs::path path = dir.path() / "game.toml";
    std::ofstream(path) << scenario;
    const auto game = ReadGame(path);
    return game.ok() ? "" : game.error().message;
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    return opened([&](std::string& s) {
      const std::size_t at = s.find(from);
      ASSERT_NE(at, std::string::npos) << from;
      s.replace(at, from.size(), to);
    });
  };
  EXPECT_EQ(opened([](std::string&) {}), "");
  EXPECT_NE(with("kind = \"command_mounted\"", "kind = \"transport\""), "");
  EXPECT_EQ(with("rows = 12", "rows = 12\nsquare = 1.9685"), "");
  EXPECT_NE(with("rows = 12", "rows = 12\nsquare = 4.0").find("1.9685"), std::string::npos);
  EXPECT_NE(with("rows = 12", "rows = 11"), "");
  EXPECT_NE(with("\"E5|E6\"", "\"E5|E8\"").find("no edge"), std::string::npos);
  // A pond by its outline; under a stand it is refused.
  EXPECT_EQ(
      with("[[terrain]]\ntype = \"wood\"",
           "[[terrain]]\ntype = \"water\"\npolygon = [[3.937, 13.78], [7.874, 13.78], [7.874, "
           "15.748], [3.937, 15.748]]\n[[terrain]]\ntype = \"wood\""),
      "");
  EXPECT_NE(
      with("[[terrain]]\ntype = \"wood\"",
           "[[terrain]]\ntype = \"water\"\npolygon = [[1.9685, 3.937], [3.937, 3.937], [3.937, "
           "5.9055], [1.9685, 5.9055]]\n[[terrain]]\ntype = \"wood\"")
          .find("COL-5.10"),
      std::string::npos);
  EXPECT_NE(with("type = \"stream\"", "type = \"streem\"").find("`stream`"), std::string::npos);
  EXPECT_NE(with("\"guard_infantry\"", "\"gard_infantry\"").find("`guard_infantry`"),
            std::string::npos);
  EXPECT_NE(with("id = \"I-Gun\"", "id = \"K4\"").find("also a square"), std::string::npos);
  EXPECT_NE(with("turns = 12", "turns = 13").find("turns"), std::string::npos);
  EXPECT_NE(with("square = \"I4\"", "square = \"K3\"").find("COL-1.3"), std::string::npos);
  EXPECT_NE(
      opened([](std::string& s) { s.resize(s.find("[[unit]]\nid = \"M-Emir\"")); }).find("COL-2.4"),
      std::string::npos);
}

}  // namespace
}  // namespace fos::colonial::test
