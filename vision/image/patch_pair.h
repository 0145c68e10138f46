// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>
#include <vector>

#include "engine/table/shapes.h"
#include "vision/image/patch.h"

namespace fos {

// A patch before and after, and what changed in it.
struct PatchPair {
  PatchGrid grid;
  cv::Mat before;               // CV_32FC3, brought to the exposure of `after`
  cv::Mat after;                // CV_32FC3
  cv::Mat mask;                 // CV_8UC1: where the change is new and still
  double noise = 1;             // grey levels, one sigma
  double picture_ppi = 24;      // pixels an inch of the picture the patch was cut from
  double least_change = 12;     // grey levels
  std::vector<Polygon> others;  // other projectiles that came with it, inches
};

// Whether a place belongs to another projectile.
inline bool IsAnothers(const PatchPair& patch, Vec2 p) {
  return std::any_of(patch.others.begin(), patch.others.end(),
                     [&](const Polygon& outline) { return Contains(outline, p); });
}

// The weakest channel of a colour: high only for what is white.
inline float LeastChannel(const cv::Vec3f& c) { return std::min({c[0], c[1], c[2]}); }
// The largest difference of two colours in any channel, grey levels.
inline float LargestGap(const cv::Vec3f& a, const cv::Vec3f& b) {
  return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])});
}

// Lenses blur light before the camera's gamma, so shares and half heights are measured on linear
// values. A plain power of 2.2 approximates the curve of sRGB; 0 to 255 both.
inline float Linear(float level) { return 255 * std::pow(std::max(level, 0.f) / 255, 2.2f); }
inline cv::Vec3f Linear(const cv::Vec3f& c) { return {Linear(c[0]), Linear(c[1]), Linear(c[2])}; }

// The share of a pixel that the body covers, in shade or not: the least-squares solution of
// after = a * before + share * body. The shadow beside the body changes only a. The body's unlit
// sides, of another tint, come out as a larger share than their brightness.
inline double BodyShare(const cv::Vec3f& after, const cv::Vec3f& before, const cv::Vec3f& body) {
  const double bb = before.dot(before);
  const double bc = before.dot(body);
  const double cc = body.dot(body);
  const double det = bb * cc - bc * bc;
  // Colours within about eight degrees of each other look like shade of one another; black has no
  // direction.
  constexpr double kApart = 0.02;
  if (det <= kApart * bb * cc) {
    const cv::Vec3f full = body - before;
    const double scale = full.dot(full);
    return scale > 0 ? std::clamp((after - before).dot(full) / scale, 0.0, 1.0) : 0;
  }
  return std::clamp((bb * after.dot(body) - bc * after.dot(before)) / det, 0.0, 1.0);
}

// The same for a white body such as cotton, but at most the share that its own light explains.
// Light is never negative: red paint on green cloth would pass for part white only with negative
// green.
inline double WhiteShare(const cv::Vec3f& after, const cv::Vec3f& before, const cv::Vec3f& white) {
  const double cc = std::max<double>(white.dot(white), 1e-6);
  return std::min(BodyShare(after, before, white), std::max(after.dot(white) / cc, 0.0));
}

}  // namespace fos
