#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/table/observation.h"

namespace fos {

// What one look had to give names to when hands had been in.
struct HandledStands {
  std::vector<StandObservation> lost;   // that left their places, as last seen
  std::vector<StandObservation> found;  // as seen now, by the names they were given
  std::vector<double> reach_in;         // by kind: see AssignStands
};

// Like stands that were handled together, and the picture cannot tell which is which.
struct IdentityDoubt {
  struct Stand {
    StandId now;       // what it is taken for
    StandId may_be;    // and what it may be instead, all of them at once
    std::string unit;  // of `may_be`
  };
  std::vector<Stand> stands;  // in the order of `now`
  std::string text;           // in words for people
  // With them, where that is known.
  std::shared_ptr<const HandledStands> handled = nullptr;
};

// All stands seen at one settled moment.
struct StandScene {
  std::vector<StandObservation> stands;
  std::vector<IdentityDoubt> doubts;  // that this look has raised
  // What differs from the scenario's deployment, or cannot be known, in words for people.
  std::vector<std::string> remarks;
};

// One stand's change between two settled moments. Without `from` it was added, without `to` taken.
struct StandChange {
  StandId stand;
  std::optional<StandObservation> from;
  std::optional<StandObservation> to;
};

// Whether two doubts are about the same stands, and what each of them may be.
bool SameStands(const IdentityDoubt& a, const IdentityDoubt& b);

// The scene with those stands called what they may be; nothing where one of them is no longer there
// or another has its name.
std::optional<StandScene> WithNamesChanged(StandScene scene, const IdentityDoubt& doubt);

// What moved, went or came, one entry a stand, in the order of ids.
// A stand has moved when it lies further off than both sightings' doubts explain (3 sigma of their
// difference) and further than a brush of a sleeve shifts it and anyone could tell: 0.06 in or 3
// degrees.
std::vector<StandChange> DiffScenes(const StandScene& before, const StandScene& after);

}  // namespace fos
