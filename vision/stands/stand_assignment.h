#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/table/observation.h"
#include "vision/scene/stand_scene.h"

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

// Who is who by that, and what of it is doubted.
struct NamesLeft {
  std::vector<IdentityDoubt::Stand> changed;  // who is called otherwise from now on
  std::vector<IdentityDoubt> doubts;
};
// Names given to them as if they had just been seen.
NamesLeft NamesOf(const HandledStands& handled);
// People say that those of the doubt are what they may be, if `changed`, else what they are taken
// for. What that leaves of all that was handled with them: a doubt that it answers, too, is none
// any more, and what it makes possible is one.
NamesLeft NamesAfterAnswer(const IdentityDoubt& doubt, bool changed);
// What people say of an earlier look changes who it was that was handled. Returns whether it does.
bool RenameIn(HandledStands& handled, const std::vector<IdentityDoubt::Stand>& changed);

}  // namespace fos
