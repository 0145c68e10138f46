#include "engine/rules/napoleonic/seen_position.h"

#include <utility>

#include "engine/rules/napoleonic/event.h"
#include "engine/rules/napoleonic/query.h"

namespace fos::napoleonic {

SeenPosition::SeenPosition(std::shared_ptr<const Setup> setup, const TableFrame& frame,
                           const std::vector<StandObservation>& stands)
    : state_(NewGame(std::move(setup), 0)) {
  std::vector<bool> stand_seen(state_.stands.size());
  std::vector<bool> piece_seen(state_.equipment.size());
  for (const StandObservation& seen : stands) {
    const auto square = frame.SquareAt(seen.table_from_stand.origin);
    if (!square) continue;
    const Cell cell = state_.setup->board.At(*square);
    if (const auto i = StandOf(seen.stand)) {
      stand_seen[static_cast<std::size_t>(*i)] = true;
      ApplyTo(state_, StandPlaced{*i, cell, state_.StandAt(*i).facing});
    } else if (const auto e = PieceOf(seen.stand)) {
      piece_seen[static_cast<std::size_t>(*e)] = true;
      ApplyTo(state_, Moved{{}, {*e}, {cell}, true});
    }
  }
  for (std::size_t i = 0; i < stand_seen.size(); ++i)
    if (!stand_seen[i]) ApplyTo(state_, StandLost{static_cast<PieceNo>(i), LossCause::kShot});
  for (std::size_t i = 0; i < piece_seen.size(); ++i)
    if (!piece_seen[i]) ApplyTo(state_, EquipmentLost{static_cast<PieceNo>(i), LossCause::kShot});
}

std::optional<PieceNo> SeenPosition::StandOf(const StandId& id) const {
  for (std::size_t i = 0; i < state_.stands.size(); ++i)
    if (StandName(state_, static_cast<PieceNo>(i)) == id.text) return static_cast<PieceNo>(i);
  return std::nullopt;
}

std::optional<PieceNo> SeenPosition::PieceOf(const StandId& id) const {
  for (std::size_t i = 0; i < state_.equipment.size(); ++i)
    if (state_.setup->equipment[i].id == id.text) return static_cast<PieceNo>(i);
  return std::nullopt;
}

}  // namespace fos::napoleonic
