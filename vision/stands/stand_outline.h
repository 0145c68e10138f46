// SPDX-License-Identifier: MIT
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

// Where a base's outline lies, as a probability over poses. Every point of the outline separates
// the base's colours from the table's. Colours that may be either, such as figures, carry no
// evidence.
namespace fos {

// Another stand nearby: bases do not overlap.
struct OutlineNeighbour {
  Vec2 centre;  // table frame
  Vec2 right;   // unit vector along its width
  Box2 footprint;
};

struct StandOutline {
  Pose2 table_from_stand;  // the mean over poses
  Cov2 centre_cov;         // inches squared, without the registration's
  double heading_sigma_rad = 0;
  double visible = 0;   // share of the top that is base, not something standing on or over it
  double like = 0;      // share of the top that resembles its paints, at least `visible`
  double open = 1;      // share of the top that no terrain of the scenario hides
  double bar_seen = 0;  // the same of the bar alone
  // Log likelihood ratio of the picture with this stand against without it, nats. Neighbouring
  // pixels count as one.
  double evidence = 0;
  double independent = 1;   // how much of that, and of all nats below, neighbouring pieces leave
  double top_evidence = 0;  // the same of the top without its bar
  double top_pieces = 0;    // how many pieces of evidence the top was looked at in
  // The same two against a patch of the colour beside it that resembles the paint, if there is one:
  // a cloth or a road like the paint, or stands of its own side.
  double patch_evidence = 0;
  double patch_top_evidence = 0;
  // Log likelihood ratio of this bar against its best rival: another kind's bar, or the side's
  // paint without a bar; and of this side's paint on the top against the best of the others'. Nats;
  // near 0 where figures hide it.
  double bar_evidence = 0;
  double side_evidence = 0;
  Ground ground{{}};  // what lies beside it
  Paint top;          // the side's paint as it is just there
};

// The alternatives to weigh against.
struct OutlineRivals {
  std::vector<Paint> bars;   // of other kinds
  std::vector<Paint> sides;  // of other sides
};

// How deep a place lies inside a neighbour, inches; negative outside all.
double DepthInside(const std::vector<OutlineNeighbour>& neighbours, Vec2 at);

// bgr         CV_8UC3 as the camera gives it
// ground_in   height of what the stand stands on
// start       a pose within about 0.15 in and 6 degrees
// neighbours  the other stands within reach, as known so far
// terrain     may hide parts of it
StandOutline FitOutline(const cv::Mat& bgr, const TableCamera& camera, const KindSpec& kind,
                        const Paint& side_paint, const Paint& bar_paint, const Pose2& start,
                        double ground_in, const std::vector<OutlineNeighbour>& neighbours,
                        const OutlineRivals& rivals = {}, const TerrainView& terrain = {});

}  // namespace fos
