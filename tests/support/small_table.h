// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "datasets/render/synthetic.h"

// Made-up tables that are watched in tests and benchmarks, and events on them.
namespace fos::test {

// 16 x 12 in with three units a side, 800 x 600 pixels.
inline SyntheticOptions SmallTable(std::uint32_t seed) {
  SyntheticOptions o;
  o.seed = seed;
  o.columns = 4;
  o.rows = 3;
  o.width_px = 800;
  o.height_px = 600;
  o.units_a_side = 3;
  return o;
}

// 48 x 36 in.
inline SyntheticOptions WholeTable(int units_a_side, int width_px = 1920, int height_px = 1080) {
  SyntheticOptions o;
  o.seed = 4;
  o.columns = 12;
  o.rows = 9;
  o.width_px = width_px;
  o.height_px = height_px;
  o.units_a_side = units_a_side;
  return o;
}

// Moves the first unit one square north.
inline std::vector<StandObservation> Carried(const SyntheticTable& made) {
  std::vector<StandObservation> placed = made.stands;
  for (StandObservation& s : placed) {
    if (s.unit == made.stands.front().unit)
      s.table_from_stand.origin = s.table_from_stand.origin + Vec2{0.3, 4.2};
  }
  return placed;
}

// Evening light: daylight from the window fades and a lamp of 2,700 K, half as bright, stays.
// share  of the way from daylight (0) to the lamp alone (1).
inline void Darken(SyntheticOptions& o, double share) {
  constexpr double kEvening[] = {0.16, 0.36, 0.62};
  for (std::size_t c = 0; c < 3; ++c) o.lamp[c] = std::pow(kEvening[c], share);
}

}  // namespace fos::test
