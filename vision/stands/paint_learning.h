#pragma once

#include <span>

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/scenario.h"
#include "vision/appearance/paint_model.h"
#include "vision/stands/stand_search.h"

// The paints as this camera sees them under this light, from the table itself.
namespace fos {

// What the bare table looks like: everything on the board but `excluded`. Samples it every quarter
// inch: about 30 000 pixels of a usual board.
void LearnBackground(PaintModel& paints, const cv::Mat& bgr, const cv::Mat& blind,
                     const TableCamera& camera, const TableFrame& frame,
                     std::span<const Polygon> excluded);

// Every side's paint and every kind's bar from where stands seem to be.
// kTogether  one law of light and camera for all paints, fitted through those seen: right even for
//            a paint whose stands were all looked for in the wrong place
// kEach      each paint from its own stands, where there are enough pixels of it, a bar on each
//            side's bases by itself
enum class PaintLaw { kTogether, kEach };
void LearnPaints(PaintModel& paints, const cv::Mat& bgr, const TableCamera& camera,
                 const Scenario& scenario, std::span<const StandHypothesis> stands, PaintLaw law);

// The paints as they are after the light has changed, little by little or at once, with nothing
// else: where a stand showed its paint in `was`, the same pixel of `now` shows it. Their spreads
// stay. A paint of which too little is seen goes as the middle of the others went.
// was, now  CV_8UC3 of one camera: the picture the paints were last learnt from, and today's
// stands    that stand now where they stood then; what was paint neither then nor now is left out
// returns   whether enough paint was seen to tell; if not, all stays as it was
bool FollowPaints(PaintModel& paints, const cv::Mat& was, const cv::Mat& now,
                  const TableCamera& camera, const Scenario& scenario,
                  std::span<const StandHypothesis> stands);

}  // namespace fos
