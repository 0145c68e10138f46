// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/scenario.h"
#include "engine/table/table_frame.h"

namespace fos {

// A square in which one side's paint lies, before anybody has said what stands there.
struct ArmySpot {
  int side = 0;  // index into Scenario::sides
  SquareIndex square;
  double painted_in2 = 0;  // that is seen, square inches
};

// Where the armies stand: every square with at least half of the smallest base's paint. Paint that
// lies together counts for the square of its middle, unless it is larger than a square.
// bgr       CV_8UC3, the size of the camera's lens
// scenario  its sides' paints; neither kinds nor units are needed
// Returns squares by side, row by row from the north-west.
std::vector<ArmySpot> FindArmySpots(const cv::Mat& bgr, const TableCamera& camera,
                                    const TableFrame& frame, const Scenario& scenario);

// How many bases of that footprint show so much paint: a bar and figures hide the most of it, those
// of infantry more than those of horse.
int BasesOf(double painted_in2, Box2 footprint);

}  // namespace fos
