#pragma once

#include <string>
#include <vector>

#include "engine/fall_of_shot.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"

// Where vision meets the rules: what NAP-3F, 3G, 6A and 6D make of a shot that the camera measured.
namespace fos::napoleonic {

struct SeenShotVerdict {
  bool no_effect = false;          // over water (NAP-3F)
  std::vector<StandId> equipment;  // destroyed by touch: none or one
  std::vector<StandId> crew;       // goes with it: none or one
  std::vector<StandId> eligible;   // one of these falls; several: the firer chooses
  std::vector<StandId> barred;  // within the circle, but in a protected square the point is not in
  std::vector<StandId>
      doubtful;             // the measurement is too close to call: players settle these first
  std::string fire_square;  // this square takes the two dice (NAP-6D); empty for none
  std::string text;         // one sentence for people
};

// shot, stands  settled observations in the frame's table coordinates; what is not among the stands
//               is off the table.
// errors        kBadFormat: the scenario is none of these rules' (as SetupOf's).
Result<SeenShotVerdict> JudgeSeenShot(const ShotObservation& shot,
                                      const std::vector<StandObservation>& stands,
                                      const Scenario& scenario, const TableFrame& frame,
                                      const DecisionPolicy& policy);

}  // namespace fos::napoleonic
