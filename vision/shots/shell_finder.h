// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "vision/shots/shot_detector.h"

// Finds shells by the image model alone: every place that changed about as much as a shell is
// explained as one.
namespace fos {

// The shells among what is new in `where`, at most so many: what a shell explains better than any
// other thing of another shape, and other light. Those that may be others are not measured.
// others  what else came, whose pixels say nothing of a shell
std::vector<ProjectileFinding> FindShells(const ShotPictures& pictures, const TerrainMap& terrain,
                                          const TableBox& where, const ProjectileSpec& spec,
                                          const std::vector<Polygon>& others, std::size_t most,
                                          const OnJudged& on_judged = {});

}  // namespace fos
