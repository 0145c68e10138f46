// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vision/image/rectify.h"
#include "vision/stands/stand_look.h"
#include "vision/stands/stand_search.h"

// Finds stands by their paints alone, to be fitted afterwards.
namespace fos {

// Candidates of some classes within half_in of a place, best first.
// bar  as in SearchStands
std::vector<StandHypothesis> FindCandidates(const StandLook& look, Vec2 centre, double half_in,
                                            std::span<const StandClass> classes,
                                            std::span<const double> headings,
                                            std::span<const StandHypothesis> others,
                                            double least_score, BarCounts bar = BarCounts::kInFull);

// The table about a place, and what the paints say of a class there, heading by heading.
struct ScoredPatch {
  TablePatch patch;
  std::vector<PlaceScores> headings;
};
ScoredPatch ScorePlacesNear(const StandLook& look, Vec2 centre, double half_in, StandClass what,
                            std::span<const double> headings,
                            std::span<const StandHypothesis> others);

// The best set of them in which no two overlap.
// may_stand  whether a candidate counts at all; empty: all do
std::vector<StandHypothesis> SearchPaints(
    const StandLook& look, Vec2 centre, double half_in, std::span<const StandClass> classes,
    std::span<const double> headings, std::span<const StandHypothesis> others, double least_score,
    const std::function<bool(const StandHypothesis&)>& may_stand = {});

// The pose near h at which the paints agree best. `others` may hold h itself.
StandHypothesis RefineStand(const StandLook& look, const StandHypothesis& h,
                            std::span<const StandHypothesis> others);

// Drops those too weak to be told where nobody expects them, where they lie in one that is not and
// may_drop says so: settled together, they would take the other's pixels. A swab beside a stand
// looks like another's bar.
void DropWithinStronger(const StandLook& look, std::vector<StandHypothesis>& stands,
                        const std::function<bool(const StandHypothesis&)>& may_drop);

// Moves overlapping stands apart, refines each pose, and drops those that then have no evidence of
// their own.
// fixed  stands that keep their poses
void SettleStands(const StandLook& look, std::vector<StandHypothesis>& stands,
                  std::span<const StandHypothesis> fixed);

}  // namespace fos
