// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include <stdexcept>

#include "engine/game/chance.h"
#include "engine/rules/closefire/referee.h"
#include "tests/support/closefire_battles.h"
#include "tests/support/closefire_game.h"

// Sight lines and combats with forty units a side, and whole random games per second on one core.
// Each checks its answers.
namespace fos::closefire::test {
namespace {

Game Battle() {
  Game g;
  for (int side = 0; side < 2; ++side)
    for (int i = 0; i < 40; ++i) {
      const double x = 50 + 95.0 * (i % 20);
      const double y = side == 0 ? 500 - 60.0 * (i / 20) : 800 + 60.0 * (i / 20);
      const double facing = side == 0 ? N : S;
      i % 4 == 3 ? g.Horse(side, Grade::kC, 4, {x, y}, facing)
                 : g.Foot(side, Grade::kC, 4, {x, y}, facing);
    }
  Terrain wood;
  wood.wood = true;
  wood.outline_yd = Box(700, 600, 900, 700);
  g.Ground(wood);
  Terrain hill;
  hill.level = 1;
  hill.outline_yd = Box(1200, 620, 1500, 700);
  g.Ground(hill);
  return g;
}

void AllPairsOfVisibility(benchmark::State& state) {
  const Game g = Battle();
  int seen = 0;
  for (auto _ : state) {
    const Field field(g.s);
    seen = 0;
    for (int a = 0; a < 80; ++a)
      for (int b = 0; b < 80; ++b)
        if (Info(g.s, a).side != Info(g.s, b).side) seen += field.Sees(a, b);
    benchmark::DoNotOptimize(seen);
  }
  if (seen == 0 || seen == 3200)
    state.SkipWithError("the wood, the hill and the lines hide some, not all");
  state.counters["seen"] = seen;
}
BENCHMARK(AllPairsOfVisibility)->Unit(benchmark::kMillisecond);

void CombatSums(benchmark::State& state) {
  Game g;
  const int a = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int b = g.Foot(kRed, Grade::kC, 5, {500, 535}, S);
  g.s.engaged = {{a, b}};
  const Melee melee = MeleesOf(g.s).front();
  int total = 0;
  for (auto _ : state) {
    const Field field(g.s);
    total = CombatSum(g.s.Book(), FighterOf(field, a, melee), 4).Total();
    benchmark::DoNotOptimize(total);
  }
  if (total != 4) state.SkipWithError("4 + 1 in reserve - 1 outnumbered is 4");
}
BENCHMARK(CombatSums)->Unit(benchmark::kMicrosecond);

// A whole random game, as players may play it: its last state and the number of its events.
struct Played {
  State end;
  long events = 0;
};
Played PlayGame(std::uint64_t seed, auto act) {
  Generator chance{seed};
  Played out{SmallBattle(seed, seed)};
  std::vector<Event> events;
  while (out.end.phase != Phase::kOver) {
    events.clear();
    if (act(out.end, chance, events)) throw std::logic_error("nothing goes on");
    out.events += static_cast<long>(events.size());
  }
  return out;
}

void RandomGames(benchmark::State& state) {
  // The same games each time, so that two builds compare.
  constexpr std::uint64_t kGames = 20;
  // Line by line, with each line checked, comes to the same.
  const auto by_lines = [](State& s, Generator& chance, std::vector<Event>& events) {
    return Act(s, ParseLine(s, RandomLineOf(s, chance)), events);
  };
  if (StateToJson(PlayGame(1, ActRandomly).end) != StateToJson(PlayGame(1, by_lines).end))
    state.SkipWithError("the game played at once is another");
  long events = 0;
  for (auto _ : state)
    for (std::uint64_t seed = 1; seed <= kGames; ++seed)
      events += PlayGame(seed, ActRandomly).events;
  const long games = static_cast<long>(state.iterations() * kGames);
  state.SetItemsProcessed(games);
  state.counters["events_per_game"] = static_cast<double>(events) / static_cast<double>(games);
}
BENCHMARK(RandomGames)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fos::closefire::test

BENCHMARK_MAIN();
