// SPDX-License-Identifier: MIT
#include "vision/stands/edge_covariance.h"

#include <algorithm>
#include <cmath>

#include "engine/table/quantile.h"

namespace fos {

double EdgeNoise(const std::vector<EdgeMeasurement>& measured, std::size_t edges, double ppi) {
  constexpr double kUsual_px = 0.2;
  constexpr double kUsualCounts = 6;  // measurements that the usual noise weighs as much as
  constexpr std::size_t kLeast = 3;
  constexpr double kFar_px = 1.5;   // another edge
  constexpr double kMost_px = 1.0;  // one outlier must not decide
  double sum = kUsualCounts * kUsual_px * kUsual_px;
  double count = kUsualCounts;
  for (std::size_t e = 0; e < edges; ++e) {
    std::vector<double> offsets;
    for (const EdgeMeasurement& r : measured) {
      const double offset_px = r.offset_in * ppi;
      if (r.edge == e && r.reliable && !r.seam && std::abs(offset_px) < kFar_px)
        offsets.push_back(offset_px);
    }
    if (offsets.size() < kLeast) continue;
    const double middle = UpperMedian(offsets);
    for (const double offset : offsets)
      sum += std::min(kMost_px * kMost_px, (offset - middle) * (offset - middle));
    count += static_cast<double>(offsets.size() - 1);
  }
  return std::sqrt(sum / count) / ppi;
}

double BurntShare(const std::vector<EdgeMeasurement>& measured) {
  double sum = 0;
  for (const EdgeMeasurement& r : measured) sum += std::abs(r.burnt);
  return measured.empty() ? 0 : sum / static_cast<double>(measured.size());
}

double BloomSigma(double burnt, double ppi) {
  // From nothing, just burnt out, to twice the usual blur, many times as bright as the picture
  // shows: on made-up tables under too much light edges were up to two pixels off.
  constexpr double kBloom_px = 0.8;
  return kBloom_px * std::abs(burnt) / ppi;
}

double MeasurementVariance(const EdgeMeasurement& r, double noise_in) {
  // Neighbours correlate by a third, farther ones by a little: (1 + r) / (1 - r) and more.
  constexpr double kAlike = 2.6;
  constexpr double kDoubted = 4;  // sigmas
  return kAlike * noise_in * noise_in * (r.reliable ? 1 : kDoubted * kDoubted);
}

double EdgeVariance(bool top_ends_there, double chroma_share, double burnt, double noise_in,
                    double ppi) {
  constexpr double kResponse_px = 0.1;  // sharpening, coding, the mosaic's colours
  constexpr double kScatters = 1.4;
  // Below the rear and side rims of the top the wall shows the same paint in less light, and
  // figures' shadows fall on both. Beside the bar there is neither.
  constexpr double kWall_px = 0.8;
  constexpr double kCut_in = 0.003;  // bases are cut by hand
  const double wall_in = top_ends_there ? kWall_px / ppi : 0;
  // Cameras code chroma at half the picture's size: where it alone tells the sides apart, the edge
  // may lie anywhere in such a pixel.
  constexpr double kChroma_px = 1.0;
  const double chroma_in = kChroma_px * chroma_share * chroma_share / ppi;
  const double bloom_in = BloomSigma(burnt, ppi);
  return chroma_in * chroma_in + bloom_in * bloom_in + kResponse_px * kResponse_px / (ppi * ppi) +
         kScatters * kScatters * noise_in * noise_in + wall_in * wall_in + kCut_in * kCut_in;
}

PoseVariance OutlineVariance(const StandOutline& outline, Box2 footprint, double burnt,
                             double noise_in, double ppi) {
  // The outline's likelihood takes pixels for independent and its colour models for exact. Its
  // errors are three times what it states, and no less than the edges' noise.
  constexpr double kOverstated2 = 10;
  constexpr double kResponse_px = 0.15;
  constexpr double kScatters = 4.2;
  constexpr double kEndScatters = 1.5;  // of one end of the stand against the other
  const double turned =
      kEndScatters * noise_in / (0.5 * std::hypot(footprint.width_in, footprint.depth_in));
  return {kOverstated2 * outline.centre_cov +
              IsotropicCov(
                  std::hypot(kResponse_px / ppi, kScatters * noise_in, BloomSigma(burnt, ppi))),
          kOverstated2 * outline.heading_sigma_rad * outline.heading_sigma_rad + turned * turned};
}

double ContactSigma(const Pose2& table_from_stand, Box2 footprint,
                    const std::vector<OutlineNeighbour>& neighbours, double noise_in, double ppi) {
  constexpr double kResolved_px = 3;
  constexpr double kTouching_px = 0.5;
  constexpr double kScatters = 3.6;  // where they touch
  double depth = -1e9;
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.3, 0.0, 0.3})
      depth =
          std::max(depth, DepthInside(neighbours, table_from_stand * Vec2{x * footprint.width_in,
                                                                          y * footprint.depth_in}));
  const double unresolved =
      std::clamp((kResolved_px + depth * ppi) / (kResolved_px - kTouching_px), 0.0, 1.0);
  return kScatters * unresolved * noise_in;
}

}  // namespace fos
