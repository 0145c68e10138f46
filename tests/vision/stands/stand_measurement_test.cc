// SPDX-License-Identifier: MIT
#include "vision/stands/stand_measurement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include "datasets/render/synthetic.h"
#include "tests/support/small_table.h"
#include "vision/stands/formed_units.h"
#include "vision/stands/stand_detector.h"
#include "vision/stands/stand_trace.h"

namespace fos {
namespace {

// A made-up table, its paints as learnt from it, and what is believed of its first stand.
class MeasuredTable : public testing::Test {
 protected:
  MeasuredTable() : made_(RenderTable(test::SmallTable(3))) {
    StandDetector detector(made_.table, made_.scenario);
    StandTrace trace;
    detector.Trace(&trace);
    EXPECT_TRUE(detector.Start(made_.bgr, made_.camera, {}).ok());
    paints_ = trace.paints;
    const StandObservation& first = made_.stands.front();
    first_.what = {first.side, first.kind};
    first_.table_from_stand = first.table_from_stand;
    first_.top = 1;
  }

  StandLook Look() const {
    return {made_.bgr,   blind_,         made_.camera,
            made_.table, made_.scenario, options_,
            *paints_,    nullptr,        TerrainView(made_.scenario, made_.camera)};
  }
  // Every stand where it is.
  std::vector<StandHypothesis> All() const {
    std::vector<StandHypothesis> out;
    for (const StandObservation& stand : made_.stands) {
      StandHypothesis& h = out.emplace_back(first_);
      h.what = {stand.side, stand.kind};
      h.table_from_stand = stand.table_from_stand;
    }
    return out;
  }
  double Of(const StandHypothesis& h) const {
    return MeasureStand(Look(), h, std::span<const StandHypothesis>{}).stand.confidence;
  }

  SyntheticTable made_;
  cv::Mat blind_;
  StandDetectorOptions options_;
  std::optional<PaintModel> paints_;
  StandHypothesis first_;
};

using Confidence = MeasuredTable;

TEST_F(Confidence, IsHighForAStandThatIsThere) { EXPECT_GT(Of(first_), 0.98); }

TEST_F(Confidence, IsLowOnBareCloth) {
  StandHypothesis bare = first_;
  bare.table_from_stand.origin = {made_.table.frame.Width() / 2, made_.table.frame.Depth() / 2};
  EXPECT_LT(Of(bare), 0.02);
}

TEST_F(Confidence, IsLowForAnotherSide) {
  StandHypothesis other = first_;
  other.what.side = 1 - first_.what.side;
  EXPECT_LT(Of(other), 0.1);
}

using OddsOfPlaces = MeasuredTable;

// Two places of a unit in the shade, as they were measured: a patch of sunlit sand, and a stand.
TEST_F(OddsOfPlaces, SetABarAndFiguresAboveABrightBlotch) {
  MeasuredStand sand;
  sand.log_odds = 60;
  sand.independent = 0.2;
  sand.bar_evidence = 3;
  sand.paint_off = 8;
  sand.edges = 0.2;
  sand.stand.visible = 0.99;
  MeasuredStand stand;
  stand.log_odds = 18;
  stand.independent = 0.19;
  stand.bar_evidence = 85;
  stand.paint_off = 1.3;
  stand.edges = 0.64;
  stand.stand.visible = 0.8;
  EXPECT_GT(PlaceLogOdds(Look(), first_, stand), PlaceLogOdds(Look(), first_, sand) + 3);
}

// A crew's pink bar on a mat whose sand is like the paint behind it, as it was measured.
class FaintTops : public MeasuredTable {
 protected:
  static MeasuredStand Faint() {
    MeasuredStand faint;
    faint.log_odds = 3.2;
    faint.independent = 0.25;
    faint.top_evidence = 5;
    faint.bar_evidence = 21;
    faint.side_evidence = 81;
    faint.like = 0.92;
    faint.stand.visible = 0.92;
    return faint;
  }
};

TEST_F(FaintTops, AreBelievedBehindABarThatHasCome) {
  const MeasuredStand faint = Faint();
  StandLook look = Look();
  EXPECT_FALSE(IsBelievable(look, first_, faint, {}));
  look.least_top_nats = 0;  // as FindMovedStands looks
  EXPECT_TRUE(IsBelievable(look, first_, faint, {}));
}

TEST_F(FaintTops, AreBelievedBesideAFellow) {
  const StandLook look = Look();
  MeasuredStand faint = Faint();
  faint.bar_evidence = 30;
  std::vector<StandHypothesis> others{first_};
  const auto beside = [&](Vec2 off, double turned_rad) -> StandHypothesis& {
    const Box2 box = look.KindOf(first_).footprint;
    others.resize(1);
    StandHypothesis& fellow = others.emplace_back(first_);
    fellow.table_from_stand =
        first_.table_from_stand * Pose2{{off.x * box.width_in, off.y * box.depth_in}, turned_rad};
    return fellow;
  };
  EXPECT_FALSE(IsBelievable(look, first_, faint, others)) << "it is no fellow of its own";
  beside({1.05, 0}, 0.1);
  EXPECT_TRUE(IsBelievable(look, first_, faint, others));
  EXPECT_FALSE(IsBelievable(look, first_, Faint(), others)) << "its bar is no plainer than a line";
  beside({0.5, -1.2}, -0.1);
  EXPECT_TRUE(IsBelievable(look, first_, faint, others));
  beside({1.05, 0}, 0.4);
  EXPECT_FALSE(IsBelievable(look, first_, faint, others)) << "turned another way";
  beside({1.6, 0}, 0);
  EXPECT_FALSE(IsBelievable(look, first_, faint, others)) << "apart";
  beside({0.1, 0}, 0);
  EXPECT_FALSE(IsBelievable(look, first_, faint, others)) << "in its place";
  beside({1.05, 0}, 0).by_outline = true;
  EXPECT_FALSE(IsBelievable(look, first_, faint, others)) << "a fellow no surer than it is";
  beside({1.05, 0}, 0).what.side = 1 - first_.what.side;
  EXPECT_FALSE(IsBelievable(look, first_, faint, others)) << "of the other side";
}

using MeasureAllAgain = MeasuredTable;

// One stand of a unit is gone: its neighbours are measured anew, all others are as they were.
TEST_F(MeasureAllAgain, SaysTheSameAsFromTheStart) {
  std::vector<StandHypothesis> all = All();
  std::vector<MeasuredGroup> known;
  std::vector<StandHypothesis> before = all;
  const std::vector<MeasuredStand> first = MeasureAll(Look(), before, {}, known);
  ASSERT_EQ(first.size(), all.size());
  ASSERT_GT(known.size(), 1U);
  constexpr double kKnown = 2;  // no share
  for (MeasuredGroup& group : known)
    for (MeasuredStand& stand : group.measured) stand.bar_seen = kKnown;

  all.erase(all.begin());
  std::vector<StandHypothesis> left = all;
  const std::vector<MeasuredStand> again = MeasureAll(Look(), left, {}, known);
  std::vector<MeasuredGroup> nothing;
  const std::vector<MeasuredStand> anew = MeasureAll(Look(), all, {}, nothing);
  ASSERT_EQ(again.size(), anew.size());
  EXPECT_EQ(left, all);
  const auto reused = std::count_if(again.begin(), again.end(), [&](const MeasuredStand& stand) {
    return stand.bar_seen == kKnown;
  });
  EXPECT_GT(reused, 0);
  EXPECT_LT(reused, std::ssize(again));
  for (std::size_t i = 0; i < anew.size(); ++i) {
    EXPECT_EQ(again[i].placed.table_from_stand, anew[i].placed.table_from_stand) << i;
    EXPECT_EQ(again[i].placed.centre_cov, anew[i].placed.centre_cov) << i;
    EXPECT_EQ(again[i].placed.confidence, anew[i].placed.confidence) << i;
    EXPECT_EQ(again[i].log_odds, anew[i].log_odds) << i;
  }
}

using RanksThatClose = MeasuredTable;

// One stand of each rank was found half a base aside, as on a field of its paint's colour.
TEST_F(RanksThatClose, BringAStandToItsFellowsSide) {
  std::vector<StandHypothesis> all = All();
  const StandLook look = Look();
  const auto close = [&](std::vector<StandHypothesis>& stands) {
    std::vector<MeasuredStand> measured;
    for (const StandHypothesis& h : stands) {
      measured.push_back(WeighStand(look, h, stands));
      measured.back().stand.table_from_stand = h.table_from_stand;
    }
    return CloseRanks(look, stands, measured);
  };
  const std::vector<StandHypothesis> right = all;
  EXPECT_FALSE(close(all));
  EXPECT_EQ(all, right);

  // Away from its fellow, and no further than half of its place is left free.
  const Box2 box = look.KindOf(all[0]).footprint;
  const Pose2& first = right[0].table_from_stand;
  const auto fellow = std::find_if(right.begin() + 1, right.end(), [&](const StandHypothesis& h) {
    const Vec2 off = Inverse(first) * h.table_from_stand.origin;
    return h.what == right[0].what && std::abs(off.x) < 1.2 * box.width_in &&
           std::abs(off.y) < 0.2 * box.depth_in;
  });
  ASSERT_NE(fellow, right.end());
  const double away = (Inverse(first) * fellow->table_from_stand.origin).x > 0 ? -0.5 : 0.5;
  all[0].table_from_stand = first * Pose2{{away * box.width_in, 0}, 0};
  EXPECT_TRUE(close(all));
  constexpr double kNear_in = 0.1;
  EXPECT_LT(Distance(all[0].table_from_stand.origin, first.origin), kNear_in);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_EQ(all[i], right[i]) << i;
}

// A stand on a brown field that runs on beyond it, through a camera that sets its own exposure.
TEST(RanksThatCloseUp, CountContactForAStandThatHasNone) {
  EXPECT_TRUE(ClosesUp(24, 16, false));
  EXPECT_FALSE(ClosesUp(24, 16, true));
  EXPECT_FALSE(ClosesUp(16, 16, false));
}

}  // namespace
}  // namespace fos
