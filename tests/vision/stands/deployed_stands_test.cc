// SPDX-License-Identifier: MIT
#include "vision/stands/deployed_stands.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "datasets/render/synthetic.h"

namespace fos {
namespace {

TEST(UnitsOf, CountsAStandThatLeansOutOfItsSquareForItsOwnUnit) {
  SyntheticTable made = LayOutTable({});
  UnitSpec& one = made.scenario.units.at(0);
  UnitSpec& other = made.scenario.units.at(1);
  made.scenario.units.resize(2);
  one.stands = other.stands = 2;
  other.side = one.side;
  other.kind = one.kind;
  one.square = {2, 2};
  other.square = {2, 3};
  const StandDetectorOptions options;
  const PaintModel paints(made.scenario);
  const cv::Mat nothing;
  const StandLook look{nothing,       nothing, made.camera, made.table,
                       made.scenario, options, paints,      nullptr,
                       {},            {}};
  const Vec2 centre = made.table.frame.CentreOf(one.square);
  const double half = made.table.frame.square_in / 2;
  const auto at = [&](double north_in) {
    StandHypothesis h;
    h.what = {one.side, one.kind};
    h.table_from_stand = {centre + Vec2{0, north_in}, 0};
    return h;
  };
  // The second and third stand over the line between the squares; the first unit lacks one.
  const std::vector<StandHypothesis> three{at(0), at(half - 0.3), at(half + 0.5)};
  using Units = std::vector<std::optional<std::size_t>>;
  EXPECT_EQ(UnitsOf(look, three), (Units{0U, 0U, 1U}));
  // Where its own unit is complete, a stand that leans out belongs to the next.
  const std::vector<StandHypothesis> four{at(0), at(-1), at(half - 0.3), at(half + 0.5)};
  EXPECT_EQ(UnitsOf(look, four), (Units{0U, 0U, 1U, 1U}));
  // Nobody has room for a third, nor for one elsewhere.
  const std::vector<StandHypothesis> far{at(0), at(-1), at(-1.5), at(-half - 3)};
  const Units units = UnitsOf(look, far);
  EXPECT_EQ(std::count(units.begin(), units.end(), std::optional<std::size_t>()), 2);
}

}  // namespace
}  // namespace fos
