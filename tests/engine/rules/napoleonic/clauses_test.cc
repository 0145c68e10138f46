// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/clauses.h"

#include <gtest/gtest.h>

#include "engine/rules/napoleonic/cite.h"
#include "engine/rules/napoleonic/game.h"
#include "engine/rules/napoleonic/lines.h"
#include "engine/rules/napoleonic/melee.h"
#include "engine/rules/napoleonic/musketry.h"
#include "engine/rules/napoleonic/random_play.h"
#include "engine/rules/sweet/line_rules.h"
#include "tests/support/clause_coverage.h"
#include "tests/support/clause_page.h"
#include "tests/support/napoleonic_battles.h"

// Checks docs/clauses.md (see tests/support/clause_page.h). To regenerate its section:
//   FOS_WRITE_DOCS=1 build/tests/napoleonic_test --gtest_filter='NapoleonicClauses.*'
namespace fos::napoleonic {
namespace {

// The number of worked examples in the catalogue for each clause.
const std::map<std::string, int> kExamples = {
    {"NAP-1", 2},   {"NAP-2A", 2},  {"NAP-2B", 2},  {"NAP-2C", 2},  {"NAP-2D", 2}, {"NAP-2E", 2},
    {"NAP-2F", 2},  {"NAP-2G", 4},  {"NAP-3A", 2},  {"NAP-3B", 2},  {"NAP-3C", 4}, {"NAP-3D", 1},
    {"NAP-3E", 4},  {"NAP-3F", 4},  {"NAP-3G", 2},  {"NAP-3H", 5},  {"NAP-4A", 1}, {"NAP-4B", 3},
    {"NAP-4C", 3},  {"NAP-4D", 3},  {"NAP-4E", 2},  {"NAP-5A", 5},  {"NAP-5B", 3}, {"NAP-5C", 6},
    {"NAP-5D", 2},  {"NAP-5E", 2},  {"NAP-5F", 3},  {"NAP-5G", 8},  {"NAP-5H", 3}, {"NAP-5I", 1},
    {"NAP-6A", 4},  {"NAP-6B", 1},  {"NAP-6C", 1},  {"NAP-6D", 4},  {"NAP-7", 2},  {"NAP-8A", 3},
    {"NAP-8B", 3},  {"NAP-8C", 2},  {"NAP-9", 4},   {"NAP-10", 1},  {"NAP-11", 1}, {"NAP-12", 2},
    {"NAP-MDI", 3}, {"NAP-GUN", 0}, {"NAP-ORG", 2}, {"NAP-BEA", 1},
};

struct RandomPlay {
  using State = napoleonic::State;
  using Event = napoleonic::Event;
  static State Start(int number, std::uint64_t seed) {
    return NewGame(test::SmallBattle(number), seed);
  }
  static bool Over(const State& s) { return s.step == Step::kOver; }
  static Action Random(const State& s, Generator& chance) {
    return sweet::AcceptedAction<Rules>(s, chance);
  }
  static std::optional<Refusal> Take(State& s, const Action& action, std::vector<Event>& events) {
    return Play(s, action, events);
  }
  static void ApplyTo(State& s, const Event& event) { napoleonic::ApplyTo(s, event); }
  static std::string ClauseOf(const State& s, const Event& event) {
    return napoleonic::ClauseOf(s, event);
  }
  static std::string LineOf(const State& s, const Action& action) {
    return ActionToLine(s, action);
  }
  static Result<Action> Read(const State& s, const std::string& line) {
    return ParseAction(s, line);
  }
  static std::vector<std::string> Names(const State& s) {
    std::vector<std::string> names;
    for (const auto& side : s.setup->sides) names.push_back(side.name);
    for (const auto& unit : s.setup->units) names.push_back(unit.id);
    for (const auto& piece : s.setup->equipment) names.push_back(piece.id);
    for (std::size_t i = 0; i < s.stands.size(); ++i)
      names.push_back(StandName(s, static_cast<PieceNo>(i)));
    return names;
  }
  static std::string Wild(const State& s, Generator& chance) {
    std::vector<std::string> units;
    for (const auto& unit : s.setup->units) units.push_back(unit.id);
    if (!s.melees.empty() && chance.Heads())
      return fmt::format(
          "support {} at {}",
          units[static_cast<std::size_t>(chance.Below(static_cast<int>(units.size())))],
          CellName(s, s.melees.front().contact));
    return fos::test::AnyDeclaration(units, s.setup->board.columns, s.setup->board.rows, chance);
  }
  static std::vector<std::string> Sums(const State& s) {
    std::vector<std::string> out;
    if (s.ask.kind == PendingInput::kVolleyDice) {
      const Volley& volley = s.volleys[static_cast<std::size_t>(s.ask.about)];
      for (const SumItem& item : VolleyDice(s, volley.unit, volley.bonuses, 1, volley.target))
        out.push_back(item.clause);
    }
    for (const Melee& melee : s.melees)
      if (ReductionAt(s, melee.contact) > 0) out.push_back("NAP-6A");
    return out;
  }
};

constexpr int kGames = 150;
// What the clauses say of things outside a game.
const std::map<std::string, fos::test::OutOfPlay> kOutOfPlay = {
    {"NAP-ORG", {"armies are built before the game", {"army.cc", "army_fill.h", "line_game.cc"}}},
    {"NAP-BEA", {"a scenario, read before the game", {"field_reader.cc", "game_file.cc"}}},
};

fos::test::ClauseBook Book() {
  return {"Napoleonic",
          "NAP",
          "engine/rules/napoleonic",
          "tests/engine/rules/napoleonic",
          "napoleonic_test",
          Clauses(),
          kExamples,
          kGames,
          fos::test::ClausesReached<RandomPlay, kGames>(),
          kOutOfPlay};
}

TEST(NapoleonicClauses, EachIsAppliedAndProved) { fos::test::ExpectEachAppliedAndProved(Book()); }
TEST(NapoleonicClauses, EveryWorkedExampleIsATest) { fos::test::ExpectEveryExampleIsATest(Book()); }
TEST(NapoleonicClauses, RandomGamesReachEach) { fos::test::ExpectRandomGamesReachEach(Book()); }
TEST(NapoleonicClauses, ThePageIsUpToDate) { fos::test::ExpectPageUpToDate(Book()); }

}  // namespace
}  // namespace fos::napoleonic
