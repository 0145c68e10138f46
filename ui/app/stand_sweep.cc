#include "ui/app/stand_sweep.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "datasets/synthetic.h"
#include "engine/table/quantile.h"
#include "vision/stand_detector.h"

namespace fos {
namespace {

bool Inside95(const StandObservation& seen, Vec2 truth) {
  const Cov2 c = seen.centre_cov;
  const Vec2 e = truth - seen.table_from_stand.origin;
  const double determinant = c.xx * c.yy - c.xy * c.xy;
  constexpr double kChiSquare95 = 5.991;  // two degrees of freedom
  return determinant > 0 &&
         c.yy * e.x * e.x - 2 * c.xy * e.x * e.y + c.xx * e.y * e.y < kChiSquare95 * determinant;
}

}  // namespace

Result<StandSweep> SweepStands(int tables, int first_seed) {
  StandSweep sweep;
  std::vector<double> centre;
  std::vector<double> bearing;
  int inside = 0;
  for (int i = 0; i < tables; ++i) {
    const SyntheticTable made =
        RenderTable(RandomTable(static_cast<std::uint32_t>(first_seed + i)));
    StandDetector detector(made.table, made.scenario);
    const Result<StandScene> scene = detector.Start(made.bgr, made.camera, {});
    if (!scene.ok())
      return Error{scene.error().code,
                   fmt::format("table of seed {}: {}", first_seed + i, scene.error().message)};
    ++sweep.tables;
    std::vector<char> taken(made.stands.size(), 0);
    for (const StandObservation& seen : scene->stands) {
      std::size_t nearest = made.stands.size();
      double least = 0.5 * std::min(seen.footprint.width_in, seen.footprint.depth_in);
      for (std::size_t t = 0; t < made.stands.size(); ++t) {
        const double d =
            Distance(made.stands[t].table_from_stand.origin, seen.table_from_stand.origin);
        if (taken[t] == 0 && d < least) {
          least = d;
          nearest = t;
        }
      }
      if (nearest == made.stands.size()) {
        ++sweep.invented;
        continue;
      }
      taken[nearest] = 1;
      const StandObservation& truth = made.stands[nearest];
      centre.push_back(least);
      bearing.push_back(std::abs(WrappedAngle(seen.table_from_stand.heading_rad -
                                              truth.table_from_stand.heading_rad)) *
                        180 / std::numbers::pi);
      inside += Inside95(seen, truth.table_from_stand.origin) ? 1 : 0;
      sweep.wrong_side += seen.side != truth.side ? 1 : 0;
      sweep.wrong_kind += seen.kind != truth.kind ? 1 : 0;
    }
    for (std::size_t t = 0; t < made.stands.size(); ++t) {
      constexpr double kEnoughInView = 0.4;
      if (made.stands[t].visible < kEnoughInView) continue;
      ++sweep.stands;
      sweep.found += taken[t];
    }
  }
  sweep.centre_median_in = Quantile(centre, 0.5).value_or(0);
  sweep.centre_p95_in = Quantile(centre, 0.95).value_or(0);
  sweep.bearing_p95_deg = Quantile(bearing, 0.95).value_or(0);
  if (!centre.empty())
    sweep.inside_95 = static_cast<double>(inside) / static_cast<double>(centre.size());
  return sweep;
}

std::string SweepText(const StandSweep& s) {
  return fmt::format(
      "{} made-up tables: {} of {} stands with 40 % in view found, {} invented, {} of the wrong "
      "side, {} of the wrong kind\ncentre {:.3f} in (median), {:.3f} in (p95); bearing {:.2f} "
      "degrees (p95); {:.1f} % of centres inside the stated 95 % ellipse\n",
      s.tables, s.found, s.stands, s.invented, s.wrong_side, s.wrong_kind, s.centre_median_in,
      s.centre_p95_in, s.bearing_p95_deg, 100 * s.inside_95);
}

}  // namespace fos
