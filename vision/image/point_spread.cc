// SPDX-License-Identifier: MIT
#include "vision/image/point_spread.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "calibration/camera/response.h"
#include "engine/table/quantile.h"
#include "calibration/camera/bilinear.h"

namespace fos {
namespace {

constexpr double kStep_px = 0.25;
constexpr int kReach = 20;  // steps to either side of the edge: five pixels
using Profile = std::array<double, 2 * kReach + 1>;

// Adds what a line sees that crosses an edge at a right angle, in light of the green channel, which
// webcams give at full resolution. False where it leaves the picture.
bool AddProfile(const cv::Mat& bgr, cv::Point2d edge, cv::Point2d outward, Profile& sum) {
  const auto light = [](float code) {
    return LightOfSrgbCode()[static_cast<std::size_t>(code)];
  };
  Profile profile;
  for (int i = -kReach; i <= kReach; ++i) {
    const cv::Point2d at = edge + i * kStep_px * outward;
    const std::optional<cv::Vec3f> seen = BilinearAt(bgr, at.x, at.y, light);
    if (!seen) return false;
    profile[static_cast<std::size_t>(i + kReach)] = (*seen)[1];
  }
  for (std::size_t i = 0; i < profile.size(); ++i) sum[i] += profile[i];
  return true;
}

// The blur of an edge from black to white. Empty where the profile shows no such edge.
std::optional<double> BlurOf(const Profile& profile) {
  constexpr std::size_t kPlateau = 7;  // samples at both ends that neither blur nor halo reaches
  const double low =
      *Quantile(std::vector<double>(profile.begin(), profile.begin() + kPlateau), 0.5);
  const double high = *Quantile(std::vector<double>(profile.end() - kPlateau, profile.end()), 0.5);
  if (high < 2 * low) return std::nullopt;  // ink is darker than that; something covers it
  const auto crossing = [&](double share) -> std::optional<double> {
    const double level = low + share * (high - low);
    for (std::size_t i = 1; i < profile.size(); ++i) {
      if (profile[i - 1] < level && profile[i] >= level)
        return static_cast<double>(i - 1) + (level - profile[i - 1]) / (profile[i] - profile[i - 1]);
    }
    return std::nullopt;
  };
  const auto from = crossing(0.2);
  const auto to = crossing(0.8);
  if (!from || !to || *to <= *from) return std::nullopt;
  constexpr double kSigmas = 1.6832;  // between a fifth and four fifths of a normal distribution
  // Sampling between the pixels blurs once more, by a triangle two pixels wide.
  constexpr double kSampling_px2 = 1.0 / 6;
  constexpr double kPixel_px2 = 1.0 / 12;  // what a pixel's own width leaves at least
  const double seen = (*to - *from) * kStep_px / kSigmas;
  return std::sqrt(std::max(seen * seen - kSampling_px2, kPixel_px2));
}

}  // namespace

PointSpread PointSpreadOf(const cv::Mat& bgr, const TableCamera& camera, const TableSpec& table) {
  PointSpread out;
  if (!table.fiducials) return out;
  std::vector<double> blurs;
  const double half = table.fiducials->size_in / 2;
  for (const auto& marker : table.fiducials->markers) {
    for (const Vec2 normal : {Vec2{1, 0}, Vec2{0, 1}, Vec2{-1, 0}, Vec2{0, -1}}) {
      // One profile a side, so that noise counts for little; without the corners, which blur
      // rounds.
      Profile profile{};
      int lines = 0;
      constexpr int kLines = 15;
      for (int i = 0; i < kLines; ++i) {
        const double along = 0.7 * (2.0 * i / (kLines - 1) - 1);
        const Vec2 at = marker.centre + half * normal + along * half * Perpendicular(normal);
        const ImagePoint edge = ImageFromTable(camera, at, 0);
        const ImagePoint beyond = ImageFromTable(camera, at + 0.05 * normal, 0);
        const cv::Point2d outward(beyond.x_px - edge.x_px, beyond.y_px - edge.y_px);
        const double scale = cv::norm(outward);
        if (scale > 0 && AddProfile(bgr, {edge.x_px, edge.y_px}, outward * (1 / scale), profile))
          ++lines;
      }
      if (lines < kLines) continue;
      if (const auto blur = BlurOf(profile)) blurs.push_back(*blur);
    }
  }
  constexpr std::size_t kLeast = 4;  // one marker's sides
  if (blurs.size() < kLeast) return out;
  out.sigma_px = *Quantile(blurs, 0.5);
  // Focus and the lens differ from place to place; printed edges are sharper than cotton's.
  constexpr double kElsewhere_px = 0.3;
  out.doubt_px =
      std::hypot(kElsewhere_px, 0.5 * (*Quantile(blurs, 0.84) - *Quantile(blurs, 0.16)));
  return out;
}

}  // namespace fos
