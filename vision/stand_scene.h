#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/table/observation.h"

namespace fos {

// All stands seen at one settled moment.
struct StandScene {
  std::vector<StandObservation> stands;
  // What differs from the scenario's deployment, or cannot be known, in words for people.
  std::vector<std::string> remarks;
};

// One stand's change between two settled moments. Without `from` it was added, without `to` taken.
struct StandChange {
  StandId stand;
  std::optional<StandObservation> from;
  std::optional<StandObservation> to;
};

// What moved, went or came, one entry a stand, in the order of ids.
// A stand has moved when it lies further off than both sightings' doubts explain (3 sigma of their
// difference) and further than a brush of a sleeve shifts it and anyone could tell: 0.06 in or 3
// degrees.
std::vector<StandChange> DiffScenes(const StandScene& before, const StandScene& after);

}  // namespace fos
