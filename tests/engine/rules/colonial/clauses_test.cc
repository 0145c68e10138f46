// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/clauses.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "engine/game/line_words.h"
#include "engine/rules/colonial/combat.h"
#include "engine/rules/colonial/describe.h"
#include "engine/rules/colonial/game.h"
#include "engine/rules/colonial/lines.h"
#include "engine/rules/colonial/random_play.h"
#include "tests/support/clause_coverage.h"
#include "tests/support/clause_page.h"
#include "tests/support/colonial_battles.h"

// docs/clauses.md (tests/support/clause_page.h says what is checked). To write its section anew:
//   FOS_WRITE_DOCS=1 build/tests/colonial_test --gtest_filter='ColonialClauses.*'
namespace fos::colonial {
namespace {

// How many worked examples the catalogue gives for each clause.
const std::map<std::string, int> kExamples = {
    {"COL-1.1", 2},  {"COL-1.2", 3},  {"COL-1.3", 4}, {"COL-1.4", 2},  {"COL-1.5", 2},
    {"COL-1.6", 3},  {"COL-2.1", 2},  {"COL-2.2", 2}, {"COL-2.3", 2},  {"COL-2.4", 2},
    {"COL-2.5", 2},  {"COL-2.6", 3},  {"COL-3.1", 1}, {"COL-3.2", 2},  {"COL-3.3", 2},
    {"COL-3.4", 2},  {"COL-3.5", 1},  {"COL-4.1", 3}, {"COL-4.2", 2},  {"COL-5.1", 2},
    {"COL-5.2", 1},  {"COL-5.3", 2},  {"COL-5.4", 4}, {"COL-5.5", 3},  {"COL-5.6", 3},
    {"COL-5.7", 2},  {"COL-5.8", 3},  {"COL-5.9", 2}, {"COL-5.10", 1}, {"COL-5.11", 4},
    {"COL-5.12", 3}, {"COL-5.13", 1}, {"COL-6.1", 2}, {"COL-6.2", 1},  {"COL-6.3", 1},
    {"COL-7.1", 4},  {"COL-7.2", 3},  {"COL-7.3", 2}, {"COL-7.4", 2},  {"COL-7.5", 3},
    {"COL-7.6", 3},  {"COL-7.7", 3},  {"COL-8.1", 2}, {"COL-8.2", 1},  {"COL-8.3", 1},
    {"COL-8.4", 2},  {"COL-8.5", 2},  {"COL-8.6", 4}, {"COL-8.7", 2},  {"COL-8.8", 2},
    {"COL-8.9", 2},  {"COL-9.1", 1},  {"COL-9.2", 2}, {"COL-9.3", 1},  {"COL-9.4", 1},
    {"COL-9.5", 1},  {"COL-9.6", 1},
};

struct RandomPlay {
  using State = colonial::State;
  using Event = colonial::Event;
  static State Start(int number, std::uint64_t seed) {
    Setup setup = *test::SmallBattle(number);
    // Some armies cost more than the players agreed on.
    if (number % 3 == 0) {
      setup.army = ArmyBy::kAgreed;
      setup.agreed_points = 20;
    }
    return NewGame(std::make_shared<const Setup>(std::move(setup)), seed);
  }
  static bool Over(const State& s) { return s.phase == Phase::kOver; }
  static Action Random(const State& s, Generator& chance) { return RandomAction(s, chance); }
  static std::optional<Refusal> Take(State& s, const Action& action, std::vector<Event>& events) {
    return Play(s, action, events);
  }
  static void ApplyTo(State& s, const Event& event) { colonial::ApplyTo(s, event); }
  static std::string ClauseOf(const State& s, const Event& event) {
    return colonial::ClauseOf(s, event);
  }
  static std::string LineOf(const State& s, const Action& action) {
    return ActionToLine(s, action);
  }
  static Result<Action> Read(const State& s, const std::string& line) {
    try {
      return ParseLine(s, line);
    } catch (const UnreadableLine& e) {
      return Error{ErrorCode::kBadFormat, e.why};
    }
  }
  static std::vector<std::string> Names(const State& s) {
    std::vector<std::string> names;
    for (const auto& side : s.setup->sides) names.push_back(side.name);
    for (const StandInfo& stand : s.setup->stands) names.push_back(stand.id);
    return names;
  }
  // The camera sees a stand anywhere, facing any way, of any size.
  static std::string Wild(const State& s, Generator& chance) {
    if (chance.Below(8) == 0) return fmt::format("dice {} {}", chance.Below(15), chance.Below(15));
    if (chance.Heads()) {
      std::vector<std::string> stands;
      for (const StandInfo& stand : s.setup->stands) stands.push_back(stand.id);
      return fos::test::AnyDeclaration(stands, s.setup->board.columns, s.setup->board.rows, chance);
    }
    const auto& stand =
        s.setup->stands[static_cast<std::size_t>(chance.Below(static_cast<int>(s.stands.size())))];
    return fmt::format("seen {} at {} {} bearing {} size 1.575 {}", stand.id, chance.Below(40) - 2,
                       chance.Below(26) - 1, chance.Below(360), chance.Heads() ? "0.787" : "1.575");
  }
  static std::vector<std::string> Sums(const State& s) {
    std::vector<std::string> out;
    if (s.combat)
      for (const Item& item : s.combat->items) out.emplace_back(ClauseOfMod(item.what));
    return out;
  }
};

constexpr int kGames = 150;
// What the clauses say of things outside a game.
const std::map<std::string, fos::test::OutOfPlay> kOutOfPlay = {
    {"COL-1.4", {"terrain is laid before the game", {"reading.cc"}}},
    {"COL-2.1", {"values are counted before the game", {"setup.cc"}}},
    {"COL-2.5", {"entrenchments are bought before the game", {"setup.cc"}}},
};

fos::test::ClauseBook Book() {
  return {"Colonial",
          "COL",
          "engine/rules/colonial",
          "tests/engine/rules/colonial",
          "colonial_test",
          Clauses(),
          kExamples,
          kGames,
          fos::test::ClausesReached<RandomPlay, kGames>(),
          kOutOfPlay};
}

TEST(ColonialClauses, EachIsAppliedAndTested) { fos::test::ExpectEachAppliedAndProved(Book()); }
TEST(ColonialClauses, EveryWorkedExampleHasATest) { fos::test::ExpectEveryExampleIsATest(Book()); }
TEST(ColonialClauses, RandomGamesReachEach) { fos::test::ExpectRandomGamesReachEach(Book()); }
TEST(ColonialClauses, ThePageIsUpToDate) { fos::test::ExpectPageUpToDate(Book()); }

}  // namespace
}  // namespace fos::colonial
