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
  Paint paint;       // middle and robust spread over the table, as all of it would look in the
                     // board's middle: what the light does from end to end is taken off
  cv::Vec3b bgr;
  int stands = 0;  // looked at; of the cloth, places
};
struct PaintContrast {
  std::vector<PaintSeen> seen;  // every side in the scenario's order, the cloth last
  struct Doubt {
    std::size_t a = 0;  // into `seen`
    std::size_t b = 0;
    double apart = 0;  // in standard deviations of both together
  };
  std::vector<Doubt> doubts;
  std::vector<std::size_t> unseen;  // sides that have units and not one stand was found
};

// Whether the sides' paints can be told from each other and from the cloth, from the stands that
// were found: the painted rim of each base against what lies between the stands.
// bgr  CV_8UC3, the picture the stands were found in.
PaintContrast ComparePaints(const cv::Mat& bgr, const TableCamera& camera, const TableFrame& frame,
                            const std::vector<StandObservation>& stands, const Scenario& scenario);

// One sentence for people: what cannot be told apart and what to do. Empty where all can.
std::string ContrastText(const PaintContrast& contrast);

// The paints as they are seen, side by side, each with its name and its doubts. CV_8UC3.
cv::Mat DrawContrast(const PaintContrast& contrast);

}  // namespace fos
