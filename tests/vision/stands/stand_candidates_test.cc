// SPDX-License-Identifier: MIT
#include "vision/stands/stand_candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "datasets/render/synthetic.h"
#include "tests/support/small_table.h"

namespace fos {
namespace {

// How many candidates for the first stand of a table lie within half an inch of it, when the
// scenario has this terrain.
std::ptrdiff_t FoundUnder(const std::vector<TerrainArea>& terrain) {
  const SyntheticTable made = RenderTable(test::SmallTable(3));
  Scenario scenario = made.scenario;
  scenario.terrain = terrain;
  const StandObservation& stand = made.stands.front();
  const cv::Mat blind;
  const StandDetectorOptions options;
  const PaintModel paints(scenario);
  const StandLook look{made.bgr,   blind,    made.camera,
                       made.table, scenario, options,
                       paints,     nullptr,  TerrainView(scenario, made.camera)};
  const std::array<StandClass, 1> what{StandClass{stand.side, stand.kind}};
  const std::array<double, 1> headings{stand.table_from_stand.heading_rad};
  const auto found = FindCandidates(look, stand.table_from_stand.origin, 1.5, what, headings, {},
                                    options.least_score);
  return std::count_if(found.begin(), found.end(), [&](const StandHypothesis& h) {
    return Distance(h.table_from_stand.origin, stand.table_from_stand.origin) < 0.5;
  });
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

TEST(FindCandidates, PutsNoStandIntoAHedge) {
  EXPECT_EQ(FoundUnder(ThingOnTheStand("hedge", 0.25, 0.15)), 0);
  // Bases touch hedges.
  EXPECT_GT(FoundUnder(ThingOnTheStand("hedge", 0.25, 0.15, {0, 0.7})), 0);
}

}  // namespace
}  // namespace fos
