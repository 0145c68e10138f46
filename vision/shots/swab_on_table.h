// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "vision/shots/shot_detector.h"
#include "vision/shots/swab_fit.h"

namespace fos {

// From an axis in the patch to a point on the table: heights, the two ways of measuring, the doubt.
ProjectileFinding SwabOnTable(const SwabFit& fit, const PatchPair& pair, const TableCamera& camera,
                              const TerrainMap& terrain, const SwabShape& shape,
                              const ShotDetectorOptions& options);

// A swab itself with its blur, without its shadow.
Polygon SwabBody(const ProjectileFinding& swab, const SwabShape& shape);

// Swabs that came together: which of two lies on the other is not told, so that each is as high as
// if it lay on the cloth, or on the other, or between.
void MayLieOnOneAnother(std::vector<ProjectileFinding>& swabs, const TerrainMap& terrain,
                        const cv::Vec3d& eye, const SwabShape& shape);

}  // namespace fos
