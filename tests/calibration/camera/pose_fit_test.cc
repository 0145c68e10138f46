// SPDX-License-Identifier: MIT
#include "calibration/camera/pose_fit.h"

#include <gtest/gtest.h>
#include <opencv2/calib3d.hpp>

#include "calibration/registration/grid_lines.h"
#include "tests/support/plane_picture.h"

namespace fos {
namespace {

using test::Overhead;
using test::Webcam;

// Edges of four markers as seen by a camera, noise of sigma_px added.
std::vector<LineSight> EdgesOf(const TableCamera& camera, const TableSpec& table, double paper_in,
                               double sigma_px, cv::RNG& rng) {
  std::vector<LineSight> sights;
  int shift = 0;
  for (const FiducialMarker& m : table.fiducials->markers) {
    const auto corners = MarkerCorners(m, table.fiducials->size_in);
    const double bias_px = rng.gaussian(0.3);
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec2 a = corners[i];
      const Vec2 b = corners[(i + 1) % 4];
      const auto ray = [&](Vec2 p) {
        const cv::Vec3d c = camera.rotation * cv::Vec3d(p.x, p.y, paper_in) + camera.tvec;
        return cv::Vec2d(c[0] / c[2], c[1] / c[2]);
      };
      const cv::Vec2d along = ray(b) - ray(a);
      cv::Vec2d normal = cv::Vec2d(along[1], -along[0]) / cv::norm(along);
      if (normal.dot(ray(a) - ray(m.centre)) < 0) normal = -normal;
      for (const double t : {0.21, 0.79}) {
        LineSight sight;
        sight.at = a + t * (b - a);
        sight.on_paper = true;
        sight.normal = normal;
        sight.px_per_unit = camera.lens.fx_px;
        sight.sigma_px = sigma_px;
        sight.offset =
            -normal.dot(ray(sight.at)) - (bias_px + rng.gaussian(sigma_px)) / sight.px_per_unit;
        sight.shares[0] = {shift, 1.0};
        sights.push_back(sight);
      }
    }
    ++shift;
  }
  return sights;
}

// The stated covariance against the error that was made, over many cameras: normalised squared
// errors of six numbers follow chi squared with six degrees of freedom, mean 6, variance 12.
TEST(PoseFit, CovarianceIsHonest) {
  cv::RNG rng(20240611);
  constexpr int kTrials = 300;
  double sum = 0;
  int beyond = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const TableSpec table = test::MarkedTable(12, 9, 4.0);
    CameraModel lens = Webcam(1920, 1080);
    lens.distortion[0] = rng.uniform(-0.3, 0.1);
    const TableCamera camera =
        Overhead(lens, table.frame, rng.uniform(55.0, 90.0), rng.uniform(0.0, 360.0),
                 rng.uniform(0.0, 20.0), rng.uniform(0.0, 360.0));
    PosePriors priors;
    priors.shift_sigma.assign(4, 0.3);
    const double paper = priors.paper_in + rng.gaussian(priors.paper_sigma_in);
    const auto sights = EdgesOf(camera, table, paper, rng.uniform(0.03, 0.3), rng);
    const cv::Vec3d near = camera.rvec + cv::Vec3d(0.02, -0.01, 0.015);
    const auto fit = FitPose(sights, near, camera.tvec + cv::Vec3d(0.5, -0.4, 1.0), priors);
    ASSERT_TRUE(fit.ok()) << fit.error().message;
    cv::Vec6d error;
    // By the turn between both rotations, so that no rvec's name matters.
    cv::Matx33d found;
    cv::Rodrigues(fit->rvec, found);
    cv::Vec3d rvec = fit->rvec;
    cv::Vec3d same = camera.rvec;
    if (cv::norm(same - rvec) > 1) same *= 1 - 2 * CV_PI / cv::norm(same);
    for (int i = 0; i < 3; ++i) {
      error[i] = rvec[i] - same[i];
      error[i + 3] = fit->tvec[i] - camera.tvec[i];
    }
    // Scaled to a unit diagonal: turns and shifts are numbers of very different size.
    cv::Mat_<double> correlation(6, 6);
    cv::Mat_<double> scaled(6, 1);
    for (int i = 0; i < 6; ++i) {
      scaled(i) = error[i] / std::sqrt(fit->covariance(i, i));
      for (int j = 0; j < 6; ++j) {
        correlation(i, j) =
            fit->covariance(i, j) / std::sqrt(fit->covariance(i, i) * fit->covariance(j, j));
      }
    }
    cv::Mat_<double> weighed;
    ASSERT_TRUE(cv::solve(correlation, scaled, weighed, cv::DECOMP_SVD));
    const double nees = scaled.dot(weighed);
    sum += nees;
    beyond += nees > 16.8 ? 1 : 0;  // 1 % of chi squared with six
  }
  // Five standard deviations of the mean of kTrials; the covariance is only ever widened.
  const double slack = 5 * std::sqrt(12.0 / kTrials);
  EXPECT_LT(sum / kTrials, 6 + slack);
  EXPECT_GT(sum / kTrials, 6 - 2 * slack);
  EXPECT_LE(beyond, 12);  // 3 expected of 300
}

TEST(PoseFit, MarkerShiftsDoNotMoveTheTable) {
  // Every edge of every marker half a pixel inward, as plain corners on a blurred print would be.
  const TableSpec table = test::MarkedTable(12, 9, 4.0);
  const TableCamera camera = Overhead(Webcam(1920, 1080), table.frame, 68, 10, 5, 30);
  cv::RNG rng(5);
  auto sights = EdgesOf(camera, table, 0.012, 0.02, rng);
  for (LineSight& sight : sights) sight.offset += 0.5 / sight.px_per_unit;
  PosePriors priors;
  priors.shift_sigma.assign(4, 0.5);
  const auto fit = FitPose(sights, camera.rvec, camera.tvec, priors);
  ASSERT_TRUE(fit.ok());
  const TableCamera found = MakeTableCamera(camera.lens, fit->rvec, fit->tvec);
  for (const Vec2 corner : {Vec2{0, 0}, Vec2{48, 36}}) {
    const auto at = TableFromImage(found, ImageFromTable(camera, corner, 0), 0, 0);
    EXPECT_LT(Distance(at->at, corner), 0.003);
  }
}

TEST(PoseFit, TooLittleIsRefused) {
  const TableSpec table = test::MarkedTable(12, 9, 4.0);
  const TableCamera camera = Overhead(Webcam(1920, 1080), table.frame, 68, 0, 0, 0);
  cv::RNG rng(5);
  auto sights = EdgesOf(camera, table, 0.012, 0.02, rng);
  PosePriors priors;
  priors.shift_sigma.assign(4, 0.3);
  sights.resize(5);
  EXPECT_FALSE(FitPose(sights, camera.rvec, camera.tvec, priors).ok());
  // Eight times the same edge says nothing about the rest.
  sights.assign(8, sights[0]);
  const auto fit = FitPose(sights, camera.rvec, camera.tvec, priors);
  EXPECT_TRUE(!fit.ok() || cv::trace(fit->covariance) > 1.0);
}

}  // namespace
}  // namespace fos
