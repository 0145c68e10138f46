// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "datasets/render/wild_draws.h"
#include "datasets/render/wild_solid.h"

namespace fos {

// Any colour at all.
cv::Vec3f AnyPaint(Draws& draws);

// A tin figure some 1.2 in high by its parts, standing on bottom_in or, knocked over, lying along
// `heading_rad`. coat: its colour
std::vector<WildSolid> FigureAt(Vec2 at, double heading_rad, double bottom_in, double high_in,
                                bool lying, cv::Vec3f coat, Draws& draws);

}  // namespace fos
