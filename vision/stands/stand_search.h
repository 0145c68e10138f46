// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "engine/table/scenario.h"
#include "vision/appearance/paint_model.h"
#include "vision/image/rectify.h"

// Finds stands of given sides and kinds on a small patch of table, by their paints alone. Coarse (a
// few hundredths of an inch, a few degrees): to be fitted afterwards.
namespace fos {

struct StandClass {
  int side = 0;  // index into Scenario::sides
  int kind = 0;  // index into Scenario::kinds
  friend bool operator==(StandClass a, StandClass b) = default;
};

struct StandHypothesis {
  StandClass what;
  Pose2 table_from_stand;
  double ground_in = 0;     // height of what it stands on
  bool by_outline = false;  // found and placed by its outline, whatever its score by paint
  double score = 0;  // mean evidence per area of bar and top, about 2 for a clean one, below 0 none
  double bar = 0;    // of the bar alone
  double top = 0;    // of the rest of the top alone, figures included
  friend bool operator==(const StandHypothesis& a, const StandHypothesis& b) = default;
};

// The score of a stand of which every pixel shows its paints: two nats each for its bar and the
// rest of its top, and half a nat for what lies about it.
constexpr double kMostScore = 4.5;

// Footprints of known stands: no other stand lies there.
using TakenFootprints = std::vector<Polygon>;

// What a bar says of a place.
enum class BarCounts {
  kInFull,     // a place that it speaks against plainly is none
  kAsAFigure,  // against a place no more than a figure does: in shade, or blurred into the table
               // beside it, a bar looks unlike its paint
};

// Candidates on the patch, best first: the local maxima of the score.
// headings   radians; all to try
// bar        what their bars say
// errors     none: an empty list where nothing resembles a stand
std::vector<StandHypothesis> SearchStands(const TablePatch& patch, const PaintModel& paints,
                                          const Scenario& scenario,
                                          std::span<const StandClass> classes,
                                          std::span<const double> headings,
                                          const TakenFootprints& taken, double min_score,
                                          BarCounts bar = BarCounts::kInFull);

// What the paints say of a class in one heading at every place of a patch.
struct PlaceScores {
  double heading_rad = 0;
  cv::Mat scores;  // CV_32FC3, by the stand's centre: score, bar and top of StandHypothesis
};
constexpr float kNotScored = -1e9F;  // no base fits in there, or hardly any of it is seen
std::vector<PlaceScores> ScoreEverywhere(const TablePatch& patch, const PaintModel& paints,
                                         const Scenario& scenario, StandClass what,
                                         std::span<const double> headings,
                                         const TakenFootprints& taken);

// The pose near `start` (within about 0.15 in and 5 degrees) at which the patch's paints agree best
// with bar, top and rim: to about a third of the patch's pixel. `taken` as above.
StandHypothesis RefineOnPaints(const TablePatch& patch, const PaintModel& paints,
                               const Scenario& scenario, StandClass what, const Pose2& start,
                               const TakenFootprints& taken);

}  // namespace fos
