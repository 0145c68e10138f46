#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/rules/napoleonic/state.h"
#include "engine/table/observation.h"

namespace fos::napoleonic {

// The position the camera sees: every stand and piece where it was observed, what is not among the
// observations off the table.
class SeenPosition {
 public:
  SeenPosition(std::shared_ptr<const Setup> setup, const TableFrame& frame,
               const std::vector<StandObservation>& stands);

  const State& Now() const { return state_; }
  State& Now() { return state_; }
  // By the names that scenario and observations share ("F-1L1#2").
  std::optional<PieceNo> StandOf(const StandId& id) const;
  std::optional<PieceNo> PieceOf(const StandId& id) const;

 private:
  State state_;
};

}  // namespace fos::napoleonic
