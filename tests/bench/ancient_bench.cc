// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include <stdexcept>

#include "engine/rules/ancient/random_play.h"
#include "tests/support/ancient_battles.h"

// Transitions and whole random games per second on one core, foot alone and every arm together.
// Each checks its answer before timing.
namespace fos::ancient {
namespace {

// A whole random game; its events when asked for.
long PlayGame(int battle, std::uint64_t seed, std::vector<Event>* all) {
  Generator chance{seed};
  State s = NewGame(test::SmallBattle(battle), seed);
  std::vector<Event> events;
  long count = 0;
  while (s.step != Step::kOver) {
    events.clear();
    if (Play(s, RandomAction(s, chance), events) && Play(s, AnyProgress(s, chance), events))
      throw std::logic_error("nothing goes on");
    count += static_cast<long>(events.size());
    if (all) all->insert(all->end(), events.begin(), events.end());
  }
  return count;
}

void BM_Transitions(benchmark::State& state) {
  const int number = static_cast<int>(state.range(0));
  const auto battle = test::SmallBattle(number);
  std::vector<std::vector<Event>> games(16);
  long transitions = 0;
  for (std::size_t g = 0; g < games.size(); ++g) PlayGame(number, g + 1, &games[g]);
  for (auto _ : state) {
    for (std::size_t g = 0; g < games.size(); ++g) {
      State s = NewGame(battle, g + 1);
      for (const Event& event : games[g]) ApplyTo(s, event);
      if (s.step != Step::kOver) throw std::logic_error("the fold does not end");
      transitions += static_cast<long>(games[g].size());
    }
  }
  state.SetItemsProcessed(transitions);
}
BENCHMARK(BM_Transitions)->Arg(0)->Arg(5);

void BM_RandomGames(benchmark::State& state) {
  std::uint64_t seed = 1;
  long games = 0;
  long events = 0;
  for (auto _ : state) {
    events += PlayGame(static_cast<int>(state.range(0)), seed++, nullptr);
    ++games;
  }
  state.SetItemsProcessed(games);
  state.counters["events_per_game"] = static_cast<double>(events) / static_cast<double>(games);
}
BENCHMARK(BM_RandomGames)->Arg(0)->Arg(5);

}  // namespace
}  // namespace fos::ancient

BENCHMARK_MAIN();
