// SPDX-License-Identifier: MIT
#include "vision/stands/pose_measurement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <opencv2/imgproc.hpp>

#include "calibration/camera/response.h"
#include "engine/table/shapes.h"
#include "vision/appearance/paint_model.h"
#include "vision/stands/base_fit.h"

namespace fos {
namespace {

constexpr double kPixelsPerIn = 24;
constexpr int kWide_px = 160, kHigh_px = 120;

// A camera straight above the middle of its picture's piece of table.
TableCamera CameraAbove() {
  constexpr double kHigh_in = 75;
  CameraModel lens;
  lens.width_px = kWide_px;
  lens.height_px = kHigh_px;
  lens.fx_px = lens.fy_px = kPixelsPerIn * kHigh_in;
  lens.cx_px = kWide_px / 2.0;
  lens.cy_px = kHigh_px / 2.0;
  return MakeTableCamera(lens, {CV_PI, 0, 0}, {0, 0, kHigh_in});
}

KindSpec LineInfantry() {
  KindSpec kind;
  kind.footprint = {1.5, 0.75};
  kind.thickness_in = 0.1;
  kind.bar_depth_in = 0.18;
  return kind;
}

// Linear light of blue, green, red.
struct BaseLight {
  cv::Vec3f bar, top, ground;
};

// The picture of a base in that light, each pixel the mean over its area, blurred by the lens,
// burnt out beyond 1.
cv::Mat PictureOf(const TableCamera& camera, const KindSpec& kind, const Pose2& pose,
                  const BaseLight& light, double blur_px) {
  constexpr int kFine = 8;  // samples a pixel each way
  cv::Mat fine(kHigh_px * kFine, kWide_px * kFine, CV_32FC3);
  for (int r = 0; r < fine.rows; ++r) {
    for (int c = 0; c < fine.cols; ++c) {
      const ImagePoint at{(c + 0.5) / kFine - 0.5, (r + 0.5) / kFine - 0.5};
      const auto table = TableFromImage(camera, at, kind.thickness_in, 0);
      const Vec2 own = Rotated(table->at - pose.origin, -pose.heading_rad);
      const bool on = std::abs(own.x) < kind.footprint.width_in / 2 &&
                      std::abs(own.y) < kind.footprint.depth_in / 2;
      const bool bar = own.y > kind.footprint.depth_in / 2 - kind.bar_depth_in;
      fine.at<cv::Vec3f>(r, c) = !on ? light.ground : bar ? light.bar : light.top;
    }
  }
  cv::Mat seen;
  cv::resize(fine, seen, {kWide_px, kHigh_px}, 0, 0, cv::INTER_AREA);
  cv::GaussianBlur(seen, seen, {}, blur_px);
  cv::Mat out(seen.size(), CV_8UC3);
  for (int r = 0; r < out.rows; ++r) {
    for (int c = 0; c < out.cols; ++c) {
      for (int k = 0; k < 3; ++k) {
        const double code = SrgbCodeOfLight(static_cast<double>(seen.at<cv::Vec3f>(r, c)[k]));
        out.at<cv::Vec3b>(r, c)[k] = cv::saturate_cast<std::uint8_t>(code);
      }
    }
  }
  return out;
}

Paint PaintIn(cv::Vec3f light) {
  return {PaintColourOfLinear(
              {std::min(light[0], 1.0F), std::min(light[1], 1.0F), std::min(light[2], 1.0F)}),
          {8, 5, 5}};
}

const Pose2 kTruth{{0.21, -0.13}, 0.3};
constexpr double kCameraBlur_px = 0.8;

// A base in some light, and where its outline is found from a little beside it.
struct Looked {
  explicit Looked(const BaseLight& light)
      : picture(PictureOf(camera, kind, kTruth, light, kCameraBlur_px)),
        top(PaintIn(light.top)),
        bar(PaintIn(light.bar)),
        outline(FitOutline(picture, camera, kind, top, bar,
                           {kTruth.origin + Vec2{0.03, -0.02}, kTruth.heading_rad + 0.02}, 0, {})) {
  }
  TableCamera camera = CameraAbove();
  KindSpec kind = LineInfantry();
  cv::Mat picture;
  Paint top, bar;
  StandOutline outline;
};

const BaseLight kPlainLight{{0.7F, 0.7F, 0.7F}, {0.4F, 0.08F, 0.06F}, {0.1F, 0.25F, 0.2F}};
const BaseLight kBurntOut{{2.5F, 2.5F, 2.5F}, {0.3F, 0.04F, 0.04F}, {0.4F, 0.55F, 0.6F}};

StandFit Measured(const Looked& in) {
  const StandFit edges =
      FitStand(in.picture, in.camera, in.kind, in.top, in.bar, in.outline, 0, {});
  return MeasurePose(in.picture, in.camera, in.kind, in.bar, in.outline, edges, 0, {},
                     {kCameraBlur_px, 0.1});
}

TEST(PoseMeasurement, MeasuresABaseInPlainLight) {
  const StandFit fit = Measured(Looked(kPlainLight));
  EXPECT_LT(Distance(fit.table_from_stand.origin, kTruth.origin), 0.005);
  EXPECT_NEAR(fit.table_from_stand.heading_rad, kTruth.heading_rad, 0.005);
}

// The edges of a bar that is burnt out lie where the picture leaves its full light, outside the
// bar. They alone were 0.033 in off and stated 0.013.
TEST(PoseMeasurement, DoubtsABaseWhoseBarIsBurntOut) {
  const StandFit fit = Measured(Looked(kBurntOut));
  const Vec2 off = fit.table_from_stand.origin - kTruth.origin;
  const Vec2 way = off / std::max(1e-9, Norm(off));
  EXPECT_LT(Norm(off), 2 * std::sqrt(VarianceAlong(fit.centre_cov, way)));
  EXPECT_LT(Norm(off), 0.028);
}

TEST(BaseFit, KnowsThatABurntOutBarIsNarrowerThanItLooks) {
  const Looked in(kBurntOut);
  const BasePaints paints{
      {0.95F, 0.95F, 0.95F}, {1, 1, 1}, {0.3F, 0.04F, 0.04F}, {0.03F, 0.02F, 0.02F}};
  const auto fit =
      FitBase(in.picture, in.camera, in.kind, in.outline, 0, {}, paints, {kCameraBlur_px, 0.1});
  ASSERT_TRUE(fit);
  EXPECT_LT(Distance(fit->table_from_stand.origin, kTruth.origin), 0.005);
}

// What stood before the right edge of a stand left its pixels so little weight that its square
// was zero: the place of the edge was no number, and the program gave up.
TEST(BaseFit, LeavesOutAnEdgeThatIsAllButCovered) {
  const std::array<double, 5> pull{3.07, -42.3, -2.25e-170, -494, -149};
  const std::array<double, 5> stiff{1.27, 1.9e5, 1.47e-172, 2.6e5, 2.6e5};
  const double sum = std::pow(3.07 / 1.27, 2) + std::pow(42.3 / 1.9e5, 2) +
                     std::pow(494 / 2.6e5, 2) + std::pow(149 / 2.6e5, 2);
  EXPECT_NEAR(RootMeanSquareOff_in(pull, stiff), std::sqrt(sum / 2), 1e-9);
}

TEST(BaseFit, KnowsNoEdgeToAnInchWhereTwoAreSeen) {
  EXPECT_EQ(RootMeanSquareOff_in(std::array{1.0, 2.0, 1e-9}, std::array{1e4, 1e4, 1e-6}), 1.0);
}

}  // namespace
}  // namespace fos
