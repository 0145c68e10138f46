// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/random_play.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "engine/rules/colonial/combat.h"
#include "engine/rules/colonial/legal.h"
#include "engine/rules/colonial/query.h"
#include "engine/squares/random_moves.h"
#include "engine/table/result.h"

namespace fos::colonial {
namespace {

// A player stops early once in this many times.
constexpr int kEndsOneIn = 25;
// Times out of ten that a player fights if possible, and that he considers all facings.
constexpr int kFightsInTen = 7;
constexpr int kTurnsInTen = 3;

using squares::OneOf;

// How near to an enemy a move ends; 0 for other declarations, which come first.
int Nearness(const State& s, int side, std::optional<Cell> end) {
  if (!end) return 0;
  int nearest = s.setup->board.Cells();
  for (const Stand& stand : s.stands)
    if (OnTable(stand) && stand.side != side)
      nearest = std::min(nearest, DistanceBetween(s, *end, stand.cell));
  return nearest;
}

}  // namespace

Action RandomAction(const State& s, Generator& chance) {
  FOS_CHECK(s.phase != Phase::kOver);
  if (s.Waiting()) {
    const int side = s.ask.side == kBothSides ? 0 : s.ask.side;
    return OneOf(LegalActions(s, side), chance);
  }
  int side = s.acting;
  if (s.phase == Phase::kMuster) side = s.mustered[0] ? 1 : 0;
  if (chance.Below(kEndsOneIn) == 0) return {Done{side}, false};
  // The first stand of the side that may act, starting at a random one.
  const auto count = static_cast<int>(s.stands.size());
  const int from = chance.Below(count);
  const Turns turns = chance.Below(10) < kTurnsInTen ? Turns::kAll : Turns::kNone;
  std::optional<Declarations> all;
  for (int n = 0; n < count && (!all || all->size() == 0); ++n) {
    const auto i = static_cast<PieceNo>((from + n) % count);
    if (s.At(i).side == side) all.emplace(s, i, turns);
  }
  if (!all || all->size() == 0) return {Done{side}, false};
  if (chance.Below(10) < kFightsInTen) {
    std::vector<std::size_t> fights;
    for (std::size_t n = 0; n < all->size(); ++n)
      if (all->IsFight(n)) fights.push_back(n);
    if (!fights.empty()) return all->At(OneOf(fights, chance));
  }
  // Of a few moves the one that ends nearest to an enemy: players who never meet never fight.
  constexpr int kCompared = 3;
  const auto one = [&] {
    return static_cast<std::size_t>(chance.Below(static_cast<int>(all->size())));
  };
  const auto nearness = [&](std::size_t n) { return Nearness(s, side, all->EndOf(s, n)); };
  std::size_t best = one();
  for (int n = 1; n < kCompared; ++n) {
    const std::size_t other = one();
    if (nearness(other) < nearness(best)) best = other;
  }
  return all->At(best);
}

}  // namespace fos::colonial
