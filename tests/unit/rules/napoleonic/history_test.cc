#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "engine/rules/napoleonic/game_file.h"
#include "engine/rules/napoleonic/json.h"
#include "engine/rules/napoleonic/random_play.h"
#include "engine/rules/napoleonic/script.h"
#include "tests/support/napoleonic_game.h"

// Undo, corrections, JSON and scripts.
namespace fos::napoleonic::test {
namespace {

std::shared_ptr<const Setup> Skirmish() {
  const auto setup = ReadGame(std::string(FOS_SOURCE_DIR) + "/datasets/scenarios/skirmish.toml");
  EXPECT_TRUE(setup.ok()) << setup.error().message;
  return setup.value();
}

std::vector<ScriptStep> steps;
Result<napoleonic::Game> Played(std::string_view script, std::optional<std::uint64_t> seed = {}) {
  steps.clear();
  ScriptOptions options;
  options.seed = seed;
  options.report = [](const ScriptStep& step) { steps.push_back(step); };
  return PlayScript(Skirmish(), script, options);
}

constexpr const char* kVolley =
    "done Blue\ndone Red\nturn B-light NW\nfire B-light at E5\ndone Blue\ndone Red\n";

TEST(NapoleonicHistory, UndoGivesTheStateBefore) {
  auto played = Played(std::string(kVolley) + "dice 1 3\n");
  ASSERT_TRUE(played.ok()) << played.error().message;
  napoleonic::Game game = std::move(played).value();
  const State after = game.Now();
  const std::size_t count = game.Entries().size();
  EXPECT_TRUE(game.Undo());
  EXPECT_FALSE(game.Now() == after);
  EXPECT_TRUE(game.Now() == game.At(count - 1));
  EXPECT_TRUE(game.Now().Waiting());
  while (game.Undo()) {
  }
  EXPECT_EQ(StateToJson(game.Now()), StateToJson(NewGame(Skirmish(), 0)));
}

TEST(NapoleonicHistory, ACorrectionSaysWhatItChanged) {
  // The volley's dice were misread: 6 6 and not 1 3. The charge stands, the losses do not.
  auto played = Played(std::string(kVolley) + "dice 1 3\nmove B-line to D4\ndone Blue\n");
  ASSERT_TRUE(played.ok()) << played.error().message;
  napoleonic::Game game = std::move(played).value();
  EXPECT_EQ(StandsOf(game.Now(), 3).size(), 3u);
  const State before = game.At(6);
  const auto corrected = game.Correct(6, ParseAction(before, "dice 6 6").value());
  ASSERT_FALSE(corrected.refused);
  EXPECT_EQ(StandsOf(game.Now(), 3).size(), 4u);
  ASSERT_EQ(corrected.changes.size(), 1u);
  EXPECT_EQ(corrected.changes[0].index, 6u);
  // Without the volley nobody asks for its dice: that action falls out and is listed.
  const auto removed = game.Correct(3, std::nullopt);
  EXPECT_EQ(removed.changes.front().index, 3u);
  bool dice_fell_out = false;
  for (const auto& change : removed.changes)
    dice_fell_out = dice_fell_out || (change.index == 6 && change.refused.has_value());
  EXPECT_TRUE(dice_fell_out);
  EXPECT_EQ(game.Now().step, Step::kEnd);
}

TEST(NapoleonicHistory, ARefusedCorrectionChangesNothing) {
  auto played = Played("done Blue\ndone Red\n");
  ASSERT_TRUE(played.ok());
  napoleonic::Game game = std::move(played).value();
  const State before = game.Now();
  const auto corrected = game.Correct(0, Action{EndStep{5}, false});
  ASSERT_TRUE(corrected.refused);
  EXPECT_TRUE(game.Now() == before);
}

TEST(NapoleonicHistory, DrawnDiceReplayBitForBit) {
  const auto first = Played(std::string(kVolley) + "random\n", 11);
  const auto second = Played(std::string(kVolley) + "random\n", 11);
  const auto third = Played(std::string(kVolley) + "random\n", 12);
  ASSERT_TRUE(first.ok() && second.ok() && third.ok());
  EXPECT_EQ(first.value().Now().step, Step::kOver);
  EXPECT_EQ(StateToJson(first.value().Now()), StateToJson(second.value().Now()));
  EXPECT_NE(StateToJson(first.value().Now()), StateToJson(third.value().Now()));
}

TEST(NapoleonicHistory, BrokenJsonIsRefusedAndNothingElse) {
  for (const char* text :
       {"", "null", "[]", "{}", "{\"event\":1}", "{\"event\":\"nothing\"}",
        "{\"event\":\"stand_lost\"}", "{\"event\":\"stand_lost\",\"stand\":99999,\"cause\":0}",
        "{\"event\":\"stand_lost\",\"stand\":1,\"cause\":900}",
        "{\"event\":\"stand_lost\",\"stand\":1.5,\"cause\":0}"}) {
    EXPECT_FALSE(EventFromJson(text).ok()) << text;
    EXPECT_FALSE(ActionFromJson(text).ok()) << text;
    EXPECT_FALSE(StateFromJson(text, Skirmish()).ok()) << text;
  }
  const Event lost = StandLost{3, LossCause::kMelee};
  EXPECT_EQ(EventToJson(lost), "{\"event\":\"stand_lost\",\"stand\":3,\"cause\":4}");
  EXPECT_EQ(EventToJson(EventFromJson(EventToJson(lost)).value()), EventToJson(lost));
}

TEST(NapoleonicHistory, TheShippedScriptPlaysToTheEnd) {
  std::ifstream in(std::string(FOS_SOURCE_DIR) + "/datasets/scenarios/skirmish.script");
  std::stringstream text;
  text << in.rdbuf();
  const auto game = Played(text.str(), 7);
  ASSERT_TRUE(game.ok()) << game.error().message;
  EXPECT_EQ(game.value().Now().step, Step::kOver);
  std::vector<std::string> refused;
  for (const ScriptStep& step : steps)
    if (step.refusal) refused.push_back(step.text + ": " + step.refusal->clause);
  EXPECT_EQ(refused, (std::vector<std::string>{"shoot B-gun howitzer at E5: NAP-3C",
                                               "move B-line via D4 D5 E5: NAP-1",
                                               "move B-line via E4 E5: NAP-1"}));
}

TEST(NapoleonicHistory, ALineThatCannotBeReadNamesItselfAndTheMend) {
  EXPECT_EQ(Played("done Blue\nfier B-light at E5\n").error().message,
            "line 2: no word `fier`; the nearest is `fire`");
  EXPECT_EQ(Played("fire B-lite at E5").error().message,
            "line 1: no unit `B-lite`; the nearest is `B-line`");
  EXPECT_EQ(Played("fire B-light at Z99").error().message,
            "line 1: `Z99` is no square of this board");
  for (const char* line : {"move", "turn", "dice 9", "lands", "square B-line", "lands 1e99 2",
                           "lands nan 2", "correct 5: done Blue", "random x", "overrule",
                           "card Blue ACE at E5", "break", "take Q#1", "undo 99"})
    EXPECT_FALSE(Played(line).ok()) << line;
}

TEST(NapoleonicHistory, HostileScriptsNeitherCrashNorHang) {
  // Words of the grammar and names of the game in every order.
  const char* words[] = {"move",    "B-line", "via",    "E5",      "with",  "B-gun",   "R-line#1",
                         "at",      "N",      "square", "2",       "by",    "dice",    "1",
                         "lands",   "stand",  "Blue",   "done",    "18",    "0.5",     "turn",
                         "in",      "to",     "break",  "hold",    "field", "release", "on",
                         "support", "card",   "LINE",   "regroup", "draw",  "undo",    "correct",
                         "remove",  "#",      "take",   "back",    "pool"};
  Generator chance{5};
  for (int game = 0; game < 300; ++game) {
    std::string script;
    for (int line = 0; line < 6; ++line) {
      for (int n = chance.Below(8); n >= 0; --n)
        script += std::string(words[chance.Below(static_cast<int>(std::size(words)))]) + " ";
      script += '\n';
    }
    const auto played = Played(script, 3);
    if (!played.ok()) {
      EXPECT_EQ(played.error().message.rfind("line ", 0), 0u);
    }
  }
}

}  // namespace
}  // namespace fos::napoleonic::test
