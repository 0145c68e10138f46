#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/table/observation.h"
#include "vision/stand_scene.h"

namespace fos {

// Which of the stands that left their places each newly seen stand is, when hands have been in.
struct StandAssignment {
  std::vector<int> lost_of_found;     // index into lost for each found; -1: none of them
  std::vector<IdentityDoubt> doubts;  // what cannot be known from the picture
};

// Only stands of one side and kind can be the same. Units stay together: first each unit is given
// the group of stands (in contact or nearly) that fits its number and lies nearest, then each of
// its stands the place that keeps the unit's own layout best.
// lost   as last seen; found  as seen now
StandAssignment AssignStands(std::span<const StandObservation> lost,
                             std::span<const StandObservation> found);

}  // namespace fos
