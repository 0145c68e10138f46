// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/rules/sweet/seen_position.h"
#include "engine/shots/seen.h"
#include "engine/squares/grid_moves.h"

// Matches a move the camera saw to a legal one, or refuses it by clause.
namespace fos::sweet {

using namespace squares;

// Needed beside the State: CostOf, OnRoad, ActionToLine(State, {Move, overrule}).
struct GridMoveWords {
  template <typename State, typename Move>
  static int Cost(const State& s, const Move& move, Cell from) {
    return CostOf(s, from, move.path);
  }
  template <typename State, typename Move>
  static int Allowed(const State& s, const Move& move, Cell from) {
    return AllowanceOf(s, move.stands, move.equipment) +
           (OnRoad(s, from, move.path) ? s.Book().road_bonus : 0);
  }
};

// NAP-2C, NAP-2G, ANC-V2, ANC-V6: faults of the deployment and unclear facings, before the first
// turn. `clause` is cited for the facings.
template <typename SeenPosition, typename Setup>
Result<std::vector<std::string>> SeenSetupFaults(const Result<std::shared_ptr<const Setup>>& setup,
                                                 const std::vector<StandObservation>& stands,
                                                 const TableFrame& frame, const char* clause) {
  if (!setup.ok()) return setup.error();
  const SeenPosition position(setup.value(), frame, stands);
  std::vector<std::string> out = DeploymentFaults(position.Now());
  AddUnclearFacings(position, stands, clause, out);
  return out;
}

// NAP-1, NAP-2F, ANC-V1, ANC-V5. The camera does not see turns begin, so each move is judged on its
// own, as if its side were about to move. A unit whose stands move one after the other does not
// count as separated. Traits holds the rule set's part:
//   Position, Move, StepBegan{turn, step, side}, kMovement
//   Ready(State&)                   sets what the camera cannot know so that the move is possible
//   FindWay(const State&, Move&, Cell to)   a cheapest legal path, else the direct one
//   Check(const State&, const Move&) -> std::optional<Refusal>
//   Cost, Allowed(const State&, const Move&, Cell from) -> int    hundredths of a square
//   ClauseOf(const Move&)           the clause of a legal move
// GridMoveWords has the shared ones.
template <typename Traits, typename Setup>
Result<std::optional<MoveRuling>> JudgeSeenMove(const Result<std::shared_ptr<const Setup>>& setup,
                                                const SeenMove& seen,
                                                const std::vector<StandObservation>& stands,
                                                const TableFrame& frame) {
  if (!setup.ok()) return setup.error();
  if (!frame.Contains(seen.from) || !frame.Contains(seen.to) || seen.from == seen.to)
    return std::optional<MoveRuling>();
  typename Traits::Position position(setup.value(), frame, stands);
  auto& s = position.Now();
  const Cell from = s.setup->board.At(seen.from);
  const Cell to = s.setup->board.At(seen.to);
  typename Traits::Move move;
  for (const StandId& id : seen.pieces) {
    if (const auto i = position.StandOf(id); i && OnBoard(s.StandAt(*i)))
      move.stands.push_back(*i);
    else if (const auto e = position.PieceOf(id); e && OnBoard(s.EquipmentAt(*e)))
      move.equipment.push_back(*e);
  }
  if (move.stands.empty()) return std::optional<MoveRuling>();
  move.side = s.StandAt(move.stands.front()).side;
  ApplyTo(s, typename Traits::StepBegan{1, Traits::kMovement, static_cast<std::int8_t>(move.side)});
  // The rest of a unit that may not separate follows.
  for (std::size_t i = 0; i < s.stands.size(); ++i) {
    const bool follows = std::any_of(move.stands.begin(), move.stands.end(), [&](PieceNo goes) {
      return s.StandAt(goes).unit == s.stands[i].unit && !s.TypeOf(s.stands[i]).may_separate;
    });
    const auto piece = static_cast<PieceNo>(i);
    if (!follows || !OnBoard(s.stands[i]) ||
        std::find(move.stands.begin(), move.stands.end(), piece) != move.stands.end())
      continue;
    // The camera may have seen the others in another square already, or not yet gone.
    ApplyTo(s, StandPlaced{piece, from, s.stands[i].facing});
    move.stands.push_back(piece);
  }
  std::sort(move.stands.begin(), move.stands.end());
  for (auto& stand : s.stands) stand.moved = false;
  for (auto& e : s.equipment) e.moved = false;
  Traits::Ready(s);
  Traits::FindWay(s, move, to);
  move.facing = NearestFacing(seen.bearing_deg);
  MoveRuling out;
  out.line = ActionToLine(s, {move, false});
  out.refused = Traits::Check(s, move);
  std::string who;
  for (const StandId& id : seen.pieces) who += (who.empty() ? "" : ", ") + id.text;
  const std::string went = fmt::format("{} from {} to {}", who, CellName(s, from), CellName(s, to));
  const auto squares = [](int hundredths) { return hundredths / static_cast<double>(kWhole); };
  out.text =
      out.refused
          ? fmt::format("{}: {} ({})", went, out.refused->because, out.refused->clause)
          : fmt::format("{}: {:g} of {:g} squares ({})", went, squares(Traits::Cost(s, move, from)),
                        squares(Traits::Allowed(s, move, from)), Traits::ClauseOf(move));
  return std::optional<MoveRuling>(std::move(out));
}

}  // namespace fos::sweet
