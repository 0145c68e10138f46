// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <opencv2/core.hpp>
#include <vector>

namespace fos {

// Maximises score(pose) by pattern search (Hooke and Jeeves, 1961): each way of moving the pose by
// itself, with steps that halve from step_px to least_px.
// moved(pose, way, by)  the pose moved one way by so many pixels; ways are counted from 0
template <typename Pose, typename Score, typename Move>
Pose PatternSearch(Pose pose, double step_px, double least_px, std::size_t ways,
                   const Score& score, const Move& moved) {
  constexpr std::size_t kRounds = 3;
  double best = score(pose);
  for (double step = step_px; step >= least_px; step /= 2) {
    std::size_t in_vain = 0;  // ways that were tried since the pose moved last
    for (std::size_t tried = 0; tried < kRounds * ways && in_vain < ways; ++tried) {
      const std::size_t way = tried % ways;
      ++in_vain;
      for (const double by : {step, -step}) {
        const Pose other = moved(pose, way, by);
        if constexpr (std::equality_comparable<Pose>) {
          if (other == pose) continue;  // as far as it may be moved this way
        }
        const double value = score(other);
        if (value <= best) continue;
        best = value;
        pose = other;
        in_vain = 0;
        break;
      }
    }
  }
  return pose;
}

// A score's gradient and second derivatives in all ways of moving a pose.
template <std::size_t kWays>
struct Curvature {
  cv::Vec<double, static_cast<int>(kWays)> gradient;
  cv::Matx<double, static_cast<int>(kWays), static_cast<int>(kWays)> hessian;
};
// By Gauss and Newton: from how the predicted values change with each way of moving, which takes two
// predictions a way, not one for every pair of ways.
// predicted(pose, values)  the score of a pose; values become what it predicts, each by the root of
//                          its weight in the score
// prior(pose)              what of the score does not come from these values
template <std::size_t kWays, typename Pose, typename Predicted, typename Prior, typename Move>
Curvature<kWays> CurvatureAt(const Pose& pose, const Predicted& predicted, const Prior& prior,
                             const Move& moved) {
  constexpr double kStep_px = 0.3;  // less than the score's ripple from pixel to pixel allows
  constexpr double kSquare = kStep_px * kStep_px;
  constexpr double kImpossible = -1e17;  // a pose that is out of the question tells nothing
  Curvature<kWays> out;
  std::array<std::vector<float>, kWays> slopes;
  std::vector<float> behind;
  std::array<double, kWays> prior_ahead{};
  const double prior_here = prior(pose);
  for (std::size_t i = 0; i < kWays; ++i) {
    const auto row = static_cast<int>(i);
    const Pose forward = moved(pose, i, kStep_px);
    const Pose backward = moved(pose, i, -kStep_px);
    const double score_ahead = predicted(forward, slopes[i]);
    const double score_behind = predicted(backward, behind);
    if (std::min(score_ahead, score_behind) < kImpossible) {
      std::fill(slopes[i].begin(), slopes[i].end(), 0.F);
    } else {
      out.gradient[row] = (score_ahead - score_behind) / (2 * kStep_px);
      constexpr auto kPerPixel = static_cast<float>(1 / (2 * kStep_px));
      for (std::size_t k = 0; k < behind.size(); ++k)
        slopes[i][k] = kPerPixel * (slopes[i][k] - behind[k]);
    }
    prior_ahead[i] = prior(forward);
    out.hessian(row, row) = (prior_ahead[i] + prior(backward) - 2 * prior_here) / kSquare;
    for (std::size_t j = 0; j < i; ++j) {
      out.hessian(row, static_cast<int>(j)) =
          (prior(moved(forward, j, kStep_px)) - prior_ahead[i] - prior_ahead[j] + prior_here) /
          kSquare;
    }
  }
  for (int i = 0; i < static_cast<int>(kWays); ++i) {
    for (int j = 0; j <= i; ++j) {
      const std::vector<float>& a = slopes[static_cast<std::size_t>(i)];
      const std::vector<float>& b = slopes[static_cast<std::size_t>(j)];
      float sum = 0;
      for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
      out.hessian(i, j) -= static_cast<double>(sum);
      out.hessian(j, i) = out.hessian(i, j);
    }
  }
  return out;
}

// What a score's curvature leaves open: the inverse of the information, pixels^2. What hardly shows
// is known to three pixels.
template <std::size_t kWays>
cv::Matx<double, static_cast<int>(kWays), static_cast<int>(kWays)> CovarianceOf(
    const Curvature<kWays>& at) {
  constexpr int kSize = static_cast<int>(kWays);
  constexpr double kFlat = 0.1;  // nats/px^2
  cv::Vec<double, kSize> values;
  cv::Matx<double, kSize, kSize> ways;
  cv::eigen(at.hessian * -1.0, values, ways);
  auto out = cv::Matx<double, kSize, kSize>::zeros();
  for (int i = 0; i < kSize; ++i)
    out += ways.row(i).t() * ways.row(i) * (1 / std::max(values[i], kFlat));
  return out;
}

// Newton's steps, damped as by Levenberg: ways of moving a pose depend on each other, which a search
// along one at a time follows too slowly.
// curvature(pose)  the score's there
template <std::size_t kWays, typename Pose, typename Score, typename CurvatureOf, typename Move>
Pose NewtonSearch(Pose pose, const Score& score, const CurvatureOf& curvature, const Move& moved) {
  constexpr int kSteps = 8;
  constexpr int kAttempts = 4;
  constexpr double kMost_px = 1.5;  // further off, the curvature says nothing
  constexpr double kEnough = 0.1;   // nats: far less than moves a point by its doubt
  constexpr double kFlat = 0.1;     // nats/px^2: what hardly shows is not sent far away
  constexpr int kSize = static_cast<int>(kWays);
  double value = score(pose);
  double damping = 1;
  for (int step = 0; step < kSteps; ++step) {
    const Curvature<kWays> at = curvature(pose);
    double gained = 0;
    for (int attempt = 0; attempt < kAttempts && gained <= 0; ++attempt) {
      cv::Matx<double, kSize, kSize> normal = at.hessian * -1.0;
      for (int i = 0; i < kSize; ++i) normal(i, i) = std::max(normal(i, i), kFlat) + damping;
      cv::Vec<double, kSize> by;
      Pose other = pose;
      if (cv::solve(normal, at.gradient, by, cv::DECOMP_CHOLESKY)) {
        for (std::size_t i = 0; i < kWays; ++i)
          other = moved(other, i, std::clamp(by[static_cast<int>(i)], -kMost_px, kMost_px));
        gained = score(other) - value;
      }
      if (gained > 0) pose = other;
      damping *= gained > 0 ? 0.2 : 5;
    }
    if (gained <= kEnough) break;
    value += gained;
  }
  return pose;
}

}  // namespace fos
