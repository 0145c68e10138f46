// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/pose_fit.h"
#include "calibration/camera/table_camera.h"
#include "engine/table/table_frame.h"

namespace fos {

// A stretch of one drawn grid line, measured across.
// Each side of a square is measured in so many stretches: a tree or a stand then costs one or two.
constexpr int kStretchesPerSide = 4;
struct GridSight {
  int line = 0;  // 0..columns: the lines that run north; then 0..rows those that run east
  bool runs_north = true;
  int stretch = 0;       // along the line from its south or west end
  Vec2 at;               // middle of the stretch where the line should be, inches
  double off_in = 0;     // where it was seen: east of that for a line that runs north, else north
  double contrast = 0;   // light or dark line: seen minus its surroundings, in code values
  double clearness = 0;  // contrast over what the cloth beside it does by chance
};

// The drawn lines near where the camera has them.
// grey      CV_8UC1, the size of the camera's lens.
// reach_in  how far from there to look: the camera's own error and the hand that drew them.
// returns   the stretches in which a line is seen, those of terrain, troops and shadows among them:
//           what uses them must be robust.
std::vector<GridSight> MeasureGrid(const cv::Mat& grey, const TableCamera& camera,
                                   const TableFrame& frame, double reach_in);

// What a stretch tells about the pose; sigma_in is how far a drawn line strays. Its two shares have
// px_per_unit filled in, for shifts in inches to the east or north; whose they are is the caller's.
LineSight SightOf(const GridSight& seen, const TableCamera& camera, double sigma_in);

}  // namespace fos
