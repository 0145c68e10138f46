// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/game/rule_game.h"
#include "engine/squares/queries.h"
#include "engine/table/clause.h"

// PieceReach for games whose State is as described in squares/queries.h.
namespace fos::sweet {

using namespace squares;

// The stands on the board that a name means: a unit's, or a single stand. Empty if it is neither.
template <typename State>
std::vector<PieceNo> StandsNamed(const State& s, std::string_view name) {
  std::vector<PieceNo> out;
  for (std::size_t i = 0; i < s.stands.size(); ++i) {
    const auto stand = static_cast<PieceNo>(i);
    if (OnBoard(s.stands[i]) &&
        (UnitName(s, s.stands[i].unit) == name || StandName(s, stand) == name))
      out.push_back(stand);
  }
  return out;
}
// -1: no such piece on the board.
template <typename State>
PieceNo EquipmentNamed(const State& s, std::string_view name) {
  for (std::size_t i = 0; i < s.equipment.size(); ++i)
    if (OnBoard(s.equipment[i]) && EquipmentName(s, static_cast<PieceNo>(i)) == name)
      return static_cast<PieceNo>(i);
  return -1;
}

// The fire of `side` from a square.
// range    hundredths of a square
// aim      Cell -> std::optional<Refusal>: may it fire there, whatever is there?
// screens  Cell -> bool: would the cell screen what is behind it?
template <typename State, typename Aim, typename Screens>
void AddFire(const State& s, int side, Cell from, int range, Aim aim, Screens screens,
             PieceReach& out) {
  if (range <= 0) return;
  const auto& board = s.setup->board;
  out.range = std::max(out.range, range / static_cast<double>(kWhole));
  const auto within = [&](Cell cell) {
    return cell != from && DistanceBetween(s, from, cell) <= range;
  };
  for (Cell cell = 0; cell < board.Cells(); ++cell) {
    if (!within(cell) || aim(cell)) continue;
    std::string name = CellName(s, cell);
    if (std::find(out.arc.begin(), out.arc.end(), name) == out.arc.end())
      out.arc.push_back(std::move(name));
  }
  for (const Group& enemy : GroupsOf(s, 1 - side)) {
    if (!within(enemy.cell)) continue;
    SightLine line;
    line.target = UnitName(s, enemy.unit);
    line.from = CellName(s, from);
    line.to = CellName(s, enemy.cell);
    const std::optional<Refusal> refused = aim(enemy.cell);
    line.clear = !refused;
    if (refused) {
      line.because = refused->because;
      line.clause = refused->clause;
      for (const Cell cell : CellsInTheWay(board, from, enemy.cell))
        if (screens(cell)) line.blocked.push_back(CellName(s, cell));
    }
    out.sights.push_back(std::move(line));
  }
}

// Where the stands that have not moved yet may go together, from the first one's square, by the
// rule set's own AllowanceOf, CostOf and CheckArrival.
// paths  (stands) -> the squares in reach, each with a cheapest path
template <typename Move, typename State, typename Paths>
void AddMarch(const State& s, const std::vector<PieceNo>& stands, Paths paths, PieceReach& out) {
  const auto& first = s.StandAt(stands.front());
  Move move;
  move.side = first.side;
  for (const PieceNo i : stands)
    if (s.StandAt(i).cell == first.cell && !s.StandAt(i).moved) move.stands.push_back(i);
  if (move.stands.empty()) return;
  const auto in_squares = [](int hundredths) { return hundredths / static_cast<double>(kWhole); };
  out.allowance = in_squares(AllowanceOf(s, move.stands, move.equipment));
  for (std::vector<Cell>& path : paths(move.stands)) {
    move.path = std::move(path);
    if (!CheckArrival(s, move, /*strict=*/false))
      out.moves.emplace_back(CellName(s, move.path.back()),
                             in_squares(CostOf(s, first.cell, move.path)));
  }
}

}  // namespace fos::sweet
