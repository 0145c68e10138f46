// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/observation.h"
#include "vision/appearance/paint_model.h"
#include "vision/stands/stand_outline.h"
#include "vision/stands/stand_search.h"

// A stand's pose from the edges of its base, in the picture's own pixels.
namespace fos {

struct StandFit {
  Pose2 table_from_stand;
  // Inches squared: from the noise of its edges here (edge_covariance.h), scaled by how far edges
  // and outline disagree. Without the registration's uncertainty.
  Cov2 centre_cov;
  double heading_sigma_rad = 0;
  double edges = 0;     // share of the outline and of the bar's rear edge seen as an edge
  double bar_seen = 0;  // share of the bar that has its colour
  double top_seen = 0;  // share of the rest of the top that has the side's paint
  int profiles = 0;     // places where an edge was measured
  double burnt = 0;     // BurntShare of them
  // The paints as they are here, linear light; empty where too little of them is seen.
  std::optional<cv::Vec3f> bar, top;
};

// bgr         CV_8UC3 as the camera gives it
// outline     where its outline is most likely: the start, and the prior where edges are few
// ground_in   height of what the stand stands on
// neighbours  the other stands within reach
// terrain     where it hides the outline no edge is measured
StandFit FitStand(const cv::Mat& bgr, const TableCamera& camera, const KindSpec& kind,
                  const Paint& side_paint, const Paint& bar_paint, const StandOutline& outline,
                  double ground_in, const std::vector<OutlineNeighbour>& neighbours,
                  const TerrainView& terrain = {});

}  // namespace fos
