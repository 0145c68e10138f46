// SPDX-License-Identifier: MIT
#include "vision/appearance/local_colours.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/table/quantile.h"

namespace fos {
namespace {

// Of anything painted, this much lies in a shadow.
constexpr float kInShade = 0.25F;
// Noise and neighbours' light tint what is dark more: the spread of a colour's two chroma axes
// grows as its lightness falls below this (see DistanceSquared).
constexpr float kDark = 50;
float Sureness(float lightness) { return std::min(1.0F, (lightness + 16) / kDark); }

constexpr float kRoot2Pi = 2.5066F;
// Beyond so many sigmas squared a normal density is nothing beside that of a figure's colour.
constexpr float kNothing = 60;

}  // namespace

float Density(const Paint& p, PaintColour c) {
  const float sure = Sureness(p.mean.lightness);
  const float l = (c.lightness - p.mean.lightness) / p.sigma.lightness;
  const float a = sure * (c.red_green - p.mean.red_green) / p.sigma.red_green;
  const float b = sure * (c.yellow_blue - p.mean.yellow_blue) / p.sigma.yellow_blue;
  const float d2 = l * l + a * a + b * b;
  if (d2 > kNothing) return 0;
  return sure * sure * std::exp(-0.5F * d2) /
         (kRoot2Pi * kRoot2Pi * kRoot2Pi * p.sigma.lightness * p.sigma.red_green *
          p.sigma.yellow_blue);
}

float ShadeDensity(const Paint& p, PaintColour c) {
  // Lamps' shadows leave a fifth of the light and more: L* + 16 goes with its cube root, 0.58.
  const float full = p.mean.lightness + 16;
  const float low = 0.55F * full - 16;
  const float width = 0.4F * full;
  if (c.lightness < low || c.lightness > low + width) return 0;
  const float sure = Sureness(c.lightness);
  constexpr float kWider = 1.5F;
  const float a = sure * (c.red_green - p.mean.red_green) / (kWider * p.sigma.red_green);
  const float b = sure * (c.yellow_blue - p.mean.yellow_blue) / (kWider * p.sigma.yellow_blue);
  const float d2 = a * a + b * b;
  if (d2 > kNothing) return 0;
  return sure * sure * std::exp(-0.5F * d2) /
         (kRoot2Pi * kRoot2Pi * kWider * kWider * p.sigma.red_green * p.sigma.yellow_blue * width);
}

float DensityOn(const Paint& paint, float others, PaintColour c) {
  return (1 - others) * ((1 - kInShade) * Density(paint, c) + kInShade * ShadeDensity(paint, c)) +
         others * kAnyColour;
}

Paint Mixed(const Paint& one, const Paint& other, float share) {
  constexpr float kShareSigma = 0.2F;
  const auto mean = [&](float a, float b) { return share * a + (1 - share) * b; };
  const auto sigma = [&](float a, float b, float sigma_a, float sigma_b) {
    const float own = mean(sigma_a * sigma_a, sigma_b * sigma_b);
    return std::sqrt(own + kShareSigma * kShareSigma * (a - b) * (a - b));
  };
  const PaintColour& a = one.mean;
  const PaintColour& b = other.mean;
  return {{mean(a.lightness, b.lightness), mean(a.red_green, b.red_green),
           mean(a.yellow_blue, b.yellow_blue)},
          {sigma(a.lightness, b.lightness, one.sigma.lightness, other.sigma.lightness),
           sigma(a.red_green, b.red_green, one.sigma.red_green, other.sigma.red_green),
           sigma(a.yellow_blue, b.yellow_blue, one.sigma.yellow_blue, other.sigma.yellow_blue)}};
}

Paint LocalPaint(const Paint& learnt, const std::vector<PaintColour>& seen) {
  Paint local = learnt;
  constexpr int kRounds = 3;
  constexpr std::size_t kEnough = 8;
  for (int round = 0; round < kRounds; ++round) {
    std::array<std::vector<float>, 3> near;
    for (const PaintColour c : seen) {
      if (DistanceSquared(local, c) > 9) continue;
      near[0].push_back(c.lightness);
      near[1].push_back(c.red_green);
      near[2].push_back(c.yellow_blue);
    }
    if (near[0].size() < kEnough) return round == 0 ? learnt : local;
    const auto spread = [](std::vector<float> values, float middle) {
      for (float& v : values) v = std::abs(v - middle);
      return 1.48F * UpperMedian(values);  // a normal's sigma of its median distance
    };
    const PaintColour mean{UpperMedian(near[0]), UpperMedian(near[1]), UpperMedian(near[2])};
    // Not narrower than a webcam's noise and coding, nor wider than was learnt.
    const float sure = Sureness(mean.lightness);
    local = {
        mean,
        {std::clamp(spread(near[0], mean.lightness), 3.0F, std::max(3.0F, learnt.sigma.lightness)),
         std::clamp(sure * spread(near[1], mean.red_green), 1.5F,
                    std::max(1.5F, learnt.sigma.red_green)),
         std::clamp(sure * spread(near[2], mean.yellow_blue), 1.5F,
                    std::max(1.5F, learnt.sigma.yellow_blue))}};
  }
  return local;
}

Ground::Ground(std::vector<PaintColour> samples) : samples_(std::move(samples)) {
  if (samples_.empty()) return;
  std::array<std::vector<float>, 3> all;
  for (const PaintColour c : samples_) {
    all[0].push_back(c.lightness);
    all[1].push_back(c.red_green);
    all[2].push_back(c.yellow_blue);
  }
  middle_ = {{UpperMedian(all[0]), UpperMedian(all[1]), UpperMedian(all[2])}, {4, 2, 2}};
}

float Ground::operator()(PaintColour c) const {
  if (samples_.size() < 8) return kAnyColour;
  float sum = 0;
  for (const PaintColour s : samples_) {
    const float l = (c.lightness - s.lightness) / 3.5F;
    if (l * l > 12) continue;
    const float sure = Sureness(s.lightness);
    const float a = sure * (c.red_green - s.red_green) / 2.0F;
    const float b = sure * (c.yellow_blue - s.yellow_blue) / 2.0F;
    const float d2 = l * l + a * a + b * b;
    if (d2 < 16) sum += sure * sure * std::exp(-0.5F * d2);
  }
  constexpr float kNorm = 15.75F * 3.5F * 2.0F * 2.0F;  // (2 pi)^1.5 times the three sigmas
  const float beside = sum / (kNorm * static_cast<float>(samples_.size()));
  return (1 - kInShade) * beside + kInShade * ShadeDensity(middle_, c);
}

}  // namespace fos
