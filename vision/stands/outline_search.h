// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "vision/stands/stand_look.h"

// Finds stands whose paints look unlike those learnt from the whole table, by their outlines and
// the colours as they are just there.
namespace fos {

// A place where a stand may be, and how likely one is there rather than bare table, nats.
struct PlaceOdds {
  Pose2 table_from_stand;
  double log_odds = 0;
};
// How much likelier a stand is in contact with its fellows than at any other place of its square:
// seven in ten stand so, within a third of a square inch of twenty.
constexpr double kInContact_nats = 5;
// Which of them hold stands together: the likeliest set, what two of them share counted once. One
// place between two stands in contact may be likelier than either, but not than both. Indices into
// `places`, found by branch and bound.
// places   of stands of one footprint, likeliest first
// room     how many there are at most
// fellows  stands of the same footprint and class that are known
std::vector<std::size_t> LikeliestSet(std::span<const PlaceOdds> places, Box2 box, std::size_t room,
                                      std::span<const Pose2> fellows = {});

// Up to `room` more stands of a class near a place.
// others   stands that stay where they are
// fellows  stands that may show how the class is lined up there; may be among the others
// least_bar_nats  evidence for its own bar that each must have
std::vector<StandHypothesis> SearchByOutline(const StandLook& look, Vec2 centre, double half_in,
                                             StandClass what, std::span<const double> headings,
                                             std::span<const StandHypothesis> others,
                                             std::span<const StandHypothesis> fellows,
                                             std::size_t room, double least_bar_nats);

// Splits one detection into two touching stands, side by side, if that scores higher: the halves
// next to each other look much like one stand. Else empty.
// i  index into `stands`
std::vector<StandHypothesis> SplitInTwo(const StandLook& look,
                                        std::span<const StandHypothesis> stands, std::size_t i);

}  // namespace fos
