#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/rules/napoleonic/game.h"
#include "engine/rules/napoleonic/json.h"
#include "engine/rules/napoleonic/lines.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/rules/napoleonic/random_play.h"
#include "tests/support/napoleonic_battles.h"

// Random legal games to the end. At every step: stands conserved, no illegal stacking, the two
// sides apart but in contact squares, undo gives the state before, events and state survive being
// written and read.
//
//   napoleonic_random_games [GAMES [FIRST_SEED]]      (300 games from seed 1 when not given)
namespace fos::napoleonic {
namespace {

// Far beyond the longest game seen; a game that goes on is a fault.
constexpr int kMostActions = 20000;

std::string Fault(const State& s) {
  std::array<std::vector<std::uint8_t>, 2> counted = s.held_by;
  for (auto& side : counted) std::fill(side.begin(), side.end(), std::uint8_t{0});
  std::size_t stands = 0;
  for (const Stand& stand : s.stands) {
    const bool fate = stand.fate == Fate::kOnBoard || stand.fate == Fate::kDestroyed ||
                      stand.fate == Fate::kOffBoard;
    stands += fate;
    if (OnBoard(stand))
      ++counted[static_cast<std::size_t>(stand.side)][static_cast<std::size_t>(stand.cell)];
  }
  std::size_t at_start = 0;
  for (const UnitInfo& unit : s.setup->units) at_start += static_cast<std::size_t>(unit.stands);
  if (stands != at_start) return "stands are not conserved";
  if (s.equipment.size() != s.setup->equipment.size()) return "equipment is not conserved";
  if (counted != s.held_by) return "the squares' counts are wrong";
  // In the middle of taking losses and falling back a square may be crowded.
  if (s.Waiting() || !s.regroup.empty() || !s.retreats.empty()) return {};
  for (Cell cell = 0; cell < s.setup->board.Cells(); ++cell) {
    const bool contact = std::find(s.contacts.begin(), s.contacts.end(), cell) != s.contacts.end();
    if (s.CountIn(0, cell) > 0 && s.CountIn(1, cell) > 0 && (!contact || s.step == Step::kEnd))
      return "both sides are in " + CellName(s, cell);
    for (int side = 0; side < 2; ++side) {
      if (s.CountIn(side, cell) == 0) continue;
      // A melee may leave more guns with the captor than he could bring there himself (NAP-5H):
      // without those he took the square must be in order.
      std::string stacked = StackingFault(s, side, cell, {}, false);
      if (!stacked.empty()) {
        State own = s;
        for (Equipment& e : own.equipment)
          if (e.cell == cell && e.owner == side && e.owner != e.side) e.owner = kNobody;
        stacked = StackingFault(own, side, cell, {}, false);
      }
      if (!stacked.empty()) return stacked;
    }
  }
  return {};
}

// The game's length in actions; throws std::runtime_error with what broke.
int PlayOne(int number, std::uint64_t seed) {
  Generator chance{seed};
  Game game(NewGame(test::SmallBattle(number), seed));
  int actions = 0;
  while (game.Now().step != Step::kOver) {
    if (++actions > kMostActions) throw std::runtime_error("the game does not end");
    const State before = game.Now();
    if (game.Play(RandomAction(before, chance))) {
      if (!(game.Now() == before)) throw std::runtime_error("a refused action changed the state");
      if (auto refusal = game.Play(AnyProgress(before, chance)))
        throw std::runtime_error("nothing goes on: " + refusal->clause + " " + refusal->because);
    }
    const State& after = game.Now();
    if (const std::string fault = Fault(after); !fault.empty())
      throw std::runtime_error(fault + " after " + ActionToJson(game.Entries().back().action));
    if (!(game.At(game.Entries().size() - 1) == before))
      throw std::runtime_error("undo gives another state");
    State folded = before;
    for (const Event& event : game.Entries().back().events)
      ApplyTo(folded, EventFromJson(EventToJson(event)).value());
    if (!(folded == after)) throw std::runtime_error("the written events give another state");
    if (!(StateFromJson(StateToJson(after), after.setup).value() == after))
      throw std::runtime_error("the written state is another");
    const Action& action = game.Entries().back().action;
    const std::string line = ActionToLine(before, action);
    if (ActionToJson(ActionFromJson(ActionToJson(action)).value()) != ActionToJson(action) ||
        ActionToJson(ParseAction(before, line).value()) != ActionToJson(action))
      throw std::runtime_error("the written action is another: " + line);
  }
  return actions;
}

}  // namespace
}  // namespace fos::napoleonic

int main(int argc, char** argv) {
  const long games = argc > 1 ? std::atol(argv[1]) : 300;
  const long first = argc > 2 ? std::atol(argv[2]) : 1;
  long actions = 0;
  for (long i = 0; i < games; ++i) {
    const long seed = first + i;
    try {
      actions += fos::napoleonic::PlayOne(static_cast<int>(seed), static_cast<std::uint64_t>(seed));
    } catch (const std::exception& e) {
      std::printf("game %ld (seed %ld): %s\n", i, seed, e.what());
      return EXIT_FAILURE;
    }
  }
  std::printf("%ld random games, %ld actions, no broken invariant\n", games, actions);
  return games > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
