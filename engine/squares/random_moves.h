// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "engine/game/chance.h"
#include "engine/squares/queries.h"

// The parts that the random players of all grid games share.
namespace fos::squares {

template <typename T>
const T& OneOf(const std::vector<T>& list, Generator& chance) {
  return list[static_cast<std::size_t>(chance.Below(static_cast<int>(list.size())))];
}

// Chooses which of the sides that may declare does so.
inline int OneSide(const std::vector<int>& sides, Generator& chance) {
  return sides.size() == 1 ? sides.front() : chance.Below(2);
}

// A shot falls within about a square of its target: the square where it lies, with the point in
// `facts`; none if it left the board.
template <typename State, typename ShotFacts>
std::optional<Cell> RandomLanding(const State& s, Cell target, ShotFacts& facts,
                                  Generator& chance) {
  if (chance.Below(12) == 0) {
    facts.off_board = true;
    return std::nullopt;
  }
  const Board& board = s.setup->board;
  Cell cell = target == kNowhere ? static_cast<Cell>(chance.Below(board.Cells())) : target;
  if (chance.Below(2) == 0) {
    const Cell near = board.Step(cell, static_cast<Facing>(chance.Below(8)));
    if (near != kNowhere) cell = near;
  }
  const auto side = static_cast<int>(s.Book().square_in * 1000);
  const SquareIndex at = board.IndexOf(cell);
  facts.x_milli_in = at.column * side + chance.Below(side);
  facts.y_milli_in = at.row * side + chance.Below(side);
  return cell;
}

// How many groups of a side have stands that may still move.
template <typename State>
int GroupsToMove(const State& s, int side) {
  const std::vector<Group> groups = GroupsOf(s, side);
  return static_cast<int>(std::count_if(groups.begin(), groups.end(), [&](const Group& group) {
    bool waits = false;
    ForStandsIn(s, side, group.cell, [&](PieceNo, const auto& stand) {
      waits = waits || (stand.unit == group.unit && !stand.moved);
    });
    return waits;
  }));
}

// A move of one group, whole or in part; none if the group has nowhere to go.
// append  (const Group&, std::vector<Action>&): appends the group's moves, each a Move
template <typename Move, typename Action, typename State, typename Append>
std::optional<Action> RandomMove(const State& s, int side, Generator& chance, Append append) {
  std::vector<Group> groups = GroupsOf(s, side);
  std::erase_if(groups, [&](const Group& group) {
    bool all_moved = true;
    ForStandsIn(s, side, group.cell, [&](PieceNo, const auto& stand) {
      if (stand.unit == group.unit) all_moved = all_moved && stand.moved;
    });
    return all_moved;
  });
  if (groups.empty()) return std::nullopt;
  std::vector<Action> moves;
  append(OneOf(groups, chance), moves);
  if (moves.empty()) return std::nullopt;
  // Prefer the end nearest to an enemy of a few moves: players who never meet never fight.
  const auto nearness = [&](const Action& action) {
    const Cell to = std::get<Move>(action.what).path.back();
    int best = s.setup->board.Cells();
    for (const auto& stand : s.stands)
      if (stand.side != side && OnBoard(stand))
        best = std::min(best, StepsBetween(s.setup->board.Between(to, stand.cell)));
    return best;
  };
  constexpr int kCompared = 3;
  const Action* best = &OneOf(moves, chance);
  for (int n = 1; n < kCompared; ++n) {
    const Action& other = OneOf(moves, chance);
    if (nearness(other) < nearness(*best)) best = &other;
  }
  return *best;
}

}  // namespace fos::squares
