// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/table/observation.h"
#include "vision/scene/stand_scene.h"

namespace fos {

// Which of the stands that left their places each newly found stand is, after hands have moved
// some.
struct StandAssignment {
  std::vector<int> lost_of_found;     // index into lost for each found; -1: none of them
  std::vector<IdentityDoubt> doubts;  // what cannot be known from the picture
};

// Only stands of one side and kind can be the same. Finds the assignment of units to places with
// the least total cost: distance moved, change of the unit's layout, and stands parted from it. A
// different assignment of nearly the same cost is reported as a doubt.
// lost      as last seen; found  as seen now
// reach_in  by kind, inches as the crow flies: a unit seldom moves further at once; empty: anywhere
StandAssignment AssignStands(std::span<const StandObservation> lost,
                             std::span<const StandObservation> found,
                             std::span<const double> reach_in = {});

// The ids by an assignment, and what is doubtful about them.
struct NamesLeft {
  std::vector<IdentityDoubt::Stand> changed;  // stands whose id changes
  std::vector<IdentityDoubt> doubts;
};
// Assigns them again, as if they had just been found.
NamesLeft NamesOf(const HandledStands& handled);
// The players have answered a doubt: its stands are what they may be, if `changed`, else what they
// are taken for. Assigns the other stands that were handled with them again. That may settle other
// doubts and raise new ones.
NamesLeft NamesAfterAnswer(const IdentityDoubt& doubt, bool changed);
// Applies the players' answer about an earlier search to the stands handled later. Returns whether
// it changes any.
bool RenameIn(HandledStands& handled, const std::vector<IdentityDoubt::Stand>& changed);

}  // namespace fos
