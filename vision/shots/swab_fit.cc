#include "vision/shots/swab_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "engine/table/quantile.h"

namespace fos {
namespace {

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

// Pixels that grew whiter: the weakest channel rose. Paint, wood, skin and shadow raise it little.
std::vector<Seed> WhiterPixels(const PatchPair& patch, double threshold) {
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
  return seeds;
}

struct Axis {
  Vec2 foot;
  Vec2 along;
  double from = 0;  // stations of the stretch it was fitted to
  double to = 0;
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

// How far the white is as thick as cotton from one of its ends inward, inches; empty where a part
// of that is hidden.
std::optional<double> ThickLength(const PatchPair& patch, const Axis& axis, double end, int inward,
                                  double white, double cotton_from, const SwabShape& shape) {
  constexpr double kStation_in = 0.03;
  constexpr double kRound_in = 0.06;  // the end itself is round and blurred
  double thick = kRound_in;
  for (double d = kRound_in; d < shape.cotton_length_in + 0.2; d += kStation_in) {
    const double half = HalfWidthAt(patch, axis, end + inward * d, white);
    constexpr double kHidden_in = 0.02;
    if (half < kHidden_in) return std::nullopt;
    if (half > cotton_from) thick += kStation_in;
  }
  return thick;
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

// How unlike the dip's own colour what is seen is, from 0: both as they stand to white, cotton
// being what white looks like under this lamp. Paint that soaks into cotton comes out lighter.
double UnlikePaint(const cv::Vec3f& linear_seen, const cv::Vec3f& linear_white, Colour paint) {
  const cv::Vec3f nominal = Linear({static_cast<float>(paint.b), static_cast<float>(paint.g),
                                    static_cast<float>(paint.r)}) /
                            255;
  constexpr float kCotton = 0.85F;  // of white paper's light, what cotton sends back
  double square = 0;
  for (int c = 0; c < 3; ++c) {
    const double seen = linear_seen[c] / std::max(linear_white[c], 1.F);
    square += std::pow(seen - nominal[c] / kCotton, 2);
  }
  return std::sqrt(square);
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
  cv::Vec3f paint;         // linear
  double paint_in = 0;     // how much of the end is painted
  double beyond_tail = 0;  // share of what lies beyond the cotton end that is new paint, not shade
};

// The painted end: what the clubs dip is between a twentieth and three quarters of an inch of the
// cotton.
constexpr double kLeastPaint_in = 0.05;
constexpr double kMostPaint_in = 0.75;

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

  // The paint: its colour a little inside the predicted end, then its own edge.
  const double paint_length =
      std::clamp(outward * (predicted - white_end), kLeastPaint_in, kMostPaint_in);
  out.paint_in = paint_length;
  const double inner = std::min(0.24, 0.7 * paint_length);
  const int paint_from = profile.Index(predicted - outward * 0.08);
  const int paint_to = profile.Index(predicted - outward * inner);
  const cv::Vec3f paint = MeanColour(profile.after, paint_from, paint_to);
  out.paint = MeanColour(profile.linear_after, paint_from, paint_to);
  int seen = 0;
  int looked = 0;
  for (double d = 0.04; d < std::min(paint_length, 0.4) - 0.05; d += kStep_in, ++looked) {
    seen += changed(predicted - outward * d) ? 1 : 0;
  }
  out.tip_visible = looked > 0 ? static_cast<double>(seen) / looked : 0;
  const cv::Vec3f bare = MeanColour(profile.before, paint_from, paint_to);
  out.tip_contrast = LargestGap(paint, bare);
  const bool painted = LeastChannel(paint) < 0.75 * white;  // something else than bare cotton
  if (out.tip_contrast > threshold && painted) {
    const std::vector<double> coverage =
        Coverage(profile, MeanColour(profile.linear_after, paint_from, paint_to), kLeastLinear);
    const auto tip = HalfHeight(profile, coverage, predicted, outward, 0.08, inner, 0.3);
    if (tip) {
      // No inset here: paint wicks to the cotton's very end and sharpening draws a dark edge
      // outward by about what the end's roundness takes off (rendered swabs: 0.005 in left, either
      // way).
      const double edge = tip->station;
      // Two readings of one end further apart than half the cotton is thick are not of the same
      // thing.
      if (!tail_sure || std::abs(edge - predicted) < shape.cotton_radius_in) out.tip_edge = edge;
    }
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
  // Beyond the cotton end lies what was there, in shade at most: a shadow leaves the room's light,
  // which is a quarter and more; dark paint leaves less. Paint beyond it makes it the other end.
  if (out.tail_edge) {
    constexpr double kShade = 0.25;
    int stations = 0;
    int paint_there = 0;
    for (double d = 0.06; d < 0.2; d += kStep_in, ++stations) {
      const auto i = static_cast<std::size_t>(profile.Index(tail_end - outward * d));
      const cv::Vec3f& a = profile.linear_after[i];
      const cv::Vec3f& b = profile.linear_before[i];
      const double dimmed = a.dot(b) / std::max(b.dot(b), 1.F);
      const bool shade =
          dimmed > kShade && dimmed < 1.1 && LargestGap(a, dimmed * b) < 0.25 * LargestGap(b, {});
      paint_there += changed(tail_end - outward * d) && !shade ? 1 : 0;
    }
    out.beyond_tail = stations > 0 ? static_cast<double>(paint_there) / stations : 0;
  }
  // A swab has a painted end, a cotton end, and the length between them.
  out.score =
      (painted ? out.tip_visible : 0) + (tail_sure ? 1 : 0) + (out.tip_edge && tail_sure ? 1 : 0);
  return out;
}

}  // namespace

std::optional<SwabFit> FitSwab(const PatchPair& patch, const SwabShape& shape) {
  const double threshold = std::max(1.6 * patch.least_change, 5 * patch.noise);
  const std::vector<Seed> seeds = WhiterPixels(patch, threshold);
  std::optional<Axis> axis = FindAxis(seeds, shape);
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
  const double white = *Quantile(whites, 0.8);
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
      if (!(coverage[i] > 0.5)) continue;  // under a tree or a figure
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
    out.paint = cut.paint;
    out.paint_in = cut.paint_in;
    out.beyond_tail = 0;  // is the rest of it
    out.score = cut.score + 1;
    return out;
  };
  const Reading a = read(axis->from, axis->to);
  const Reading b = read(axis->to, axis->from);
  // Which end is which. Where both readings explain the picture, the cotton tells: at the tip the
  // paint leaves less of the half inch white, at the other end all of it is; and the paint's own
  // colour.
  double for_a = 0;
  if (a.score > 0 && b.score > 0) {
    const auto at_from =
        ThickLength(patch, *axis, axis->from, 1, white, looks.cotton_from_in, shape);
    const auto at_to = ThickLength(patch, *axis, axis->to, -1, white, looks.cotton_from_in, shape);
    const auto unlike = [&](const Reading& reading, double at_tip, double at_tail) {
      const double left = std::max(shape.cotton_length_in - reading.paint_in, 0.0);
      return std::abs(at_tip - left) +
             (reading.tail_edge ? std::abs(at_tail - shape.cotton_length_in) : 0);
    };
    constexpr double kPaint_in = 0.25;  // what is dipped at the least, or thereabouts
    if (at_from && at_to) {
      const double gap = unlike(b, *at_to, *at_from) - unlike(a, *at_from, *at_to);
      for_a += std::clamp(gap / kPaint_in, -1.0, 1.0);
    }
    for_a += 2 * (UnlikePaint(b.paint, linear_white, shape.tip_paint) -
                  UnlikePaint(a.paint, linear_white, shape.tip_paint));
  }
  const double difference = a.score - b.score + for_a + b.beyond_tail - a.beyond_tail;
  const bool tip_at_from = difference >= 0;
  const Reading& best = tip_at_from ? a : b;
  // As good either way round: people are asked.
  constexpr double kTold = 0.25;
  const bool alike = a.score > 0 && b.score > 0 && std::abs(difference) < kTold;
  // Nor is one told whose paint seems to lie beyond its bare end, with no paint seen at the other.
  constexpr double kPaintBeyond = 0.5;
  const bool untold = alike || (best.beyond_tail > kPaintBeyond && !best.tip_edge);
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
