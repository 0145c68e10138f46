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
  cv::Rect part;       // where that is in the whole picture; empty once the camera was moved
};

// Whether a tracked projectile is gone, and then paints what lay under it into pictures.before, so
// that what fell on the same place is compared with the cloth.
// part  of the whole picture, what the pictures show
bool WasPickedUp(const TrackedProjectile& projectile, const cv::Rect& part, ShotPictures& pictures);

}  // namespace fos
