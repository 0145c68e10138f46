#include "engine/rules/napoleonic/seen_move.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/rules/napoleonic/game_file.h"
#include "engine/rules/napoleonic/lines.h"
#include "engine/rules/napoleonic/movement.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/rules/napoleonic/seen_position.h"

namespace fos::napoleonic {
namespace {

double Squares(int hundredths) { return hundredths / static_cast<double>(squares::kWhole); }

// The cheapest way there; out of reach the straight one, for the refusal to say by how much.
std::vector<Cell> WayTo(const State& s, const Move& move, Cell from, Cell to) {
  for (std::vector<Cell>& path : Reach(s, move.stands, move.equipment))
    if (path.back() == to) return std::move(path);
  std::vector<Cell> path;
  for (Cell at = from; at != to;) {
    at = s.setup->board.Step(at, squares::NearestDirection(s.setup->board.Between(at, to)));
    path.push_back(at);
  }
  return path;
}

}  // namespace

// NAP-1, 2C to 2F, 5B: the move as it was seen.
Result<std::optional<MoveRuling>> JudgeSeenMove(const SeenMove& seen,
                                                const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame) {
  const auto setup = SetupOf(scenario, frame);
  if (!setup.ok()) return setup.error();
  if (!frame.Contains(seen.from) || !frame.Contains(seen.to) || seen.from == seen.to)
    return std::optional<MoveRuling>();
  SeenPosition position(setup.value(), frame, stands);
  State& s = position.Now();
  const Cell from = s.setup->board.At(seen.from);
  const Cell to = s.setup->board.At(seen.to);
  Move move;
  for (const StandId& id : seen.pieces) {
    if (const auto i = position.StandOf(id); i && OnBoard(s.StandAt(*i)))
      move.stands.push_back(*i);
    else if (const auto e = position.PieceOf(id); e && OnBoard(s.EquipmentAt(*e)))
      move.equipment.push_back(*e);
  }
  if (move.stands.empty()) return std::optional<MoveRuling>();
  move.side = s.StandAt(move.stands.front()).side;
  ApplyTo(s, StepBegan{1, Step::kMovement, static_cast<std::int8_t>(move.side)});
  // The rest of a unit that may not separate follows.
  for (std::size_t i = 0; i < s.stands.size(); ++i) {
    const bool follows = std::any_of(move.stands.begin(), move.stands.end(), [&](PieceNo goes) {
      return s.StandAt(goes).unit == s.stands[i].unit && !s.TypeOf(s.stands[i]).may_separate;
    });
    const auto piece = static_cast<PieceNo>(i);
    if (!follows || !OnBoard(s.stands[i]) ||
        std::find(move.stands.begin(), move.stands.end(), piece) != move.stands.end())
      continue;
    // Wherever the camera saw the others lie, in another square already or not yet gone.
    ApplyTo(s, StandPlaced{piece, from, s.stands[i].facing});
    move.stands.push_back(piece);
  }
  std::sort(move.stands.begin(), move.stands.end());
  for (Stand& stand : s.stands) stand.moved = false;
  for (Equipment& e : s.equipment) {
    e.moved = false;
    e.limbered = true;
  }
  move.path = WayTo(s, move, from, to);
  move.facing = NearestFacing(seen.bearing_deg);
  MoveRuling out;
  out.line = ActionToLine(s, {move, false});
  out.refused = CheckMove(s, move);
  std::string who;
  for (const StandId& id : seen.pieces) who += (who.empty() ? "" : ", ") + id.text;
  const std::string went = fmt::format("{} from {} to {}", who, CellName(s, from), CellName(s, to));
  if (out.refused) {
    out.text = fmt::format("{}: {} ({})", went, out.refused->because, out.refused->clause);
  } else {
    const int allowed = AllowanceOf(s, move.stands, move.equipment) +
                        (OnRoad(s, from, move.path) ? s.Book().road_bonus : 0);
    out.text =
        fmt::format("{}: {:g} of {:g} squares ({})", went, Squares(CostOf(s, from, move.path)),
                    Squares(allowed), move.equipment.empty() ? "NAP-1" : "NAP-2F");
  }
  return std::optional<MoveRuling>(std::move(out));
}

// NAP-2C: before the first turn.
Result<std::vector<std::string>> CheckSeenSetup(const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame) {
  const auto setup = SetupOf(scenario, frame);
  if (!setup.ok()) return setup.error();
  return DeploymentFaults(SeenPosition(setup.value(), frame, stands).Now());
}

}  // namespace fos::napoleonic
