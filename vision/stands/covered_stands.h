// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <opencv2/core.hpp>

#include "engine/table/observation.h"
#include "vision/stands/stand_look.h"

namespace fos {

// Those of the stands that are not seen any more over which something lies or is held: a finger
// before the lens, a hat. Who takes a stand leaves the cloth about it as it was; what covers it
// covers the cloth too, and is no cloth. What covers a part of it leaves the rest as it was.
// Nothing is known of such a stand, so it counts as where it stood.
//
// gone     where they stood, and are not found there
// covered  those that were covered before
// known    all stands, where they stood and where they stand
// changed  CV_8UC1, non-zero where the picture has changed; or empty: then none is known to be
//          covered
std::vector<StandObservation> CoveredStands(const StandLook& look,
                                            std::span<const StandObservation> gone,
                                            std::span<const StandId> covered,
                                            std::span<const StandObservation> known,
                                            const cv::Mat& changed);

// Drops what was found of those stands in the change that the covering thing has made: the rim of a
// cup passes for a bar, and its shadow for the paint behind it. That it lies there explains all of
// the change; that the stands have moved leaves it unexplained.
//
// covered  as CoveredStands tells them where `found` stand there
// changed  as in CoveredStands; not empty
void DropAroundCovered(const StandLook& look, std::span<const StandObservation> covered,
                       const cv::Mat& changed, std::vector<StandObservation>& found);

}  // namespace fos
