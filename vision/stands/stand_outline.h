#pragma once

#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/pose2.h"
#include "engine/table/scenario.h"
#include "engine/table/shapes.h"
#include "vision/appearance/local_colours.h"
#include "vision/appearance/paint_model.h"
#include "vision/scene/terrain_view.h"

// Where a base's outline lies, as a probability over poses: every point of the outline divides what
// has the base's colours from what has the table's, and what could be either, a figure, says
// nothing.
namespace fos {

// Another stand nearby: bases do not lie in each other.
struct OutlineNeighbour {
  Pose2 stand_from_table;
  Box2 footprint;
};

struct StandOutline {
  Pose2 table_from_stand;  // the mean over poses
  Cov2 centre_cov;         // inches squared, of the picture alone
  double heading_sigma_rad = 0;
  double visible = 0;   // share of the top that is base, not something standing on or over it
  double like = 0;      // the same with all that is anything like its paints: not less
  double open = 1;      // share of the top that no terrain of the scenario hides
  double bar_seen = 0;  // the same of the bar alone
  // How much likelier the picture is with this stand there than without it, nats: what its pixels
  // say, neighbouring ones counted as one.
  double evidence = 0;
  double top_evidence = 0;  // the same of the top without its bar
  double top_pieces = 0;    // how many pieces of evidence the top was looked at in
  // The two against a piece of what lies beside it and has its colour, where there is such a thing:
  // a cloth or a road like the paint, or stands of its own side.
  double patch_evidence = 0;
  double patch_top_evidence = 0;
  // How much likelier the bar's place is that bar than the best of its rivals: another kind's bar,
  // or the side's paint alone; and the top's place that side's paint than the best of the others'.
  // Nats; near 0 where figures hide it.
  double bar_evidence = 0;
  double side_evidence = 0;
  Ground ground{{}};  // what lies beside it
  Paint top;          // the side's paint as it is just there
};

// What else could lie there.
struct OutlineRivals {
  std::vector<Paint> bars;   // of other kinds
  std::vector<Paint> sides;  // of other sides
};

// How far inside the nearest of them, inches; below 0 outside all.
double DepthInside(const std::vector<OutlineNeighbour>& neighbours, Vec2 at);

// bgr         CV_8UC3 as the camera gives it
// ground_in   height of what the stand stands on
// start       a pose within about 0.15 in and 6 degrees
// neighbours  the others within reach, as known so far
// terrain     what may hide parts of it
StandOutline FitOutline(const cv::Mat& bgr, const TableCamera& camera, const KindSpec& kind,
                        const Paint& side_paint, const Paint& bar_paint, const Pose2& start,
                        double ground_in, const std::vector<OutlineNeighbour>& neighbours,
                        const OutlineRivals& rivals = {}, const TerrainView& terrain = {});

}  // namespace fos
