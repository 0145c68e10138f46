// SPDX-License-Identifier: MIT
// What is not known of a lens and of the camera's height, carried through to the table: made-up
// cameras, whose errors must keep to what is stated.
#include <gtest/gtest.h>
#include <opencv2/calib3d.hpp>

#include "calibration/camera/pose_fit.h"
#include "tests/support/plane_picture.h"

namespace fos {
namespace {

using test::Overhead;
using test::Webcam;

TEST(CameraModel, DerivativesAreThoseOfTheProjection) {
  for (const auto kind : {CameraModel::Lens::kBrownConrady, CameraModel::Lens::kFisheye}) {
    CameraModel lens = Webcam(1280, 720);
    lens.lens = kind;
    lens.distortion = {-0.2, 0.05, 0.001, -0.002, 0.01};
    if (kind == CameraModel::Lens::kFisheye) lens.distortion[4] = 0;
    for (const cv::Vec2d& at : {cv::Vec2d(0.4, -0.3), cv::Vec2d(-0.1, 0.2), cv::Vec2d(1e-12, 0)}) {
      const DistortDerivative by = DerivativeOf(lens, at[0], at[1]);
      const ImagePoint here = Distort(lens, at[0], at[1]);
      constexpr double kStep = 1e-6;
      const auto check = [&](const ImagePoint& there, double dx, double dy) {
        EXPECT_NEAR((there.x_px - here.x_px) / kStep, dx, 2e-3);
        EXPECT_NEAR((there.y_px - here.y_px) / kStep, dy, 2e-3);
      };
      check(Distort(lens, at[0] + kStep, at[1]), by.by_ray(0, 0), by.by_ray(1, 0));
      check(Distort(lens, at[0], at[1] + kStep), by.by_ray(0, 1), by.by_ray(1, 1));
      for (int k = 0; k < 9; ++k) {
        LensVec change;
        change[k] = kStep;
        if (kind == CameraModel::Lens::kFisheye && k == 8) continue;  // not one of its numbers
        check(Distort(Moved(lens, change), at[0], at[1]), by.by_lens(0, k), by.by_lens(1, k));
      }
    }
  }
}

// What a calibration from a dozen views leaves open, in size and in what goes with what.
LensMat CalibratedDoubt(const CameraModel& lens) {
  LensMat factor = LensMat::zeros();
  factor(0, 0) = factor(1, 0) = 0.004 * lens.fx_px;  // both focal lengths together
  factor(1, 1) = 0.0005 * lens.fx_px;
  factor(2, 2) = factor(3, 3) = 3;  // pixels
  factor(4, 0) = 0.004;             // the barrel with the focal length
  factor(4, 4) = 0.006;
  factor(5, 4) = -0.01;
  factor(5, 5) = 0.008;
  factor(6, 6) = factor(7, 7) = 0.0004;
  return factor * factor.t();
}

// Edges of four markers, as pixels of the true camera.
std::vector<LineSight> EdgesOf(const TableCamera& truth, const TableSpec& table, double sigma_px,
                               cv::RNG& rng) {
  std::vector<LineSight> sights;
  int shift = 0;
  for (const FiducialMarker& m : table.fiducials->markers) {
    const auto corners = MarkerCorners(m, table.fiducials->size_in);
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec2 a = corners[i];
      const Vec2 b = corners[(i + 1) % 4];
      for (const double t : {0.21, 0.79}) {
        LineSight sight;
        sight.at = a + t * (b - a);
        const ImagePoint p = ImageFromTable(truth, sight.at, 0);
        const ImagePoint q = ImageFromTable(truth, sight.at + 0.05 * (b - a), 0);
        const cv::Vec2d along(q.x_px - p.x_px, q.y_px - p.y_px);
        sight.across = cv::Vec2d(along[1], -along[0]) / cv::norm(along);
        const double noise = rng.gaussian(sigma_px);
        sight.seen = {p.x_px + noise * sight.across[0], p.y_px + noise * sight.across[1]};
        sight.sigma_px = sigma_px;
        sight.shares[0] = {shift, 1.0};
        sights.push_back(sight);
      }
    }
    ++shift;
  }
  return sights;
}

struct Doubt {
  const char* name;
  bool lens_file;         // calibrated; else a common webcam's is assumed
  double taped_sigma_in;  // 0: no tape
  double tilt_deg;
};
class CameraDoubt : public ::testing::TestWithParam<Doubt> {};

// Normalised squared errors of a table point follow chi squared with two degrees of freedom: on
// the cloth, at a base's top and at a house's.
TEST_P(CameraDoubt, StatedErrorsAreMade) {
  const Doubt& doubt = GetParam();
  cv::RNG rng(20260117);
  constexpr int kTrials = 200;
  const TableSpec table = test::MarkedTable(12, 9, 4.0);
  constexpr std::array<double, 3> kHeights_in = {0.0, 0.1, 2.0};
  std::array<double, 3> sum{};
  int beyond = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    CameraModel known = doubt.lens_file ? Webcam(1920, 1080) : AssumedLens({1920, 1080});
    if (doubt.lens_file) known.covariance = CalibratedDoubt(known);
    const LensPrior prior = PriorOf(known);
    LensVec draw;
    for (int i = 0; i < prior.rank; ++i) {
      draw[i] = std::clamp(rng.gaussian(1.0), -2.5, 2.5);  // no lens folds over in the picture
    }
    const CameraModel lens = Moved(known, prior.factor * draw);
    const double height_in = 52 * lens.fx_px / 1920;
    const TableCamera truth = Overhead(lens, table.frame, height_in, rng.uniform(0.0, 360.0),
                                       doubt.tilt_deg, rng.uniform(0.0, 360.0));
    PosePriors priors;
    priors.shift_sigma.assign(4, 0.3);
    priors.lens = prior;
    if (doubt.taped_sigma_in > 0) {
      priors.height = TapedHeight{CameraCentre(truth)[2] + rng.gaussian(doubt.taped_sigma_in),
                                  doubt.taped_sigma_in};
    }
    const auto sights = EdgesOf(truth, table, 0.15, rng);
    const auto fit = FitPose(sights, truth.rvec + cv::Vec3d(0.01, -0.01, 0.005),
                             truth.tvec + cv::Vec3d(0.3, -0.2, 1.0), priors);
    ASSERT_TRUE(fit.ok()) << fit.error().message;
    TableCamera found = MakeTableCamera(fit->lens, fit->rvec, fit->tvec, fit->covariance);
    found.lens_covariance = fit->lens_covariance;
    found.lens_pose_covariance = fit->lens_pose_covariance;
    const Vec2 at{rng.uniform(0.0, 48.0), rng.uniform(0.0, 36.0)};
    for (std::size_t h = 0; h < kHeights_in.size(); ++h) {
      const auto seen =
          TableFromImage(found, ImageFromTable(truth, at, kHeights_in[h]), kHeights_in[h], 0);
      ASSERT_TRUE(seen.ok());
      const Vec2 e = seen->at - at;
      const double det = seen->cov.xx * seen->cov.yy - seen->cov.xy * seen->cov.xy;
      ASSERT_GT(det, 0);
      const double chi2 =
          (seen->cov.yy * e.x * e.x - 2 * seen->cov.xy * e.x * e.y + seen->cov.xx * e.y * e.y) /
          det;
      sum[h] += chi2;
      beyond += chi2 > 13.8 ? 1 : 0;  // one in a thousand of chi squared with two
    }
  }
  // Variance of chi squared with two is 4. The covariance is only ever widened, and draws beyond
  // two and a half sigmas were clipped.
  const double slack = 5 * std::sqrt(4.0 / kTrials);
  for (std::size_t h = 0; h < kHeights_in.size(); ++h) {
    EXPECT_LT(sum[h] / kTrials, 2 + slack) << kHeights_in[h] << " in up";
    EXPECT_GT(sum[h] / kTrials, 2 - 1.3 * slack) << kHeights_in[h] << " in up";
  }
  EXPECT_LE(beyond, 6);
}

INSTANTIATE_TEST_SUITE_P(Cameras, CameraDoubt,
                         ::testing::Values(Doubt{"lens_file_overhead", true, 0, 0},
                                           Doubt{"lens_file_tilted", true, 0, 15},
                                           Doubt{"lens_file_and_tape", true, 0.25, 3},
                                           Doubt{"tape_alone_overhead", false, 0.5, 0},
                                           Doubt{"nothing_tilted", false, 0, 20}),
                         [](const auto& doubt) { return std::string(doubt.param.name); });

// Straight overhead a flat table tells focal length over height and neither alone: on the cloth
// that does not matter, above it it does, and a tape mends it.
TEST(CameraDoubt, ATapeTellsTheHeightThatAFlatTableCannot) {
  cv::RNG rng(7);
  const TableSpec table = test::MarkedTable(12, 9, 4.0);
  CameraModel lens = AssumedLens({1920, 1080});
  lens.fx_px = lens.fy_px = 1.15 * lens.fx_px;
  const TableCamera truth = Overhead(lens, table.frame, 60, 0, 0, 0);
  const auto sights = EdgesOf(truth, table, 0.1, rng);
  const auto sigma_at = [&](double height_in, const std::optional<TapedHeight>& tape,
                            double& eye_in) {
    PosePriors priors;
    priors.shift_sigma.assign(4, 0.3);
    priors.lens = PriorOf(AssumedLens({1920, 1080}));
    priors.height = tape;
    const auto fit = FitPose(sights, truth.rvec, truth.tvec, priors);
    EXPECT_TRUE(fit.ok());
    TableCamera found = MakeTableCamera(fit->lens, fit->rvec, fit->tvec, fit->covariance);
    found.lens_covariance = fit->lens_covariance;
    found.lens_pose_covariance = fit->lens_pose_covariance;
    eye_in = CameraCentre(found)[2];
    const auto seen =
        TableFromImage(found, ImageFromTable(found, {47, 35}, height_in), height_in, 0);
    EXPECT_TRUE(seen.ok());
    return RmsSigma(seen->cov);
  };
  double eye_in = 0;
  const double cloth = sigma_at(0, std::nullopt, eye_in);
  const double house = sigma_at(2, std::nullopt, eye_in);
  EXPECT_GT(house, 4 * cloth);
  const double taped = sigma_at(2, TapedHeight{60, 0.25}, eye_in);
  EXPECT_NEAR(eye_in, 60, 0.6);
  EXPECT_LT(taped, 0.3 * house);
}

// A lens that a tight file states was refocused since: straight overhead the table cannot see it,
// and what lies above the cloth is misplaced. Refocusing moves no estimate but is in the doubt.
TEST(CameraDoubt, CoversAFocalLengthThatChangedSinceTheFile) {
  cv::RNG rng(11);
  const TableSpec table = test::MarkedTable(12, 9, 4.0);
  CameraModel file = Webcam(1920, 1080);
  LensMat tight = LensMat::zeros();
  tight(0, 0) = tight(0, 1) = tight(1, 0) = tight(1, 1) = std::pow(0.0003 * file.fx_px, 2);
  file.covariance = tight;
  for (const double scale : {0.93, 0.97, 1.03, 1.07}) {
    CameraModel lens = file;
    lens.fx_px *= scale;
    lens.fy_px *= scale;
    const TableCamera truth = Overhead(lens, table.frame, 60, 0, 0, 0);
    const auto sights = EdgesOf(truth, table, 0.1, rng);
    const auto found = [&](double refocus_sigma) {
      PosePriors priors;
      priors.shift_sigma.assign(4, 0.3);
      priors.lens = PriorOf(file);
      priors.refocus_sigma = refocus_sigma;
      const auto fit = FitPose(sights, truth.rvec, truth.tvec, priors);
      EXPECT_TRUE(fit.ok());
      TableCamera out = MakeTableCamera(fit->lens, fit->rvec, fit->tvec, fit->covariance);
      out.lens_covariance = fit->lens_covariance;
      out.lens_pose_covariance = fit->lens_pose_covariance;
      return out;
    };
    const TableCamera with = found(0.02);
    const TableCamera without = found(0);
    EXPECT_EQ(with.lens.fx_px, without.lens.fx_px);
    EXPECT_EQ(with.tvec, without.tvec);
    const auto sigmas = [&](const TableCamera& camera, double height_in) {
      const Vec2 at{47, 35};
      const auto seen = TableFromImage(camera, ImageFromTable(truth, at, height_in), height_in, 0);
      EXPECT_TRUE(seen.ok());
      const Vec2 e = seen->at - at;
      const Cov2& c = seen->cov;
      return std::sqrt((c.yy * e.x * e.x - 2 * c.xy * e.x * e.y + c.xx * e.y * e.y) /
                       (c.xx * c.yy - c.xy * c.xy));
    };
    EXPECT_GT(sigmas(without, 2), 4.7) << scale;
    for (const double height_in : {0.0, 0.5, 1.0, 2.0}) {
      EXPECT_LT(sigmas(with, height_in), 4.7) << scale << ' ' << height_in;
    }
  }
}

}  // namespace
}  // namespace fos
