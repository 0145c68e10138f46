// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/observation.h"
#include "engine/table/scenario.h"
#include "engine/table/table_frame.h"
#include "vision/appearance/paint_model.h"

namespace fos {

// A paint (or the cloth) as this camera sees it under this light.
struct PaintSeen {
  std::string name;  // the side's, or "the cloth"
  Paint paint;       // median and robust spread over the table, without the light's gradient: as it
                     // would look in the middle of the board
  cv::Vec3b bgr;
  int stands = 0;  // sampled; places for the cloth
};
struct PaintContrast {
  std::vector<PaintSeen> seen;  // every side in the scenario's order, the cloth last
  struct Doubt {
    std::size_t a = 0;  // into `seen`
    std::size_t b = 0;
    double apart = 0;  // in standard deviations of both combined
  };
  std::vector<Doubt> doubts;
  std::vector<std::size_t> unseen;  // sides with units of which no stand was found
};

// Whether the sides' paints differ enough from each other and from the cloth, measured on the
// stands that were found: the painted rim of each base against the cloth between the stands. bgr
// CV_8UC3, the picture the stands were found in.
PaintContrast ComparePaints(const cv::Mat& bgr, const TableCamera& camera, const TableFrame& frame,
                            const std::vector<StandObservation>& stands, const Scenario& scenario);

// For the players, one sentence: which paints look alike, and what to do. Empty if none do.
std::string ContrastText(const PaintContrast& contrast);

// A picture of the paints as seen, side by side, each with its name and its doubts. CV_8UC3.
cv::Mat DrawContrast(const PaintContrast& contrast);

}  // namespace fos
