// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>

#include "vision/shots/shot_detector.h"

namespace fos {

// A projectile on the table that has been seen and not yet picked up.
struct TrackedProjectile {
  ProjectileFinding finding;
  cv::Mat bare;        // CV_8UC3, the part of the picture around it before it came
  TableCamera camera;  // of that part
};

// Whether a tracked projectile is gone. Then what lay under it and in its shadow is painted into
// pictures.before, so that what fell on the same place is compared with the cloth, and what is bare
// again is no longer in pictures.changed.
bool WasPickedUp(const TrackedProjectile& projectile, ShotPictures& pictures);

}  // namespace fos
