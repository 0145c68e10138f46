// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/random_play.h"

#include <algorithm>
#include <iterator>
#include <variant>
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

// How near to an enemy a move ends; 0 for other actions, which come first.
int Nearness(const State& s, int side, const Action& action) {
  const auto* move = std::get_if<Move>(&action.what);
  if (move == nullptr) return 0;
  const Cell end =
      move->paths.front().empty() ? s.At(move->stands.front()).cell : move->paths.front().back();
  int nearest = s.setup->board.Cells();
  for (const Stand& stand : s.stands)
    if (OnTable(stand) && stand.side != side)
      nearest = std::min(nearest, DistanceBetween(s, end, stand.cell));
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
  std::vector<Action> actions;
  for (int n = 0; n < count && actions.empty(); ++n) {
    const auto i = static_cast<PieceNo>((from + n) % count);
    if (s.At(i).side == side) AppendFor(s, i, turns, actions);
  }
  if (actions.empty()) return {Done{side}, false};
  if (chance.Below(10) < kFightsInTen) {
    std::vector<Action> fights;
    std::copy_if(actions.begin(), actions.end(), std::back_inserter(fights),
                 [](const Action& a) { return std::holds_alternative<Fight>(a.what); });
    if (!fights.empty()) return OneOf(fights, chance);
  }
  // Of a few moves the one that ends nearest to an enemy: players who never meet never fight.
  constexpr int kCompared = 3;
  const Action* best = &OneOf(actions, chance);
  for (int n = 1; n < kCompared; ++n) {
    const Action& other = OneOf(actions, chance);
    if (Nearness(s, side, other) < Nearness(s, side, *best)) best = &other;
  }
  return *best;
}

}  // namespace fos::colonial
