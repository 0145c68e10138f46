// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/game/chance.h"
#include "engine/rules/closefire/referee.h"
#include "tests/support/closefire_battles.h"
#include "tests/support/closefire_game.h"

// Games played at random: at once, and line by line as players would type them.
namespace fos::closefire::test {
namespace {

struct Played {
  State end;
  std::vector<std::string> events;
  long acts = 0;
};
Played PlayedBy(std::uint64_t seed, auto act) {
  Generator chance{seed};
  Played out{SmallBattle(seed, seed), {}, 0};
  std::vector<Event> events;
  while (out.end.phase != Phase::kOver && !testing::Test::HasFailure()) {
    events.clear();
    EXPECT_FALSE(act(out.end, chance, events)) << "nothing goes on";
    for (const Event& event : events) out.events.push_back(EventToJson(event));
    ++out.acts;
  }
  return out;
}

TEST(RandomPlay, AtOnceIsTheSameGameAsLineByLine) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    const Played at_once = PlayedBy(seed, ActRandomly);
    const Played by_lines =
        PlayedBy(seed, [](State& s, Generator& chance, std::vector<Event>& events) {
          return Act(s, ParseLine(s, RandomLineOf(s, chance)), events);
        });
    EXPECT_EQ(StateToJson(at_once.end), StateToJson(by_lines.end)) << "game " << seed;
    EXPECT_EQ(at_once.events, by_lines.events) << "game " << seed;
    EXPECT_LT(at_once.acts, by_lines.acts) << "what is asked is answered in the same act";
  }
}

// What the players rule may make a declaration illegal. Then it leaves no trace but what was told.
TEST(RandomPlay, ADeclarationThatARulingForbidsHasNoEffect) {  // CF-18.2
  Game g;
  g.Horse(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Foot(kRed, Grade::kC, 4, {500, 520}, S);
  g.Start(Phase::kCharges);
  ASSERT_EQ(g.Do("doubt B0 0.4"), "");
  State at_once = g.s;
  std::vector<Event> events;
  const Chooser choose = [](const Ask& ask) {
    const auto beyond =
        std::find(ask.choices.begin(), ask.choices.end(), "straight ahead, beyond 20 yd");
    EXPECT_NE(beyond, ask.choices.end());
    return static_cast<int>(beyond - ask.choices.begin());
  };
  const Action charge = ParseLine(g.s, "charge B0 at R1 0");
  ASSERT_FALSE(ActToItsEnd(at_once, charge, choose, events));
  EXPECT_TRUE(SameGame(at_once, g.s));
  const std::string told = "The declaration is not allowed: ";
  EXPECT_TRUE(std::any_of(events.begin(), events.end(), [&](const Event& event) {
    return event.text.find(told) == 0 && event.text.size() > told.size() + 1;
  })) << "the reason is told";

  State by_lines = g.s;
  std::vector<Event> same;
  ASSERT_FALSE(Act(by_lines, charge, same));
  ASSERT_FALSE(Act(by_lines, ParseLine(by_lines, "choose \"straight ahead, beyond 20 yd\""), same));
  EXPECT_EQ(events, same);
}

}  // namespace
}  // namespace fos::closefire::test
