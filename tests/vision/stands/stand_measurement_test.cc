// SPDX-License-Identifier: MIT
#include "vision/stands/stand_measurement.h"

#include <gtest/gtest.h>

#include <optional>
#include <span>

#include "datasets/render/synthetic.h"
#include "tests/support/small_table.h"
#include "vision/stands/stand_detector.h"
#include "vision/stands/stand_trace.h"

namespace fos {
namespace {

// A made-up table, its paints as learnt from it, and what is believed of its first stand.
class Confidence : public testing::Test {
 protected:
  Confidence() : made_(RenderTable(test::SmallTable(3))) {
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

  double Of(const StandHypothesis& h) const {
    const StandLook look{made_.bgr,   blind_,         made_.camera,
                         made_.table, made_.scenario, options_,
                         *paints_,    nullptr,        TerrainView(made_.scenario, made_.camera)};
    return MeasureStand(look, h, std::span<const StandHypothesis>{}).stand.confidence;
  }

  SyntheticTable made_;
  cv::Mat blind_;
  StandDetectorOptions options_;
  std::optional<PaintModel> paints_;
  StandHypothesis first_;
};

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

}  // namespace
}  // namespace fos
