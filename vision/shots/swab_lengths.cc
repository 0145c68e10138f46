// SPDX-License-Identifier: MIT
#include "vision/shots/swab_lengths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/table/result.h"

namespace fos {
namespace {

// Shadows and shading move an end by this, the same way for every swab under one lamp, one sigma,
// inches: pooling does not average it out.
constexpr double kLampSigma_in = 0.01;

}  // namespace

void SwabLengths::Add(double length_in, double sigma_in) {
  const double weight = 1 / (sigma_in * sigma_in);
  ++count_;
  weight_ += weight;
  sum_ += weight * length_in;
  square_ += weight * length_in * length_in;
}

double SwabLengths::Mean() const {
  FOS_CHECK(count_ > 0);
  return sum_ / weight_;
}

double SwabLengths::Sigma() const {
  FOS_CHECK(count_ > 0);
  const double mean = Mean();
  // Their spread about the mean, errors of measuring included, of which the lamp's is left out.
  const double spread = std::max(square_ / weight_ - mean * mean, 0.0);
  return std::sqrt(spread + kLampSigma_in * kLampSigma_in + 1 / weight_);
}

std::string SwabLengths::Contradicts(double stated_in, double stated_sigma_in, bool shown) {
  constexpr int kLeast = 3;
  constexpr double kSure = 3;  // sigmas
  if (said_ || count_ < kLeast) return "";
  const double sigma = std::hypot(kLampSigma_in, stated_sigma_in, std::sqrt(1 / weight_));
  if (std::abs(Mean() - stated_in) < kSure * sigma) return "";
  said_ = true;
  if (shown) {
    return fmt::format(
        "Swabs here are {:.2f} in long; those shown to the program were {:.2f}. Show it these: "
        "`fallofshot calibrate projectiles`.",
        Mean(), stated_in);
  }
  return fmt::format(
      "Swabs here are {:.2f} in long; the scenario says {:.2f}. Correct `length` in "
      "scenario.toml, or run `fallofshot calibrate projectiles`.",
      Mean(), stated_in);
}

}  // namespace fos
