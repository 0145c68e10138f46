// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calibration/camera/table_camera.h"
#include "engine/table/scenario.h"
#include "vision/appearance/paint_model.h"
#include "vision/image/point_spread.h"
#include "vision/scene/terrain_view.h"
#include "vision/stands/stand_search.h"
#include "vision/stands/stand_trace.h"

namespace fos {

struct StandDetectorOptions {
  // Scale of the search, pixels an inch; the bars are two to three of these deep. The fit that
  // follows works in the picture's own pixels.
  double search_px_per_in = 14;
  // A hypothesis below this mean evidence (nats an area: bar, top and rim together) is not a stand.
  double least_score = 1.0;
  // Where the scenario places a stand that the first search has missed, a score of this much is
  // enough to fit an outline, which then decides.
  double least_score_faint = -1.0;
  // Where the scenario does not place a stand of that side and kind.
  double least_score_unexpected = 2.4;
  // By kind (index into Scenario::kinds), inches as the crow flies: a stand seldom moves further
  // between two searches. Empty: anywhere.
  std::vector<double> reach_in;
};

// One picture, and all that a search for stands in it needs. Borrows everything but the terrain.
struct StandLook {
  const cv::Mat& bgr;    // CV_8UC3
  const cv::Mat& blind;  // CV_8UC1, non-zero where something covers the table; or empty
  const TableCamera& camera;
  const TableSpec& table;
  const Scenario& scenario;
  const StandDetectorOptions& options;
  const PaintModel& paints;
  StandTrace* trace;  // null: none is kept
  TerrainView terrain;
  PointSpread blur{};  // of the picture
  // Log of how many stands are expected in a pose, nats; empty: as the scenario deploys them.
  std::optional<double> log_expected{};
  // How much must speak for a base's paint behind its bar, nats: a line or a road's edge may pass
  // for a bar.
  double least_top_nats = 2;

  const KindSpec& KindOf(const StandHypothesis& h) const {
    return scenario.kinds.at(static_cast<std::size_t>(h.what.kind));
  }
  // The ground at a place: 0 or a hill's top, inches.
  double GroundAt(Vec2 at) const;

  void BeginTrace() const;
  void Note(const char* stage, std::span<const StandHypothesis> stands) const;
  void NoteDropped(const StandHypothesis& h, std::string why) const;
};

// Whether it may be one of a unit's stands: in its square, or leaning out of it.
bool MayBelongTo(const StandLook& look, const UnitSpec& unit, const StandHypothesis& h);

bool IsHill(const TerrainArea& area);
double HalfDiagonal(Box2 box);

// Adds headings within reach_rad of one, leaving out those that are there already.
void AddHeadings(std::vector<double>& headings, double middle_rad, double reach_rad,
                 double step_rad);

constexpr double kDegree = CV_PI / 180;
// Half-width of the piece of table searched at once: a 4 in square and what leans out of it.
constexpr double kTileHalf_in = 2.8;
// A stand may stick out of its square by half of it and a little more.
constexpr double kLeanOut_in = 0.8;
// Nats a pixel of a top, half-way from the least that a pixel counts (see SearchStands) to nothing:
// below it hardly any of the top looks like the paint as learnt from the whole table.
constexpr double kLeastTop = -0.3;
// Prior against another kind's bar where the scenario places a stand, another side's paint, or a
// stand that faces another way: players err in deploying one stand in a few hundred.
constexpr double kUnexpectedStand_nats = 6;

}  // namespace fos
