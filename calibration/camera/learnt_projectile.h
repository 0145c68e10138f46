// SPDX-License-Identifier: MIT
#pragma once

#include "engine/table/scenario.h"

namespace fos {

// A kind of projectile as `calibrate projectiles` measured it on the table, over several of them.
// Inches. A swab's colours are as they would look where its cotton sends back 85 % of the light; a
// shell's are as the camera saw them.
struct LearntProjectile {
  Projectile type = Projectile::kQtip;
  int samples = 0;
  double length_in = 0;        // swab, end to end: the mean
  double length_sigma_in = 0;  // of one swab: their spread, and the error of measuring the mean
  double cotton_length_in = 0;
  double cotton_thickness_in = 0;
  double dip_in = 0;  // how much of the tip is painted
  Colour stick;
  Colour tip_paint;
  double size_in = 0;  // shell: side of the square
  double size_sigma_in = 0;
  Colour body;
  Colour mark;

  bool operator==(const LearntProjectile&) const = default;
};

}  // namespace fos
