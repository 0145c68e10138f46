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

// What the stand detector thought on its way, for pictures of each stage (judge --debug).
namespace fos {

// One look at the table.
struct StandTrace {
  struct Stage {
    std::string name;
    std::vector<StandHypothesis> stands;  // those that were still believed after it
  };
  struct Dropped {
    StandHypothesis stand;
    std::string why;  // in words, with the numbers that decided
  };
  cv::Mat picture;  // CV_8UC3, what was looked at
  TableCamera camera;
  std::vector<Stage> stages;
  std::vector<Dropped> dropped;
  std::optional<PaintModel> paints;  // as learnt; only the first look learns them
};

struct StagePicture {
  std::string name;  // "1_paints"
  cv::Mat picture;   // CV_8UC3, of the trace's size
};
// The paints as every pixel is read, the stands believed after each stage, those that were dropped
// with their numbers, and the scene it came to with two sigma about each centre.
std::vector<StagePicture> DrawStages(const StandTrace& trace, const Scenario& scenario,
                                     const StandScene& scene);
// Why each was dropped, a line each with its number on the picture.
std::string StageWords(const StandTrace& trace, const Scenario& scenario);
// The paints as learnt, a line each: lightness, red-green and yellow-blue of PaintColour. Empty
// where the look learnt none.
std::string PaintWords(const StandTrace& trace, const Scenario& scenario);

}  // namespace fos
