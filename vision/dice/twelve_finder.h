// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "vision/dice/dice_finder.h"

namespace fos {

// All numbered twelve-sided dice that lie on a face among what is new in `where`, the surest first.
std::vector<DieFound> FindTwelveSided(const ShotPictures& pictures, const TerrainMap& terrain,
                                      const TableBox& where);

}  // namespace fos
