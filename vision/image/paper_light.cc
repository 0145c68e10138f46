// SPDX-License-Identifier: MIT
#include "vision/image/paper_light.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "calibration/camera/bilinear.h"
#include "calibration/camera/response.h"
#include "engine/table/quantile.h"

namespace fos {
namespace {

// The median light on a square about the marker, at a distance from its black square, of the three
// channels' mean. Empty where too little of it is in the picture.
std::optional<double> LightAbout(const cv::Mat& bgr, const TableCamera& camera, Vec2 centre,
                                 double half_in) {
  const auto light = [](float code) {
    return LightOfSrgbCode()[static_cast<std::size_t>(code)];
  };
  std::vector<double> seen;
  constexpr int kPoints = 20;  // a side
  for (const Vec2 normal : {Vec2{1, 0}, Vec2{0, 1}, Vec2{-1, 0}, Vec2{0, -1}}) {
    for (int i = 0; i < kPoints; ++i) {
      const double along = 2.0 * i / kPoints - 1;
      const ImagePoint at = ImageFromTable(
          camera, centre + half_in * normal + along * half_in * Perpendicular(normal), 0);
      const std::optional<cv::Vec3f> value = BilinearAt(bgr, at.x_px, at.y_px, light);
      if (value) seen.push_back(((*value)[0] + (*value)[1] + (*value)[2]) / 3);
    }
  }
  constexpr std::size_t kLeast = 2 * kPoints;  // two sides: a marker stands in a corner
  if (seen.size() < kLeast) return std::nullopt;
  return Quantile(std::move(seen), 0.5);
}

}  // namespace

PaperLight PaperLightOf(const cv::Mat& bgr, const TableCamera& camera, const TableSpec& table) {
  PaperLight out;
  if (!table.fiducials) return out;
  // A marker's quiet zone is at least a module wide, a sixth of the black square (OpenCV's ArUco
  // guide); half a module out is paper, and this far out is beyond the paper of any print of ours.
  const double half = table.fiducials->size_in / 2;
  const double paper_in = half * (1 + 1.0 / 6);
  const double ground_in = half * 2.2;
  std::vector<double> shares;
  for (const auto& marker : table.fiducials->markers) {
    const auto paper = LightAbout(bgr, camera, marker.centre, paper_in);
    const auto ground = LightAbout(bgr, camera, marker.centre, ground_in);
    constexpr double kBlack = 0.005;
    if (!paper || !ground || *paper < kBlack) continue;
    out.light = std::max(out.light, *paper);
    shares.push_back(*ground / *paper);
  }
  if (!shares.empty()) out.ground = *Quantile(std::move(shares), 0.5);
  return out;
}

}  // namespace fos
