// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/lines.h"

#include <gtest/gtest.h>

#include <array>

#include "engine/game/line_words.h"
#include "engine/rules/colonial/game.h"
#include "engine/rules/colonial/json.h"
#include "engine/rules/colonial/random_play.h"
#include "tests/support/colonial_battles.h"
#include "tests/support/colonial_game.h"

namespace fos::colonial::test {
namespace {

// Random games: each accepted action, written as a line, is read back as the same action.
TEST(ColonialLines, RoundTripOfRandomActions) {
  std::array<int, std::variant_size_v<Declaration>> seen{};
  for (int number = 1; number <= 12; ++number) {
    Generator chance{static_cast<std::uint64_t>(number)};
    colonial::Game game(NewGame(SmallBattle(number), 1));
    while (game.Now().phase != Phase::kOver) {
      const State before = game.Now();
      const Action action = RandomAction(before, chance);
      const auto refusal = game.Play(action);
      ASSERT_FALSE(refusal) << ActionToLine(before, action) << ": " << refusal->because;
      ++seen[action.what.index()];
      for (const Action& said : {action, Rules::AsThrown(action, game.Entries().back().events)}) {
        const std::string line = ActionToLine(before, said);
        ASSERT_EQ(ActionToJson(ParseLine(before, line)), ActionToJson(said)) << line;
      }
    }
  }
  int kinds = 0;
  for (const int count : seen) kinds += count > 0;
  EXPECT_GE(kinds, 8);  // random players type no dice and use no `seen` lines
}

TEST(ColonialLines, RoundTripOfRareActions) {
  const State s = NewGame(SmallBattle(2), 1);
  const std::vector<Action> actions = {
      {GiveDice{{3, 5}, {}}},
      {GiveDice{{12}, 0xfedcba9876543210u}},
      {GiveDice{{13, 0, -4}, {}}},
      {Back{kNowhere, false}},
      {Back{5, true}},
      {Seen{3, 17, Facing::kWest}},
      {Seen{1, 17, Facing::kWest, true, 2}},
      {Measured{3, 12345, 678, 271500, 1575, 787}},
      {Measured{3, -5, 0, -90000, 0, 0}},
      {Done{1}, true},
      {Move{{1, 2}, {{18, 36}, {19, 36}}, Facing::kEast, true}},
      {Move{{1, 2}, {{18}, {18}}, std::nullopt, false}},
      {Move{{1, 2}, {{}, {}}, Facing::kEast, false}},
      {Move{{4}, {{}}, std::nullopt, true}},
      {Fight{true, 2, 30, kNoPiece}},
  };
  for (const Action& action : actions) {
    const std::string line = ActionToLine(s, action);
    EXPECT_EQ(ActionToJson(ParseLine(s, line)), ActionToJson(action)) << line;
  }
}

TEST(ColonialLines, ReportsUnreadableLines) {
  const State s = NewGame(SmallBattle(2), 1);
  const auto why = [&](const char* line) -> std::string {
    try {
      ParseLine(s, line);
    } catch (const UnreadableLine& e) {
      return e.why;
    }
    return "";
  };
  EXPECT_NE(why("moove Blue-1 to C4").find("nearest is `move`"), std::string::npos);
  EXPECT_NE(why("move Blue1 to C4").find("nearest is `Blue-1"), std::string::npos);
  EXPECT_NE(why("move Blue-1 to Z99").find("not a square"), std::string::npos);
  EXPECT_NE(why("move Blue-1 through C4").find("expected `via`"), std::string::npos);
  EXPECT_NE(why("done Green").find("no side"), std::string::npos);
  EXPECT_NE(why("turn Blue-1 N N").find("unexpected"), std::string::npos);
  EXPECT_NE(why("dice five").find("not a whole number"), std::string::npos);
  EXPECT_NE(why("fire Blue-1").find("expected `at`"), std::string::npos);
  EXPECT_EQ(why("turn Blue-1#1 W"), "");  // as the camera names it
}

}  // namespace
}  // namespace fos::colonial::test
