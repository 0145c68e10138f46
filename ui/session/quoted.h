#pragma once

#include <string>

#include <fmt/format.h>

#include "engine/table/measure.h"

// How measured numbers are quoted wherever players read them: terminal, window and picture say the
// same.
namespace fos {

// A player asks how far it may be out: two sigma, which holds nineteen times in twenty.
inline constexpr double kQuotedSigmas = 2;

// "1.13 +/- 0.06"; between  what stands for the sign where there is a better one.
inline std::string Quoted(const Measured& length, const char* between = " +/- ") {
  return fmt::format("{:.2f}{}{:.2f}", length.inches, between, kQuotedSigmas * length.sigma_in);
}

// Never "100 %" or "0 %" for what is not quite certain.
inline std::string QuotedChance(double p) {
  if (p > 0.999) return "> 99.9 %";
  if (p < 0.001) return "< 0.1 %";
  return fmt::format("{:.1f} %", 100 * p);
}

}  // namespace fos
