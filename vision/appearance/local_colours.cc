// SPDX-License-Identifier: MIT
#include "vision/appearance/local_colours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include <opencv2/core/hal/hal.hpp>

#include "engine/table/quantile.h"

namespace fos {
namespace {

// Noise and neighbours' light tint what is dark more: the spread of a colour's two chroma axes
// grows as its lightness falls below this (see DistanceSquared).
constexpr float kDark = 50;
float Sureness(float lightness) { return std::min(1.0F, (lightness + 16) / kDark); }

// Lamps' shadows leave a fifth of the light and more: L* + 16 goes with its cube root, 0.58.
constexpr float kShadeFloor = 0.55F;  // of L* + 16
constexpr float kShadeWidth = 0.4F;
constexpr float kShadeWider = 1.5F;  // the spread of chroma in it

constexpr float kRoot2Pi = 2.5066F;
// Beyond so many sigmas squared a normal density is nothing beside that of a figure's colour.
constexpr float kNothing = 60;
// e^ of it is nothing, too, but no number so small that the processor takes a hundred times as long
// to multiply it by a density's peak, as it would with e^-80.
constexpr float kNoExponent = -70;

void Exponentials(std::span<float> values) {
  cv::hal::exp32f(values.data(), values.data(), static_cast<int>(values.size()));
}

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
  const float full = p.mean.lightness + 16;
  const float low = kShadeFloor * full - 16;
  const float width = kShadeWidth * full;
  if (c.lightness < low || c.lightness > low + width) return 0;
  const float sure = Sureness(c.lightness);
  const float a = sure * (c.red_green - p.mean.red_green) / (kShadeWider * p.sigma.red_green);
  const float b = sure * (c.yellow_blue - p.mean.yellow_blue) / (kShadeWider * p.sigma.yellow_blue);
  const float d2 = a * a + b * b;
  if (d2 > kNothing) return 0;
  return sure * sure * std::exp(-0.5F * d2) /
         (kRoot2Pi * kRoot2Pi * kShadeWider * kShadeWider * p.sigma.red_green *
          p.sigma.yellow_blue * width);
}

float MixedDensity(float lit, float shade, float others) {
  return (1 - others) * ((1 - kInShade) * lit + kInShade * shade) + others * kAnyColour;
}

float DensityOn(const Paint& paint, float others, PaintColour c) {
  return MixedDensity(Density(paint, c), ShadeDensity(paint, c), others);
}

ColourRows::ColourRows(std::span<const PaintColour> colours) {
  for (std::vector<float>* row : {&lightness, &red_green, &yellow_blue})
    row->reserve(colours.size());
  for (const PaintColour c : colours) {
    lightness.push_back(c.lightness);
    red_green.push_back(c.red_green);
    yellow_blue.push_back(c.yellow_blue);
  }
}

void Densities(const Paint& p, const ColourRows& colours, std::span<float> out) {
  const float sure = Sureness(p.mean.lightness);
  const float of_l = 1 / p.sigma.lightness;
  const float of_a = sure / p.sigma.red_green;
  const float of_b = sure / p.sigma.yellow_blue;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const float l = of_l * (colours.lightness[i] - p.mean.lightness);
    const float a = of_a * (colours.red_green[i] - p.mean.red_green);
    const float b = of_b * (colours.yellow_blue[i] - p.mean.yellow_blue);
    const float d2 = l * l + a * a + b * b;
    out[i] = d2 > kNothing ? kNoExponent : -0.5F * d2;
  }
  Exponentials(out);
  const float peak = sure * sure /
                     (kRoot2Pi * kRoot2Pi * kRoot2Pi * p.sigma.lightness * p.sigma.red_green *
                      p.sigma.yellow_blue);
  for (float& value : out) value *= peak;
}

void ShadeDensities(const Paint& p, const ColourRows& colours, std::span<float> out) {
  const float full = p.mean.lightness + 16;
  const float low = kShadeFloor * full - 16;
  const float width = kShadeWidth * full;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const float lightness = colours.lightness[i];
    const float sure = std::min(1.0F, (lightness + 16) * (1 / kDark));
    const float a =
        sure * (colours.red_green[i] - p.mean.red_green) / (kShadeWider * p.sigma.red_green);
    const float b =
        sure * (colours.yellow_blue[i] - p.mean.yellow_blue) / (kShadeWider * p.sigma.yellow_blue);
    const float d2 = a * a + b * b;
    const bool none = (lightness < low) | (lightness > low + width) | (d2 > kNothing);
    out[i] = none ? kNoExponent : -0.5F * d2;
  }
  Exponentials(out);
  const float peak = 1 / (kRoot2Pi * kRoot2Pi * kShadeWider * kShadeWider * p.sigma.red_green *
                          p.sigma.yellow_blue * width);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const float sure = std::min(1.0F, (colours.lightness[i] + 16) * (1 / kDark));
    out[i] *= peak * sure * sure;
  }
}

std::vector<float> DensitiesOn(const Paint& paint, float others, const ColourRows& colours) {
  std::vector<float> out(colours.size());
  std::vector<float> shade(colours.size());
  Densities(paint, colours, out);
  ShadeDensities(paint, colours, shade);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = MixedDensity(out[i], shade[i], others);
  return out;
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

// The kernels of a ground's samples: one sigma of the three axes.
constexpr float kKernelLightness = 3.5F;
constexpr float kKernelChroma = 2.0F;

Ground::Ground(std::vector<PaintColour> samples) : samples_(samples) {
  if (samples.empty()) return;
  const auto median = [](std::vector<float> values) { return UpperMedian(values); };
  middle_ = {{median(samples_.lightness), median(samples_.red_green), median(samples_.yellow_blue)},
             {4, 2, 2}};
  constexpr float kNorm = 15.75F * kKernelLightness * kKernelChroma * kKernelChroma;  // (2 pi)^1.5
  for (const float lightness : samples_.lightness) {
    const float sure = Sureness(lightness);
    chroma_.push_back(sure / kKernelChroma);
    weights_.push_back(sure * sure / (kNorm * static_cast<float>(samples.size())));
  }
}

float Ground::operator()(PaintColour c) const { return (*this)(ColourRows(std::span(&c, 1)))[0]; }

std::vector<float> Ground::operator()(const ColourRows& colours) const {
  const std::size_t n = colours.size();
  const std::size_t samples = samples_.size();
  constexpr std::size_t kLeast = 8;
  if (samples < kLeast) return std::vector<float>(n, kAnyColour);
  const auto kernels = std::make_unique_for_overwrite<float[]>(samples * n);
  for (std::size_t s = 0; s < samples; ++s) {
    const float lightness = samples_.lightness[s];
    const float red_green = samples_.red_green[s];
    const float yellow_blue = samples_.yellow_blue[s];
    const float of_chroma = chroma_[s];
    float* const row = kernels.get() + s * n;
    for (std::size_t i = 0; i < n; ++i) {
      const float l = (colours.lightness[i] - lightness) * (1 / kKernelLightness);
      const float a = of_chroma * (colours.red_green[i] - red_green);
      const float b = of_chroma * (colours.yellow_blue[i] - yellow_blue);
      const float d2 = l * l + a * a + b * b;
      constexpr float kFar = 16;  // sigmas squared
      row[i] = d2 < kFar ? -0.5F * d2 : kNoExponent;
    }
  }
  Exponentials({kernels.get(), samples * n});
  std::vector<float> out(n);
  ShadeDensities(middle_, colours, out);
  for (float& value : out) value *= kInShade;
  for (std::size_t s = 0; s < samples; ++s) {
    const float weight = (1 - kInShade) * weights_[s];
    const float* const row = kernels.get() + s * n;
    for (std::size_t i = 0; i < n; ++i) out[i] += weight * row[i];
  }
  return out;
}

}  // namespace fos
