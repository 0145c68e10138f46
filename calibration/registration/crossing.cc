// SPDX-License-Identifier: MIT
#include "calibration/registration/crossing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <opencv2/imgproc.hpp>

#include "calibration/targets/board_corners.h"

namespace fos {
namespace {

// A pixel on something thin, about where somebody pointed.
struct Ridge {
  double x = 0;
  double y = 0;
  double angle_rad = 0;  // along it
  double weight = 0;
};

// Curvature across thin lines of one sign in a small window, as weights of its pixels.
std::vector<Ridge> RidgesOf(const cv::Mat& soft, double sign) {
  cv::Mat_<double> xx, xy, yy;
  cv::Sobel(soft, xx, CV_64F, 2, 0, 3, 0.25 * sign);
  cv::Sobel(soft, yy, CV_64F, 0, 2, 3, 0.25 * sign);
  cv::Sobel(soft, xy, CV_64F, 1, 1, 3, 0.25 * sign);
  std::vector<Ridge> out;
  for (int y = 1; y + 1 < soft.rows; ++y) {
    for (int x = 1; x + 1 < soft.cols; ++x) {
      const double mean = 0.5 * (xx(y, x) + yy(y, x));
      const double half = 0.5 * (xx(y, x) - yy(y, x));
      const double root = std::hypot(half, xy(y, x));
      const double strength = mean + root - std::abs(mean - root);
      constexpr double kNoise = 0.5;  // code values: sensor noise after the blur
      if (strength < kNoise) continue;
      out.push_back({static_cast<double>(x), static_cast<double>(y),
                     0.5 * std::atan2(xy(y, x), half) + CV_PI / 2, strength});
    }
  }
  return out;
}

// Line x sin(angle) - y cos(angle) = rho about the window's middle.
struct Line {
  double angle_rad = 0;
  double rho = 0;
  double weight = 0;
};
double Miss(const Line& line, const Ridge& r) {
  return r.x * std::sin(line.angle_rad) - r.y * std::cos(line.angle_rad) - line.rho;
}
double Turned(double a, double b) { return std::abs(std::remainder(a - b, CV_PI)); }

// The heaviest line within reach of the middle whose direction is at least `apart` from `other`'s.
Line Heaviest(const std::vector<Ridge>& ridges, double reach, const Line* other) {
  constexpr int kAngles = 60;       // three degrees
  constexpr double kSpread = 0.21;  // 12 degrees: what noise does to a pixel's direction
  constexpr double kApart = 0.6;    // 35 degrees: a board seen very aslant
  const int rhos = 2 * static_cast<int>(std::ceil(reach)) + 1;
  cv::Mat_<double> votes(kAngles, rhos, 0.0);
  for (const Ridge& r : ridges) {
    for (int a = 0; a < kAngles; ++a) {
      const double angle = CV_PI * a / kAngles;
      if (Turned(angle, r.angle_rad) > kSpread) continue;
      if (other != nullptr && Turned(angle, other->angle_rad) < kApart) continue;
      const int at =
          static_cast<int>(std::lround(r.x * std::sin(angle) - r.y * std::cos(angle) + rhos / 2));
      if (at >= 0 && at < rhos) votes(a, at) += r.weight;
    }
  }
  double best = 0;
  cv::Point where;
  cv::minMaxLoc(votes, nullptr, &best, nullptr, &where);
  Line line{CV_PI * where.y / kAngles, static_cast<double>(where.x - rhos / 2), best};
  // Middle and direction of what lies on it, by weight.
  constexpr int kRounds = 3;
  for (int round = 0; round < kRounds && best > 0; ++round) {
    constexpr double kWidth_px = 2.5;
    double sum = 0, mx = 0, my = 0;
    cv::Matx22d second = cv::Matx22d::zeros();
    for (const bool spread : {false, true}) {
      for (const Ridge& r : ridges) {
        if (std::abs(Miss(line, r)) > kWidth_px || Turned(r.angle_rad, line.angle_rad) > kSpread) {
          continue;
        }
        if (!spread) {
          sum += r.weight;
          mx += r.weight * r.x;
          my += r.weight * r.y;
        } else {
          const cv::Vec2d d(r.x - mx, r.y - my);
          second += r.weight * (d * d.t());
        }
      }
      if (!(sum > 0)) return line;
      if (!spread) {
        mx /= sum;
        my /= sum;
      }
    }
    line.angle_rad = 0.5 * std::atan2(2 * second(0, 1), second(0, 0) - second(1, 1));
    line.rho = mx * std::sin(line.angle_rad) - my * std::cos(line.angle_rad);
  }
  return line;
}

}  // namespace

std::optional<ImagePoint> SnapToCrossing(const cv::Mat& grey, ImagePoint near, double reach_px) {
  if (grey.empty() || grey.type() != CV_8UC1 || !(reach_px > 0) ||
      !(std::abs(near.x_px) < 1e6 && std::abs(near.y_px) < 1e6)) {
    return std::nullopt;
  }
  const int half = static_cast<int>(std::ceil(std::min(2 * reach_px, 200.0)));
  const int x0 = static_cast<int>(std::lround(near.x_px));
  const int y0 = static_cast<int>(std::lround(near.y_px));
  const cv::Rect window =
      cv::Rect(x0 - half, y0 - half, 2 * half + 1, 2 * half + 1) & cv::Rect({}, grey.size());
  if (window.width < half || window.height < half) return std::nullopt;
  cv::Mat soft;
  constexpr double kSigma_px = 1.3;  // of lines one to three pixels wide
  cv::GaussianBlur(grey(window), soft, {}, kSigma_px);
  soft.convertTo(soft, CV_64F);

  std::optional<ImagePoint> best;
  double best_weight = 0;
  for (const double sign : {1.0, -1.0}) {  // dark lines, light lines
    std::vector<Ridge> ridges = RidgesOf(soft, sign);
    for (Ridge& r : ridges) {
      r.x += window.x - near.x_px;
      r.y += window.y - near.y_px;
    }
    const Line first = Heaviest(ridges, reach_px, nullptr);
    const Line second = Heaviest(ridges, reach_px, &first);
    const double det = std::sin(second.angle_rad - first.angle_rad);
    if (!(first.weight > 0) || !(second.weight > 0) || std::abs(det) < 0.3) continue;
    // A line is a line through most of the window, not the edge of a figure.
    const double least = 0.5 * std::min(window.width, window.height);
    const auto length = [&](const Line& line) {
      std::vector<bool> seen(static_cast<std::size_t>(4 * half + 3), false);
      std::size_t count = 0;
      for (const Ridge& r : ridges) {
        if (std::abs(Miss(line, r)) > 1.5) continue;
        const double along = r.x * std::cos(line.angle_rad) + r.y * std::sin(line.angle_rad);
        const auto at = static_cast<std::size_t>(std::clamp(along + 2 * half, 0.0, 4.0 * half));
        count += seen[at] ? 0 : 1;
        seen[at] = true;
      }
      return static_cast<double>(count);
    };
    if (length(first) < least || length(second) < least) continue;
    const double x =
        (second.rho * std::cos(first.angle_rad) - first.rho * std::cos(second.angle_rad)) / det;
    const double y =
        (second.rho * std::sin(first.angle_rad) - first.rho * std::sin(second.angle_rad)) / det;
    if (std::hypot(x, y) > reach_px || first.weight + second.weight < best_weight) continue;
    best = ImagePoint{near.x_px + x, near.y_px + y};
    best_weight = first.weight + second.weight;
  }
  if (best) return best;
  const auto saddle = FitSaddle(grey, near, reach_px);
  if (saddle) return saddle->at;
  return std::nullopt;
}

}  // namespace fos
