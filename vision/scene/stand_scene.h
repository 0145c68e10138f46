// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <vector>

#include "calibration/camera/table_camera.h"
#include "engine/table/observation.h"
#include "engine/table/scenario.h"

namespace fos {

// The stands that one search had to assign ids to, after hands had moved some.
struct HandledStands {
  std::vector<StandObservation> lost;   // stands that left their places, as last seen
  std::vector<StandObservation> found;  // as seen now, with the ids they were given
  std::vector<double> reach_in;         // by kind: see AssignStands
};

// Stands of one kind that were handled together, where the picture does not tell which is which.
struct IdentityDoubt {
  struct Stand {
    StandId now;       // its id now
    StandId may_be;    // the id it may have instead, all of them at once
    std::string unit;  // of `may_be`
  };
  std::vector<Stand> stands;  // in the order of `now`
  std::string text;           // for the players
  // All that was handled with them, where that is known.
  std::shared_ptr<const HandledStands> handled = nullptr;
};

// The stands seen are not those that the scenario places, and chance does not explain it: it is
// another table, another scenario, or a unit is not where it should be.
struct SetupDoubt {
  struct Unit {
    std::size_t unit = 0;  // index into Scenario::units
    int seen = 0;          // of its stands, in its square
  };
  std::vector<Unit> missing;       // units of which less than half is seen
  std::vector<StandId> strangers;  // stands in places where the scenario has none of their kind
  double fits = 0;                 // probability that the table is as the scenario says
};

// All stands seen at one settled moment.
struct StandScene {
  std::vector<StandObservation> stands;
  std::vector<IdentityDoubt> doubts;  // raised by this search
  // For the players: what differs from the scenario's deployment, or cannot be known.
  std::vector<std::string> remarks;
  // Set by the first search. Later ones look again, until the table fits.
  std::optional<SetupDoubt> setup_doubt = {};
  // Of `stands`, those that something covers: each counts as where it stood, and later searches
  // look for it again.
  std::vector<StandId> covered = {};
};

// One stand's change between two settled moments. Without `from` it was added, without `to` taken.
struct StandChange {
  StandId stand;
  std::optional<StandObservation> from;
  std::optional<StandObservation> to;
};

// Whether two doubts are about the same stands, and what each of them may be.
bool SameStands(const IdentityDoubt& a, const IdentityDoubt& b);

// The scene with those stands under the ids they may have. Empty where one of them is no longer
// there, or another stand has its id.
std::optional<StandScene> WithNamesChanged(StandScene scene, const IdentityDoubt& doubt);

// What stands cover of a camera's picture, with their figures: CV_8UC1, 255 where they do.
cv::Mat CoveredBy(const std::vector<StandObservation>& stands, const Scenario& scenario,
                  const TableCamera& camera);

// What moved, was removed or was added, one entry a stand, in the order of ids. A stand has moved
// when the difference exceeds 3 sigma of both observations, and 0.06 in or 3 degrees: a sleeve may
// shift it by less.
std::vector<StandChange> DiffScenes(const StandScene& before, const StandScene& after);

}  // namespace fos
