// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "datasets/render/wild_draws.h"
#include "datasets/render/wild_solid.h"

namespace fos {

// What a player's arm looks like.
struct WildArm {
  cv::Vec3f skin;
  cv::Vec3f sleeve;
  double sleeve_from_in = 4;  // from the fingertips; short sleeves begin further up
};
WildArm DrawArm(Draws& draws);

// An arm that reaches over the table: two fingers and the thumb meet at `grip`, the elbow lies
// `from_in` behind along -way. way: unit vector
std::vector<WildSolid> ArmOver(const WildArm& arm, Vec2 grip, double height_in, Vec2 way,
                               double from_in);

}  // namespace fos
