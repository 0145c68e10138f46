// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <opencv2/core.hpp>
#include <optional>

// Colours along a short line across an edge of a base, and where on it the edge lies.
namespace fos {

constexpr double kProfileReach_px = 3.5;  // either way
constexpr double kProfileStep_px = 0.5;
constexpr int kProfileSamples = static_cast<int>(2 * kProfileReach_px / kProfileStep_px) + 1;

// Linear light of blue, green, red, from the inside out; empty where nothing is seen.
using EdgeProfile = std::array<std::optional<cv::Vec3f>, kProfileSamples>;

// How far outward sample i lies from the middle, pixels.
constexpr double ProfileOffset(int i) { return -kProfileReach_px + kProfileStep_px * i; }

// Linear light at a place of a CV_8UC3 picture, bilinear; empty outside.
std::optional<cv::Vec3f> LinearLightAt(const cv::Mat& bgr, double x_px, double y_px);

// Where two colours meet along a profile.
struct EdgeCrossing {
  double at_px = 0;         // outward, less what is burnt out moves it by in the mean
  double chroma_share = 0;  // of the contrast: 0 light against dark, 1 colours equally light
  // Share of the contrast in which the inside is burnt out, less that in which the outside is. What
  // is burnt out may be far brighter than the picture shows, and its blur, cut off at that, looks
  // wide: the edge is seen beyond where it is.
  double burnt = 0;
};

// Two bases of one paint in contact: a dark line, or a bright one where light falls through.
std::optional<EdgeCrossing> FindSeam(const EdgeProfile& profile, const cv::Vec3f& paint);

// Where along the profile the inside's colour ends.
// known_outside    the colour outside; else the outer end of the profile is taken for it
// inside_reach_px  how far inward the inside's colour reaches
std::optional<EdgeCrossing> FindCrossing(const EdgeProfile& profile, const cv::Vec3f& inside,
                                         const std::optional<cv::Vec3f>& known_outside,
                                         double inside_reach_px);

}  // namespace fos
