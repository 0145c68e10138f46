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

// Only stands of one side and kind can be the same. Units stay together: of all ways to give each
// unit places of its own the one that is shortest in all, with what it lost of its own layout and
// the stands that were parted from it. Where another way is little longer it is doubted.
// lost      as last seen; found  as seen now
// reach_in  by kind, inches as the crow flies: further a unit seldom goes at once; empty: anywhere
StandAssignment AssignStands(std::span<const StandObservation> lost,
                             std::span<const StandObservation> found,
                             std::span<const double> reach_in = {});

}  // namespace fos
