// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <span>

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/scenario.h"
#include "vision/appearance/paint_model.h"
#include "vision/stands/stand_search.h"

// Learns the paints as this camera sees them under this light, from the table itself.
namespace fos {

// Of a paint of which little is known.
constexpr PaintColour kUsualSpread{12, 5, 5};

// A part of the table in which something may stand.
struct CoveredPart {
  Polygon outline;
  // A colour that is seen over more of it, square inches, is the table's.
  double most_covered_in2 = std::numeric_limits<double>::infinity();
};

// Learns what the bare table looks like: everything on the board but what may be covered. Samples
// it every quarter inch: about 30 000 pixels of a usual board.
void LearnBackground(PaintModel& paints, const cv::Mat& bgr, const cv::Mat& blind,
                     const TableCamera& camera, const TableFrame& frame,
                     std::span<const CoveredPart> covered);

// Adds to that what is seen of the table in the parts that may be covered: it may lie in another
// light there. Returns whether much of it was not known yet. Nominal paints are too far off to be
// told from so much of the table; learn the paints first.
bool LearnCoveredBackground(PaintModel& paints, const cv::Mat& bgr, const cv::Mat& blind,
                            const TableCamera& camera, const TableFrame& frame,
                            std::span<const CoveredPart> covered);

// Learns light and camera from where stands seem to be: one fit for all paints, right even for a
// paint whose stands were all searched for in the wrong place.
void LearnLight(PaintModel& paints, const cv::Mat& bgr, const TableCamera& camera,
                const Scenario& scenario, std::span<const StandHypothesis> stands);

// Learns each paint from its own stands, where there are enough pixels of it; a bar for each side.
// A bar that one side's stands show neither as expected nor as another side's show it is what that
// other side shows: a kind's bar is painted alike on all sides.
// expected  the paints as LearnLight left them
void LearnPaints(PaintModel& paints, const PaintModel& expected, const cv::Mat& bgr,
                 const TableCamera& camera, const Scenario& scenario,
                 std::span<const StandHypothesis> stands);

// Learns the paints of sides of which more is seen on stands that were found by their outlines than
// looks like their paints as known so far: a vivid camera shows a paint far from how it was painted.
// Returns whether there are such sides.
bool LearnOutlinedPaints(PaintModel& paints, const cv::Mat& bgr, const TableCamera& camera,
                         const Scenario& scenario, std::span<const StandHypothesis> stands);

// Updates the paints after only the light has changed, slowly or at once: where a stand showed its
// paint in `was`, the same pixel of `now` shows it too. Spreads stay. A paint of which too little
// is seen changes by the median of the others. was, now  CV_8UC3 of one camera: the picture the
// paints were last learnt from, and today's stands    that have not moved in between returns
// whether enough paint was seen; if not, nothing changes
bool FollowPaints(PaintModel& paints, const cv::Mat& was, const cv::Mat& now,
                  const TableCamera& camera, const Scenario& scenario,
                  std::span<const StandHypothesis> stands);

}  // namespace fos
