// SPDX-License-Identifier: MIT
#include "engine/game/script_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "engine/game/line_words.h"
#include "engine/rules/rule_sets.h"
#include "tests/support/clip_files.h"
#include "tests/support/temp_dir.h"

// Games of any rule set, played through lines only.
namespace fos {
namespace {

std::string Shipped(const std::string& name) {
  return std::string(FOS_SOURCE_DIR) + "/datasets/scenarios/" + name;
}

std::unique_ptr<RuleGame> Skirmish(std::optional<std::uint64_t> seed = {}) {
  auto game = OpenGame(Shipped("skirmish.toml"), seed);
  EXPECT_TRUE(game.ok()) << game.error().message;
  return std::move(game).value();
}

struct ScriptRun {
  std::unique_ptr<RuleGame> game;
  Status status = Ok();
  std::vector<ScriptStep> steps;
};
ScriptRun PlayedScript(std::string_view script, std::optional<std::uint64_t> seed = {}) {
  ScriptRun run{Skirmish(seed), Ok(), {}};
  ScriptOptions options;
  options.seed = seed;
  options.report = [&](const ScriptStep& step) { run.steps.push_back(step); };
  run.status = RunScript(*run.game, script, options);
  return run;
}

constexpr const char* kVolley =
    "done Blue\ndone Red\nturn B-light NW\nfire B-light at E5\ndone Blue\ndone Red\n";

TEST(Script, DrawnDiceReplayBitForBit) {
  const ScriptRun first = PlayedScript(std::string(kVolley) + "random\n", 11);
  const ScriptRun second = PlayedScript(std::string(kVolley) + "random\n", 11);
  const ScriptRun third = PlayedScript(std::string(kVolley) + "random\n", 12);
  ASSERT_TRUE(first.status.ok() && second.status.ok() && third.status.ok());
  EXPECT_EQ(first.game->Next().kind, PromptKind::kOver);
  EXPECT_EQ(first.game->StateJson(), second.game->StateJson());
  EXPECT_NE(first.game->StateJson(), third.game->StateJson());
}

TEST(Script, ReplayedLinesGiveTheSameGame) {
  const ScriptRun run = PlayedScript(std::string(kVolley) + "random\n", 4);
  ASSERT_TRUE(run.status.ok()) << run.status.error().message;
  const std::vector<std::string> lines = run.game->Lines();
  EXPECT_EQ(lines.size(), run.game->Played());
  const auto again = Skirmish(4);
  for (const std::string& line : lines) {
    const auto outcome = again->Play(line);
    ASSERT_TRUE(outcome.ok()) << line << ": " << outcome.error().message;
    ASSERT_FALSE(outcome->refused) << line << ": " << outcome->refused->because;
    EXPECT_EQ(outcome->line, line);
  }
  EXPECT_EQ(again->StateJson(), run.game->StateJson());
  EXPECT_EQ(again->Lines(), lines);
}

TEST(Script, ALineKeepsItsSerialWhenOthersAreRemoved) {
  const ScriptRun run = PlayedScript(
      "done Blue\ndone Red\nturn B-light NW\nturn B-line NE\nfire B-light at E5\nundo\n"
      "fire B-light at E5\ndone Blue\nremove 4\ndone Red\n");
  ASSERT_TRUE(run.status.ok()) << run.status.error().message;
  EXPECT_EQ(run.game->Serials(), (std::vector<std::size_t>{1, 2, 3, 6, 7, 8}));
}

TEST(Script, ARefusalNamesTheLegalLineThatComesNearest) {
  const std::string volley = "done Blue\ndone Red\n";
  for (const auto& [line, allowed] :
       {std::pair{"fire B-light at D7", "fire B-light at E5"},
        // Another unit may, where this one may not at all.
        std::pair{"fire B-line at E5", "fire B-light at E5"},
        std::pair{"turn R-line NE", "turn B-line NE"}, std::pair{"shoot B-gun field at E5", ""}}) {
    const ScriptRun run = PlayedScript(volley + line);
    ASSERT_TRUE(run.status.ok()) << run.status.error().message;
    EXPECT_TRUE(run.steps.back().outcome.refused) << line;
    const std::vector<std::string>& told = run.steps.back().outcome.told;
    ASSERT_EQ(told.empty(), std::string(allowed).empty()) << line;
    if (!told.empty()) {
      EXPECT_EQ(told.front(), std::string("Nearest that is allowed: ") + allowed);
    }
  }
}

TEST(Script, TheShippedScriptPlaysToTheEnd) {
  std::ifstream in(Shipped("skirmish.script"));
  std::stringstream text;
  text << in.rdbuf();
  const ScriptRun run = PlayedScript(text.str(), 7);
  ASSERT_TRUE(run.status.ok()) << run.status.error().message;
  EXPECT_EQ(run.game->Next().kind, PromptKind::kOver);
  std::vector<std::string> refused;
  for (const ScriptStep& step : run.steps)
    if (step.outcome.refused) refused.push_back(step.text + ": " + step.outcome.refused->clause);
  EXPECT_EQ(refused, (std::vector<std::string>{"shoot B-gun howitzer at E5: NAP-3C",
                                               "move B-line via D4 D5 E5: NAP-1",
                                               "move B-line via E4 E5: NAP-1"}));
}

// NAP-BEA: eight turns with all dice in the script, and another game by two random players.
TEST(Script, BeattenburgPlaysToItsEnd) {
  std::ifstream in(Shipped("beattenburg.script"));
  std::stringstream text;
  text << in.rdbuf();
  for (const std::string& script : {text.str(), std::string("random\n")}) {
    auto game = OpenGame(Shipped("beattenburg.toml"), 3);
    ASSERT_TRUE(game.ok()) << game.error().message;
    ScriptOptions options;
    if (script.size() < 10) options.seed = 3;
    std::vector<std::string> refused;
    options.report = [&](const ScriptStep& step) {
      if (step.outcome.refused) refused.push_back(step.text);
    };
    const Status run = RunScript(**game, script, options);
    ASSERT_TRUE(run.ok()) << run.error().message;
    EXPECT_EQ((*game)->Next().kind, PromptKind::kOver);
    EXPECT_FALSE((*game)->View().result.empty());
    if (options.seed) {
      EXPECT_TRUE(refused.empty());
    } else {
      ASSERT_EQ(refused.size(), 1u);
      EXPECT_EQ(refused[0].rfind("shoot F2-12e1 field at A1", 0), 0u);
      EXPECT_EQ((*game)->Next().turn, 8);
    }
  }
}

TEST(Script, ACorrectionListsWhatChanged) {
  const ScriptRun run = PlayedScript(std::string(kVolley) +
                                     "dice 1 3\nmove B-line to D4\ncorrect 7 dice 6 6\nremove 4\n"
                                     "correct 1 done Nobody\n");
  EXPECT_EQ(run.status.error().message.rfind("line 11: no side `Nobody`", 0), 0u)
      << run.status.error().message;
  ASSERT_EQ(run.steps.size(), 10u);
  EXPECT_EQ(run.steps[8].outcome.told,
            std::vector<std::string>{"Action 7 (dice 1 3) now has another result."});
  const std::vector<std::string>& told = run.steps[9].outcome.told;
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.front(), "Action 4 (fire B-light at E5) is removed.");
  EXPECT_TRUE(std::any_of(told.begin(), told.end(), [](const std::string& sentence) {
    return sentence.rfind("Action 7 (dice 6 6) is no longer allowed", 0) == 0;
  }));
}

TEST(Script, UndoRevertsAndARefusedLineChangesNothing) {
  const ScriptRun run = PlayedScript(std::string(kVolley) + "dice 1 3\nundo 7\n");
  ASSERT_TRUE(run.status.ok());
  EXPECT_EQ(run.game->Played(), 0u);
  EXPECT_EQ(run.game->StateJson(), Skirmish()->StateJson());
  const ScriptRun refused = PlayedScript("shoot B-gun howitzer at E5\nmove B-line to D4\n");
  ASSERT_EQ(refused.steps.size(), 2u);
  EXPECT_TRUE(refused.steps[1].outcome.refused);
  EXPECT_TRUE(refused.steps[1].outcome.line.empty());
}

TEST(Script, RandomActionsAreShown) {
  const ScriptRun run = PlayedScript("random 3\n", 3);
  ASSERT_TRUE(run.status.ok()) << run.status.error().message;
  for (const ScriptStep& step : run.steps) {
    EXPECT_EQ(step.text.find("drawn "), std::string::npos) << step.text;
    EXPECT_NE(step.text.find(") " + step.outcome.line.substr(0, 4)), std::string::npos)
        << step.text;
  }
}

TEST(Script, LegalLinesAreGroupedByWhatIsDone) {
  const ScriptRun run = PlayedScript("legal Blue\n");
  const std::vector<std::string>& told = run.steps.at(0).outcome.told;
  std::vector<std::string> verbs;
  for (const std::string& line : told)
    if (!line.starts_with("  ")) verbs.push_back(line.substr(0, line.find(" (")));
  EXPECT_GT(verbs.size(), 2u);
  EXPECT_EQ(std::set<std::string>(verbs.begin(), verbs.end()).size(), verbs.size());
  for (std::size_t i = 0, verb = 0; i < told.size(); ++i) {
    if (!told[i].starts_with("  ")) {
      verb += i > 0;
    } else {
      EXPECT_TRUE(told[i].starts_with("  " + verbs[verb])) << told[i];
    }
  }
}

TEST(Script, ListsOnlyLegalLines) {
  for (const char* about :
       {"legal", "legal Blue", "legal B-gun", "legal B-line", "legal B-line#2"}) {
    const ScriptRun run = PlayedScript(std::string(about) + "\n");
    ASSERT_TRUE(run.status.ok()) << run.status.error().message;
    EXPECT_GT(run.steps.at(0).outcome.told.size(), 2u) << about;
  }
  const auto game = Skirmish();
  for (const int side : game->Next().sides)
    for (const LineOption& option : game->Options(side)) {
      const auto outcome = game->Play(option.line);
      ASSERT_TRUE(outcome.ok()) << option.line;
      ASSERT_FALSE(outcome->refused) << option.line;
      EXPECT_EQ(outcome->line, option.line);
      EXPECT_NE(FindClause(option.clause), nullptr) << option.clause;
      ASSERT_TRUE(game->Undo());
    }
}

TEST(Script, TheViewHasEveryPieceWithItsSquareAndFate) {
  const ScriptRun run = PlayedScript(std::string(kVolley) + "dice 1 3\n");
  const GameView view = run.game->View();
  EXPECT_EQ(view.sides, (std::vector<std::string>{"Blue", "Red"}));
  int fallen = 0;
  for (const PieceView& piece : view.pieces) {
    EXPECT_EQ(piece.on_table, !piece.square.empty()) << piece.id;
    EXPECT_EQ(piece.on_table, piece.fate.empty()) << piece.id;
    if (piece.on_table) {
      const auto square = TableFrame{12, 9, 4.0}.SquareAt(piece.at_in);
      ASSERT_TRUE(square) << piece.id;
      EXPECT_EQ(SquareName(*square), piece.square);
    } else {
      EXPECT_EQ(piece.fate, "destroyed by musketry, turn 1");
      ++fallen;
    }
  }
  EXPECT_EQ(fallen, 1);
}

TEST(Script, AnUnreadableLineIsReportedWithItsNumberAndARemedy) {
  EXPECT_EQ(PlayedScript("done Blue\nfier B-light at E5\n").status.error().message,
            "line 2: no command `fier`; the nearest is `fire`");
  // Known, but not inside another command.
  EXPECT_NE(PlayedScript("done Blue\ncorrect 1 correct 1 done Blue\n")
                .status.error()
                .message.find("command `correct` cannot be used here"),
            std::string::npos);
  EXPECT_EQ(PlayedScript("fire B-lite at E5").status.error().message,
            "line 1: no unit `B-lite`; the nearest is `B-line`");
  EXPECT_EQ(PlayedScript("done Blue\nundo 5\n").status.error().message,
            "line 2: the number of actions to take back is `5`; give 1 to 1");
  EXPECT_EQ(PlayedScript("done Blue\nundo x\n").status.error().message,
            "line 2: `x` is not a whole number; expected the number of actions to take back");
  EXPECT_EQ(PlayedScript("fire B-light at Z99").status.error().message,
            "line 1: `Z99` is not a square of this board; want A1 to I9");
  EXPECT_EQ(PlayedScript("fire B-light at e5").status.error().message,
            "line 1: `e5` is not a square of this board; the nearest is `E5`");
  for (const char* line :
       {"move", "turn", "dice 9", "lands", "square B-line", "lands 1e99 2", "lands nan 2",
        "correct 5 done Blue", "random x", "random -1", "overrule", "card Blue ACE at E5", "break",
        "dice 1 3.", "dice 1e0 3", "take Q#1", "undo 99", "legal Q", "show me", "done \"Blue",
        "dice 3 drawn xyz"})
    EXPECT_FALSE(PlayedScript(line).status.ok()) << line;
}

// The players threw dice and mistyped them: the program throws none in their place.
TEST(Script, NothingIsThrownAfterDiceThatAreRefused) {
  for (const char* wrong : {"dice 1\n", "dice 1\nshow\n", "dice 1 3 5\n", "coin heads\n"}) {
    const std::string script = std::string(kVolley) + wrong;
    const ScriptRun refused = PlayedScript(script, 7);
    ASSERT_TRUE(refused.status.ok()) << refused.status.error().message;
    EXPECT_EQ(refused.game->Next().kind, PromptKind::kDice) << wrong;
    EXPECT_TRUE(refused.steps.at(6).outcome.refused) << wrong;
    const ScriptRun corrected = PlayedScript(script + "dice 1 3\n", 7);
    EXPECT_FALSE(corrected.steps.back().outcome.refused) << wrong;
  }
}

TEST(Script, HostileScriptsNeitherCrashNorHang) {
  // Grammar words and names of the game in random order.
  const char* words[] = {"move",    "B-line",  "via",    "E5",    "with",  "B-gun", "R-line#1",
                         "at",      "N",       "square", "2",     "by",    "dice",  "1",
                         "lands",   "stand",   "Blue",   "done",  "18",    "0.5",   "turn",
                         "in",      "to",      "break",  "hold",  "field", "on",    "release",
                         "support", "card",    "LINE",   "draw",  "undo",  "#",     "correct",
                         "remove",  "take",    "back",   "pool",  "off",   "drawn", "regroup",
                         "\"",      "\"x y\"", "legal",  "centre"};
  Generator chance{5};
  for (int game = 0; game < 300; ++game) {
    std::string script;
    for (int line = 0; line < 6; ++line) {
      for (int n = chance.Below(8); n >= 0; --n)
        script += std::string(words[chance.Below(static_cast<int>(std::size(words)))]) + " ";
      script += '\n';
    }
    const ScriptRun played = PlayedScript(script, 3);
    if (!played.status.ok()) {
      EXPECT_EQ(played.status.error().message.rfind("line ", 0), 0u);
    }
  }
}

// The scenario of a clip (contract, section 2.2) with its table beside it.
TEST(Script, PlaysAClipsScenario) {
  const test::TempDir dir;
  const auto path = dir.path() / "scenario.toml";
  std::string text(test::kScenarioToml);
  for (std::size_t at; (at = text.find("\"chariot\"")) != std::string::npos;)
    text.replace(at, 9, "\"guards_cavalry\"");
  std::ofstream(path) << text;
  EXPECT_EQ(OpenGame(path, 1).error().code, ErrorCode::kNotFound);  // no table
  std::ofstream(dir.path() / "table.toml") << test::kTableToml;
  const auto game = OpenGame(path, 1);
  ASSERT_TRUE(game.ok()) << game.error().message;
  EXPECT_FALSE(game.value()->View().pieces.empty());
  std::ofstream(dir.path() / "table.toml") << "[board]\ncolumns = 1\n";
  EXPECT_FALSE(OpenGame(path, 1).ok());
}

TEST(Script, AScenarioMaySetTheHitRadius) {  // NAP-3F, ANC-C4
  const test::TempDir dir;
  const auto said = [&](const std::string& ruleset, const std::string& unit, const std::string& gun,
                        const std::string& radii) {
    const auto path = dir.path() / "game.toml";
    std::ofstream(path) << "ruleset = \"" << ruleset
                        << "\"\n[scenario]\nname = \"x\"\nfirst_attacker = \"Blue\"\n"
                           "[board]\ncolumns = 9\nrows = 9\n"
                           "[[side]]\nname = \"Blue\"\nbaseline = \"south\"\n"
                           "paint = \"#2f4fa8\"\n"
                           "[[side]]\nname = \"Red\"\nbaseline = \"north\"\n"
                           "[[unit]]\nid = \"b\"\nside = \"Blue\"\nkind = \"foot_crew\"\n"
                           "square = \"E2\"\n"
                           "[[unit]]\nid = \"r\"\nside = \"Red\"\nkind = \""
                        << unit << "\"\nsquare = \"E5\"\n[[equipment]]\nid = \"g\"\n"
                        << "side = \"Blue\"\nkind = \"" << gun << "\"\nsquare = \"E2\"\n"
                        << "[[projectile]]\ntype = \"shell\"\nsize = 0.4\n"
                        << "body = \"#c9a227\"\nmark = \"#141414\"\n"
                        << radii;
    return OpenGame(path, 1);
  };
  for (const bool ancient : {false, true}) {
    for (const double radius : {1.0, 1.5}) {
      auto game =
          said(ancient ? "ancient" : "napoleonic", ancient ? "heavy_infantry" : "line_infantry",
               ancient ? "heavy_catapult" : "foot_gun", radius > 1 ? "hit_radius = 1.5\n" : "");
      ASSERT_TRUE(game.ok()) << game.error().message;
      const std::string shot = ancient ? "shoot g by b#1 at E5" : "shoot g howitzer at E5";
      const auto called = game.value()->Play(shot);
      ASSERT_TRUE(called.ok() && !called->refused) << shot;
      ASSERT_TRUE(game.value()->Play("lands 18 18 stand r#1 1.2").ok());
      const auto pieces = game.value()->View().pieces;
      const auto hit = std::count_if(pieces.begin(), pieces.end(),
                                     [](const PieceView& piece) { return !piece.on_table; });
      EXPECT_EQ(hit, radius > 1 ? 1 : 0) << ancient;
    }
  }
  EXPECT_FALSE(said("napoleonic", "line_infantry", "foot_gun", "hit_radus = 1.5\n").ok());
}

TEST(Script, AnUnknownRuleSetIsRefusedWithTheNearest) {
  const test::TempDir dir;
  const auto path = dir.path() / "game.toml";
  std::ofstream(path) << "ruleset = \"napoleonics\"\n";
  const auto game = OpenGame(path, {});
  ASSERT_FALSE(game.ok());
  EXPECT_NE(game.error().message.find("napoleonic"), std::string::npos) << game.error().message;
  EXPECT_EQ(OpenGame(dir.path() / "none.toml", {}).error().code, ErrorCode::kNotFound);
}

TEST(LineWords, ReadsBackQuotedNames) {
  for (const std::string name :
       {"Blue", "via", "", "two words", "#7", "a\"b\\c", "line\nbreak", "F-1L1#2", "N", "\xff"}) {
    LineWords words("x " + AsWord(name) + " y");
    words.Word("x");
    EXPECT_FALSE(name == "via" && words.Next("via"));
    EXPECT_EQ(words.Word("name"), name);
    EXPECT_TRUE(words.Skip("y"));
  }
  for (const std::int32_t n : {0, 1, 10, 100, 1000, 18500, 12345, -20, -1001})
    EXPECT_EQ(LineWords(InThousandths(n)).Thousandths("n"), n);
}

TEST(RuleSets, EveryRuleSetHasATitleOfItsOwn) {
  std::set<std::string_view> titles;
  for (const RuleSet& set : RuleSets()) {
    EXPECT_NE(set.title, set.name);
    EXPECT_EQ(RuleSetTitle(set.name), set.title);
    EXPECT_TRUE(titles.insert(set.title).second) << set.title;
  }
  EXPECT_EQ(RuleSetTitle("checkers"), "checkers");
}

TEST(RuleSets, ReadAScenarioAsTheirOwn) {
  const test::TempDir dir;
  const TableFrame frame{12, 9, 4.0};
  const std::string text(test::kScenarioToml);
  const auto read = [&](const std::string& ruleset, const std::string& more) {
    std::string own = text;
    own.replace(own.find("napoleonic"), std::string_view("napoleonic").size(), ruleset);
    return ReadScenarioUnderRules(dir.Write("scenario.toml", own + more), frame);
  };
  const Result<Scenario> misspelt = read("napoleon", "");
  ASSERT_FALSE(misspelt.ok());
  EXPECT_NE(misspelt.error().message.find(
                "scenario.toml:1: `ruleset` of the file is `napoleon`, which is no rule set; the "
                "nearest is `napoleonic`"),
            std::string::npos)
      << misspelt.error().message;
  // An elephant is hit at its legs (ANC-C4), unless the scenario says otherwise.
  const std::string elephants =
      "[[kind]]\nname = \"elephants\"\nfootprint = [1.5, 1.75]\nthickness = 0\nbar = "
      "\"#ffffff\"\nbar_depth = 0.1\nfigures_height = 2\ntarget = [[-0.5, 0.8], [0.5, 0.8]]\n";
  const auto at_points = [&](const Result<Scenario>& scenario) {
    EXPECT_TRUE(scenario.ok()) << scenario.error().message;
    return scenario->kinds.back().target_points;
  };
  EXPECT_EQ(at_points(read("ancient", elephants)), true);
  EXPECT_EQ(at_points(read("ancient", elephants + "target_is = \"segments\"\n")), false);
  EXPECT_EQ(at_points(read("napoleonic", elephants)), false);
}

TEST(RuleSets, SayWhatDiceAreThrownWhereTheScenarioDoesNot) {
  const test::TempDir dir;
  const auto read = [&](const std::string& ruleset, const std::string& dice) {
    std::string own(test::kScenarioToml);
    own.replace(own.find("napoleonic"), std::string_view("napoleonic").size(), ruleset);
    own.replace(own.find("turns = 8"), std::string_view("turns = 8").size(), dice);
    return ReadScenarioUnderRules(dir.Write("scenario.toml", own), {12, 9, 4.0});
  };
  for (const char* ruleset : {"napoleonic", "ancient", "closefire"}) {
    const Result<Scenario> scenario = read(ruleset, "");
    ASSERT_TRUE(scenario.ok()) << scenario.error().message;
    EXPECT_EQ(scenario->dice, std::vector<int>{6}) << ruleset;
  }
  Result<Scenario> colonial = read("colonial", "");
  ASSERT_TRUE(colonial.ok()) << colonial.error().message;
  EXPECT_EQ(colonial->dice, (std::vector<int>{6, 12}));
  EXPECT_FALSE(colonial->own_dice);
  EXPECT_EQ(read("colonial", "dice = [6]")->dice, std::vector<int>{6});
  EXPECT_EQ(read("napoleonic", "dice = [6, 12]")->dice, (std::vector<int>{6, 12}));
  colonial->own_dice = true;
  colonial->ruleset = "ancient";
  TakeUsualDice(*colonial);
  EXPECT_EQ(colonial->dice, std::vector<int>{6});
  EXPECT_FALSE(colonial->own_dice);
}

TEST(RuleSets, EveryClauseIsFoundByItsId) {
  for (const RuleSet& set : RuleSets()) {
    EXPECT_EQ(FindRuleSet(set.name), &set);
    ASSERT_FALSE(set.clauses().empty());
    for (const Clause& clause : set.clauses()) EXPECT_EQ(FindClause(clause.id), &clause);
  }
  EXPECT_EQ(FindClause("NAP-99"), nullptr);
}

TEST(Reach, AGunReachesItsArcExceptScreenedSquares) {  // NAP-3E
  auto game = OpenGame(Shipped("skirmish.toml"), 1);
  ASSERT_TRUE(game.ok()) << game.error().message;
  const PieceReach gun = (*game)->ReachOf("B-gun");
  const auto in_arc = [&](const char* square) {
    return std::find(gun.arc.begin(), gun.arc.end(), square) != gun.arc.end();
  };
  EXPECT_EQ(gun.range, 8);
  EXPECT_TRUE(in_arc("E5"));
  EXPECT_FALSE(in_arc("E1"));  // behind it
  EXPECT_FALSE(in_arc("G5"));  // behind friends in F4, who stand next to it
  ASSERT_EQ(gun.sights.size(), 2u);
  EXPECT_TRUE(gun.sights[0].clear && gun.sights[1].clear);
  EXPECT_TRUE(gun.moves.empty());
}

TEST(Reach, FootReachesItsFireAndItsMoves) {  // NAP-4B, NAP-1
  auto game = OpenGame(Shipped("skirmish.toml"), 1);
  ASSERT_TRUE(game.ok()) << game.error().message;
  const PieceReach line = (*game)->ReachOf("B-line");
  EXPECT_GT(line.range, 0);
  EXPECT_GT(line.allowance, 0);
  const auto to = std::find_if(line.moves.begin(), line.moves.end(),
                               [](const auto& move) { return move.first == "D4"; });
  ASSERT_NE(to, line.moves.end());
  EXPECT_EQ(to->second, 1);
  for (const auto& [square, cost] : line.moves) EXPECT_LE(cost, line.allowance) << square;
  for (const SightLine& sight : line.sights) EXPECT_EQ(sight.clear, sight.because.empty());
  EXPECT_EQ((*game)->ReachOf("B-line#2").moves.size(), line.moves.size());
  EXPECT_TRUE((*game)->ReachOf("nobody").arc.empty());
}

TEST(Reach, AncientMissilesReachTheirTargets) {  // ANC-F1
  auto game = OpenGame(Shipped("ancient_roman.toml"), 1);
  ASSERT_TRUE(game.ok()) << game.error().message;
  // Every unit: its targets lie in its arc. A piece that does not exist has no reach.
  int shooters = 0;
  for (const PieceView& piece : (*game)->View().pieces) {
    const PieceReach reach = (*game)->ReachOf(piece.unit);
    shooters += reach.range > 0;
    for (const SightLine& sight : reach.sights) {
      const bool in_arc =
          std::find(reach.arc.begin(), reach.arc.end(), sight.to) != reach.arc.end();
      EXPECT_EQ(sight.clear, in_arc) << piece.unit << ' ' << sight.target;
    }
  }
  EXPECT_GT(shooters, 0);
}

}  // namespace
}  // namespace fos
