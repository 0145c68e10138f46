// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include <stdexcept>

#include "engine/rules/colonial/random_play.h"
#include "tests/support/colonial_battles.h"

// Transitions and whole random games per second on one core. Each checks its answer before timing.
namespace fos::colonial {
namespace {

// A whole random game; its events when asked for.
long PlayGame(std::uint64_t seed, std::vector<Event>* all) {
  static const auto battle = test::SmallBattle(1);
  Generator chance{seed};
  State s = NewGame(battle, seed);
  std::vector<Event> events;
  long count = 0;
  while (s.phase != Phase::kOver) {
    events.clear();
    if (Play(s, RandomAction(s, chance), events)) throw std::logic_error("nothing goes on");
    count += static_cast<long>(events.size());
    if (all) all->insert(all->end(), events.begin(), events.end());
  }
  return count;
}

void BM_Transitions(benchmark::State& state) {
  const auto battle = test::SmallBattle(1);
  std::vector<std::vector<Event>> games(32);
  long transitions = 0;
  for (std::size_t g = 0; g < games.size(); ++g) PlayGame(g + 1, &games[g]);
  for (auto _ : state) {
    for (std::size_t g = 0; g < games.size(); ++g) {
      State s = NewGame(battle, g + 1);
      for (const Event& event : games[g]) ApplyTo(s, event);
      if (s.phase != Phase::kOver) throw std::logic_error("the fold does not end");
      transitions += static_cast<long>(games[g].size());
    }
  }
  state.SetItemsProcessed(transitions);
}
BENCHMARK(BM_Transitions);

void BM_RandomGames(benchmark::State& state) {
  std::uint64_t seed = 1;
  long games = 0;
  long events = 0;
  for (auto _ : state) {
    events += PlayGame(seed++, nullptr);
    ++games;
  }
  state.SetItemsProcessed(games);
  state.counters["events_per_game"] = static_cast<double>(events) / static_cast<double>(games);
}
BENCHMARK(BM_RandomGames);

}  // namespace
}  // namespace fos::colonial

BENCHMARK_MAIN();
