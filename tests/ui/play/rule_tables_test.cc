// SPDX-License-Identifier: MIT
// The tables that the rules offer for a clause, and the row of the newest case.
#include "engine/game/rule_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/files/scenario_file.h"
#include "engine/game/rule_game.h"
#include "engine/rules/rule_sets.h"
#include "ui/play/game_controller.h"

namespace fos {
namespace {

std::unique_ptr<RuleGame> Opened(const char* scenario, const std::vector<std::string>& lines) {
  const auto file = std::filesystem::path(FOS_SOURCE_DIR) / "datasets/scenarios" / scenario;
  auto game = OpenGame(file, 7);
  EXPECT_TRUE(game.ok());
  for (const std::string& line : lines) {
    const auto played = (*game)->Play(line);
    EXPECT_TRUE(played.ok() && !played->refused) << line;
  }
  return std::move(*game);
}

// The marked rows of one table, as "first cell / deciding cell", and the case's sentences.
struct Marks {
  std::vector<std::string> rows;
  std::vector<std::string> said;
};
Marks MarksOf(const RuleGame& game, std::string_view clause, std::string_view name,
              std::size_t played = 1000000) {
  Marks out;
  for (const RuleTable& table : game.TablesOf(clause, played)) {
    if (table.name != name) continue;
    out.said = table.said;
    for (const RuleTable::Row& row : table.rows)
      if (row.marked)
        out.rows.push_back(row.cells[0] + (row.cell ? " / " + row.cells[*row.cell] : ""));
  }
  return out;
}
using Rows = std::vector<std::string>;

const std::vector<std::string> kToTheVolley = {"shoot B-gun field at E5",
                                               "lands 18.0 17.4 stand R-line#1 0.4",
                                               "done Blue",
                                               "done Red",
                                               "turn B-light NW",
                                               "fire B-light at E5",
                                               "done Blue",
                                               "done Red"};

TEST(RuleTables, OfANapoleonicVolleyBeforeAndAfterItsDice) {
  auto game = Opened("skirmish.toml", kToTheVolley);
  // F4 to E5 is a diagonal: 1.5 squares, at line infantry, with a die less for the village.
  const Marks awaited = MarksOf(*game, "NAP-4D", "hits");
  EXPECT_EQ(awaited.rows, Rows{"line infantry, guards infantry, light cavalry, mounted crew / 1"});
  EXPECT_EQ(awaited.said, Rows{"B-light in F4 fires at E5 with 2 dice."});
  EXPECT_EQ(MarksOf(*game, "NAP-4C", "volley_dice").rows, (Rows{"each stand", "a protected square"}));

  ASSERT_TRUE(game->Play("dice 1 3").ok());
  const Marks ruled = MarksOf(*game, "NAP-4D", "hits");
  EXPECT_EQ(ruled.rows, awaited.rows);
  ASSERT_EQ(ruled.said.size(), 1u);
  EXPECT_NE(ruled.said[0].find("1 3, 1 hit"), std::string::npos) << ruled.said[0];
  // Looked up from the line before the dice, no volley was ruled yet.
  EXPECT_TRUE(MarksOf(*game, "NAP-4D", "hits", kToTheVolley.size()).rows.empty());
  // The gun's shot is the case of the ranges, however long ago.
  EXPECT_EQ(MarksOf(*game, "NAP-3E", "guns").rows, Rows{"field gun / 8"});
}

TEST(RuleTables, OfAnAncientMelee) {
  const auto file =
      std::filesystem::path(FOS_SOURCE_DIR) / "datasets/scenarios/ancient_generic.script";
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  auto game = Opened("ancient_generic.toml", {});
  // Until the first melee whose cards are known is decided.
  bool decided = false;
  Marks secret;
  for (const std::string& line : lines) {
    if (decided) break;
    const auto played = game->Play(line);
    ASSERT_TRUE(played.ok() && !played->refused) << line;
    if (game->Next().kind == PromptKind::kSecret) secret = MarksOf(*game, "ANC-P1", "cards");
    decided = std::any_of(played->told.begin(), played->told.end(), [](const std::string& told) {
      return told.starts_with("Melee in J3: Red 1.5, Blue 2.5, Blue's deployment is superior");
    });
  }
  ASSERT_TRUE(decided);
  EXPECT_TRUE(secret.rows.empty());
  EXPECT_EQ(secret.said, Rows{"The deployments of this turn are still secret."});
  const Marks cards = MarksOf(*game, "ANC-P1", "cards");
  ASSERT_FALSE(cards.rows.empty());
  ASSERT_FALSE(cards.said.empty());
  EXPECT_TRUE(cards.said[0].starts_with("Melee in J3: ")) << cards.said[0];
  EXPECT_TRUE(cards.said[0].ends_with(": inferior.")) << cards.said[0];
  EXPECT_EQ(MarksOf(*game, "ANC-P3", "losses").rows, Rows{"unequal"});
}

TEST(RuleTables, OfAColonialCombat) {
  auto game = Opened("tamanieb.toml", {"dice 6", "dice 7 7", "dice 9 4", "dice 6"});
  EXPECT_EQ(MarksOf(*game, "COL-2.6", "generals").rows, Rows{"6 / exceptional"});
  ASSERT_TRUE(game->Play("fire I-Gun at M-Rifles1").ok());
  EXPECT_EQ(MarksOf(*game, "COL-7.4", "fire").rows,
            (Rows{"the stand's own value / its value",
                  "the value of a General next to it / its value"}));
  EXPECT_EQ(MarksOf(*game, "COL-7.3", "weapons").rows, Rows{"rifled field / 6"});
  EXPECT_TRUE(MarksOf(*game, "COL-9.3", "results").rows.empty());
  ASSERT_TRUE(game->Play("dice 8 5").ok());
  const Marks results = MarksOf(*game, "COL-9.3", "results");
  EXPECT_EQ(results.rows, Rows{"enemy < initiator / the enemy withdraws"});
  ASSERT_EQ(results.said.size(), 1u);
  EXPECT_NE(results.said[0].find("8 +4 = 12"), std::string::npos);
}

TEST(RuleTables, OfACloseFireShotAndControlTest) {
  auto game = Opened("kirchheim.toml", {"initiative", "dice 3 5", "choose \"first\"",
                                        "fire F-G2 at A-G2"});
  EXPECT_EQ(MarksOf(*game, "CF-16.2", "gun").rows, Rows{});
  ASSERT_TRUE(game->Play("dice 6").ok());
  EXPECT_EQ(MarksOf(*game, "CF-16.1", "gun").rows,
            (Rows{"battalion gun / -1", "new target / -1", "beyond effective range / -1"}));
  EXPECT_EQ(MarksOf(*game, "CF-16.2", "gun_result").rows, Rows{"3"});
  for (const char* line : {"done French", "done Allies", "done French", "done Allies",
                           "done French", "dice 5", "choose +1"})
    ASSERT_TRUE(game->Play(line).ok()) << line;
  EXPECT_EQ(MarksOf(*game, "CF-5.7", "control").said.size(), 1u);
}

// A leader's risk is looked up as soon as its die is thrown.
TEST(RuleTables, OfACloseFireLeaderAtRisk) {
  auto game = Opened("kirchheim.toml", {});
  std::ifstream in(std::filesystem::path(FOS_SOURCE_DIR) / "datasets/scenarios/kirchheim.script");
  Marks leaders;
  for (std::string line; std::getline(in, line) && leaders.rows.empty();) {
    if (line.empty() || line[0] == '#') continue;
    const auto played = game->Play(line);
    ASSERT_TRUE(played.ok() && !played->refused) << line;
    for (const std::string& told : played->told)
      if (told.starts_with("Risk to general F-G")) leaders = MarksOf(*game, "CF-6.1", "leaders");
  }
  EXPECT_EQ(leaders.rows, Rows{"other"});  // a six: not hit
  ASSERT_EQ(leaders.said.size(), 1u);
  EXPECT_NE(leaders.said[0].find("field gun F-G1: 6"), std::string::npos);
}

// Every table is of clauses that the rule set has, and every row is as wide as its head.
TEST(RuleTables, AreWellFormedForEveryRuleSet) {
  for (const char* scenario :
       {"skirmish.toml", "ancient_generic.toml", "tamanieb.toml", "kirchheim.toml"}) {
    const auto game = Opened(scenario, {});
    const RuleSet* set = FindRuleSet(game->Ruleset());
    ASSERT_NE(set, nullptr);
    std::size_t tables = 0;
    for (const Clause& clause : set->clauses()) {
      for (const RuleTable& table : game->TablesOf(clause.id, 0)) {
        ++tables;
        EXPECT_FALSE(table.rows.empty()) << table.title;
        for (const RuleTable::Row& row : table.rows)
          EXPECT_EQ(row.cells.size(), table.head.size()) << table.title;
        for (const std::string_view of : table.clauses)
          EXPECT_TRUE(std::any_of(set->clauses().begin(), set->clauses().end(),
                                  [&](const Clause& one) { return one.id == of; }))
              << table.title << ": " << of;
      }
    }
    EXPECT_GE(tables, 10u) << scenario;
  }
}

TEST(LastDice, AreThoseOfTheLineWithWhatTheyCameTo) {
  GameController::Setup setup;
  setup.open = [] {
    return OpenGame(std::filesystem::path(FOS_SOURCE_DIR) / "datasets/scenarios/skirmish.toml", 7);
  };
  auto controller = GameController::Open(std::move(setup)).value();
  EXPECT_FALSE(LastDice(*controller->Now(), 0).has_value());
  for (const std::string& line : kToTheVolley) controller->Say(line, 0);
  controller->Say("dice 1 3", 0);
  const auto thrown = LastDice(*controller->Now(), 0);
  ASSERT_TRUE(thrown.has_value());
  EXPECT_EQ(thrown->faces, (std::vector<int>{1, 3}));
  ASSERT_FALSE(thrown->came_to.empty());
  EXPECT_NE(thrown->came_to[0].find("1 hit"), std::string::npos);
  // Before that line there were none; taken back, there are none.
  EXPECT_FALSE(LastDice(*controller->Now(), static_cast<int>(kToTheVolley.size())).has_value());
  controller->Undo(0);
  EXPECT_FALSE(LastDice(*controller->Now(), 0).has_value());
}

}  // namespace
}  // namespace fos
