#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/history.h"
#include "engine/squares/queries.h"

// Random legal games of a rule set on a grid, to the end. At every step: stands conserved, no
// illegal stacking, the two sides apart but in contact squares, undo gives the state before, events
// and state survive being written and read.
namespace fos::test {

// Far beyond the longest game seen; a game that goes on is a fault.
constexpr int kMostActions = 20000;

// Stands and equipment conserved, the squares' counts right.
template <typename State>
std::string CountingFault(const State& s) {
  auto counted = s.held_by;
  for (auto& side : counted) std::fill(side.begin(), side.end(), std::uint8_t{0});
  std::size_t stands = 0;
  for (const auto& stand : s.stands) {
    stands += stand.fate == squares::Fate::kOnBoard || stand.fate == squares::Fate::kDestroyed ||
              stand.fate == squares::Fate::kOffBoard;
    if (squares::OnBoard(stand))
      ++counted[static_cast<std::size_t>(stand.side)][static_cast<std::size_t>(stand.cell)];
  }
  std::size_t at_start = 0;
  for (const auto& unit : s.setup->units) at_start += static_cast<std::size_t>(unit.stands);
  if (stands != at_start) return "stands are not conserved";
  if (s.equipment.size() != s.setup->equipment.size()) return "equipment is not conserved";
  return counted == s.held_by ? "" : "the squares' counts are wrong";
}

// Play is a struct of the rule set's words:
//   Rules                                    as History wants them
//   Start(int number, seed) -> State         RandomAction, AnyProgress (const State&, Generator&)
//   Fault(const State&) -> std::string       what of the rules' own is broken
//   EventToJson, ActionToJson, StateToJson   EventFromJson(text), ActionFromJson(text),
//                                            StateFromJson(text, setup)
// The game's length in actions; throws std::runtime_error with what broke.
template <typename Play>
int PlayOne(int number, std::uint64_t seed) {
  using State = typename Play::Rules::State;
  using Step = decltype(State::step);
  Generator chance{seed};
  History<typename Play::Rules> game(Play::Start(number, seed));
  int actions = 0;
  while (game.Now().step != Step::kOver) {
    if (++actions > kMostActions) throw std::runtime_error("the game does not end");
    const State before = game.Now();
    if (game.Play(Play::RandomAction(before, chance))) {
      if (!(game.Now() == before)) throw std::runtime_error("a refused action changed the state");
      if (auto refusal = game.Play(Play::AnyProgress(before, chance)))
        throw std::runtime_error("nothing goes on: " + refusal->clause + " " + refusal->because);
    }
    const State& after = game.Now();
    std::string fault = CountingFault(after);
    if (fault.empty()) fault = Play::Fault(after);
    if (!fault.empty())
      throw std::runtime_error(fault + " after " +
                               Play::ActionToJson(game.Entries().back().action));
    if (!(game.At(game.Entries().size() - 1) == before))
      throw std::runtime_error("undo gives another state");
    State folded = before;
    for (const auto& event : game.Entries().back().events)
      Play::Rules::ApplyTo(folded, Play::EventFromJson(Play::EventToJson(event)).value());
    if (!(folded == after)) throw std::runtime_error("the written events give another state");
    if (!(Play::StateFromJson(Play::StateToJson(after), after.setup).value() == after))
      throw std::runtime_error("the written state is another");
    const auto& action = game.Entries().back().action;
    if (Play::ActionToJson(Play::ActionFromJson(Play::ActionToJson(action)).value()) !=
        Play::ActionToJson(action))
      throw std::runtime_error("the written action is another");
    if (const std::string line = Play::LineFault(before, action); !line.empty())
      throw std::runtime_error("the written line is another: " + line);
  }
  return actions;
}

// main() of a program [GAMES [FIRST_SEED]]; 300 games from seed 1 when not given.
template <typename Play>
int RunRandomGames(int argc, char** argv) {
  const long games = argc > 1 ? std::atol(argv[1]) : 300;
  const long first = argc > 2 ? std::atol(argv[2]) : 1;
  long actions = 0;
  for (long i = 0; i < games; ++i) {
    const long seed = first + i;
    try {
      actions += PlayOne<Play>(static_cast<int>(seed), static_cast<std::uint64_t>(seed));
    } catch (const std::exception& e) {
      std::printf("game %ld (seed %ld): %s\n", i, seed, e.what());
      return EXIT_FAILURE;
    }
  }
  std::printf("%ld random games, %ld actions, no broken invariant\n", games, actions);
  return games > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace fos::test
