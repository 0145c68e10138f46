// SPDX-License-Identifier: MIT
#include "vision/stands/pose_measurement.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "vision/stands/base_fit.h"
#include "vision/stands/edge_covariance.h"

namespace fos {
namespace {

BasePaints PaintsOf(const StandFit& edges, const Paint& bar_paint, const StandOutline& outline) {
  BasePaints out;
  out.bar = edges.bar ? *edges.bar : LinearOf(bar_paint.mean);
  out.top = edges.top ? *edges.top : LinearOf(outline.top.mean);
  // A bar is few pixels deep: its colour in the picture is half the top's at its edge.
  constexpr float kBarOff = 0.2F, kTopOff = 0.1F;
  constexpr float kLeast = 0.01F;  // of full light: stray light, and noise in the dark
  constexpr float kBurnt = 0.9F;   // lighter than that it may have any light
  constexpr float kBurntSigma = 1.0F;
  for (int c = 0; c < 3; ++c) {
    out.bar_sigma[c] = kBarOff * out.bar[c] + 2 * kLeast + (out.bar[c] > kBurnt ? kBurntSigma : 0);
    out.top_sigma[c] = kTopOff * out.top[c] + kLeast + (out.top[c] > kBurnt ? kBurntSigma : 0);
  }
  return out;
}

cv::Matx22d MatrixOf(const Cov2& c) { return {c.xx, c.xy, c.xy, c.yy}; }

// The weighted mean of both. Two readings that lie d apart show a variance of d^2 / 2 in each.
StandFit Combined(const StandFit& edges, const BaseFit& whole, double lever_in, double ppi) {
  // What is wrong all along an edge: a blur, sharpening, coding and shadows that are not as
  // modelled. Of single edges the picture shows it; what they have in common is taken for this: on
  // the 22 labelled clips 95 % of the centres lie in the stated 95 % then.
  constexpr double kSystematic_px = 0.3;
  const double systematic_in =
      std::hypot(whole.edges_off_in, kSystematic_px / ppi, BloomSigma(edges.burnt, ppi));
  StandFit out = edges;
  const cv::Matx22d a = MatrixOf(edges.centre_cov);
  const cv::Matx22d b = MatrixOf(whole.centre_cov + IsotropicCov(systematic_in));
  const cv::Matx22d share = a * (a + b).inv();
  const Vec2 apart = whole.table_from_stand.origin - edges.table_from_stand.origin;
  const cv::Vec2d d(apart.x, apart.y);
  const cv::Vec2d motion = share * d;
  out.table_from_stand.origin = out.table_from_stand.origin + Vec2{motion[0], motion[1]};
  const cv::Matx22d cov = a - share * a + 0.5 * (d * d.t());
  out.centre_cov = {cov(0, 0), 0.5 * (cov(0, 1) + cov(1, 0)), cov(1, 1)};

  const double edges_var = edges.heading_sigma_rad * edges.heading_sigma_rad;
  const double whole_var =
      whole.heading_sigma_rad * whole.heading_sigma_rad + std::pow(systematic_in / lever_in, 2);
  const double turn =
      WrappedAngle(whole.table_from_stand.heading_rad - edges.table_from_stand.heading_rad);
  const double turn_share = edges_var / (edges_var + whole_var);
  out.table_from_stand.heading_rad =
      WrappedAngle(edges.table_from_stand.heading_rad + turn_share * turn);
  out.heading_sigma_rad = std::sqrt((1 - turn_share) * edges_var + 0.5 * turn * turn);
  return out;
}

}  // namespace

StandFit MeasurePose(const cv::Mat& bgr, const TableCamera& camera, const KindSpec& kind,
                     const Paint& bar_paint, const StandOutline& outline, const StandFit& edges,
                     double ground_in, const std::vector<OutlineNeighbour>& neighbours,
                     const PointSpread& blur, const TerrainView& terrain) {
  const std::optional<BaseFit> whole = FitBase(bgr, camera, kind, outline, ground_in, neighbours,
                                               PaintsOf(edges, bar_paint, outline), blur, terrain);
  if (!whole) return edges;
  const double lever_in = 0.5 * std::hypot(kind.footprint.width_in, kind.footprint.depth_in);
  const double ppi = std::max(
      4.0, PixelsPerInch(camera, outline.table_from_stand.origin, ground_in + kind.thickness_in));
  return Combined(edges, *whole, lever_in, ppi);
}

}  // namespace fos
