// SPDX-License-Identifier: MIT
#include "vision/image/paper_light.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "calibration/camera/bilinear.h"
#include "calibration/camera/response.h"
#include "engine/table/quantile.h"

namespace fos {
namespace {

// Light of the three channels and their mean.
using Lights = std::array<double, 4>;

// The median light on a square about the marker, at a distance from its black square. Empty where too
// little of it is in the picture.
std::optional<Lights> LightAbout(const cv::Mat& bgr, const TableCamera& camera, Vec2 centre,
                                 double half_in) {
  const auto light = [](float code) {
    return LightOfSrgbCode()[static_cast<std::size_t>(code)];
  };
  std::array<std::vector<double>, 4> seen;
  constexpr int kPoints = 20;  // a side
  for (const Vec2 normal : {Vec2{1, 0}, Vec2{0, 1}, Vec2{-1, 0}, Vec2{0, -1}}) {
    for (int i = 0; i < kPoints; ++i) {
      const double along = 2.0 * i / kPoints - 1;
      const ImagePoint at = ImageFromTable(
          camera, centre + half_in * normal + along * half_in * Perpendicular(normal), 0);
      const std::optional<cv::Vec3f> value = BilinearAt(bgr, at.x_px, at.y_px, light);
      if (!value) continue;
      for (std::size_t c = 0; c < 3; ++c) seen[c].push_back((*value)[static_cast<int>(c)]);
      seen[3].push_back(((*value)[0] + (*value)[1] + (*value)[2]) / 3);
    }
  }
  // Two sides, half of each: a marker stands in a corner, and the picture may end at its paper.
  constexpr std::size_t kLeast = kPoints;
  if (seen[3].size() < kLeast) return std::nullopt;
  Lights out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = *Quantile(std::move(seen[i]), 0.5);
  return out;
}

}  // namespace

PaperLight PaperLightOf(const cv::Mat& bgr, const TableCamera& camera, const TableSpec& table) {
  PaperLight out;
  if (!table.fiducials) return out;
  // A marker's quiet zone is at least a module wide, a sixth of the black square (OpenCV's ArUco
  // guide); half a module out is paper, and this far out is beyond the paper of any print of ours.
  const double half = table.fiducials->size_in / 2;
  const double paper_in = half * (1 + 1.0 / 6);
  const double ink_in = half * (1 - 1.0 / 6);  // the middle of the black border, a module wide
  const double ground_in = half * 2.2;
  std::array<std::vector<double>, 4> shares;
  for (const auto& marker : table.fiducials->markers) {
    const auto paper = LightAbout(bgr, camera, marker.centre, paper_in);
    const auto ground = LightAbout(bgr, camera, marker.centre, ground_in);
    constexpr double kBlack = 0.005;
    if (!paper || !ground || *std::min_element(paper->begin(), paper->end()) < kBlack) continue;
    out.light = std::max(out.light, (*paper)[3]);
    if (const auto ink = LightAbout(bgr, camera, marker.centre, ink_in)) {
      for (std::size_t c = 0; c < 3; ++c) {
        double& darkest = out.ink_bgr[static_cast<int>(c)];
        darkest = std::min(darkest, (*ink)[c]);
      }
    }
    for (std::size_t i = 0; i < shares.size(); ++i) shares[i].push_back((*ground)[i] / (*paper)[i]);
  }
  if (shares[3].empty()) return out;
  for (std::size_t c = 0; c < 3; ++c)
    out.ground_bgr[static_cast<int>(c)] = *Quantile(std::move(shares[c]), 0.5);
  out.ground = *Quantile(std::move(shares[3]), 0.5);
  return out;
}

}  // namespace fos
