// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/table/observation.h"
#include "vision/stands/stand_look.h"

// Measures a hypothesis by its outline and edges, and decides whether it is a stand.
namespace fos {

struct MeasuredStand {
  StandObservation stand;     // by its outline and edges
  StandObservation placed;    // by the whole picture of its base as well: MeasureAll alone
  double evidence = 0;        // nats for a stand being there (see StandOutline)
  double patch_evidence = 0;  // for it rather than a patch of the colour beside it, nats
  double top_evidence = 0;    // of the top without its bar
  double independent = 1;     // share of all nats that is independent (see StandOutline)
  double top_pieces = 0;      // how many pieces the top was looked at in
  double edges = 0;           // share of its outline that is seen as edges
  double like = 1;            // share of the top that has anything like its paints
  double open = 1;            // share of the top that no terrain of the scenario hides
  double bar_seen = 0;        // share of the bar in view
  double bar_evidence = 0;    // nats for its own bar being there (see StandOutline)
  double side_evidence = 0;   // the same for its own side's paint
  double paint_off = 0;       // distance of its paint just there from that learnt, sigmas squared
  double log_odds = 0;        // nats, see LogOdds
};

// Log-odds that the stand is there rather than bare table: its evidence, as far as neighbouring
// pixels tell anything of their own, how far its paint is from that learnt, and what the scenario
// expects there and which way it faces.
double LogOdds(const StandLook& look, const StandHypothesis& h, const MeasuredStand& m);
// Log-odds that one of the places where an outline was tried holds a stand, and no blotch of the
// cloth: many are tried, so the outline's own log-odds are too sure. They count by the square inch,
// for a larger blotch says more too; a stand has its bar, and figures that hide a part of it.
// Logistic regression over 872 such places, 380 of them stands, on 300 wild tables (`evaluate
// --sweep`, seeds 84000, 110000, 140000, 150000 and 160000, 60 each) and on the 22 clips under three
// looks (sunny, dark and pale).
double PlaceLogOdds(const StandLook& look, const StandHypothesis& h, const MeasuredStand& m);
// Probability that this stand, of its side and kind, is there, rather than bare table, a stand of
// another side or one of another kind.
double Posterior(const StandLook& look, const StandHypothesis& h, const MeasuredStand& m);

// By outline and edges. `others` may hold h itself.
MeasuredStand MeasureStand(const StandLook& look, const StandHypothesis& h,
                           std::span<const StandHypothesis> others);
// By the whole picture of its base as well, which is what is reported; empty where `stands_there`
// says no of it as measured by outline and edges. The picture of a base is not looked at then:
// where nothing stands, it may be drawn a long way.
std::optional<StandObservation> PlaceStand(
    const StandLook& look, const StandHypothesis& h, std::span<const StandHypothesis> others,
    const std::function<bool(const MeasuredStand&)>& stands_there);
// By its outline alone, in three quarters of the time: the pose is right to about twice the sigma
// of both, and `edges` stays 0.
MeasuredStand WeighStand(const StandLook& look, const StandHypothesis& h,
                         std::span<const StandHypothesis> others);

// Stands near one another as they were given to MeasureAll, and what came out.
struct MeasuredGroup {
  std::vector<StandHypothesis> given;
  std::vector<MeasuredStand> measured;
};
// Drops those that are not believable from the list, and places all others.
// known  measured before in the same look, beside the same `fixed`; replaced. Only the groups that
//        are new are measured.
std::vector<MeasuredStand> MeasureAll(const StandLook& look, std::vector<StandHypothesis>& stands,
                                      std::span<const StandHypothesis> fixed,
                                      std::vector<MeasuredGroup>& known);
std::vector<StandObservation> ObservationsOf(std::span<const MeasuredStand> measured);

// Hardly any of the top looks like the side's paint as learnt from the whole table, and it does not
// differ plainly from what lies beside it: it is cloth, and a hill's edge or a drawn line passes
// for the bar.
bool LacksPaint(const StandHypothesis& h, const MeasuredStand& m);
// Whether it is a stand. If not, the trace says why.
// others  the stands beside it; may hold h itself
bool IsBelievable(const StandLook& look, const StandHypothesis& h, const MeasuredStand& m,
                  std::span<const StandHypothesis> others);
// The least score of a stand where the scenario places none.
constexpr double kLeastStrangerScore = 1.8;
// Whether it is a stand even where the scenario places none: on the board, and no piece of a river
// or a cloth of the paint's colour with a line of the grid for its bar.
bool IsBelievableAnywhere(const StandLook& look, const StandHypothesis& h, const MeasuredStand& m,
                          std::span<const StandHypothesis> others);

// Moves overlapping stands apart, each by its share of the variance.
void SeparateFootprints(std::vector<StandObservation>& stands);

}  // namespace fos
