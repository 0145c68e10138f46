// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>

#include "calibration/camera/camera_model.h"
#include "engine/table/table_frame.h"

namespace fos {

struct GridPose {
  cv::Vec3d rvec;
  cv::Vec3d tvec;
  double support = 0;  // share of the drawn lines' length that is seen, [0, 1]
};

// A first pose, good to about a tenth of an inch, from the drawn grid alone: two families of lines
// meeting at right angles, as many and as far apart as the board says. Which corner is south-west
// the lines cannot tell; any one of the possible placements is returned.
// grey            CV_8UC1, the size of the lens.
// trust_the_rim   false to give less weight to what is near the picture's border: for a faint grid
//                 on a floor or table whose boards have plainer lines than the grid itself.
// errors  kNotFound when no such grid stands out.
Result<GridPose> FindGrid(const cv::Mat& grey, const CameraModel& lens, const TableFrame& frame,
                          bool trust_the_rim = true);

}  // namespace fos
