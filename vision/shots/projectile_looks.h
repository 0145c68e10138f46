// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "calibration/camera/learnt_projectile.h"
#include "engine/table/scenario.h"
#include "vision/shots/shot_detector.h"

// Learns what projectiles look like from several that were laid on the open table.
namespace fos {

// One shown projectile.
struct ShownProjectile {
  ProjectileFinding finding;
  LearntProjectile looks;
};
struct ShownProjectiles {
  std::vector<ShownProjectile> measured;
  std::vector<ProjectileFinding> unclear;  // seen, but an end or the mark is not clear
};

// Everything that lies in `after` and not in `before`. Looks twice: the second time with what the
// first has learnt of the sticks and lengths.
ShownProjectiles FindShown(const ShotPictures& pictures, const Scenario& scenario);

// The means over all of a kind, with their spread. In the order of the scenario; a kind that was
// not shown is left out.
std::vector<LearntProjectile> Pooled(const std::vector<ShownProjectile>& shown);

// The pictures of a table before and after, as ShotPictures: `before` is brought to the exposure of
// `after`, the noise is measured where nothing changed. Both CV_8UC3 of the camera's size.
ShotPictures PicturesBeforeAndAfter(const cv::Mat& before, const cv::Mat& after,
                                    const TableCamera& camera);

}  // namespace fos
