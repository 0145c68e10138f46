// SPDX-License-Identifier: MIT
#include "vision/shots/swab_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "engine/table/quantile.h"
#include "vision/shots/swab_ends.h"

namespace fos {
namespace {

constexpr float kCottonLight = 0.85F;  // of white paper's light, what cotton sends back

constexpr double kStep_in =
    0.01;  // of a profile: a quarter of a pixel at the usual 24 pixels an inch

cv::Vec3f Bilinear(const cv::Mat& image, cv::Point2d at) {
  const double x = std::clamp(at.x, 0.0, image.cols - 1.001);
  const double y = std::clamp(at.y, 0.0, image.rows - 1.001);
  const int column = static_cast<int>(x);
  const int row = static_cast<int>(y);
  const auto fx = static_cast<float>(x - column);
  const auto fy = static_cast<float>(y - row);
  const auto* top = image.ptr<cv::Vec3f>(row) + column;
  const auto* bottom = image.ptr<cv::Vec3f>(std::min(row + 1, image.rows - 1)) + column;
  const int right = column + 1 < image.cols ? 1 : 0;
  return (top[0] * (1 - fx) + top[right] * fx) * (1 - fy) +
         (bottom[0] * (1 - fx) + bottom[right] * fx) * fy;
}

struct Seed {
  Vec2 at;
  double weight;
};

// How much of a pixel is a stick of a known colour: 1 where it is that, 0 where it is as it was or
// of another colour.
double StickShare(const cv::Vec3f& after, const cv::Vec3f& before, const cv::Vec3f& stick) {
  const cv::Vec3f full = stick - before;
  const double scale = full.dot(full);
  if (scale <= 0) return 0;
  const cv::Vec3f moved = after - before;
  const double share = moved.dot(full) / scale;
  const cv::Vec3f aside = moved - static_cast<float>(share) * full;
  return aside.dot(aside) < 0.25 * scale ? std::clamp(share, 0.0, 1.0) : 0.0;
}

// Pixels that grew whiter: the weakest channel rose. Paint, wood, skin and shadow raise it little.
std::vector<Seed> WhiterPixels(const PatchPair& patch, double threshold, const SwabShape& shape) {
  std::vector<cv::Point> places;
  std::vector<double> rises;
  for (int row = 0; row < patch.after.rows; ++row) {
    const auto* a = patch.after.ptr<cv::Vec3f>(row);
    const auto* b = patch.before.ptr<cv::Vec3f>(row);
    const auto* m = patch.mask.ptr<std::uint8_t>(row);
    for (int column = 0; column < patch.after.cols; ++column) {
      const double rise = LeastChannel(a[column]) - LeastChannel(b[column]);
      if (m[column] == 0 || rise <= threshold) continue;
      places.emplace_back(column, row);
      rises.push_back(rise);
    }
  }
  if (places.empty()) return {};
  // The white itself: the tenth that rose most. A pixel's weight is how much of it is white,
  // whatever shade the rest of it lies in: the swab's own shadow lies along one side and would pull
  // the axis off it.
  const double high = *Quantile(rises, 0.9);
  cv::Vec3f white;
  float count = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (rises[i] < high) continue;
    white += Linear(patch.after.at<cv::Vec3f>(places[i]));
    count += 1;
  }
  white /= count;
  std::vector<Seed> seeds;
  for (const cv::Point at : places) {
    seeds.push_back(
        {patch.grid.ToTable(at), WhiteShare(Linear(patch.after.at<cv::Vec3f>(at)),
                                            Linear(patch.before.at<cv::Vec3f>(at)), white)});
  }
  if (!shape.stick) return seeds;
  // A stick of another colour: what is new and rather of that colour than of the cloth's.
  const cv::Vec3f stick = white.mul(ShareOfCotton(*shape.stick));
  for (int row = 0; row < patch.after.rows; ++row) {
    const auto* a = patch.after.ptr<cv::Vec3f>(row);
    const auto* b = patch.before.ptr<cv::Vec3f>(row);
    const auto* m = patch.mask.ptr<std::uint8_t>(row);
    for (int column = 0; column < patch.after.cols; ++column) {
      if (m[column] == 0 || LargestGap(a[column], b[column]) <= threshold) continue;
      const double share = StickShare(Linear(a[column]), Linear(b[column]), stick);
      if (share > 0.5) {
        seeds.push_back(
            {patch.grid.ToTable({static_cast<double>(column), static_cast<double>(row)}), share});
      }
    }
  }
  return seeds;
}

struct Axis {
  Vec2 foot;
  Vec2 along;
  double from = 0;  // stations of the stretch it was fitted to
  double to = 0;
  std::optional<cv::Vec3f> stick = {};  // its linear colour where it is not white
};

// The stretch of at most `length` of a line that holds most inliers.
struct Stretch {
  double from = 0;
  double to = 0;
  int inliers = 0;
};
Stretch BestStretch(std::vector<double>& stations, double length) {
  std::sort(stations.begin(), stations.end());
  Stretch best;
  for (std::size_t low = 0, high = 0; high < stations.size(); ++high) {
    while (stations[high] - stations[low] > length) ++low;
    const int count = static_cast<int>(high - low) + 1;
    if (count > best.inliers) best = {stations[low], stations[high], count};
  }
  return best;
}

// The line through most of the seeds over a swab's length, by random pairs (seed fixed: the same
// picture gives the same axis), or none where the seeds are no thin stick.
std::optional<Axis> FindAxis(const std::vector<Seed>& seeds, const SwabShape& shape) {
  constexpr int kPairs = 250;  // at half the seeds outliers, one good pair is certain to 1e-30
  constexpr std::size_t kAtMost =
      600;  // seeds looked at: enough for every hundredth of an inch twice
  // A level that no part of a swab stays under but for its rim.
  const double cut = [&] {
    std::vector<double> weights;
    for (const Seed& s : seeds) weights.push_back(s.weight);
    return 0.3 * Quantile(std::move(weights), 0.9).value_or(0);
  }();
  // Of what grew lighter because something dark was taken away nothing is white.
  std::vector<Vec2> points;
  for (const Seed& s : seeds) {
    if (s.weight >= cut) points.push_back(s.at);
  }
  const std::size_t stride = points.size() / kAtMost + 1;
  for (std::size_t i = 0; i * stride < points.size(); ++i) points[i] = points[i * stride];
  points.resize((points.size() + stride - 1) / stride);
  if (points.size() < 12) return std::nullopt;
  cv::RNG rng(20);
  Axis best;
  int best_inliers = 0;
  std::vector<double> stations;
  for (int k = 0; k < kPairs; ++k) {
    const Vec2 a =
        points[static_cast<std::size_t>(rng.uniform(0, static_cast<int>(points.size())))];
    const Vec2 b =
        points[static_cast<std::size_t>(rng.uniform(0, static_cast<int>(points.size())))];
    const double apart = Distance(a, b);
    if (apart < 0.5 || apart > shape.length_in) continue;
    const Vec2 along = (b - a) / apart;
    stations.clear();
    for (const Vec2 p : points) {
      if (std::abs(Cross(along, p - a)) < shape.cotton_radius_in)
        stations.push_back(Dot(along, p - a));
    }
    const Stretch stretch = BestStretch(stations, shape.length_in + shape.cotton_radius_in);
    if (stretch.inliers > best_inliers) {
      best_inliers = stretch.inliers;
      best = {a, along, stretch.from, stretch.to};
    }
  }
  if (best_inliers < 10) return std::nullopt;

  // Weighted total least squares over the stretch, three times round: the weights are cut, so that
  // the thick ends do not outvote the stick.
  for (int round = 0; round < 4; ++round) {
    const double reach = round == 0 ? 2 * shape.cotton_radius_in : 1.6 * shape.cotton_radius_in;
    double sum = 0;
    Vec2 mean;
    Cov2 spread;
    stations.clear();
    for (int pass = 0; pass < 2; ++pass) {
      for (const Seed& s : seeds) {
        const Vec2 d = s.at - best.foot;
        const double station = Dot(best.along, d);
        if (std::abs(Cross(best.along, d)) > reach || station < best.from - 0.1 ||
            station > best.to + 0.1) {
          continue;
        }
        const double w = std::min(s.weight, cut);
        if (pass == 0) {
          sum += w;
          mean = mean + w * s.at;
        } else {
          const Vec2 e = s.at - mean;
          spread = spread + w * Cov2{e.x * e.x, e.x * e.y, e.y * e.y};
          stations.push_back(station);
        }
      }
      if (pass == 0) {
        if (sum <= 0) return std::nullopt;
        mean = mean / sum;
      }
    }
    const double angle = 0.5 * std::atan2(2 * spread.xy, spread.xx - spread.yy);
    Vec2 along{std::cos(angle), std::sin(angle)};
    if (Dot(along, best.along) < 0) along = -along;
    const double shift = Dot(along, best.foot - mean);
    best.from += shift;
    best.to += shift;
    best.foot = mean;
    best.along = along;
    stations.clear();
    for (const Seed& s : seeds) {
      const Vec2 d = s.at - best.foot;
      if (std::abs(Cross(best.along, d)) < 1.2 * shape.cotton_radius_in) {
        stations.push_back(Dot(best.along, d));
      }
    }
    const Stretch stretch = BestStretch(stations, shape.length_in + shape.cotton_radius_in);
    best.from = stretch.from;
    best.to = stretch.to;
  }

  // A stick stands alone: beside it, over its own length, little else grew white.
  double on = 0;
  double beside = 0;
  for (const Seed& s : seeds) {
    const Vec2 d = s.at - best.foot;
    const double station = Dot(best.along, d);
    if (station < best.from || station > best.to) continue;
    const double off = std::abs(Cross(best.along, d));
    if (off < 1.5 * shape.cotton_radius_in)
      on += 1;
    else if (off < 2.5 * shape.cotton_radius_in)  // further off may lie another one
      beside += 1;
  }
  if (beside > 0.35 * on) return std::nullopt;
  return best;
}

// By how much a bend moves the ends off the straight axis: a parabola through the seeds.
double BendOf(const std::vector<Seed>& seeds, const Axis& axis, const SwabShape& shape) {
  const double half = 0.5 * (axis.to - axis.from);
  const double middle = 0.5 * (axis.to + axis.from);
  // Weighted least squares of the offset across on 1, t, t^2, with t from -1 to 1.
  cv::Matx33d normal = cv::Matx33d::zeros();
  cv::Vec3d right;
  for (const Seed& s : seeds) {
    const Vec2 d = s.at - axis.foot;
    const double t = (Dot(axis.along, d) - middle) / half;
    const double off = Cross(axis.along, d);
    if (std::abs(t) > 1 || std::abs(off) > 2 * shape.cotton_radius_in) continue;
    const cv::Vec3d row(1, t, t * t);
    normal += s.weight * (row * row.t());
    right += s.weight * off * row;
  }
  cv::Vec3d fit;
  if (!cv::solve(normal, right, fit, cv::DECOMP_CHOLESKY)) return 0;
  // A line through an even parabola meets its mean, a third of the way up: two thirds are left.
  return std::abs(fit[2]) * 2 / 3;
}

// What the axis looks like: one sample every kStep_in, the mean over the middle of the stick.
struct Profile {
  double first_station = 0;
  std::vector<cv::Vec3f> before;
  std::vector<cv::Vec3f> after;
  std::vector<cv::Vec3f> linear_before;
  std::vector<cv::Vec3f> linear_after;

  std::size_t size() const { return after.size(); }
  double Station(double index) const { return first_station + index * kStep_in; }
  int Index(double station) const {
    return std::clamp(static_cast<int>(std::lround((station - first_station) / kStep_in)), 0,
                      static_cast<int>(after.size()) - 1);
  }
};

constexpr double kCore_in = 0.04;  // half the width averaged: inside the stick's 0.05 at any blur

Profile ProfileAlong(const PatchPair& patch, const Axis& axis, double from, double to) {
  Profile profile;
  profile.first_station = from;
  const Vec2 across = Perpendicular(axis.along);
  const int count = static_cast<int>((to - from) / kStep_in) + 1;
  constexpr int kAcross = 2;  // samples to each side of the axis
  for (int i = 0; i < count; ++i) {
    cv::Vec3f a;
    cv::Vec3f b;
    cv::Vec3f linear_a;
    cv::Vec3f linear_b;
    for (int j = -kAcross; j <= kAcross; ++j) {
      const Vec2 at =
          axis.foot + profile.Station(i) * axis.along + (kCore_in * j / kAcross) * across;
      const cv::Vec3f now = Bilinear(patch.after, patch.grid.FromTable(at));
      const cv::Vec3f known = Bilinear(patch.before, patch.grid.FromTable(at));
      a += now;
      b += known;
      linear_a += Linear(now);
      linear_b += Linear(known);
    }
    constexpr float kSamples = 2 * kAcross + 1;
    profile.after.push_back(a / kSamples);
    profile.before.push_back(b / kSamples);
    profile.linear_after.push_back(linear_a / kSamples);
    profile.linear_before.push_back(linear_b / kSamples);
  }
  return profile;
}

// Linear grey levels below which two colours are too alike for a share between them: two of the
// 8-bit levels in which the dark ones were delivered.
constexpr double kLeastLinear = 4;

// How far each sample has gone from what was there (0) to a colour (1). NaN where the two are
// alike.
std::vector<double> Coverage(const Profile& profile, const cv::Vec3f& colour,
                             double least_contrast) {
  std::vector<double> out(profile.size());
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const cv::Vec3f full = colour - profile.linear_before[i];
    const double scale = full.dot(full);
    out[i] = scale > least_contrast * least_contrast
                 ? (profile.linear_after[i] - profile.linear_before[i]).dot(full) / scale
                 : std::nan("");
  }
  return out;
}

struct Edge {
  double station = 0;
  double blur_in = 0;  // one sigma of the softening
};

// Where a run that covers stations inside `inner` (in the direction -outward) falls to half of its
// own plateau, searched up to `reach_in` outward of `near`.
std::optional<Edge> HalfHeight(const Profile& profile, const std::vector<double>& coverage,
                               double near, int outward, double plateau_from_in,
                               double plateau_to_in, double reach_in) {
  std::vector<double> inside;
  for (double d = plateau_from_in; d <= plateau_to_in; d += kStep_in) {
    const double c = coverage[static_cast<std::size_t>(profile.Index(near - outward * d))];
    if (std::isfinite(c)) inside.push_back(c);
  }
  if (inside.size() < 4) return std::nullopt;
  const double plateau = *Quantile(inside, 0.5);
  if (plateau < 0.25) return std::nullopt;
  const auto crossing = [&](double level) -> std::optional<double> {
    // Outward from the plateau's middle, the first fall through the level.
    const int start = profile.Index(near - outward * 0.5 * (plateau_from_in + plateau_to_in));
    const int stop = profile.Index(near + outward * reach_in);
    for (int i = start; i != stop; i += outward) {
      const int next = i + outward;
      const double here = coverage[static_cast<std::size_t>(i)];
      const double there = coverage[static_cast<std::size_t>(next)];
      if (here >= level * plateau && there < level * plateau) {
        const double t = (here - level * plateau) / (here - there);
        return profile.Station(i + outward * t);
      }
    }
    return std::nullopt;
  };
  const auto half = crossing(0.5);
  if (!half) return std::nullopt;
  const auto high = crossing(0.75);
  const auto low = crossing(0.25);
  // Between the quarter and three-quarter heights of a blurred edge lie 1.35 sigma.
  const double blur = high && low ? std::abs(*low - *high) / 1.35 : 0.04;
  return Edge{*half, blur};
}

// By how much a round end's half-height point lies inside of its true end: the curve's sagitta over
// the averaged width, and what blurring a curved edge takes off it (variance times half the
// curvature).
double RoundEndInset(double blur_in, double radius_in) {
  return kCore_in * kCore_in / (6 * radius_in) + blur_in * blur_in / (2 * radius_in);
}

// Half the width of the whiteness across the axis at one station, inches; 0 where none is seen.
double HalfWidthAt(const PatchPair& patch, const Axis& axis, double station, double white) {
  const Vec2 across = Perpendicular(axis.along);
  double area = 0;
  constexpr double kReach_in = 0.24;  // cotton and a blurred pixel; further off may lie another one
  for (double r = -kReach_in; r <= kReach_in; r += 0.02) {
    const cv::Point2d at = patch.grid.FromTable(axis.foot + station * axis.along + r * across);
    const float b = LeastChannel(Bilinear(patch.before, at));
    const float a = LeastChannel(Bilinear(patch.after, at));
    if (axis.stick) {
      const double share = StickShare(Linear(Bilinear(patch.after, at)),
                                      Linear(Bilinear(patch.before, at)), *axis.stick);
      if (share > 0.5) {
        area += 0.02 * share;
        continue;
      }
    }
    if (white - b <= patch.least_change) continue;
    // In linear light, where what a pixel holds of it counts as what it is: a stick is a pixel
    // wide.
    const double share = (Linear(a) - Linear(b)) / (Linear(static_cast<float>(white)) - Linear(b));
    area += 0.02 * std::clamp(share, 0.0, 1.2);
  }
  return area / 2;
}

// Half-widths of the whiteness across the axis where it is seen between two stations, inches.
std::vector<double> HalfWidths(const PatchPair& patch, const Axis& axis, double from, double to,
                               double white) {
  std::vector<double> halves;
  for (double s = std::min(from, to); s <= std::max(from, to); s += 0.03) {
    if (IsAnothers(patch, axis.foot + s * axis.along)) continue;
    const double half = HalfWidthAt(patch, axis, s, white);
    // Stations under a tree or a figure say nothing of how thick it is.
    constexpr double kHidden_in = 0.02;
    if (half > kHidden_in) halves.push_back(half);
  }
  return halves;
}
// The middle one of these; 0 where none is seen.
double HalfWidth(const PatchPair& patch, const Axis& axis, double from, double to, double white) {
  return Quantile(HalfWidths(patch, axis, from, to, white), 0.5).value_or(0);
}

// How wide a swab looks. Where a stick is hardly a pixel wide its white is darker than white, and
// all looks wider in proportion.
struct Looks {
  double stick_in = 0;        // half-width of its thinnest part
  double cotton_from_in = 0;  // half-width from which on it is cotton

  Looks(const std::vector<double>& halves, const SwabShape& shape) {
    constexpr double kThinnest = 0.2;  // of what is seen of a swab at least that much is stick
    stick_in = Quantile(halves, kThinnest).value_or(0);
    constexpr double kUneven = 1.1;  // a tenth wider it may look by noise and shading alone
    const double wider = std::clamp(stick_in / (kUneven * shape.stick_radius_in), 1.0, kWidest);
    cotton_from_in = wider * 0.5 * (shape.cotton_radius_in + shape.stick_radius_in);
  }
  // At twelve pixels an inch a stick looks wider by this (made-up tables); straws are.
  static constexpr double kWidest = 1.7;
  bool HasStick(const SwabShape& shape) const { return stick_in < kWidest * shape.stick_radius_in; }
};

// How far the white is as thick as cotton from one of its ends inward, inches.
struct Thickness {
  double length_in = 0;
  bool cut = false;  // at least so far: what follows is hidden
};
Thickness ThickLength(const PatchPair& patch, const Axis& axis, double end, int inward,
                      double white, double cotton_from, const SwabShape& shape) {
  constexpr double kStation_in = 0.03;
  constexpr double kRound_in = 0.06;  // the end itself is round and blurred
  double thick = kRound_in;
  for (double d = kRound_in; d < shape.cotton_length_in + 0.2; d += kStation_in) {
    const double half = HalfWidthAt(patch, axis, end + inward * d, white);
    constexpr double kHidden_in = 0.02;
    if (half < kHidden_in) return {thick, true};
    if (half > cotton_from) thick += kStation_in;
  }
  return {thick, false};
}

// Where the white that reaches a station ends, followed along the axis over what hides a little of
// it.
double WhiteUntil(const PatchPair& patch, const Axis& axis, double station, int way,
                  const cv::Vec3f& linear_white) {
  constexpr double kHidden_in = 0.4;  // a figure, or a bar as white
  double last = station;
  for (double s = station; std::abs(s - last) < kHidden_in; s += way * 2 * kStep_in) {
    const Vec2 at = axis.foot + s * axis.along;
    const cv::Point2d pixel = patch.grid.FromTable(at);
    if (!cv::Rect2d(0, 0, patch.after.cols, patch.after.rows).contains(pixel)) break;
    const double share = WhiteShare(Linear(Bilinear(patch.after, pixel)),
                                    Linear(Bilinear(patch.before, pixel)), linear_white);
    if (share > 0.5) last = s;
  }
  return last;
}

cv::Vec3f MeanColour(const std::vector<cv::Vec3f>& samples, int from, int to) {
  cv::Vec3f sum;
  for (int i = std::min(from, to); i <= std::max(from, to); ++i) {
    sum += samples[static_cast<std::size_t>(i)];
  }
  return sum / static_cast<float>(std::abs(to - from) + 1);
}

// One way round: the tip beyond the white's end at `white_end`, the tail at `tail_end`.
// tail_hidden  what ends there is not the swab but what is seen of it.
struct Reading {
  double score = -1;  // how well it explains the picture
  std::optional<double> tip_edge;
  std::optional<double> tail_edge;
  double tip_visible = 0;
  double tip_contrast = 0;
  double tail_contrast = 0;
  double paint_in = 0;  // how much of the end is painted
};

// The painted end: what the clubs dip is between a twentieth and three quarters of an inch of the
// cotton.
constexpr double kLeastPaint_in = 0.05;
constexpr double kMostPaint_in = 0.75;

// What of a painted end is seen when it ends at a predicted station.
struct PaintedEnd {
  std::optional<double> edge;  // station of its far end, from the paint's own edge
  double paint_in = 0;
  double visible = 0;    // share, [0, 1]
  double contrast = 0;   // grey levels against what was there
  bool painted = false;  // it is something else than bare cotton
};
PaintedEnd ReadPaint(const Profile& profile, double white_end, double predicted, int outward,
                     double white, double threshold) {
  PaintedEnd out;
  out.paint_in = std::clamp(outward * (predicted - white_end), kLeastPaint_in, kMostPaint_in);
  const double inner = std::min(0.24, 0.7 * out.paint_in);
  const int from = profile.Index(predicted - outward * 0.08);
  const int to = profile.Index(predicted - outward * inner);
  const cv::Vec3f paint = MeanColour(profile.after, from, to);
  int seen = 0;
  int looked = 0;
  for (double d = 0.04; d < std::min(out.paint_in, 0.4) - 0.05; d += kStep_in, ++looked) {
    const auto i = static_cast<std::size_t>(profile.Index(predicted - outward * d));
    seen += LargestGap(profile.after[i], profile.before[i]) > threshold ? 1 : 0;
  }
  out.visible = looked > 0 ? static_cast<double>(seen) / looked : 0;
  out.contrast = LargestGap(paint, MeanColour(profile.before, from, to));
  out.painted = LeastChannel(paint) < 0.75 * white;
  if (out.contrast <= threshold || !out.painted) return out;
  const std::vector<double> coverage =
      Coverage(profile, MeanColour(profile.linear_after, from, to), kLeastLinear);
  // No inset here: paint wicks to the cotton's very end and sharpening draws a dark edge outward by
  // about what the end's roundness takes off (rendered swabs: 0.005 in left, either way).
  const auto edge = HalfHeight(profile, coverage, predicted, outward, 0.08, inner, 0.3);
  if (edge) out.edge = edge->station;
  return out;
}

Reading Read(const PatchPair& patch, const Axis& axis, const Profile& profile,
             const std::vector<double>& white_coverage, double white, const Looks& looks,
             double white_end, double tail_end, const SwabShape& shape, bool tail_hidden) {
  Reading out;
  const int outward = white_end < tail_end ? -1 : 1;  // from the white's end to the tip
  const double span = std::abs(tail_end - white_end);
  const double threshold = std::max(patch.least_change, 4 * patch.noise);

  const auto tail = HalfHeight(profile, white_coverage, tail_end, -outward, 0.1, 0.3, 0.25);
  const double bulb =
      HalfWidth(patch, axis, tail_end + outward * 0.12, tail_end + outward * 0.38, white);
  // Where its cotton lies on another or against it, that one's white is not told from its own, and
  // nobody knows how high it is held up.
  const auto touches = [&](double station) {
    const Vec2 at = axis.foot + station * axis.along;
    const Vec2 beside = shape.cotton_radius_in * Perpendicular(axis.along);
    return IsAnothers(patch, at) || IsAnothers(patch, at + beside) ||
           IsAnothers(patch, at - beside);
  };
  const bool touched = touches(tail_end) ||
                       touches(tail_end + outward * 0.5 * shape.cotton_length_in) ||
                       touches(tail_end + outward * shape.cotton_length_in);
  const bool cotton = !tail_hidden && bulb > looks.cotton_from_in && !touched;
  // A cotton end is thicker than the stick by a factor of two; half-way tells them apart. A strip
  // as wide as cotton all along, as the bar on a base is, is no swab.
  const double stick_from = shape.cotton_length_in + 0.1;
  const double stick_to = std::min(stick_from + 0.4, span);
  if (cotton && stick_to > stick_from) {
    const double stick = HalfWidth(patch, axis, tail_end + outward * stick_from,
                                   tail_end + outward * stick_to, white);
    const double half_way = 0.5 * (shape.cotton_radius_in + shape.stick_radius_in);
    if (stick > half_way / shape.cotton_radius_in * bulb) return out;
  }
  double predicted = 0;  // station of the tip
  bool tail_sure = false;
  if (tail && cotton) {
    out.tail_edge = tail->station - outward * RoundEndInset(tail->blur_in, shape.cotton_radius_in);
    const int end = profile.Index(tail_end);
    out.tail_contrast = white - LeastChannel(MeanColour(profile.before, end, end));
    predicted = *out.tail_edge + outward * shape.length_in;
    const double paint = outward * (predicted - white_end);
    tail_sure = paint > kLeastPaint_in;
  }
  const auto changed = [&](double station) {
    const auto i = static_cast<std::size_t>(profile.Index(station));
    return LargestGap(profile.after[i], profile.before[i]) > threshold;
  };
  if (!tail_sure) {
    if (!looks.HasStick(shape)) return out;
    // The other end is hidden: follow what is new beyond the white to its end.
    // Between white and dark paint lies a place as light as the cloth: gaps that short are stepped
    // over.
    constexpr double kStepOver_in = 0.12;
    double end = white_end;
    for (double d = 0;
         d < kMostPaint_in + 0.1 && outward * (white_end + outward * d - end) < kStepOver_in;
         d += kStep_in) {
      if (changed(white_end + outward * d)) end = white_end + outward * d;
    }
    predicted = end - outward * 0.02;
    out.tail_edge.reset();
    if (outward * (predicted - white_end) < kLeastPaint_in ||
        outward * (predicted - white_end) > kMostPaint_in ||
        span + outward * (predicted - white_end) > shape.length_in + 0.15) {
      return out;
    }
  }

  // The paint: its colour a little inside the predicted end, then its own edge. Where the length
  // may differ from the shape's the end may lie that much further in or out: the paint is taken
  // from where its edge then is met best.
  const double range_in = tail_sure ? LengthRange(shape) : 0;
  const bool may_differ = range_in > 2 * kStep_in;
  double best_off = 1e9;
  bool painted = false;
  for (const double shift : {0.0, -range_in, range_in}) {
    // Met where the shape puts it, it need not be looked for elsewhere.
    if (shift != 0 && (!may_differ || best_off < 0.5 * range_in)) continue;
    const PaintedEnd end =
        ReadPaint(profile, white_end, predicted + outward * shift, outward, white, threshold);
    if (shift == 0) {
      painted = end.painted;
      out.paint_in = end.paint_in;
      out.tip_visible = end.visible;
      out.tip_contrast = end.contrast;
    }
    if (!end.edge) continue;
    // Two readings of one end that are further apart than its length is known, and than half the
    // cotton is thick, are not of the same thing.
    constexpr double kEdge_in = 0.015;  // how well the two edges are read
    const double off = std::abs(*end.edge - (predicted + outward * shift));
    if (off >= best_off ||
        (tail_sure &&
         std::abs(*end.edge - predicted) > std::max(shape.cotton_radius_in, range_in + kEdge_in))) {
      continue;
    }
    best_off = off;
    painted = end.painted;
    out.tip_edge = end.edge;
    out.paint_in = end.paint_in;
    out.tip_visible = end.visible;
    out.tip_contrast = end.contrast;
  }
  if (!tail_sure && !out.tip_edge) return out;
  // Beyond its two ends there is nothing new: a pencil or a ruler goes on.
  const auto goes_on = [&](double end, int direction) {
    int samples = 0;
    int new_here = 0;
    // From where the end's shadow and blur are over to where a neighbour may lie.
    for (double d = 0.25; d < 0.5; d += kStep_in, ++samples) {
      const double station = end + direction * d;
      const auto i = static_cast<std::size_t>(profile.Index(station));
      const bool another = IsAnothers(patch, axis.foot + station * axis.along);
      new_here +=
          !another && LargestGap(profile.after[i], profile.before[i]) > 2 * threshold ? 1 : 0;
    }
    return new_here > 0.8 * samples;
  };
  if (goes_on(predicted, outward) || (out.tail_edge && goes_on(*out.tail_edge, -outward)))
    return out;
  // A swab has a painted end, a cotton end, and the length between them.
  out.score =
      (painted ? out.tip_visible : 0) + (tail_sure ? 1 : 0) + (out.tip_edge && tail_sure ? 1 : 0);
  return out;
}

// How bright this swab's cotton is.
struct White {
  double level = 255;  // grey level of its weakest channel
  cv::Vec3f linear;
};

// ln of how much likelier the tip is at the axis's `from` than at its `to`, and how large that must
// be, either way, for the end to be stated.
struct EndOdds {
  double from = 0;
  double least = 0;
};
EndOdds OddsOfEnds(const PatchPair& patch, const Axis& axis, const Profile& profile,
                   const White& white, const Looks& looks, const Reading& tip_at_from,
                   const Reading& tip_at_to, const SwabShape& shape) {
  constexpr double kInside_in = 0.5;
  constexpr double kOutside_in = 0.85;
  constexpr double kApart_in = 0.02;
  const auto end_at = [&](double end, int outward, const Reading& reading) {
    SwabEnd out;
    for (double d = -kInside_in; d < kOutside_in; d += kApart_in) {
      const double station = end + outward * d;
      const auto i = static_cast<std::size_t>(profile.Index(station));
      out.stations.push_back({d, profile.linear_before[i], profile.linear_after[i],
                              !IsAnothers(patch, axis.foot + station * axis.along)});
    }
    const Thickness thick =
        ThickLength(patch, axis, end, -outward, white.level, looks.cotton_from_in, shape);
    out.thick_in = thick.length_in;
    out.thick_cut = thick.cut;
    if (reading.tail_edge)
      out.length_edge_in = shape.length_in - std::abs(end - *reading.tail_edge);
    return out;
  };
  SwabEndModel model;
  model.white = white.linear;
  model.tip_paint = shape.tip_paint;
  model.noise = patch.noise;
  model.pixel_in = 1 / patch.picture_ppi;
  model.cotton_length_in = shape.cotton_length_in;
  model.length_sigma_in = LengthPriorOf(shape).Sigma();
  // A way round that cannot be read, where the other can, is the less likely one by that.
  const double fails = std::log(kSwabPriors.reading_fails);
  const double by_reading = (tip_at_from.score > 0 ? 0 : fails) - (tip_at_to.score > 0 ? 0 : fails);
  return {by_reading + LogOddsOfFirstEnd(end_at(axis.from, -1, tip_at_from),
                                         end_at(axis.to, 1, tip_at_to), model),
          std::log((1 - kSwabPriors.wrong_end) / kSwabPriors.wrong_end)};
}

}  // namespace

Colour ColourBesideCotton(const cv::Vec3f& share) {
  const auto level = [](float v) {
    return cv::saturate_cast<std::uint8_t>(255 *
                                           std::pow(std::max(kCottonLight * v, 0.F), 1 / 2.2F));
  };
  return {level(share[2]), level(share[1]), level(share[0])};
}

cv::Vec3f ShareOfCotton(Colour colour) {
  return Linear(cv::Vec3f(colour.b, colour.g, colour.r)) / (255 * kCottonLight);
}

namespace {

// The stick's colour as it looks half-way along an axis that the cotton ends gave; none where it is
// white or not to be told from the cloth.
std::optional<Colour> StickSeen(const PatchPair& patch, const Axis& axis, double threshold) {
  const Profile profile = ProfileAlong(patch, axis, axis.from, axis.to);
  const int from = static_cast<int>(0.4 * static_cast<double>(profile.size()));
  const int to = static_cast<int>(0.6 * static_cast<double>(profile.size()));
  const cv::Vec3f seen = MeanColour(profile.after, from, to);
  if (LargestGap(seen, MeanColour(profile.before, from, to)) < threshold) return std::nullopt;
  std::vector<double> levels;
  for (const cv::Vec3f& c : profile.after) levels.push_back(LeastChannel(c));
  const double bright = *Quantile(levels, 0.9);
  cv::Vec3f white;
  float count = 0;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    if (levels[i] < bright) continue;
    white += profile.linear_after[i];
    count += 1;
  }
  white /= count;
  cv::Vec3f share;
  cv::divide(MeanColour(profile.linear_after, from, to), white, share);
  constexpr float kWhite = 0.6F;  // a white stick in its own shade
  if (LeastChannel(share) > kWhite) return std::nullopt;
  return ColourBesideCotton(share);
}

// What it looks like, from a reading of both ends.
std::optional<SwabLooks> LooksOf(const PatchPair& patch, const Axis& axis, const Profile& profile,
                                 const White& white, const Looks& looks, const Reading& reading,
                                 double white_end, double tail_end, const SwabShape& shape) {
  if (!reading.tip_edge || !reading.tail_edge) return std::nullopt;
  const int outward = white_end < tail_end ? -1 : 1;
  const auto cotton =
      ThickLength(patch, axis, tail_end, outward, white.level, looks.cotton_from_in, shape);
  if (cotton.cut) return std::nullopt;
  SwabLooks out;
  out.cotton_length_in = cotton.length_in;
  out.cotton_thickness_in =
      2 * HalfWidth(patch, axis, tail_end + outward * 0.12, tail_end + outward * 0.38, white.level);
  out.dip_in = outward * (*reading.tip_edge - white_end);
  const double middle = 0.5 * (axis.from + axis.to);
  cv::divide(
      MeanColour(profile.linear_after, profile.Index(middle - 0.4), profile.Index(middle + 0.4)),
      white.linear, out.stick);
  cv::divide(MeanColour(profile.linear_after, profile.Index(*reading.tip_edge - outward * 0.06),
                        profile.Index(*reading.tip_edge - outward * 0.7 * out.dip_in)),
             white.linear, out.dip);
  return out;
}

}  // namespace

std::optional<SwabFit> FitSwab(const PatchPair& patch, const SwabShape& given) {
  const double threshold = std::max(1.6 * patch.least_change, 5 * patch.noise);
  SwabShape shape = given;
  std::vector<Seed> seeds = WhiterPixels(patch, threshold, shape);
  std::optional<Axis> axis = FindAxis(seeds, shape);
  if (axis && shape.any_stick) {
    shape.stick = StickSeen(patch, *axis, threshold);
    if (shape.stick) {
      seeds = WhiterPixels(patch, threshold, shape);
      axis = FindAxis(seeds, shape);
    }
  }
  if (!axis) return std::nullopt;

  // Inches beyond the white: the painted end and clear cloth. Of one that lies on white the rest of
  // it lies there too.
  const double margin = 1.0;
  const double rest = std::max(shape.length_in + margin - (axis->to - axis->from), margin);
  const Profile profile = ProfileAlong(patch, *axis, axis->from - rest, axis->to + rest);
  std::vector<double> whites;
  for (int i = profile.Index(axis->from + 0.05); i <= profile.Index(axis->to - 0.05); ++i) {
    whites.push_back(LeastChannel(profile.after[static_cast<std::size_t>(i)]));
  }
  if (whites.empty()) return std::nullopt;
  // Of a stick of another colour only the cotton ends are white.
  const double white = *Quantile(whites, shape.stick ? 0.9 : 0.8);
  const auto white_level = static_cast<float>(white);
  cv::Vec3f linear_white;
  float white_count = 0;
  for (int i = profile.Index(axis->from + 0.05); i <= profile.Index(axis->to - 0.05); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (LeastChannel(profile.after[at]) < white) continue;
    linear_white += profile.linear_after[at];
    white_count += 1;
  }
  linear_white /= std::max(white_count, 1.f);
  // Cotton is white: under the warmest lamp a webcam's white balance leaves its weakest channel
  // over a third of its strongest (linear light), which no red, yellow or blue pencil comes near.
  const float strongest = std::max({linear_white[0], linear_white[1], linear_white[2]});
  if (LeastChannel(linear_white) < 0.35 * strongest) return std::nullopt;
  std::vector<double> coverage(profile.size());
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const double full = white_level - LeastChannel(profile.before[i]);
    coverage[i] = full > patch.least_change
                      ? WhiteShare(profile.linear_after[i], profile.linear_before[i], linear_white)
                      : std::nan("");
  }
  const std::vector<double> white_coverage = coverage;
  if (shape.stick) {
    axis->stick = linear_white.mul(ShareOfCotton(*shape.stick));
    for (std::size_t i = 0; i < profile.size(); ++i) {
      if (LargestGap(profile.after[i], profile.before[i]) < threshold || coverage[i] > 0.5)
        continue;
      coverage[i] = StickShare(profile.linear_after[i], profile.linear_before[i], *axis->stick);
    }
  }

  // The white from its first run to its last: single bright specks of the cloth beyond it are
  // shorter than the cotton is thick.
  {
    double from = 0;
    double to = 0;
    bool any = false;
    std::size_t run = 0;
    const auto least_run = static_cast<std::size_t>(shape.cotton_radius_in / kStep_in);
    const auto first = static_cast<std::size_t>(profile.Index(axis->from - margin));
    const auto past = static_cast<std::size_t>(profile.Index(axis->to + margin)) + 1;
    for (std::size_t i = first; i <= past; ++i) {
      if (i < past && coverage[i] > 0.5) {
        ++run;
        continue;
      }
      if (run >= least_run) {
        if (!any) from = profile.Station(static_cast<double>(i - run));
        to = profile.Station(static_cast<double>(i));
        any = true;
      }
      run = 0;
    }
    if (!any) return std::nullopt;
    axis->from = from;
    axis->to = to;
  }

  // What has come stands out from the cloth beside it now, and by more than it did; where a shadow
  // went, all grew lighter in proportion. Judged by the middle one of the stations where white is
  // seen.
  {
    const Vec2 across = Perpendicular(axis->along);
    std::vector<double> standing_out;
    std::vector<double> grown;
    const auto beside = [&](const cv::Mat& picture, Vec2 at) {
      return 0.5 * (LeastChannel(Bilinear(picture, patch.grid.FromTable(at + 0.35 * across))) +
                    LeastChannel(Bilinear(picture, patch.grid.FromTable(at - 0.35 * across))));
    };
    for (double station = axis->from + 0.05; station < axis->to - 0.05; station += 0.05) {
      const auto i = static_cast<std::size_t>(profile.Index(station));
      if (!(white_coverage[i] > 0.5)) continue;  // under a tree or a figure
      const Vec2 at = axis->foot + station * axis->along;
      const double beside_now = beside(patch.after, at);
      standing_out.push_back(LeastChannel(profile.after[i]) - beside_now);
      grown.push_back((LeastChannel(profile.after[i]) + 1) / (LeastChannel(profile.before[i]) + 1) /
                      ((beside_now + 1) / (beside(patch.before, at) + 1)));
    }
    if (standing_out.size() < 4) return std::nullopt;
    // White cotton is at least a quarter lighter than the lightest felt clubs play on.
    constexpr double kLighter = 1.25;
    if (*Quantile(standing_out, 0.5) < threshold || *Quantile(grown, 0.5) < kLighter) {
      return std::nullopt;
    }
  }

  // How thick it is, where it is white: between half a stick and the cotton, else it is something
  // else.
  const std::vector<double> halves =
      HalfWidths(patch, *axis, axis->from + 0.1, axis->to - 0.1, white);
  const double half_width = Quantile(halves, 0.5).value_or(0);
  const Looks looks(halves, shape);
  // What runs on further than a swab is long and nowhere thickens to cotton is a straw or a cord,
  // whatever bases and figures cut it into.
  constexpr double kLonger_in = 0.3;
  constexpr double kEven = 1.6;  // cotton is over twice as thick as the stick
  if (axis->to - axis->from > shape.length_in + kLonger_in &&
      Quantile(halves, 0.9).value_or(0) < kEven * looks.stick_in) {
    SwabFit straw;
    straw.longer = true;
    straw.toward_tail = axis->along;
    straw.foot = axis->foot;
    straw.white_from = WhiteUntil(patch, *axis, axis->from, -1, linear_white);
    straw.white_to = WhiteUntil(patch, *axis, axis->to, 1, linear_white);
    straw.white = white;
    return straw;
  }
  if (half_width < 0.4 * shape.stick_radius_in || half_width > 1.3 * shape.cotton_radius_in) {
    return std::nullopt;
  }
  const double span = axis->to - axis->from;
  if (span < 2 * shape.cotton_length_in * 0.8) return std::nullopt;  // too little of it to tell

  // Where a length from the other end there is no painted end, that other end may be what a figure
  // leaves of it: then the paint's own edge lies further in, and both are handed on.
  const auto read = [&](double white_end, double tail_end) {
    Reading out =
        Read(patch, *axis, profile, coverage, white, looks, white_end, tail_end, shape, false);
    constexpr double kThere = 0.6;  // of the paint, seen a length from the other end
    const bool both = out.tip_edge && out.tip_visible > kThere;
    if (!out.tail_edge || both || out.score < 0) return out;
    const Reading cut =
        Read(patch, *axis, profile, coverage, white, looks, white_end, tail_end, shape, true);
    if (!cut.tip_edge) return out;
    const double missing = shape.length_in - std::abs(*cut.tip_edge - *out.tail_edge);
    if (missing < shape.cotton_radius_in || missing > shape.cotton_length_in) return out;
    out.tip_edge = cut.tip_edge;
    out.tip_visible = cut.tip_visible;
    out.tip_contrast = cut.tip_contrast;
    out.paint_in = cut.paint_in;
    out.score = cut.score + 1;
    return out;
  };
  const Reading a = read(axis->from, axis->to);
  const Reading b = read(axis->to, axis->from);
  const EndOdds odds = OddsOfEnds(patch, *axis, profile, {white, linear_white}, looks, a, b, shape);
  const bool tip_at_from = odds.from >= 0;
  const Reading& best = tip_at_from ? a : b;
  const bool untold = std::abs(odds.from) < odds.least;
  if (best.score <= 0 || untold) {
    // A white stick, but neither end is to be had. Shorter than this it may be a bar or a strap,
    // unless it thickens to cotton or ends in paint: then it is a piece of a swab.
    if (best.score <= 0 && span < 0.6 * shape.length_in) return std::nullopt;
    SwabFit fit;
    fit.toward_tail = axis->along;
    fit.foot = axis->foot;
    fit.white_from = axis->from;
    fit.white_to = axis->to;
    fit.white = white;
    return fit;
  }

  SwabFit fit;
  fit.looks =
      LooksOf(patch, *axis, profile, {white, linear_white}, looks, best,
              tip_at_from ? axis->from : axis->to, tip_at_from ? axis->to : axis->from, shape);
  fit.bend_in = BendOf(seeds, *axis, shape);
  const double sign = tip_at_from ? 1 : -1;
  fit.toward_tail = sign * axis->along;
  fit.foot = axis->foot;
  if (best.tip_edge) fit.tip_edge = sign * *best.tip_edge;
  if (best.tail_edge) fit.tail_edge = sign * *best.tail_edge;
  fit.white_from = tip_at_from ? axis->from : -axis->to;
  fit.white_to = tip_at_from ? axis->to : -axis->from;
  fit.tip_visible = best.tip_visible;
  fit.paint_in = best.paint_in;
  fit.tip_contrast = best.tip_contrast;
  fit.tail_contrast = best.tail_contrast;
  fit.white = white;
  return fit;
}

}  // namespace fos
