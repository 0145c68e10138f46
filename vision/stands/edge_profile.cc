// SPDX-License-Identifier: MIT
#include "vision/stands/edge_profile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "calibration/camera/bilinear.h"
#include "calibration/camera/response.h"

namespace fos {
namespace {

// Blur of an edge: a webcam's lens, demosaicing and coding come to about this, one sigma.
constexpr double kBlur_px = 0.8;
constexpr double kSearch_px = kProfileReach_px - 1.0;

// Steps in which an edge is looked for.
constexpr double kOffsetStep_px = 0.25;
constexpr int kOffsets = 2 * static_cast<int>(kSearch_px / kOffsetStep_px) + 1;
constexpr double SearchOffset(int k) { return -kSearch_px + kOffsetStep_px * k; }

// How much of the inside's colour each sample shows where the edge lies at each offset.
using StepTable = std::array<std::array<double, kProfileSamples>, kOffsets>;
const StepTable& StepsUp() {
  static const StepTable table = [] {
    StepTable out{};
    for (int k = 0; k < kOffsets; ++k) {
      for (int i = 0; i < kProfileSamples; ++i)
        out[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)] =
            0.5 * std::erfc((ProfileOffset(i) - SearchOffset(k)) * M_SQRT1_2 / kBlur_px);
    }
    return out;
  }();
  return table;
}

// How much of a channel's light is cut off, 0 to 1: cameras bend their curve before its end.
double Burnt(float light) {
  constexpr float kFrom = 0.85F, kTo = 0.95F;
  return static_cast<double>(std::clamp((light - kFrom) / (kTo - kFrom), 0.0F, 1.0F));
}

// Twice as bright as the picture can show, an edge on something dark is seen 0.7 of the blur
// farther out; just as bright as that, where it is. Taken for once and a half.
constexpr double kMeanBloom_px = 0.4 * kBlur_px;

// Mean of the outer end of a profile; empty where any of it is not seen.
std::optional<cv::Vec3f> OuterColour(const EdgeProfile& profile) {
  cv::Vec3f sum;
  int n = 0;
  for (int i = kProfileSamples - 4; i < kProfileSamples; ++i) {
    const auto& c = profile[static_cast<std::size_t>(i)];
    if (!c) return std::nullopt;
    sum += *c;
    ++n;
  }
  sum /= static_cast<float>(n);
  return sum;
}

}  // namespace

std::optional<cv::Vec3f> LinearLightAt(const cv::Mat& bgr, double x_px, double y_px) {
  const auto& light = LightOfSrgbCode();
  return BilinearAt(bgr, x_px, y_px, [&](std::uint8_t code) { return light[code]; });
}

std::optional<EdgeCrossing> FindSeam(const EdgeProfile& profile, const cv::Vec3f& paint) {
  constexpr double kSeamReach_px = 2.0;
  double total = 0;
  double moment = 0;
  double second = 0;
  double peak = 0;
  for (int i = 0; i < kProfileSamples; ++i) {
    const double s = ProfileOffset(i);
    const auto& c = profile[static_cast<std::size_t>(i)];
    if (!c) return std::nullopt;
    const double off = cv::norm(*c - paint) / (cv::norm(paint) + 0.02);
    if (std::abs(s) > kSeamReach_px) {
      if (off > 0.3) return std::nullopt;  // a figure, not paint on both sides
      continue;
    }
    peak = std::max(peak, off);
    total += off;
    moment += off * s;
    second += off * s * s;
  }
  if (peak < 0.3 || total <= 0) return std::nullopt;
  const double middle = moment / total;
  const double width = std::sqrt(std::max(0.0, second / total - middle * middle));
  if (width > 1.1) return std::nullopt;
  return EdgeCrossing{middle - 0.2, 0};  // our side of the gap
}

std::optional<EdgeCrossing> FindCrossing(const EdgeProfile& profile, const cv::Vec3f& inside,
                                         const std::optional<cv::Vec3f>& known_outside,
                                         double inside_reach_px) {
  const std::optional<cv::Vec3f> far = known_outside ? known_outside : OuterColour(profile);
  if (!far) return std::nullopt;
  const cv::Vec3f outside = *far;
  const cv::Vec3f across = inside - outside;
  const double contrast2 = across.dot(across);
  constexpr double kLeastContrast = 0.06;  // of full linear light: below it noise decides
  if (contrast2 < kLeastContrast * kLeastContrast)
    return known_outside ? std::nullopt : FindSeam(profile, inside);

  // Along the line from the outside's colour to the inside's, and off it: a figure is off it.
  std::array<double, kProfileSamples> share{};
  std::array<double, kProfileSamples> off2{};
  std::array<bool, kProfileSamples> use{};
  int used = 0;
  for (int i = 0; i < kProfileSamples; ++i) {
    const auto n = static_cast<std::size_t>(i);
    const double s = ProfileOffset(i);
    const auto& c = profile[n];
    if (s < -inside_reach_px || !c) continue;
    const cv::Vec3f from = *c - outside;
    const double along = from.dot(across) / contrast2;
    share[n] = along;
    off2[n] = std::max(0.0, from.dot(from) / contrast2 - along * along);
    use[n] = true;
    ++used;
  }
  if (used < 8) return std::nullopt;
  std::array<double, kOffsets> cost{};
  for (std::size_t k = 0; k < cost.size(); ++k) {
    const auto& step = StepsUp()[k];
    for (std::size_t n = 0; n < step.size(); ++n) {
      if (!use[n]) continue;
      const double e = share[n] - step[n];
      cost[k] += std::min(e * e + off2[n], 0.5);
    }
  }
  const auto least = static_cast<int>(std::min_element(cost.begin(), cost.end()) - cost.begin());
  if (least == 0 || least == kOffsets - 1) return std::nullopt;  // at the rim: not this edge
  double best = SearchOffset(least);
  const double best_cost = cost[static_cast<std::size_t>(least)];
  const double low = cost[static_cast<std::size_t>(least - 1)];
  const double high = cost[static_cast<std::size_t>(least + 1)];
  const double bend = low + high - 2 * best_cost;
  if (bend > 1e-9) best += std::clamp(0.125 * (low - high) / bend, -0.125, 0.125);
  const double rms = std::sqrt(best_cost / used);
  constexpr double kWorstRms = 0.15;
  if (rms > kWorstRms) return std::nullopt;
  double burnt = 0;
  for (int c = 0; c < 3; ++c)
    burnt += static_cast<double>(across[c] * across[c]) / contrast2 *
             (Burnt(inside[c]) - Burnt(outside[c]));
  const float luma = across.dot(cv::Vec3f(0.0722F, 0.7152F, 0.2126F));  // Rec. 709
  const double chroma = cv::norm(across - luma * cv::Vec3f(1, 1, 1));
  const double light = std::sqrt(3.0) * std::abs(static_cast<double>(luma));
  return EdgeCrossing{best - burnt * kMeanBloom_px, chroma / (chroma + light), burnt};
}

}  // namespace fos
