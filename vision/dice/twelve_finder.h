// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "vision/dice/dice_finder.h"

namespace fos {

// All numbered twelve-sided dice that lie on a face among what is new in a part of the pictures,
// the surest first.
std::vector<DieFound> FindTwelveSided(const ShotPictures& pictures, const DicePart& part);

}  // namespace fos
