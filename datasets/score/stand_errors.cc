// SPDX-License-Identifier: MIT
#include "datasets/score/stand_errors.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "engine/table/quantile.h"

namespace fos {
namespace {

using Belongs = std::function<bool(const StandError&)>;

StandErrorClass Of(std::string what, const std::vector<StandError>& errors,
                   const Belongs& belongs) {
  StandErrorClass out;
  out.what = std::move(what);
  std::vector<double> bearings;
  double errors2 = 0, sigma2 = 0, sigmas2 = 0, bearing2 = 0;
  int inside = 0;
  int with_bearing = 0;
  for (const StandError& e : errors) {
    if (!belongs(e)) continue;
    ++out.stands;
    errors2 += e.error_in * e.error_in / 2;  // of one axis, as sigma is
    sigma2 += e.sigma_in * e.sigma_in;
    sigmas2 += e.sigmas * e.sigmas;
    inside += Inside95(e) ? 1 : 0;
    bearings.push_back(e.bearing_deg);
    if (e.bearing_sigmas < 0) continue;
    bearing2 += e.bearing_sigmas * e.bearing_sigmas;
    ++with_bearing;
  }
  if (out.stands == 0) return out;
  out.error_rms_in = std::sqrt(errors2 / out.stands);
  out.sigma_rms_in = std::sqrt(sigma2 / out.stands);
  out.sigmas_rms = std::sqrt(sigmas2 / out.stands);
  out.inside_95 = static_cast<double>(inside) / out.stands;
  out.bearing_p95_deg = Quantile(bearings, 0.95).value_or(0);
  if (with_bearing > 0) out.bearing_sigmas_rms = std::sqrt(bearing2 / with_bearing);
  return out;
}

}  // namespace

double InSigmas(Vec2 e, const Cov2& c) {
  const double determinant = c.xx * c.yy - c.xy * c.xy;
  if (!(determinant > 0)) return std::numeric_limits<double>::infinity();
  const double squared = (c.yy * e.x * e.x - 2 * c.xy * e.x * e.y + c.xx * e.y * e.y) / determinant;
  return std::sqrt(squared / 2);
}

bool IsBeside(const Polygon& stand, const std::vector<Polygon>& all) {
  constexpr double kBeside_in = 0.1;
  // If two convex outlines do not meet, the nearest point of one of them is a corner.
  const auto near = [](const Polygon& corners, const Polygon& outline) {
    return std::any_of(corners.begin(), corners.end(),
                       [&](Vec2 at) { return DistanceTo(outline, at) < kBeside_in; });
  };
  return std::any_of(all.begin(), all.end(), [&](const Polygon& other) {
    return other != stand && (near(stand, other) || near(other, stand));
  });
}

bool Inside95(const StandError& error) {
  constexpr double kChiSquare95 = 5.991;  // two degrees of freedom
  return 2 * error.sigmas * error.sigmas <= kChiSquare95;
}

std::vector<StandErrorClass> ByClass(const std::vector<StandError>& errors) {
  std::vector<StandErrorClass> out;
  const auto add = [&](std::string what, const Belongs& belongs) {
    StandErrorClass one = Of(std::move(what), errors, belongs);
    if (one.stands > 0) out.push_back(std::move(one));
  };
  const auto bands = [&](const std::string& of, const std::vector<double>& limits,
                         double StandError::*value) {
    for (std::size_t i = 0; i <= limits.size(); ++i) {
      const double from = i == 0 ? -1 : limits[i - 1];
      const double to = i < limits.size() ? limits[i] : std::numeric_limits<double>::infinity();
      add(i == 0              ? fmt::format("{} below {:g}", of, to)
          : i < limits.size() ? fmt::format("{} {:g} to {:g}", of, from, to)
                              : fmt::format("{} from {:g}", of, from),
          [=](const StandError& e) { return e.*value >= from && e.*value < to; });
    }
  };
  add("all", [](const StandError&) { return true; });
  bands("in view", {0.4, 0.5, 0.6, 0.7, 0.8}, &StandError::in_view);
  bands("px/in", {15, 20, 27, 40}, &StandError::px_per_in);
  std::set<std::string> kinds;
  for (const StandError& e : errors) kinds.insert(e.kind);
  for (const std::string& kind : kinds)
    add(kind, [&](const StandError& e) { return e.kind == kind; });
  add("beside another", [](const StandError& e) { return e.beside; });
  add("by itself", [](const StandError& e) { return !e.beside; });
  bands("sigma", {0.006, 0.01, 0.015, 0.025, 0.05}, &StandError::sigma_in);
  return out;
}

std::string ClassTable(const std::vector<StandError>& errors) {
  if (errors.empty()) return {};
  std::string out = fmt::format("{:<22} {:>6} {:>12} {:>12} {:>11} {:>8} {:>12} {:>12}\n",
                                "stands by class", "stands", "error rms in", "sigma rms in",
                                "error/sigma", "in 95 %", "bearing p95", "error/sigma");
  for (const StandErrorClass& c : ByClass(errors)) {
    out += fmt::format(
        "{:<22} {:>6} {:>12.4f} {:>12.4f} {:>11.2f} {:>8.1f} {:>12.2f} {:>12}\n", c.what, c.stands,
        c.error_rms_in, c.sigma_rms_in, c.sigmas_rms, 100 * c.inside_95, c.bearing_p95_deg,
        c.bearing_sigmas_rms < 0 ? "-" : fmt::format("{:.2f}", c.bearing_sigmas_rms));
  }
  return out;
}

}  // namespace fos
