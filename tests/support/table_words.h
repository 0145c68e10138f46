// SPDX-License-Identifier: MIT
#pragma once

#include "engine/squares/geometry.h"

// Short names for the sides and facings of small games set up by hand.
namespace fos::test::words {

constexpr int kBlue = 0;
constexpr int kRed = 1;
constexpr Facing N = Facing::kNorth, NE = Facing::kNorthEast, E = Facing::kEast,
                 SE = Facing::kSouthEast, S = Facing::kSouth, SW = Facing::kSouthWest,
                 W = Facing::kWest, NW = Facing::kNorthWest;

}  // namespace fos::test::words
