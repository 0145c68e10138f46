// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <sstream>

#include "engine/rules/napoleonic/game.h"
#include "engine/rules/napoleonic/game_file.h"
#include "engine/rules/napoleonic/json.h"
#include "engine/rules/napoleonic/lines.h"
#include "tests/support/napoleonic_game.h"

// Undo, corrections and JSON.
namespace fos::napoleonic::test {
namespace {

std::shared_ptr<const Setup> Skirmish() {
  const auto setup = ReadGame(std::string(FOS_SOURCE_DIR) + "/datasets/scenarios/skirmish.toml");
  EXPECT_TRUE(setup.ok()) << setup.error().message;
  return setup.value();
}

// The skirmish after these lines, all of which must be accepted.
napoleonic::Game Played(const std::string& lines) {
  napoleonic::Game game(NewGame(Skirmish(), 0));
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);)
    EXPECT_FALSE(game.Play(ParseAction(game.Now(), line).value())) << line;
  return game;
}

constexpr const char* kVolley =
    "done Blue\ndone Red\nturn B-light NW\nfire B-light at E5\ndone Blue\ndone Red\n";

TEST(NapoleonicHistory, UndoGivesTheStateBefore) {
  napoleonic::Game game = Played(std::string(kVolley) + "dice 1 3\n");
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

TEST(NapoleonicHistory, ACorrectionListsWhatChanged) {
  // The volley's dice were misread as 1 3 instead of 6 6. The charge stays, the losses go.
  napoleonic::Game game = Played(std::string(kVolley) + "dice 1 3\nmove B-line to D4\ndone Blue\n");
  EXPECT_EQ(StandsOf(game.Now(), 3).size(), 3u);
  const State before = game.At(6);
  const auto corrected = game.Correct(6, ParseAction(before, "dice 6 6").value());
  ASSERT_FALSE(corrected.refused);
  EXPECT_EQ(StandsOf(game.Now(), 3).size(), 4u);
  ASSERT_EQ(corrected.changes.size(), 1u);
  EXPECT_EQ(corrected.changes[0].index, 6u);
  // Without the volley its dice are not needed, so that action is dropped and listed.
  const auto removed = game.Correct(3, std::nullopt);
  EXPECT_EQ(removed.changes.front().index, 3u);
  bool dice_fell_out = false;
  for (const auto& change : removed.changes)
    dice_fell_out = dice_fell_out || (change.index == 6 && change.refused.has_value());
  EXPECT_TRUE(dice_fell_out);
  EXPECT_EQ(game.Now().step, Step::kEnd);
}

TEST(NapoleonicHistory, ARefusedCorrectionChangesNothing) {
  napoleonic::Game game = Played("done Blue\ndone Red\n");
  const State before = game.Now();
  const auto corrected = game.Correct(0, Action{EndStep{5}, false});
  ASSERT_TRUE(corrected.refused);
  EXPECT_TRUE(game.Now() == before);
}

TEST(NapoleonicHistory, RefusesBrokenJsonOnly) {
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

}  // namespace
}  // namespace fos::napoleonic::test
