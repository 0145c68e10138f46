// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/game/history.h"
#include "engine/squares/queries.h"

// Random legal games of a grid rule set, to the end. Checks at every step: stands are conserved,
// stacking is legal, the sides are apart except in contact squares, undo gives the previous state,
// and events and state are read back as written.
namespace fos::test {

// Far beyond the longest game seen; a longer game is a fault.
constexpr int kMostActions = 20000;

// A move onto friends who then cannot move is noticed only when the step is to end. As at the
// table, it is then taken back together with the later moves. This happens in one or two games of
// ten thousand; a side has fewer pieces than this limit.
constexpr int kMostTakenBack = 40;

// One hash over all games: a change without effect on rulings does not alter it.
class Signature {  // FNV-1a, 64 bits
 public:
  void Add(std::string_view text) {
    for (const char c : text) sum_ = (sum_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  std::uint64_t Sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325;
};

// Checks that the sides are apart except in contact squares and no square is overcrowded. Do not
// call it while losses and retreats are in progress, when a square may be crowded.
template <typename State>
std::string SquareFault(const State& s) {
  using Step = decltype(s.step);
  for (squares::Cell cell = 0; cell < s.setup->board.Cells(); ++cell) {
    const bool contact = std::find(s.contacts.begin(), s.contacts.end(), cell) != s.contacts.end();
    if (s.CountIn(0, cell) > 0 && s.CountIn(1, cell) > 0 && (!contact || s.step == Step::kEnd))
      return "both sides are in " + squares::CellName(s, cell);
    for (int side = 0; side < 2; ++side) {
      if (s.CountIn(side, cell) == 0) continue;
      std::string stacked = StackingFault(s, side, cell, {}, false);
      if (stacked.empty()) continue;
      // A melee may leave a captor more equipment than he could bring there himself (NAP-5H,
      // ANC-P7), so check the square without the captured pieces.
      State own = s;
      for (auto& e : own.equipment)
        if (e.cell == cell && e.owner == side && e.owner != e.side) e.owner = squares::kNobody;
      stacked = StackingFault(own, side, cell, {}, false);
      if (!stacked.empty()) return stacked;
    }
  }
  return {};
}

// Checks that stands and equipment are conserved and the per-square counts are right.
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

// Play is a struct of the rule set's types and functions:
//   Rules                                    as History needs them
//   Start(int number, seed) -> State         RandomAction, AnyProgress (const State&, Generator&)
//   Fault(const State&) -> std::string       the rule set's own broken invariant
//   EventToJson, ActionToJson, StateToJson   EventFromJson(text), ActionFromJson(text),
//                                            StateFromJson(text, setup)
// The game's length in actions; throws std::runtime_error with the broken invariant.
template <typename Play>
int PlayOne(int number, std::uint64_t seed, Signature& signature) {
  using State = typename Play::Rules::State;
  using Step = decltype(State::step);
  Generator chance{seed};
  History<typename Play::Rules> game(Play::Start(number, seed));
  int actions = 0;
  while (game.Now().step != Step::kOver) {
    if (++actions > kMostActions) throw std::runtime_error("the game does not end");
    State before = game.Now();
    if (game.Play(Play::RandomAction(before, chance))) {
      if (!(game.Now() == before)) throw std::runtime_error("a refused action changed the state");
      int taken_back = 0;
      while (auto refusal = game.Play(Play::AnyProgress(before, chance))) {
        if (++taken_back > kMostTakenBack || !game.Undo())
          throw std::runtime_error("nothing goes on: " + refusal->clause + " " + refusal->because);
        before = game.Now();
      }
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
    for (const auto& event : game.Entries().back().events) {
      const std::string written = Play::EventToJson(event);
      signature.Add(written);
      Play::Rules::ApplyTo(folded, Play::EventFromJson(written).value());
    }
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

// main() of a program [GAMES [FIRST_SEED]]; by default `games` games from seed 1.
// play_one  (int number, seed, Signature&) -> actions; throws the broken invariant
template <typename PlayOneGame>
int RunRandomGames(int argc, char** argv, long games, PlayOneGame play_one) {
  if (argc > 1) games = std::atol(argv[1]);
  const long first = argc > 2 ? std::atol(argv[2]) : 1;
  long actions = 0;
  Signature signature;
  for (long i = 0; i < games; ++i) {
    const long seed = first + i;
    try {
      actions += play_one(static_cast<int>(seed), static_cast<std::uint64_t>(seed), signature);
    } catch (const std::exception& e) {
      std::printf("game %ld (seed %ld): %s\n", i, seed, e.what());
      return EXIT_FAILURE;
    }
  }
  std::printf("%ld random games, %ld actions, no broken invariant; signature %016llx\n", games,
              actions, static_cast<unsigned long long>(signature.Sum()));
  return games > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace fos::test
