// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "engine/table/observation.h"
#include "vision/scene/stand_scene.h"
#include "vision/stands/stand_look.h"

// What became of the stands in a changed part of the picture.
namespace fos {

StandHypothesis AsHypothesis(const StandObservation& stand);

struct RecheckedStands {
  std::vector<StandObservation> kept;      // that still stand, measured again where they changed
  std::vector<StandObservation> lost;      // that left their places, as last seen
  std::vector<StandHypothesis> obstacles;  // the kept ones, as known to the search
  // Of the kept ones, those that are not quite in their places any more: as last seen.
  std::vector<StandObservation> pushed;
};
// Looks at every stand where it last stood.
// changed  CV_8UC1, non-zero where the picture has changed; or empty for everywhere
RecheckedStands RecheckStands(const StandLook& look, const StandScene& before,
                              const cv::Mat& changed);

// The same, with those that were pushed lost too: a place in which two stands meet may pass for the
// one that stood there.
RecheckedStands AsLost(RecheckedStands rechecked);

// Searches the changed part for the stands that left their places and for those that the scenario
// has and nobody has seen of late.
std::vector<StandObservation> FindMovedStands(const StandLook& look, const StandScene& before,
                                              const RecheckedStands& rechecked,
                                              const cv::Mat& changed);

}  // namespace fos
