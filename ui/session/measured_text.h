// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <fmt/format.h>

#include "engine/table/measure.h"

// Measured numbers as text for players: the same in terminal, window and evidence picture.
namespace fos {

// Players read two-sigma ranges, which contain the true value 95 % of the time.
inline constexpr double kShownSigmas = 2;

// "1.13 +/- 0.06"
// between  a better plus-minus sign, where the font has one.
inline std::string MeasuredText(const Measured& length, const char* between = " +/- ") {
  return fmt::format("{:.2f}{}{:.2f}", length.inches, between, kShownSigmas * length.sigma_in);
}

// Never "100 %" or "0 %": no measurement is that certain.
inline std::string ChanceText(double p) {
  if (p > 0.999) return "> 99.9 %";
  if (p < 0.001) return "< 0.1 %";
  return fmt::format("{:.1f} %", 100 * p);
}

}  // namespace fos
