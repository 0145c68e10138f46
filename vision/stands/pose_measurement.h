// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <opencv2/core.hpp>

#include "vision/image/point_spread.h"
#include "vision/stands/stand_fit.h"

namespace fos {

// A stand's pose, measured twice: by the edges of its base, each for itself (stand_fit.h), and by
// the whole picture that the base makes (base_fit.h). They fail by different things: shadows and
// paints burnt out displace single edges, figures that hide much of a base draw the whole picture.
// What the two disagree by counts as doubt.
// edges  as FitStand gives them
// blur   of the picture
// All else as for FitStand.
StandFit MeasurePose(const cv::Mat& bgr, const TableCamera& camera, const KindSpec& kind,
                     const Paint& bar_paint, const StandOutline& outline, const StandFit& edges,
                     double ground_in, const std::vector<OutlineNeighbour>& neighbours,
                     const PointSpread& blur, const TerrainView& terrain = {});

}  // namespace fos
