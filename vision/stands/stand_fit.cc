#include "vision/stands/stand_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "vision/stands/edge_covariance.h"

namespace fos {
namespace {

// Half-length of a profile across an edge, and the step along it.
constexpr double kReach_px = 3.5;
constexpr double kStep_px = 0.5;
// Profiles side by side that are averaged: flock is a pixel or two in size.
constexpr int kSideBySide = 2;
constexpr int kSamples = static_cast<int>(2 * kReach_px / kStep_px) + 1;
// Blur of an edge: a webcam's lens, demosaicing and coding come to about this, one sigma.
constexpr double kBlur_px = 0.8;

const std::array<float, 256>& LinearTable() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> t{};
    for (int i = 0; i < 256; ++i) {
      const float v = static_cast<float>(i) / 255;
      t[static_cast<std::size_t>(i)] =
          v <= 0.04045F ? v / 12.92F : std::pow((v + 0.055F) / 1.055F, 2.4F);
    }
    return t;
  }();
  return table;
}

class Picture {
 public:
  explicit Picture(const cv::Mat& bgr) : bgr_(bgr) {}
  // Linear light, bilinear; empty outside.
  std::optional<cv::Vec3f> At(double x, double y) const {
    if (!(x >= 0 && y >= 0 && x < bgr_.cols - 1 && y < bgr_.rows - 1)) return std::nullopt;
    const int xi = static_cast<int>(x);
    const int yi = static_cast<int>(y);
    const float fx = static_cast<float>(x - xi);
    const float fy = static_cast<float>(y - yi);
    const auto* upper = bgr_.ptr<cv::Vec3b>(yi) + xi;
    const auto* lower = bgr_.ptr<cv::Vec3b>(yi + 1) + xi;
    cv::Vec3f out;
    for (int k = 0; k < 3; ++k) {
      const float a = table_[upper[0][k]] * (1 - fx) + table_[upper[1][k]] * fx;
      const float b = table_[lower[0][k]] * (1 - fx) + table_[lower[1][k]] * fx;
      out[k] = a * (1 - fy) + b * fy;
    }
    return out;
  }
  std::optional<cv::Vec3b> Nearest(double x, double y) const {
    const int xi = cvRound(x);
    const int yi = cvRound(y);
    if (xi < 0 || yi < 0 || xi >= bgr_.cols || yi >= bgr_.rows) return std::nullopt;
    return bgr_.at<cv::Vec3b>(yi, xi);
  }

 private:
  const cv::Mat& bgr_;
  const std::array<float, 256>& table_ = LinearTable();
};

// The base's top in the picture: projection at the top's height, kept close to affine.
struct TopView {
  const TableCamera& camera;
  double height_in = 0;
  ImagePoint operator()(Vec2 at) const { return ImageFromTable(camera, at, height_in); }
};

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
    std::nth_element(one.begin(), one.begin() + static_cast<long>(one.size() / 2), one.end());
    out[k] = one[one.size() / 2];
  }
  return out;
}

Interior LookInside(const Picture& picture, const TopView& view, const KindSpec& kind,
                    const Paint& side_paint, const Paint& bar_paint, const Pose2& pose,
                    double ppi) {
  // 3 sigmas of the paint as learnt, the usual gate.
  constexpr float kGate = 9;
  const double w = kind.footprint.width_in;
  const double d = kind.footprint.depth_in;
  const double margin = 0.8 / ppi;
  const double step = 1 / ppi;
  Interior out;
  std::vector<cv::Vec3f> bar;
  std::vector<cv::Vec3f> top;
  int bar_cells = 0;
  int top_cells = 0;
  for (double y = d / 2 - margin; y > -d / 2 + margin; y -= step) {
    const double from_front = d / 2 - y;
    const bool in_bar = from_front < kind.bar_depth_in - 0.5 * margin;
    if (!in_bar && from_front < kind.bar_depth_in + margin) continue;
    for (double x = -w / 2 + margin; x < w / 2 - margin; x += step) {
      const ImagePoint at = view(pose * Vec2{x, y});
      const auto pixel = picture.Nearest(at.x_px, at.y_px);
      (in_bar ? bar_cells : top_cells) += 1;
      if (!pixel) continue;
      if (DistanceSquared(in_bar ? bar_paint : side_paint, PaintColourOf(*pixel)) > kGate) continue;
      const auto& t = LinearTable();
      (in_bar ? bar : top).push_back({t[(*pixel)[0]], t[(*pixel)[1]], t[(*pixel)[2]]});
    }
  }
  out.bar_seen = bar_cells > 0 ? static_cast<double>(bar.size()) / bar_cells : 0;
  out.top_seen = top_cells > 0 ? static_cast<double>(top.size()) / top_cells : 0;
  out.bar = Median(bar);
  out.top = Median(top);
  return out;
}

constexpr double kSearch_px = kReach_px - 1.0;

double StepUp(double s) { return 0.5 * std::erfc(s * M_SQRT1_2 / kBlur_px); }

// Two bases of one paint in contact: a dark line, or a bright one where light falls through. Pixels
// outward.
std::optional<double> FindSeam(const std::array<std::optional<cv::Vec3f>, kSamples>& profile,
                               const cv::Vec3f& paint) {
  constexpr double kSeamReach_px = 2.0;
  double total = 0;
  double moment = 0;
  double second = 0;
  double peak = 0;
  for (int i = 0; i < kSamples; ++i) {
    const double s = -kReach_px + kStep_px * i;
    const auto& c = profile[static_cast<std::size_t>(i)];
    if (!c) return std::nullopt;
    const double off = cv::norm(*c - paint) / (cv::norm(paint) + 0.02);
    if (std::abs(s) > kSeamReach_px) {
      if (off > 0.3) return std::nullopt;  // a figure, not paint on both sides
      continue;
    }
    peak = std::max(peak, off);
    total += off;
    moment += off * s;
    second += off * s * s;
  }
  if (peak < 0.3 || total <= 0) return std::nullopt;
  const double middle = moment / total;
  const double width = std::sqrt(std::max(0.0, second / total - middle * middle));
  if (width > 1.1) return std::nullopt;
  return middle - 0.2;  // our side of the gap
}

// Where along the profile the inside's colour ends, pixels outward.
std::optional<double> FindCrossing(const std::array<std::optional<cv::Vec3f>, kSamples>& profile,
                                   const cv::Vec3f& inside,
                                   const std::optional<cv::Vec3f>& known_outside,
                                   double inside_reach_px) {
  cv::Vec3f outside;
  if (known_outside) {
    outside = *known_outside;
  } else {
    int n = 0;
    for (int i = kSamples - 4; i < kSamples; ++i) {
      const auto& c = profile[static_cast<std::size_t>(i)];
      if (!c) return std::nullopt;
      outside += *c;
      ++n;
    }
    outside /= static_cast<float>(n);
  }
  const cv::Vec3f across = inside - outside;
  const double contrast2 = across.dot(across);
  constexpr double kLeastContrast = 0.06;  // of full linear light: below it noise decides
  if (contrast2 < kLeastContrast * kLeastContrast)
    return known_outside ? std::nullopt : FindSeam(profile, inside);

  // Along the line from the outside's colour to the inside's, and off it: a figure is off it.
  std::array<double, kSamples> share{};
  std::array<double, kSamples> off2{};
  std::array<bool, kSamples> use{};
  int used = 0;
  for (int i = 0; i < kSamples; ++i) {
    const auto n = static_cast<std::size_t>(i);
    const double s = -kReach_px + kStep_px * i;
    const auto& c = profile[n];
    if (s < -inside_reach_px || !c) continue;
    const cv::Vec3f from = *c - outside;
    const double along = from.dot(across) / contrast2;
    share[n] = along;
    off2[n] = std::max(0.0, from.dot(from) / contrast2 - along * along);
    use[n] = true;
    ++used;
  }
  if (used < 8) return std::nullopt;
  const auto cost = [&](double offset) {
    double sum = 0;
    for (int i = 0; i < kSamples; ++i) {
      const auto n = static_cast<std::size_t>(i);
      if (!use[n]) continue;
      const double e = share[n] - StepUp(-kReach_px + kStep_px * i - offset);
      sum += std::min(e * e + off2[n], 0.5);
    }
    return sum;
  };
  double best = 0;
  double best_cost = 1e9;
  for (double offset = -kSearch_px; offset <= kSearch_px + 0.01; offset += 0.25) {
    const double v = cost(offset);
    if (v < best_cost) {
      best_cost = v;
      best = offset;
    }
  }
  if (std::abs(best) > kSearch_px - 0.2) return std::nullopt;  // at the rim: not this edge
  const double low = cost(best - 0.25);
  const double high = cost(best + 0.25);
  const double bend = low + high - 2 * best_cost;
  if (bend > 1e-9) best += std::clamp(0.125 * (low - high) / bend, -0.125, 0.125);
  const double rms = std::sqrt(best_cost / used);
  constexpr double kWorstRms = 0.15;
  if (rms > kWorstRms) return std::nullopt;
  return best;
}

// How much the outer end of a profile looks like the ground beside the stand, 0 to 1.
float LikeGround(const Ground& ground,
                 const std::array<std::optional<cv::Vec3f>, kSamples>& profile) {
  constexpr int kOuter = 4;
  float sum = 0;
  for (int i = kSamples - kOuter; i < kSamples; ++i) {
    const auto& c = profile[static_cast<std::size_t>(i)];
    if (!c) continue;
    const float density = ground(PaintColourOfLinear(*c));
    sum += density / (density + 0.5F * kAnyColour) / kOuter;
  }
  return sum;
}

// What the readings of an edge say together of the stand's motion.
struct EdgeSum {
  cv::Matx33d information = cv::Matx33d::zeros();
  cv::Vec3d gradient{0, 0, 0};
  cv::Vec3d common{0, 0, 0};  // of moving the whole edge
  double weight = 0;
  double offset = 0;
  double left = 0;
};

}  // namespace

StandFit FitStand(const cv::Mat& bgr, const TableCamera& camera, const KindSpec& kind,
                  const Paint& side_paint, const Paint& bar_paint, const StandOutline& outline,
                  double ground_in, const std::vector<OutlineNeighbour>& neighbours,
                  const TerrainView& terrain) {
  const Pose2 start = outline.table_from_stand;
  const Picture picture(bgr);
  const TopView view{camera, ground_in + kind.thickness_in};
  const double w = kind.footprint.width_in;
  const double d = kind.footprint.depth_in;
  StandFit fit;
  fit.table_from_stand = start;
  const double ppi = std::max(4.0, PixelsPerInch(camera, start.origin, view.height_in));

  struct Edge {  // in the stand's own frame
    Vec2 from, to, outward;
    bool bar_inside = false;
    bool to_own_top = false;
    double inside_in = 0;
  };
  const double by = d / 2 - kind.bar_depth_in;
  const double corner = 1.2 / ppi;
  const std::array<Edge, 7> edges{{
      {{-w / 2 + corner, d / 2}, {w / 2 - corner, d / 2}, {0, 1}, true, false, kind.bar_depth_in},
      {{-w / 2 + corner, by}, {w / 2 - corner, by}, {0, -1}, true, true, kind.bar_depth_in},
      {{-w / 2 + corner, -d / 2}, {w / 2 - corner, -d / 2}, {0, -1}, false, false, d},
      {{-w / 2, d / 2 - corner}, {-w / 2, by + 0.5 * corner}, {-1, 0}, true, false, w},
      {{w / 2, d / 2 - corner}, {w / 2, by + 0.5 * corner}, {1, 0}, true, false, w},
      {{-w / 2, by - corner}, {-w / 2, -d / 2 + corner}, {-1, 0}, false, false, w},
      {{w / 2, by - corner}, {w / 2, -d / 2 + corner}, {1, 0}, false, false, w},
  }};

  constexpr int kRounds = 6;
  cv::Matx33d information = cv::Matx33d::zeros();
  double strain2 = 0;  // of the outline and the edges against each other, in their own sigmas
  int strained = 0;
  double scatter_in = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Pose2 pose = fit.table_from_stand;
    const Interior inside = LookInside(picture, view, kind, side_paint, bar_paint, pose, ppi);
    fit.bar_seen = inside.bar_seen;
    fit.top_seen = inside.top_seen;
    std::vector<EdgeReading> readings;
    int tried = 0;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const Edge& edge = edges[e];
      const std::optional<cv::Vec3f>& own = edge.bar_inside ? inside.bar : inside.top;
      const double length = Distance(edge.from, edge.to);
      const int count = std::max(1, static_cast<int>(length * ppi));
      tried += count;
      if (!own) continue;
      if (edge.to_own_top && !inside.top) continue;
      const int together = std::min(kSideBySide, count);
      for (int k = 0; k + together <= count; k += together) {
        const Vec2 outward = Rotated(edge.outward, pose.heading_rad);
        std::array<std::optional<cv::Vec3f>, kSamples> profile;
        profile.fill(cv::Vec3f(0, 0, 0));
        double per_in = 0;
        for (int side = 0; side < together; ++side) {
          const double t = (k + side + 0.5) / count;
          const Vec2 at = pose * (edge.from * (1 - t) + edge.to * t);
          constexpr double kLever_in = 0.05;
          const ImagePoint p = view(at);
          const ImagePoint q = view(at + outward * kLever_in);
          per_in = std::max(1.0, std::hypot(q.x_px - p.x_px, q.y_px - p.y_px) / kLever_in);
          const double ux = (q.x_px - p.x_px) / (kLever_in * per_in);
          const double uy = (q.y_px - p.y_px) / (kLever_in * per_in);
          for (int i = 0; i < kSamples; ++i) {
            const double s = -kReach_px + kStep_px * i;
            const auto value = picture.At(p.x_px + s * ux, p.y_px + s * uy);
            auto& sum = profile[static_cast<std::size_t>(i)];
            if (sum && value) {
              *sum += *value / static_cast<float>(together);
            } else {
              sum.reset();
            }
          }
        }
        const double middle = (k + 0.5 * together) / count;
        const Vec2 at = pose * (edge.from * (1 - middle) + edge.to * middle);
        if (terrain.Hides(at, view.height_in)) continue;
        const double reach = std::min(kReach_px, 0.6 * edge.inside_in * per_in);
        // Beside a neighbour only the gap between the two is an edge.
        constexpr double kBeside_px = 3;
        const bool beside =
            !edge.to_own_top && DepthInside(neighbours, at + outward * (kBeside_px / per_in)) > 0;
        const std::optional<double> crossing_px =
            beside
                ? FindSeam(profile, *own)
                : FindCrossing(profile, *own, edge.to_own_top ? inside.top : std::nullopt, reach);
        if (!crossing_px) continue;
        // What lies outside must look like the ground there: else it may be a figure's edge.
        const bool sure = edge.to_own_top || beside || LikeGround(outline.ground, profile) >= 0.5F;
        readings.push_back({e, at, outward, *crossing_px / per_in, sure, beside});
      }
    }
    fit.profiles = static_cast<int>(readings.size());
    fit.edges = tried > 0 ? static_cast<double>(readings.size() * kSideBySide) / tried : 0;

    // Robust least squares for the small motion that puts the edges where they were read. The
    // outline is a belief beside them: two stray readings must not outvote it.
    scatter_in = Scatter(readings, edges.size(), ppi);
    const OutlineDoubt belief = DoubtOf(outline, kind.footprint, scatter_in, ppi);
    const Cov2& placed = belief.centre_cov;
    const double det = placed.xx * placed.yy - placed.xy * placed.xy;
    const cv::Matx33d believed(placed.yy / det, -placed.xy / det, 0, -placed.xy / det,
                               placed.xx / det, 0, 0, 0, 1 / belief.turn_var);
    const Vec2 back = start.origin - pose.origin;
    const cv::Vec3d to_belief(back.x, back.y, WrappedAngle(start.heading_rad - pose.heading_rad));
    cv::Vec3d motion(0, 0, 0);
    const double scale_in = (round < 2 ? 1.5 : 0.7) / ppi;  // beyond it a reading is another edge
    for (int inner = 0; inner < 4; ++inner) {
      std::array<EdgeSum, edges.size()> sums;
      for (const EdgeReading& r : readings) {
        const cv::Vec3d row(r.outward.x, r.outward.y,
                            Dot(r.outward, Perpendicular(r.at - pose.origin)));
        const double left = r.offset_in - row.dot(motion);
        const double u = left / scale_in;
        const double robust = 1 / ((1 + u * u) * (1 + u * u));  // Geman-McClure
        const double weight = robust / ReadingVariance(r, scatter_in);
        EdgeSum& sum = sums[r.edge];
        sum.information += weight * row * row.t();
        sum.gradient += weight * r.offset_in * row;
        sum.common += weight * row;
        sum.weight += weight;
        sum.offset += weight * r.offset_in;
        sum.left += weight * left;
      }
      information = believed;
      cv::Vec3d gradient = information * to_belief;
      const cv::Vec3d astray = to_belief - motion;
      strain2 = astray.dot(believed * astray);
      strained = 0;
      for (std::size_t e = 0; e < edges.size(); ++e) {
        const EdgeSum& sum = sums[e];
        if (sum.weight <= 0) continue;
        // An error common to all of them (Woodbury's identity).
        const double common_var =
            EdgeVariance(!edges[e].bar_inside && !edges[e].to_own_top, scatter_in, ppi);
        const double shared = common_var / (1 + common_var * sum.weight);
        information += sum.information - shared * sum.common * sum.common.t();
        gradient += sum.gradient - shared * sum.offset * sum.common;
        constexpr double kMostStrain2 = 9;  // three sigmas
        const double off = sum.left / sum.weight;
        strain2 += std::min(kMostStrain2, off * off / (1 / sum.weight + common_var));
        ++strained;
      }
      bool fine = false;
      const cv::Matx33d inverse = information.inv(cv::DECOMP_CHOLESKY, &fine);
      if (!fine) break;
      motion = inverse * gradient;
    }
    const double reach = std::hypot(motion[0], motion[1]);
    const double limit = 0.1;
    const double shrink = reach > limit ? limit / reach : 1;
    fit.table_from_stand.origin = pose.origin + Vec2{motion[0], motion[1]} * shrink;
    fit.table_from_stand.heading_rad =
        WrappedAngle(pose.heading_rad + std::clamp(motion[2], -0.08, 0.08));
    if (reach < 0.001 && round > 2) break;
  }
  bool fine = false;
  const cv::Matx33d covariance = information.inv(cv::DECOMP_CHOLESKY, &fine);
  if (fine) {
    // Where they strain against each other more than they say, all of it is less sure, and the
    // other way about (Birge's ratio; a few measurements' worth of it is taken for one).
    constexpr double kTakenForOne = 6;
    const double ratio2 = (kTakenForOne + strain2) / (kTakenForOne + strained);
    const double gap_in =
        GapSigma(fit.table_from_stand, kind.footprint, neighbours, scatter_in, ppi);
    const Vec2 across = Rotated({1, 0}, fit.table_from_stand.heading_rad);
    fit.centre_cov = ratio2 * Cov2{covariance(0, 0), covariance(0, 1), covariance(1, 1)} +
                     OrientedCov(across, gap_in, 0);
    fit.heading_sigma_rad = std::sqrt(ratio2 * covariance(2, 2));
  }
  return fit;
}

}  // namespace fos
