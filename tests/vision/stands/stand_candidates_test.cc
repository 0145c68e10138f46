// SPDX-License-Identifier: MIT
#include "vision/stands/stand_candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include <opencv2/imgproc.hpp>

#include "datasets/render/synthetic.h"
#include "tests/support/small_table.h"
#include "vision/stands/moved_stands.h"
#include "vision/stands/paint_learning.h"

namespace fos {
namespace {

// How many candidates for the first stand of a table lie so near to it.
std::ptrdiff_t FoundOn(const SyntheticTable& made, const Scenario& scenario,
                       const PaintModel& paints, double least_score, BarCounts bar,
                       double near_in) {
  const StandObservation& stand = made.stands.front();
  const cv::Mat blind;
  const StandDetectorOptions options;
  const StandLook look{made.bgr,   blind,    made.camera,
                       made.table, scenario, options,
                       paints,     nullptr,  TerrainView(scenario, made.camera)};
  const std::array<StandClass, 1> what{StandClass{stand.side, stand.kind}};
  const std::array<double, 1> headings{stand.table_from_stand.heading_rad};
  const auto found = FindCandidates(look, stand.table_from_stand.origin, 1.5, what, headings, {},
                                    least_score, bar);
  return std::count_if(found.begin(), found.end(), [&](const StandHypothesis& h) {
    return Distance(h.table_from_stand.origin, stand.table_from_stand.origin) < near_in;
  });
}

// The same when the scenario has this terrain.
std::ptrdiff_t FoundUnder(const std::vector<TerrainArea>& terrain) {
  const SyntheticTable made = RenderTable(test::SmallTable(3));
  Scenario scenario = made.scenario;
  scenario.terrain = terrain;
  return FoundOn(made, scenario, PaintModel(scenario), StandDetectorOptions{}.least_score,
                 BarCounts::kInFull, 0.5);
}

// A thing of this height and radius on the first stand's place.
std::vector<TerrainArea> ThingOnTheStand(const char* type, double radius_in, double height_in,
                                         Vec2 beside = {}) {
  const Vec2 at = LayOutTable(test::SmallTable(3)).stands.front().table_from_stand.origin + beside;
  TerrainArea area;
  area.type = "wood";
  area.polygon = {at + Vec2{-2, -2}, at + Vec2{2, -2}, at + Vec2{2, 2}, at + Vec2{-2, 2}};
  TerrainObject object;
  object.type = type;
  object.circle = Circle{at, radius_in};
  object.height_in = height_in;
  area.objects.push_back(object);
  return {area};
}

TEST(FindCandidates, TakesNoColoursOfATreeForABase) {
  EXPECT_GT(FoundUnder({}), 0);
  EXPECT_EQ(FoundUnder(ThingOnTheStand("tree", 1.6, 2.5)), 0);
}

// Grey bases on a greyish cloth, and what blur leaves of a bar.
TEST(FindCandidates, FindsAPlaceWhoseBarSpeaksAgainstItWhereAsked) {
  for (const std::uint32_t seed : {1U, 2U, 4U}) {
    SCOPED_TRACE(seed);
    SyntheticOptions options = test::SmallTable(seed);
    options.paints = {Colour{75, 75, 79}, Colour{40, 60, 150}};
    options.cloth = {105, 101, 92};
    SyntheticTable made = RenderTable(options);
    const StandObservation& stand = made.stands.front();
    const KindSpec& kind = made.scenario.kinds.at(static_cast<std::size_t>(stand.kind));
    const Vec2 front{0, (kind.footprint.depth_in - kind.bar_depth_in) / 2};
    std::vector<cv::Point> bar;
    for (const Vec2 corner :
         Corners({stand.table_from_stand * front, stand.table_from_stand.heading_rad},
                 {kind.footprint.width_in, kind.bar_depth_in})) {
      const ImagePoint p = ImageFromTable(made.camera, corner, stand.ground_in + kind.thickness_in);
      bar.emplace_back(cvRound(p.x_px), cvRound(p.y_px));
    }
    cv::fillConvexPoly(made.bgr, bar, cv::Scalar::all(58));
    PaintModel paints(made.scenario);
    LearnBackground(paints, made.bgr, {}, made.camera, made.table.frame, {});
    const auto found = [&](BarCounts bar_counts) {
      return FoundOn(made, made.scenario, paints, StandDetectorOptions{}.least_score_faint,
                     bar_counts, 0.12);
    };
    EXPECT_EQ(found(BarCounts::kInFull), 0);
    EXPECT_GT(found(BarCounts::kAsAFigure), 0);
  }
}

TEST(FindCandidates, PutsNoStandIntoAHedge) {
  EXPECT_EQ(FoundUnder(ThingOnTheStand("hedge", 0.25, 0.15)), 0);
  // Bases touch hedges.
  EXPECT_GT(FoundUnder(ThingOnTheStand("hedge", 0.25, 0.15, {0, 0.7})), 0);
}

// What seems to be another stand beside it, because a swab lies there, would take its pixels.
TEST(DropWithinStronger, DropsOnlyWhatIsWeakAndLiesInAStrongOne) {
  const SyntheticTable made = RenderTable(test::SmallTable(3));
  const PaintModel paints(made.scenario);
  const cv::Mat blind;
  const StandDetectorOptions options;
  const StandLook look{made.bgr,   blind,         made.camera,
                       made.table, made.scenario, options,
                       paints,     nullptr,       TerrainView(made.scenario, made.camera)};
  StandHypothesis strong = AsHypothesis(made.stands.front());
  strong.score = 1.1 * options.least_score_unexpected;
  const auto beside = [&](double off_in, double score) {
    StandHypothesis out = strong;
    out.table_from_stand = strong.table_from_stand * Pose2{{0, off_in}, 0};
    out.score = score;
    return out;
  };
  const double depth = made.stands.front().footprint.depth_in;
  const double weak = 0.7 * options.least_score_unexpected;
  const auto left = [&](const StandHypothesis& other, bool may_drop) {
    std::vector<StandHypothesis> both{strong, other};
    DropWithinStronger(look, both, [&](const StandHypothesis&) { return may_drop; });
    return both.size();
  };
  EXPECT_EQ(left(beside(0.8 * depth, weak), true), 1U);
  EXPECT_EQ(left(beside(0.8 * depth, weak), false), 2U) << "it is missed";
  EXPECT_EQ(left(beside(0.8 * depth, strong.score), true), 2U) << "both are strong";
  EXPECT_EQ(left(beside(1.1 * depth, weak), true), 2U) << "they only touch";
  strong.score = weak;
  EXPECT_EQ(left(beside(0.8 * depth, weak), true), 2U) << "neither is strong";
}

}  // namespace
}  // namespace fos
