// SPDX-License-Identifier: MIT
#include "vision/stands/stand_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "calibration/camera/response.h"
#include "engine/table/quantile.h"
#include "vision/stands/base_edges.h"
#include "vision/stands/edge_covariance.h"
#include "vision/stands/edge_profile.h"

namespace fos {
namespace {

// Profiles side by side that are averaged: flock is a pixel or two in size.
constexpr int kSideBySide = 2;
// Of a base: see BaseEdges.
constexpr std::size_t kEdges = 7;

// The base's top in the picture: projection at the top's height, kept close to affine.
struct TopView {
  const TableCamera& camera;
  double height_in = 0;
  ImagePoint operator()(Vec2 at) const { return ImageFromTable(camera, at, height_in); }
};

std::optional<cv::Vec3b> NearestPixel(const cv::Mat& bgr, ImagePoint at) {
  const int x = cvRound(at.x_px);
  const int y = cvRound(at.y_px);
  if (x < 0 || y < 0 || x >= bgr.cols || y >= bgr.rows) return std::nullopt;
  return bgr.at<cv::Vec3b>(y, x);
}

struct Interior {
  std::optional<cv::Vec3f> bar;  // the paints as they are here; empty where too little is seen
  std::optional<cv::Vec3f> top;
  double bar_seen = 0;
  double top_seen = 0;
};

std::optional<cv::Vec3f> Median(std::vector<cv::Vec3f>& values) {
  constexpr std::size_t kEnough = 6;
  if (values.size() < kEnough) return std::nullopt;
  cv::Vec3f out;
  std::vector<float> one(values.size());
  for (int k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < values.size(); ++i) one[i] = values[i][k];
    out[k] = UpperMedian(one);
  }
  return out;
}

Interior LookInside(const cv::Mat& bgr, const TopView& view, const KindSpec& kind,
                    const Paint& side_paint, const Paint& bar_paint, const Pose2& pose,
                    double ppi) {
  // 3 sigmas of the paint as learnt, the usual gate.
  constexpr float kGate = 9;
  const double w = kind.footprint.width_in;
  const double d = kind.footprint.depth_in;
  const double margin = 0.8 / ppi;
  const double step = 1 / ppi;
  Interior out;
  const Vec2 right = Rotated({1, 0}, pose.heading_rad);
  const Vec2 front = Perpendicular(right);
  std::vector<cv::Vec3f> bar;
  std::vector<cv::Vec3f> top;
  int bar_cells = 0;
  int top_cells = 0;
  for (double y = d / 2 - margin; y > -d / 2 + margin; y -= step) {
    const double from_front = d / 2 - y;
    const bool in_bar = from_front < kind.bar_depth_in - 0.5 * margin;
    if (!in_bar && from_front < kind.bar_depth_in + margin) continue;
    for (double x = -w / 2 + margin; x < w / 2 - margin; x += step) {
      const ImagePoint at = view(pose.origin + x * right + y * front);
      const auto pixel = NearestPixel(bgr, at);
      (in_bar ? bar_cells : top_cells) += 1;
      if (!pixel) continue;
      if (DistanceSquared(in_bar ? bar_paint : side_paint, PaintColourOf(*pixel)) > kGate) continue;
      const auto& t = LightOfSrgbCode();
      (in_bar ? bar : top).push_back({t[(*pixel)[0]], t[(*pixel)[1]], t[(*pixel)[2]]});
    }
  }
  out.bar_seen = bar_cells > 0 ? static_cast<double>(bar.size()) / bar_cells : 0;
  out.top_seen = top_cells > 0 ? static_cast<double>(top.size()) / top_cells : 0;
  out.bar = Median(bar);
  out.top = Median(top);
  return out;
}

// How much the outer end of a profile looks like the ground beside the stand, 0 to 1.
float LikeGround(const Ground& ground, const EdgeProfile& profile) {
  constexpr int kOuter = 4;
  float sum = 0;
  for (int i = kProfileSamples - kOuter; i < kProfileSamples; ++i) {
    const auto& c = profile[static_cast<std::size_t>(i)];
    if (!c) continue;
    const float density = ground(PaintColourOfLinear(*c));
    sum += density / (density + 0.5F * kAnyColour) / kOuter;
  }
  return sum;
}

// What a stand is fitted to.
struct FitInput {
  const cv::Mat& bgr;
  const KindSpec& kind;
  TopView view;
  double ppi;
  std::array<BaseEdge, kEdges> edges;
  const StandOutline& outline;
  const std::vector<OutlineNeighbour>& neighbours;
  const TerrainView& terrain;
};

// The mean of `together` profiles side by side, from the k-th of `count` along an edge.
// per_in  receives pixels an inch across the edge
EdgeProfile ReadProfile(const FitInput& in, const Pose2& pose, const BaseEdge& edge, int k,
                        int together, int count, double& per_in) {
  const Vec2 outward = Rotated(edge.outward, pose.heading_rad);
  EdgeProfile profile;
  profile.fill(cv::Vec3f(0, 0, 0));
  for (int side = 0; side < together; ++side) {
    const double t = (k + side + 0.5) / count;
    const Vec2 at = pose * (edge.from * (1 - t) + edge.to * t);
    constexpr double kLever_in = 0.05;
    const ImagePoint p = in.view(at);
    const ImagePoint q = in.view(at + outward * kLever_in);
    per_in = std::max(1.0, std::hypot(q.x_px - p.x_px, q.y_px - p.y_px) / kLever_in);
    const double ux = (q.x_px - p.x_px) / (kLever_in * per_in);
    const double uy = (q.y_px - p.y_px) / (kLever_in * per_in);
    for (int i = 0; i < kProfileSamples; ++i) {
      const double s = ProfileOffset(i);
      const auto value = LinearLightAt(in.bgr, p.x_px + s * ux, p.y_px + s * uy);
      auto& sum = profile[static_cast<std::size_t>(i)];
      if (sum && value) {
        *sum += *value / static_cast<float>(together);
      } else {
        sum.reset();
      }
    }
  }
  return profile;
}

// Measures the edges of a base in one pose.
// tried  receives at how many places
std::vector<EdgeMeasurement> MeasureEdges(const FitInput& in, const Pose2& pose,
                                          const Interior& inside, int& tried) {
  std::vector<EdgeMeasurement> out;
  tried = 0;
  for (std::size_t e = 0; e < in.edges.size(); ++e) {
    const BaseEdge& edge = in.edges[e];
    const std::optional<cv::Vec3f>& own = edge.bar_inside ? inside.bar : inside.top;
    const int count = std::max(1, static_cast<int>(Distance(edge.from, edge.to) * in.ppi));
    tried += count;
    if (!own) continue;
    if (edge.to_own_top && !inside.top) continue;
    const Vec2 outward = Rotated(edge.outward, pose.heading_rad);
    const int together = std::min(kSideBySide, count);
    for (int k = 0; k + together <= count; k += together) {
      const double middle = (k + 0.5 * together) / count;
      const Vec2 at = pose * (edge.from * (1 - middle) + edge.to * middle);
      if (in.terrain.Hides(at, in.view.height_in)) continue;
      double per_in = 0;
      const EdgeProfile profile = ReadProfile(in, pose, edge, k, together, count, per_in);
      const double reach = std::min(kProfileReach_px, 0.6 * edge.inside_in * per_in);
      // Beside a neighbour only the gap between the two is an edge.
      constexpr double kBeside_px = 3;
      const bool beside =
          !edge.to_own_top && DepthInside(in.neighbours, at + outward * (kBeside_px / per_in)) > 0;
      const std::optional<EdgeCrossing> crossing =
          beside ? FindSeam(profile, *own)
                 : FindCrossing(profile, *own, edge.to_own_top ? inside.top : std::nullopt, reach);
      if (!crossing) continue;
      // What lies outside must look like the ground there: else it may be a figure's edge.
      const bool reliable =
          edge.to_own_top || beside || LikeGround(in.outline.ground, profile) >= 0.5F;
      out.push_back({e, at, outward, crossing->at_px / per_in, crossing->chroma_share,
                     crossing->burnt, reliable, beside});
    }
  }
  return out;
}

// The weighted sums of one edge's measurements for the normal equations.
struct EdgeSum {
  cv::Matx33d information = cv::Matx33d::zeros();
  cv::Vec3d gradient{0, 0, 0};
  cv::Vec3d common{0, 0, 0};  // of moving the whole edge
  double weight = 0;
  double offset = 0;
  double left = 0;
  double chroma = 0;
  double burnt = 0;
};

// How the outline's pose weighs in as a prior.
struct Prior {
  cv::Matx33d information;
  cv::Vec3d motion;  // from the present pose to the outline's
};

Prior PriorAt(const Pose2& pose, const Pose2& outline, const PoseVariance& variance) {
  const Cov2& placed = variance.centre_cov;
  const double det = placed.xx * placed.yy - placed.xy * placed.xy;
  const Vec2 back = outline.origin - pose.origin;
  return {cv::Matx33d(placed.yy / det, -placed.xy / det, 0, -placed.xy / det, placed.xx / det, 0, 0,
                      0, 1 / variance.heading_var),
          {back.x, back.y, WrappedAngle(outline.heading_rad - pose.heading_rad)}};
}

struct Solution {
  cv::Vec3d motion{0, 0, 0};  // x, y in inches and the turn in radians, table frame
  cv::Matx33d information = cv::Matx33d::zeros();
  double chi2 = 0;   // of the prior and the edges against each other
  int measured = 0;  // edges
};

// The small motion that puts the edges where they were measured: least squares with Geman-McClure
// weights, beside the prior, so that two outliers do not outvote it.
// scale_in  beyond it a measurement is another edge
Solution SolveMotion(const FitInput& in, const std::vector<EdgeMeasurement>& measured,
                     const Prior& prior, Vec2 centre, double noise_in, double scale_in) {
  Solution out;
  for (int iteration = 0; iteration < 4; ++iteration) {
    std::array<EdgeSum, kEdges> sums;
    for (const EdgeMeasurement& m : measured) {
      const cv::Vec3d row(m.outward.x, m.outward.y, Dot(m.outward, Perpendicular(m.at - centre)));
      const double left = m.offset_in - row.dot(out.motion);
      const double u = left / scale_in;
      const double robust = 1 / ((1 + u * u) * (1 + u * u));
      const double weight = robust / MeasurementVariance(m, noise_in);
      EdgeSum& sum = sums[m.edge];
      sum.information += weight * row * row.t();
      sum.gradient += weight * m.offset_in * row;
      sum.common += weight * row;
      sum.weight += weight;
      sum.offset += weight * m.offset_in;
      sum.left += weight * left;
      sum.chroma += weight * m.chroma_share;
      sum.burnt += weight * m.burnt;
    }
    out.information = prior.information;
    cv::Vec3d gradient = out.information * prior.motion;
    const cv::Vec3d off_prior = prior.motion - out.motion;
    out.chi2 = off_prior.dot(prior.information * off_prior);
    out.measured = 0;
    for (std::size_t e = 0; e < kEdges; ++e) {
      const EdgeSum& sum = sums[e];
      if (sum.weight <= 0) continue;
      // An error common to the whole edge (Woodbury's identity).
      const double common_var =
          EdgeVariance(!in.edges[e].bar_inside && !in.edges[e].to_own_top, sum.chroma / sum.weight,
                       sum.burnt / sum.weight, noise_in, in.ppi);
      const double shared = common_var / (1 + common_var * sum.weight);
      out.information += sum.information - shared * sum.common * sum.common.t();
      gradient += sum.gradient - shared * sum.offset * sum.common;
      constexpr double kMostChi2 = 9;  // three sigmas
      const double off = sum.left / sum.weight;
      out.chi2 += std::min(kMostChi2, off * off / (1 / sum.weight + common_var));
      ++out.measured;
    }
    bool fine = false;
    const cv::Matx33d inverse = out.information.inv(cv::DECOMP_CHOLESKY, &fine);
    if (!fine) break;
    out.motion = inverse * gradient;
  }
  return out;
}

}  // namespace

StandFit FitStand(const cv::Mat& bgr, const TableCamera& camera, const KindSpec& kind,
                  const Paint& side_paint, const Paint& bar_paint, const StandOutline& outline,
                  double ground_in, const std::vector<OutlineNeighbour>& neighbours,
                  const TerrainView& terrain) {
  const Pose2 start = outline.table_from_stand;
  const TopView view{camera, ground_in + kind.thickness_in};
  const double ppi = std::max(4.0, PixelsPerInch(camera, start.origin, view.height_in));
  constexpr double kCorner_px = 1.2;
  const FitInput in{bgr,     kind,       view,   ppi, BaseEdges(kind, kCorner_px / ppi),
                    outline, neighbours, terrain};
  StandFit fit;
  fit.table_from_stand = start;
  Solution solution;
  double noise_in = 0;
  constexpr int kRounds = 6;
  for (int round = 0; round < kRounds; ++round) {
    const Pose2 pose = fit.table_from_stand;
    const Interior inside = LookInside(bgr, view, kind, side_paint, bar_paint, pose, ppi);
    if (round == 0) {
      fit.bar = inside.bar;
      fit.top = inside.top;
    }
    fit.bar_seen = inside.bar_seen;
    fit.top_seen = inside.top_seen;
    int tried = 0;
    const std::vector<EdgeMeasurement> measured = MeasureEdges(in, pose, inside, tried);
    fit.profiles = static_cast<int>(measured.size());
    fit.edges = tried > 0 ? static_cast<double>(measured.size() * kSideBySide) / tried : 0;
    noise_in = EdgeNoise(measured, kEdges, ppi);
    fit.burnt = BurntShare(measured);
    const Prior prior =
        PriorAt(pose, start, OutlineVariance(outline, kind.footprint, fit.burnt, noise_in, ppi));
    const double scale_in = (round < 2 ? 1.5 : 0.7) / ppi;
    solution = SolveMotion(in, measured, prior, pose.origin, noise_in, scale_in);
    const cv::Vec3d& motion = solution.motion;
    const double reach = std::hypot(motion[0], motion[1]);
    const double limit = 0.1;
    const double shrink = reach > limit ? limit / reach : 1;
    fit.table_from_stand.origin = pose.origin + Vec2{motion[0], motion[1]} * shrink;
    fit.table_from_stand.heading_rad =
        WrappedAngle(pose.heading_rad + std::clamp(motion[2], -0.08, 0.08));
    if (reach < 0.001 && round > 2) break;
  }
  bool fine = false;
  const cv::Matx33d covariance = solution.information.inv(cv::DECOMP_CHOLESKY, &fine);
  if (!fine) return fit;
  // Scale the covariance by the reduced chi-square (Birge's ratio), with a prior of six
  // measurements that it is 1.
  constexpr double kPriorCount = 6;
  const double ratio2 = (kPriorCount + solution.chi2) / (kPriorCount + solution.measured);
  const double contact_in =
      ContactSigma(fit.table_from_stand, kind.footprint, neighbours, noise_in, ppi);
  const Vec2 across = Rotated({1, 0}, fit.table_from_stand.heading_rad);
  fit.centre_cov = ratio2 * Cov2{covariance(0, 0), covariance(0, 1), covariance(1, 1)} +
                   OrientedCov(across, contact_in, 0);
  fit.heading_sigma_rad = std::sqrt(ratio2 * covariance(2, 2));
  return fit;
}

}  // namespace fos
