#pragma once

#include "engine/squares/geometry.h"

// The words that every small game laid out by hand is told in: its two sides, and the ways to face.
namespace fos::test::words {

constexpr int kBlue = 0;
constexpr int kRed = 1;
constexpr Facing N = Facing::kNorth, NE = Facing::kNorthEast, E = Facing::kEast,
                 SE = Facing::kSouthEast, S = Facing::kSouth, SW = Facing::kSouthWest,
                 W = Facing::kWest, NW = Facing::kNorthWest;

}  // namespace fos::test::words
