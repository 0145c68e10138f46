// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/scenario.h"
#include "vision/appearance/paint_model.h"
#include "vision/scene/stand_scene.h"
#include "vision/stands/stand_search.h"

// What the stand detector found at each stage, for debug pictures (judge --debug).
namespace fos {

// One search of the table.
struct StandTrace {
  struct Stage {
    std::string name;
    std::vector<StandHypothesis> stands;  // the stands that passed it
  };
  struct Dropped {
    StandHypothesis stand;
    std::string why;  // with the numbers that decided
  };
  cv::Mat picture;  // CV_8UC3, what was searched
  TableCamera camera;
  std::vector<Stage> stages;
  std::vector<Dropped> dropped;
  std::optional<PaintModel> paints;  // as learnt; only the first search learns them
};

struct StagePicture {
  std::string name;  // "1_paints"
  cv::Mat picture;   // CV_8UC3, of the trace's size
};
// Every pixel's paint, the stands after each stage, the dropped ones with their numbers, and the
// final scene with two sigma around each centre.
std::vector<StagePicture> DrawStages(const StandTrace& trace, const Scenario& scenario,
                                     const StandScene& scene);
// Why each stand was dropped, one line each, with its number on the picture.
std::string StageWords(const StandTrace& trace, const Scenario& scenario);
// The paints as learnt, one line each: lightness, red-green and yellow-blue of PaintColour. Empty
// if the search learnt none.
std::string PaintWords(const StandTrace& trace, const Scenario& scenario);

}  // namespace fos
