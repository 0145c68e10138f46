// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/clauses.h"

#include <gtest/gtest.h>

#include "engine/rules/ancient/cite.h"
#include "engine/rules/ancient/game.h"
#include "engine/rules/ancient/lines.h"
#include "engine/rules/ancient/melee.h"
#include "engine/rules/ancient/missiles.h"
#include "engine/rules/ancient/random_play.h"
#include "engine/rules/sweet/line_rules.h"
#include "tests/support/ancient_battles.h"
#include "tests/support/clause_coverage.h"
#include "tests/support/clause_page.h"

// Checks docs/clauses.md (see tests/support/clause_page.h). To regenerate its section:
//   FOS_WRITE_DOCS=1 build/tests/ancient_test --gtest_filter='AncientClauses.*'
namespace fos::ancient {
namespace {

// The number of worked examples in the catalogue for each clause.
const std::map<std::string, int> kExamples = {
    {"ANC-G1", 1}, {"ANC-G2", 1}, {"ANC-T", 2},  {"ANC-V1", 1}, {"ANC-V2", 1}, {"ANC-V3", 1},
    {"ANC-V4", 1}, {"ANC-V5", 1}, {"ANC-V6", 1}, {"ANC-C1", 2}, {"ANC-C2", 1}, {"ANC-C3", 2},
    {"ANC-C4", 5}, {"ANC-F1", 1}, {"ANC-F2", 1}, {"ANC-F3", 2}, {"ANC-F4", 1}, {"ANC-F5", 4},
    {"ANC-F6", 1}, {"ANC-H1", 1}, {"ANC-H2", 1}, {"ANC-H3", 3}, {"ANC-H4", 2}, {"ANC-H5", 2},
    {"ANC-H6", 2}, {"ANC-H7", 1}, {"ANC-H8", 1}, {"ANC-P1", 1}, {"ANC-P2", 2}, {"ANC-P3", 2},
    {"ANC-P4", 1}, {"ANC-P5", 2}, {"ANC-P6", 1}, {"ANC-P7", 2}, {"ANC-P8", 1}, {"ANC-M1", 2},
    {"ANC-M2", 1}, {"ANC-M3", 3}, {"ANC-M4", 1}, {"ANC-L", 2},
};

struct RandomPlay {
  using State = ancient::State;
  using Event = ancient::Event;
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
  static void ApplyTo(State& s, const Event& event) { ancient::ApplyTo(s, event); }
  static std::string ClauseOf(const State& s, const Event& event) {
    return ancient::ClauseOf(s, event);
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
      for (const SumItem& item : VolleyDice(s, volley.unit, 1, volley.later_unit,
                                            volley.against_protection, volley.target))
        out.push_back(item.clause);
    }
    for (const Melee& melee : s.melees) {
      if (PenaltyAt(s, melee.contact) > 0) out.push_back("ANC-H8");
      ForStandsIn(s, s.attacker, melee.contact, [&](PieceNo, const Stand& stand) {
        const UnitType& type = s.TypeOf(stand);
        if (stand.charged && type.melee_charging != type.melee) out.push_back("ANC-H5");
      });
    }
    return out;
  }
};

constexpr int kGames = 150;
// What the clauses say of things outside a game.
const std::map<std::string, fos::test::OutOfPlay> kOutOfPlay = {
    {"ANC-G1", {"the size of the squares is read before the game", {"tables.cc"}}},
    {"ANC-L",
     {"armies are built before the game", {"army.cc", "army_fill.h", "line_game.cc", "tables.cc"}}},
};

fos::test::ClauseBook Book() {
  return {"Ancient",
          "ANC",
          "engine/rules/ancient",
          "tests/engine/rules/ancient",
          "ancient_test",
          Clauses(),
          kExamples,
          kGames,
          fos::test::ClausesReached<RandomPlay, kGames>(),
          kOutOfPlay};
}

TEST(AncientClauses, EachIsAppliedAndProved) { fos::test::ExpectEachAppliedAndProved(Book()); }
TEST(AncientClauses, EveryWorkedExampleIsATest) { fos::test::ExpectEveryExampleIsATest(Book()); }
TEST(AncientClauses, RandomGamesReachEach) { fos::test::ExpectRandomGamesReachEach(Book()); }
TEST(AncientClauses, ThePageIsUpToDate) { fos::test::ExpectPageUpToDate(Book()); }

}  // namespace
}  // namespace fos::ancient
