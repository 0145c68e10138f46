// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "tests/support/tabletop.h"

// Swabs as they are sold, for tests: pear-shaped cotton, sticks of any colour, bent ones.
namespace fos::test {

struct SwabLook {
  double length_in = 3.0;
  double cotton_in = 0.5;          // how long each cotton end is
  double cotton_radius_in = 0.11;  // where it is thickest
  double pear = 0;      // share of that radius that is missing at the stick's side, [0, 1)
  double dip_in = 0.3;  // how much of the tip is dipped
  double bend_in = 0;   // by how much the middle lies beside the line between the ends
  Colour cotton{236, 234, 228};
  Colour stick{226, 226, 222};
  Colour dip{90, 20, 20};
};

// One lying flat on the cloth. Cotton is a row of balls, as thick as the pear is there.
inline void LaySwab(Tabletop& table, Vec2 tip, double toward_tail_rad, const SwabLook& look) {
  constexpr double kBall_in = 0.036;  // from one ball's middle to the next
  const Vec2 along = Rotated({1, 0}, toward_tail_rad);
  const auto at = [&](double station) {
    const double t = 2 * station / look.length_in - 1;
    const Vec2 p = tip + station * along + look.bend_in * (1 - t * t) * Perpendicular(along);
    return cv::Vec3d(p.x, p.y, look.cotton_radius_in);
  };
  const auto end = [&](bool tail) {
    const double r = look.cotton_radius_in;
    for (double d = 0; d <= look.cotton_in - r; d += kBall_in) {
      // d: how far this ball's own end lies from the swab's.
      const double toward_stick = d / (look.cotton_in - r);
      const double radius = r * (1 - look.pear * std::abs(2 * toward_stick - 0.6) / 1.4);
      const double station = d + radius;
      const cv::Vec3d middle = at(tail ? look.length_in - station : station);
      const bool dipped = !tail && d < look.dip_in - radius;
      table.rods.push_back({middle,
                            middle + cv::Vec3d(along.x, along.y, 0) * 1e-4,
                            radius,
                            dipped ? look.dip : look.cotton,
                            0,
                            {}});
    }
  };
  end(false);
  end(true);
  constexpr int kPieces = 6;
  constexpr double kFrom_in = 0.35;
  const double step = (look.length_in - 2 * kFrom_in) / kPieces;
  for (int i = 0; i < kPieces; ++i) {
    table.rods.push_back(
        {at(kFrom_in + i * step), at(kFrom_in + (i + 1) * step), 0.05, look.stick, 0, {}});
  }
}

}  // namespace fos::test
