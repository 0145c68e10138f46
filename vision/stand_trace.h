#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vision/paint_model.h"
#include "vision/stand_search.h"

// What the stand detector thought on its way, for pictures of each stage (judge --debug).
namespace fos {

struct StandTrace {
  struct Stage {
    std::string name;
    std::vector<StandHypothesis> stands;  // those that were still believed after it
  };
  struct Dropped {
    StandHypothesis stand;
    std::string why;  // in words, with the numbers that decided
  };
  std::vector<Stage> stages;
  std::vector<Dropped> dropped;
  std::optional<PaintModel> paints;  // as learnt
};

}  // namespace fos
