// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdlib>
#include <vector>

#include "engine/squares/game_words.h"
#include "engine/squares/grid_state.h"
#include "engine/squares/who_acts.h"

// The legal declarations that both sets list alike. Beside the State: CheckSupport, CheckCard,
// CheckTurn, RetreatWays.
namespace fos::sweet {

using namespace squares;

constexpr std::array<Facing, 8> kFacings = {
    Facing::kNorth, Facing::kNorthEast, Facing::kEast, Facing::kSouthEast,
    Facing::kSouth, Facing::kSouthWest, Facing::kWest, Facing::kNorthWest};

// The parts of a group that may move on their own: all of it, or, if it may separate, any number of
// its stands, the first ones first.
template <typename State>
std::vector<std::vector<PieceNo>> PartsOf(const State& s, const std::vector<PieceNo>& stands) {
  if (stands.empty()) return {};
  const auto& first = s.StandAt(stands.front());
  std::vector<std::vector<PieceNo>> parts;
  if (!s.TypeOf(first).may_separate) {
    if (static_cast<int>(stands.size()) == CountStandsOf(s, first.unit)) parts.push_back(stands);
    return parts;
  }
  std::vector<PieceNo> part;
  for (const PieceNo i : stands) {
    if (s.StandAt(i).moved) continue;
    part.push_back(i);
    parts.push_back(part);
  }
  return parts;
}

// Calls f(Cell) for the enemies' squares around a cell, row by row, as far as a range (hundredths
// of a square) can reach.
template <typename State, typename F>
void ForTargetsAround(const State& s, int side, Cell cell, int range, F f) {
  const int reach = range / kWhole + 1;
  const SquareIndex at = s.setup->board.IndexOf(cell);
  for (int row = at.row - reach; row <= at.row + reach; ++row)
    for (int column = at.column - reach; column <= at.column + reach; ++column) {
      if (!s.setup->board.Contains({column, row})) continue;
      const Cell target = s.setup->board.At({column, row});
      if (s.CountIn(1 - side, target) > 0) f(target);
    }
}

template <typename State, typename Action>
void AppendSupports(const State& s, int side, std::vector<Action>& out) {
  for (const Group& group : GroupsOf(s, side))
    for (const auto& melee : s.melees) {
      const Support support{side, group.unit, group.cell, melee.contact};
      if (!CheckSupport(s, support)) out.push_back({support});
    }
}

// One melee at a time, in the order of the contacts.
template <typename State, typename Action>
void AppendCards(const State& s, int side, std::vector<Action>& out) {
  if (const auto* melee = MeleeOfCards(s))
    for (int card = 0; card < kCardKinds; ++card) {
      const PlayCard play{side, melee->contact, static_cast<Card>(card)};
      if (!CheckCard(s, play)) out.push_back({play});
    }
}

// Where they change something.
template <typename State, typename Action>
void AppendUnitTurns(const State& s, int side, std::vector<Action>& out) {
  for (const Group& group : GroupsOf(s, side))
    for (const Facing facing : kFacings) {
      const TurnUnit turn{side, group.unit, group.cell, facing};
      if (s.StandAt(StandsOf(s, group.unit, group.cell).front()).facing != facing &&
          !CheckTurn(s, turn))
        out.push_back({turn});
    }
}
template <typename State, typename Action>
void AppendTurns(const State& s, int side, PieceNo equipment, std::vector<Action>& out) {
  for (const Facing facing : kFacings) {
    const TurnEquipment turn{side, equipment, facing};
    if (s.EquipmentAt(equipment).facing != facing && !CheckTurn(s, turn)) out.push_back({turn});
  }
}

template <typename State, typename Action>
void AppendWaysBack(const State& s, std::vector<Action>& out) {
  for (const auto& path : RetreatWays(s, s.retreats.front()).paths)
    out.push_back({ChooseRetreat{path.back()}});
}

}  // namespace fos::sweet
