// SPDX-License-Identifier: MIT
#include "calibration/registration/grid_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "calibration/camera/bilinear.h"

namespace fos {
namespace {

// Across a line, from its middle: marker pens and chalk draw 0.04 to 0.1 in, blur doubles that.
// What lies beyond kGround_in counts as cloth.
constexpr double kCore_in = 0.035;
constexpr double kEdge_in = 0.10;
constexpr double kGround_in = 0.24;
// The crossing lines themselves are left out, a share of the side at both ends.
constexpr double kEndShare = 0.06;
constexpr double kStep_px = 0.5;

// Mean picture across a stretch of a line: value k is (k - half) * kStep_px from it, to the east of
// a line that runs north and to the north of one that runs east.
struct Profile {
  std::vector<float> value;
  double px_per_in = 0;
};

std::optional<Profile> Across(const cv::Mat& grey, const TableCamera& camera, Vec2 from, Vec2 to,
                              Vec2 side, double reach_in) {
  const Vec2 middle = 0.5 * (from + to);
  const ImagePoint m = ImageFromTable(camera, middle, 0);
  const ImagePoint o = ImageFromTable(camera, middle + 0.1 * side, 0);
  const double px_per_in = std::hypot(o.x_px - m.x_px, o.y_px - m.y_px) / 0.1;
  const double ux = (o.x_px - m.x_px) / (0.1 * px_per_in);
  const double uy = (o.y_px - m.y_px) / (0.1 * px_per_in);
  const int half = static_cast<int>(std::ceil(reach_in * px_per_in / kStep_px));
  constexpr int kMostHalf = 400;
  if (!(px_per_in > 1) || half > kMostHalf) return std::nullopt;
  const ImagePoint a = ImageFromTable(camera, from, 0);
  const ImagePoint b = ImageFromTable(camera, to, 0);
  const double length_px = std::hypot(b.x_px - a.x_px, b.y_px - a.y_px);
  constexpr double kAlong_px = 1.5;  // neighbours share light: closer samples add nothing
  const int along = std::clamp(static_cast<int>(length_px / kAlong_px), 4, 200);
  Profile out;
  out.px_per_in = px_per_in;
  out.value.assign(static_cast<std::size_t>(2 * half + 1), 0.0F);
  const auto code = [](std::uint8_t value) { return static_cast<float>(value); };
  for (int i = 0; i < along; ++i) {
    const double t = (i + 0.5) / along;
    const double x = a.x_px + t * (b.x_px - a.x_px);
    const double y = a.y_px + t * (b.y_px - a.y_px);
    for (int k = -half; k <= half; ++k) {
      const auto v = GreyBilinearAt(grey, x + k * kStep_px * ux, y + k * kStep_px * uy, code);
      if (!v) return std::nullopt;
      out.value[static_cast<std::size_t>(k + half)] += *v / static_cast<float>(along);
    }
  }
  return out;
}

struct Found {
  double off_px = 0;
  double contrast = 0;
  double clearness = 0;
};

// The clearest line of the given sign in a profile: a middle as wide as the line against both
// sides.
std::optional<Found> ClearestLine(const Profile& profile, double sign) {
  const auto n = static_cast<int>(profile.value.size());
  const auto steps = [&](double inches, double least_px) {
    return static_cast<int>(std::lround(std::max(least_px, inches * profile.px_per_in) / kStep_px));
  };
  const int core = steps(kCore_in, 0.5);
  const int gap = steps(kEdge_in, 1.5);
  const int outer = std::max(steps(kGround_in, 3.5), gap + 2);
  std::vector<double> sum(static_cast<std::size_t>(n) + 1, 0.0);
  for (int k = 0; k < n; ++k) {
    sum[static_cast<std::size_t>(k) + 1] =
        sum[static_cast<std::size_t>(k)] + profile.value[static_cast<std::size_t>(k)];
  }
  const auto mean = [&](int from, int to) {  // both included
    return (sum[static_cast<std::size_t>(to) + 1] - sum[static_cast<std::size_t>(from)]) /
           (to - from + 1);
  };
  std::vector<double> response;
  for (int k = outer; k + outer < n; ++k) {
    const double left = mean(k - outer, k - gap - 1);
    const double right = mean(k + gap + 1, k + outer);
    const double middle = sign * mean(k - core, k + core);
    // Less than either side, so that the step at a road's or a base's edge is no line.
    response.push_back(std::min(middle - sign * left, middle - sign * right));
  }
  if (response.size() < 3) return std::nullopt;
  const auto best = std::max_element(response.begin(), response.end());
  const auto at = static_cast<int>(best - response.begin());
  if (at == 0 || at + 1 == static_cast<int>(response.size()) || !(*best > 0)) return std::nullopt;
  // The middle by weight of what stands out, within the line's own width.
  const int centre = at + outer;
  const double ground =
      0.5 * (mean(centre - outer, centre - gap - 1) + mean(centre + gap + 1, centre + outer));
  double weight = 0;
  double moment = 0;
  for (int k = centre - gap; k <= centre + gap; ++k) {
    const double w = std::max(0.0, sign * (profile.value[static_cast<std::size_t>(k)] - ground));
    weight += w;
    moment += w * k;
  }
  if (!(weight > 0)) return std::nullopt;
  // What the cloth does by itself: the spread of both sides about their own slopes.
  double spread = 0;
  int count = 0;
  for (const auto& [from, to] :
       {std::pair{centre - outer, centre - gap - 1}, std::pair{centre + gap + 1, centre + outer}}) {
    const double level = mean(from, to);
    for (int k = from; k <= to; ++k) {
      const double d = profile.value[static_cast<std::size_t>(k)] - level;
      spread += d * d;
      ++count;
    }
  }
  constexpr double kQuietest = 0.5;  // code values: quantisation alone
  Found out;
  out.off_px = (moment / weight - (n / 2)) * kStep_px;
  out.contrast = sign * *best;
  out.clearness = *best / (kQuietest + std::sqrt(spread / count));
  return out;
}

}  // namespace

std::vector<GridSight> MeasureGrid(const cv::Mat& grey, const TableCamera& camera,
                                   const TableFrame& frame, double reach_in) {
  struct Stretch {
    GridSight seen;
    Profile profile;
  };
  std::vector<Stretch> stretches;
  for (const Vec2 corner : frame.Corners()) {
    const cv::Vec3d p = camera.rotation * cv::Vec3d(corner.x, corner.y, 0) + camera.tvec;
    constexpr double kNearest_in = 1;
    if (!(p[2] > kNearest_in)) return {};  // a pose that looks away from part of the board
  }
  const auto along_line = [&](int line, bool runs_north) {
    const int sides = runs_north ? frame.rows : frame.columns;
    const Vec2 side = runs_north ? Vec2{1, 0} : Vec2{0, 1};
    const Vec2 ahead = runs_north ? Vec2{0, 1} : Vec2{1, 0};
    for (int s = 0; s < sides * kStretchesPerSide; ++s) {
      const double length = frame.square_in * (1 - 2 * kEndShare) / kStretchesPerSide;
      const double start =
          frame.square_in * (s / kStretchesPerSide + kEndShare) + (s % kStretchesPerSide) * length;
      const Vec2 from = line * frame.square_in * side + start * ahead;
      const Vec2 to = from + length * ahead;
      // Room for the sides of a line found at the very end of the reach.
      if (auto p = Across(grey, camera, from, to, side, reach_in + kGround_in)) {
        stretches.push_back({{line, runs_north, s, 0.5 * (from + to), 0, 0, 0}, std::move(*p)});
      }
    }
  };
  for (int c = 0; c <= frame.columns; ++c) along_line(c, true);
  for (int r = 0; r <= frame.rows; ++r) along_line(r, false);

  // Pen or chalk: whichever sign stands out over all lines together.
  std::array<double, 2> total{};
  std::array<std::vector<std::optional<Found>>, 2> found;
  for (std::size_t k = 0; k < 2; ++k) {
    const double sign = k == 0 ? -1.0 : 1.0;
    for (const Stretch& s : stretches) {
      found[k].push_back(ClearestLine(s.profile, sign));
      if (found[k].back()) total[k] += std::min(found[k].back()->clearness, 10.0);
    }
  }
  const std::size_t sign = total[0] >= total[1] ? 0 : 1;
  std::vector<GridSight> out;
  constexpr double kClear = 1.5;  // times what the cloth does by chance
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const auto& f = found[sign][i];
    if (!f || f->clearness < kClear) continue;
    GridSight seen = stretches[i].seen;
    seen.off_in = f->off_px / stretches[i].profile.px_per_in;
    if (std::abs(seen.off_in) > reach_in) continue;
    seen.contrast = f->contrast;
    seen.clearness = f->clearness;
    out.push_back(seen);
  }
  return out;
}

LineSight SightOf(const GridSight& seen, const TableCamera& camera, double sigma_in) {
  const Vec2 side = seen.runs_north ? Vec2{1, 0} : Vec2{0, 1};
  const Vec2 ahead = seen.runs_north ? Vec2{0, 1} : Vec2{1, 0};
  const Vec2 drawn = seen.at + seen.off_in * side;
  constexpr double kStep_in = 0.5;
  const auto ray = [&](Vec2 p) {
    const cv::Vec3d c = camera.rotation * cv::Vec3d(p.x, p.y, 0) + camera.tvec;
    return cv::Vec2d(c[0] / c[2], c[1] / c[2]);
  };
  const cv::Vec2d a = ray(drawn - kStep_in * ahead);
  const cv::Vec2d b = ray(drawn + kStep_in * ahead);
  const cv::Vec2d along = (b - a) / cv::norm(b - a);
  LineSight sight;
  sight.at = seen.at;
  sight.normal = {along[1], -along[0]};
  sight.offset = -sight.normal.dot(0.5 * (a + b));
  const double unit_per_in =
      std::abs(sight.normal.dot(ray(seen.at + 0.1 * side) - ray(seen.at))) / 0.1;
  const double px_per_in = PixelsPerInch(camera, seen.at, 0);
  sight.px_per_unit = px_per_in / unit_per_in;
  sight.sigma_px = sigma_in * px_per_in;
  // A line drawn an inch to the side moves the residual by as many pixels.
  const double moved = sight.normal.dot(ray(seen.at + 0.1 * side) - ray(seen.at));
  sight.shares[0].px_per_unit = moved > 0 ? px_per_in : -px_per_in;
  sight.shares[1].px_per_unit = sight.shares[0].px_per_unit;
  PutInPicture(sight, 0.5 * (a + b), camera.lens);
  return sight;
}

}  // namespace fos
