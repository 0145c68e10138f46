#include "engine/rules/napoleonic/lines.h"

#include <gtest/gtest.h>

#include "engine/rules/napoleonic/game.h"
#include "engine/rules/napoleonic/json.h"
#include "engine/rules/napoleonic/random_play.h"
#include "tests/support/napoleonic_battles.h"
#include "tests/support/napoleonic_game.h"

namespace fos::napoleonic::test {
namespace {

// In random games, each accepted action is written as a line and read back as the same action.
TEST(NapoleonicLines, AreReadBackAsTheSameAction) {
  std::array<int, std::variant_size_v<Declaration>> seen{};
  for (int number = 1; number <= 60; ++number) {
    Generator chance{static_cast<std::uint64_t>(number)};
    napoleonic::Game game(NewGame(SmallBattle(number), 1));
    while (game.Now().step != Step::kOver) {
      const State before = game.Now();
      Action action = RandomAction(before, chance);
      if (game.Play(action)) {
        action = AnyProgress(before, chance);
        ASSERT_FALSE(game.Play(action));
      }
      ++seen[action.what.index()];
      for (const Action& said : {action, Rules::AsThrown(action, game.Entries().back().events)}) {
        const std::string line = ActionToLine(before, said);
        const auto read = ParseAction(before, line);
        ASSERT_TRUE(read.ok()) << line << ": " << read.error().message;
        ASSERT_EQ(ActionToJson(*read), ActionToJson(said)) << line;
      }
    }
  }
  // Random players do nearly everything, except surrendering and typing dice.
  int kinds = 0;
  for (const int count : seen) kinds += count > 0;
  EXPECT_GE(kinds, 14);
}

TEST(NapoleonicLines, RareActionsAreReadBackToo) {
  const State s = NewGame(SmallBattle(5), 1);
  const PieceNo gun = 0;
  std::vector<Action> actions = {
      {GiveDice{{3, 5}, {}}},
      {GiveDice{{6}, 0xfedcba9876543210u}},
      {GiveCoin{true, 17}},
      {GiveCoin{false, {}}},
      {ChooseRetreat{kNowhere}},
      {ChooseStands{{}}},
      {ChooseStands{{0, 3}}},
      {Surrender{1}, true},
      {DestroyEquipment{s.EquipmentAt(gun).owner, gun}},
      {Limber{s.EquipmentAt(gun).owner, gun, false}, true},
      {CallShot{s.EquipmentAt(gun).owner, gun, ShotKind::kHowitzer, kNowhere, false}},
      {Land{{false, 12345, 7, true, {{0, 0, 0}, {1, 1500, 3}}, {{gun, 1, 2}}, {{5, 40}}}}},
      {Land{{true, 0, 0, false, {}, {}, {}}}},
  };
  for (const Action& action : actions) {
    const std::string line = ActionToLine(s, action);
    const auto read = ParseAction(s, line);
    ASSERT_TRUE(read.ok()) << line << ": " << read.error().message;
    EXPECT_EQ(ActionToJson(*read), ActionToJson(action)) << line;
  }
}

}  // namespace
}  // namespace fos::napoleonic::test
