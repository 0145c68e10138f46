// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/squares/game_words.h"
#include "engine/table/decision.h"
#include "engine/table/observation.h"

namespace fos::sweet {

using namespace squares;

// The position as the camera sees it. Pieces that were not observed are off the table. State as in
// queries.h, with NewGame and ApplyTo beside it.
template <typename State, typename StandLost, typename EquipmentLost>
class SeenPosition {
 public:
  template <typename Setup>
  SeenPosition(std::shared_ptr<const Setup> setup, const TableFrame& frame,
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
        ApplyTo(state_, StandPlaced{*i, cell, FacingOf(seen)});
      } else if (const auto e = PieceOf(seen.stand)) {
        piece_seen[static_cast<std::size_t>(*e)] = true;
        ApplyTo(state_, Moved{{}, {*e}, {cell}, true});
      }
    }
    for (std::size_t i = 0; i < stand_seen.size(); ++i)
      if (!stand_seen[i]) ApplyTo(state_, StandLost{static_cast<PieceNo>(i)});
    for (std::size_t i = 0; i < piece_seen.size(); ++i)
      if (!piece_seen[i]) ApplyTo(state_, EquipmentLost{static_cast<PieceNo>(i)});
  }

  const State& Now() const { return state_; }
  State& Now() { return state_; }
  // Look-up by the names that scenario and observations share ("F-1L1#2").
  std::optional<PieceNo> StandOf(const StandId& id) const {
    for (std::size_t i = 0; i < state_.stands.size(); ++i)
      if (StandName(state_, static_cast<PieceNo>(i)) == id.text) return static_cast<PieceNo>(i);
    return std::nullopt;
  }
  std::optional<PieceNo> PieceOf(const StandId& id) const {
    for (std::size_t i = 0; i < state_.equipment.size(); ++i)
      if (state_.setup->equipment[i].id == id.text) return static_cast<PieceNo>(i);
    return std::nullopt;
  }

 private:
  static Facing FacingOf(const StandObservation& seen) {
    return NearestFacing(BearingFromHeading(seen.table_from_stand.heading_rad));
  }
  State state_;
};

// Adds a fault for every stand whose bearing is too far from the nearest of the eight facings for
// players to agree on it. `clause` is cited.
template <typename Position>
void AddUnclearFacings(const Position& position, const std::vector<StandObservation>& stands,
                       const char* clause, std::vector<std::string>& out) {
  constexpr double kUnclear_deg = 15;  // NAP-2G
  for (const StandObservation& seen : stands) {
    if (!position.StandOf(seen.stand)) continue;
    const double bearing = BearingFromHeading(seen.table_from_stand.heading_rad);
    const Facing nearest = NearestFacing(bearing);
    const double off = std::abs(std::remainder(bearing - BearingOf(nearest), 360.0));
    if (off > kUnclear_deg)
      out.push_back(fmt::format("{} faces {:.0f} degrees off {}: turn it to a clear facing ({})",
                                seen.stand.text, off, FacingName(nearest), clause));
  }
}

// DEF-14: the call decides, so clamp the measured distance to agree with it.
inline std::int32_t CalledDistance(std::int32_t measured, std::int32_t limit, Call call) {
  return call == Call::kHit ? std::min(measured, limit) : std::max(measured, limit + 1);
}

}  // namespace fos::sweet
