// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "vision/stands/stand_look.h"
#include "vision/stands/stand_measurement.h"
#include "vision/stands/stand_search.h"

// Finds the stands of a unit all at once, in ranks and files.
namespace fos {

// Whether other places of stands explain plainly more than those they have now, nats.
bool IsPlainlyMore(double nats, double now);

// Stands, and how much likelier they are there together than bare table.
struct WeighedUnit {
  std::vector<StandHypothesis> stands;
  double log_odds = 0;
};

// Weighs each beside the others, and moves it to where its outline is found. What two share counts
// once; who explains nothing, or lies in another, is left out.
// sweeps  how often: each heeds its neighbours where they were found before
WeighedUnit WeighTogether(const StandLook& look, std::span<const StandHypothesis> stands,
                          std::span<const StandHypothesis> others, int sweeps);

// The likeliest formation of up to kMostFormed stands about a place, each of which is a stand;
// empty where there is none. A stand that is looked at by itself has its fellows for ground, so
// that a place between two of them may explain more than either; all of them together explain most
// where they are.
// headings  radians, evenly spaced; all to try
// others    stands that stay where they are
constexpr std::size_t kMostFormed = 6;  // more have too many formations
WeighedUnit SearchFormation(const StandLook& look, Vec2 centre, double half_in, StandClass what,
                            std::vector<double> headings, std::size_t count,
                            std::span<const StandHypothesis> others);

// Whether a stand is taken to stand in contact with a fellow of its rank, and not where it was found.
// beside_nats  what it explains there
// now_nats     where it was found
// in_contact   there with another fellow of its rank, so that it is no likelier beside this one
bool ClosesUp(double beside_nats, double now_nats, bool in_contact);

// Moves stands up to a fellow in their rank where they explain plainly more of the picture there.
// On a field or a road of its paint's colour a stand may be found half a base aside, where one half
// of it lies on its own half, and its outline moves no further than a fifth of a base by itself.
// Returns whether any was moved.
// measured  of `stands`
// fixed     stands that stay where they are
bool CloseRanks(const StandLook& look, std::vector<StandHypothesis>& stands,
                std::span<const MeasuredStand> measured,
                std::span<const StandHypothesis> fixed = {});

// Replaces the stands of a unit that explain little of the picture by a formation of it that
// explains plainly more, if there is one. Returns whether any unit was replaced.
// measured  of `stands`
bool FormUp(const StandLook& look, std::vector<StandHypothesis>& stands,
            std::span<const MeasuredStand> measured);

}  // namespace fos
