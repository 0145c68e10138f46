// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "vision/stands/stand_look.h"
#include "vision/stands/stand_measurement.h"

// Finds the stands that the scenario places, in the squares where it places them.
namespace fos {

// Whether two units are of one class and stand in one square: their stands cannot be told apart.
bool SharesPlace(const UnitSpec& a, const UnitSpec& b);
// How many stands the scenario places in a unit's square: of all units of its class there.
std::size_t ExpectedOf(const StandLook& look, const UnitSpec& unit);

// The unit of each stand, an index into Scenario::units; empty where none has room for it. A stand
// may lean out of its square: all get units together, with as little of that as can be.
std::vector<std::optional<std::size_t>> UnitsOf(const StandLook& look,
                                                std::span<const StandHypothesis> stands);

// All squares with units, by the paints.
std::vector<StandHypothesis> SearchSquares(const StandLook& look);

// Adds the stands of all units that have not been found in their squares, by their outlines.
// Returns whether there were any.
bool FindMissing(const StandLook& look, std::vector<StandHypothesis>& stands);

// Drops what is in no square where the scenario places its class, unless the evidence is strong.
// Keeps the best-scoring of surplus stands: a road's edge may pass for a bar.
void DropUnexpected(const StandLook& look, std::vector<StandHypothesis>& stands);

// Moves a stand with little evidence to a place in its unit's square that has more. Returns whether
// any was moved.
// measured  of `stands`
bool ReplaceWeak(const StandLook& look, std::vector<StandHypothesis>& stands,
                 std::span<const MeasuredStand> measured);

}  // namespace fos
