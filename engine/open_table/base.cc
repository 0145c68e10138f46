// SPDX-License-Identifier: MIT
#include "engine/open_table/base.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/table/pose2.h"

namespace fos::open_table {
namespace {

double Radians(double deg) { return deg * std::numbers::pi / 180; }

// Half the diagonal: no part of the base is farther from its centre.
double Reach(const Base& base) {
  return 0.5 * std::sqrt(base.width * base.width + base.depth * base.depth);
}

Vec2 RightOf(Vec2 ahead) { return {ahead.y, -ahead.x}; }

std::array<Vec2, 4> Corners(const Base& base, Vec2 ahead, Vec2 rightward) {
  const Vec2 front = 0.5 * base.depth * ahead;
  const Vec2 right = 0.5 * base.width * rightward;
  return {base.centre + front - right, base.centre + front + right, base.centre - front + right,
          base.centre - front - right};
}

// How far the point lies beyond the sides of the base and beyond its front or rear; 0 within.
Vec2 Beyond(const Placed& a, Vec2 point) {
  const Vec2 d = point - a.centre;
  return {std::max(0.0, std::abs(Dot(d, a.right)) - a.half_width),
          std::max(0.0, std::abs(Dot(d, a.ahead)) - a.half_depth)};
}

// Sutherland and Hodgman (1974): clips the polygon to the left of the line from `at` along `along`.
Polygon CutLeft(const Polygon& polygon, Vec2 at, Vec2 along) {
  Polygon out;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 a = polygon[i];
    const Vec2 b = polygon[(i + 1) % polygon.size()];
    const double side_a = Cross(along, a - at) + kTiny;
    const double side_b = Cross(along, b - at) + kTiny;
    if (side_a >= 0) out.push_back(a);
    if ((side_a >= 0) != (side_b >= 0)) out.push_back(a + (side_a / (side_a - side_b)) * (b - a));
  }
  return out;
}

}  // namespace

Vec2 Ahead(double bearing_deg) {
  // The eight compass directions are exact, so that a game aligned with the table stays aligned.
  const double quarter = WrappedBearing(bearing_deg) / 90;
  if (quarter == std::floor(quarter)) {
    constexpr std::array<Vec2, 4> kCompass = {Vec2{0, 1}, Vec2{1, 0}, Vec2{0, -1}, Vec2{-1, 0}};
    return kCompass[static_cast<std::size_t>(quarter) % 4];
  }
  return {std::sin(Radians(bearing_deg)), std::cos(Radians(bearing_deg))};
}

Vec2 Rightward(double bearing_deg) { return RightOf(Ahead(bearing_deg)); }

double WrappedBearing(double deg) {
  if (deg >= 0 && deg < 360) return deg;
  const double wrapped = std::fmod(deg, 360);
  return wrapped < 0 ? wrapped + 360 : wrapped;
}

double BearingTo(Vec2 from, Vec2 to) {
  const Vec2 d = to - from;
  if (d == Vec2{}) return 0;
  return WrappedBearing(std::atan2(d.x, d.y) * 180 / std::numbers::pi);
}

double AngleBetween(double a_deg, double b_deg) {
  const double d = WrappedBearing(a_deg - b_deg);
  return d > 180 ? 360 - d : d;
}

std::array<Vec2, 4> Outline(const Base& base) {
  const Vec2 ahead = Ahead(base.facing_deg);
  return Corners(base, ahead, RightOf(ahead));
}

Polygon OutlinePolygon(const Base& base) { return ToPolygon(Outline(base)); }

Vec2 FrontCentre(const Base& base) {
  return base.centre + 0.5 * base.depth * Ahead(base.facing_deg);
}

// The nearest points of two separate convex outlines are a corner of one and a point of the other.
double Gap(const Base& a, const Base& b) {
  const Placed pa = Place(a);
  const Placed pb = Place(b);
  return Gap(pa, pb);
}

double Gap(const Base& a, Vec2 point) { return Gap(Place(a), point); }

namespace {
// As Norm, which takes longer. Most points lie beyond one side alone.
// Without the last digits, which are rounding errors: a gap of 120 is not beyond 120.
double Length(Vec2 beyond) {
  constexpr double kDigits = 1e9;
  const double length = beyond.x == 0 ? beyond.y : beyond.y == 0 ? beyond.x : Norm(beyond);
  return std::round(length * kDigits) / kDigits;
}
}  // namespace

double Gap(const Placed& a, Vec2 point) { return Length(Beyond(a, point)); }

namespace {
// Of bases that do not touch.
double GapApart(const Placed& a, const Placed& b) {
  Vec2 least = Beyond(a, b.corners[0]);
  const auto keep_nearer = [&](Vec2 beyond) {
    if (Dot(beyond, beyond) < Dot(least, least)) least = beyond;
  };
  for (std::size_t i = 1; i < b.corners.size(); ++i) keep_nearer(Beyond(a, b.corners[i]));
  for (const Vec2 corner : a.corners) keep_nearer(Beyond(b, corner));
  return Length(least);
}
}  // namespace

double Gap(const Placed& a, const Placed& b) { return Depth(a, b) >= 0 ? 0 : GapApart(a, b); }

double LesserGap(const Placed& a, const Placed& b, double least) {
  // The centres' distance minus both radii bounds the gap from below.
  const double nearer = least + a.reach + b.reach + kTiny;
  const Vec2 between = b.centre - a.centre;
  if (Dot(between, between) >= nearer * nearer) return least;
  // So does the distance along a separating axis.
  const double depth = Depth(a, b);
  if (depth >= 0) return std::min(least, 0.0);
  return -depth >= least ? least : std::min(least, GapApart(a, b));
}

double Gap(std::span<const Base> a, std::span<const Base> b) {
  double least = std::numeric_limits<double>::infinity();
  std::vector<std::optional<Placed>> others(b.size());  // those that were met
  for (const Base& one : a) {
    const double reach = Reach(one);
    std::optional<Placed> placed;
    for (std::size_t i = 0; i < b.size(); ++i) {
      const Base& other = b[i];
      // The centres' distance minus both radii bounds the gap from below.
      const double nearer = least + reach + Reach(other) + kTiny;
      const Vec2 between = other.centre - one.centre;
      if (Dot(between, between) >= nearer * nearer) continue;
      if (!placed) placed = Place(one);
      if (!others[i]) others[i] = Place(other);
      least = LesserGap(*placed, *others[i], least);
    }
  }
  return least;
}

double Gap(std::span<const Placed> a, std::span<const Placed> b) {
  double least = std::numeric_limits<double>::infinity();
  for (const Placed& one : a)
    for (const Placed& other : b) least = LesserGap(one, other, least);
  return least;
}

double Depth(const Base& a, const Base& b) {
  const Vec2 between = b.centre - a.centre;
  const double apart = Reach(a) + Reach(b) - std::sqrt(Dot(between, between));
  return apart <= -kTiny ? apart : Depth(Place(a), Place(b));
}

// Separating axes (Gottschalk, Lin, Manocha 1996): of two rectangles, the four edges' directions.
double Depth(const Placed& a, const Placed& b) {
  const Vec2 d = b.centre - a.centre;
  const double along = std::abs(Dot(a.ahead, b.ahead));
  const double across = std::abs(Dot(a.ahead, b.right));
  // Along one base's own edges, and along the other's: the half-widths at the angle between them.
  double least =
      a.half_depth + b.half_depth * along + b.half_width * across - std::abs(Dot(d, a.ahead));
  least = std::min(least, a.half_width + b.half_depth * across + b.half_width * along -
                              std::abs(Dot(d, a.right)));
  least = std::min(least, b.half_depth + a.half_depth * along + a.half_width * across -
                              std::abs(Dot(d, b.ahead)));
  return std::min(least, b.half_width + a.half_depth * across + a.half_width * along -
                             std::abs(Dot(d, b.right)));
}

bool Deeper(const Placed& a, const Placed& b, double depth) {
  const Vec2 between = b.centre - a.centre;
  const double together = a.reach + b.reach;
  return Dot(between, between) < together * together && Depth(a, b) > depth;
}

bool Overlap(const Base& a, const Base& b) { return Depth(a, b) > kTiny; }

bool InWedge(Vec2 apex, double bearing_deg, double half_deg, const Base& target, bool any_part) {
  if (!any_part)
    return target.centre == apex ||
           AngleBetween(BearingTo(apex, target.centre), bearing_deg) <= half_deg + kTiny;
  // Left of the wedge's right edge and right of its left edge.
  const Vec2 right_edge = Ahead(bearing_deg + half_deg);
  const Vec2 left_edge = -Ahead(bearing_deg - half_deg);
  const std::array<Vec2, 4> corners = Outline(target);
  // A corner inside both settles it, and so does an edge with all corners beyond it.
  bool any_left = false;
  bool any_right = false;
  for (const Vec2 corner : corners) {
    const double left = Cross(right_edge, corner - apex) + kTiny;
    const double right = Cross(left_edge, corner - apex) + kTiny;
    if (left >= 0 && right >= 0) return true;
    any_left = any_left || left >= 0;
    any_right = any_right || right >= 0;
  }
  if (!any_left || !any_right) return false;
  Polygon part = CutLeft(ToPolygon(corners), apex, right_edge);
  if (!part.empty()) part = CutLeft(part, apex, left_edge);
  return !part.empty();
}

Placed Place(const Base& base) {
  const Vec2 ahead = Ahead(base.facing_deg);
  const Vec2 right = RightOf(ahead);
  return {
      base.centre, ahead, right, 0.5 * base.width, 0.5 * base.depth, Corners(base, ahead, right),
      Reach(base)};
}

std::optional<Inside> PartInside(Segment2 segment, const Placed& base) {
  // Liang and Barsky (1984) in the base's own frame.
  const Vec2 from = segment.from - base.centre;
  const Vec2 step = segment.to - segment.from;
  double enter = 0;
  double leave = 1;
  for (const auto& [axis, half] : {std::pair{base.right, base.half_width - kTiny},
                                   std::pair{base.ahead, base.half_depth - kTiny}}) {
    const double at = Dot(from, axis);
    const double by = Dot(step, axis);
    if (std::abs(by) < kTiny * kTiny) {
      if (std::abs(at) >= half) return std::nullopt;
      continue;
    }
    const double t0 = (-half - at) / by;
    const double t1 = (half - at) / by;
    enter = std::max(enter, std::min(t0, t1));
    leave = std::min(leave, std::max(t0, t1));
    if (enter >= leave) return std::nullopt;
  }
  return Inside{enter, leave};
}

bool Crosses(Segment2 segment, const Base& base) {
  return PartInside(segment, Place(base)).has_value();
}

namespace {
// Calls part(enter, leave) for each part between two cuts that is inside, in order, until it
// returns true. Returns whether it did.
template <typename Part>
bool EachInside(Segment2 segment, const Polygon& polygon, const Part& part) {
  const Vec2 step = segment.to - segment.from;
  thread_local std::vector<double> cuts;  // keeps its memory
  cuts.clear();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 a = polygon[i];
    const Vec2 edge = polygon[i + 1 < polygon.size() ? i + 1 : 0] - a;
    const double across = Cross(step, edge);
    if (across == 0) continue;
    const double from = Cross(a - segment.from, edge);
    // Most edges are beyond an end of the segment, which needs no division.
    if (across > 0 ? from <= 0 || from > across : from >= 0 || from < across) continue;
    const double t = from / across;
    const double u = Cross(a - segment.from, step) / across;
    if (t > 0 && t < 1 && u >= 0 && u <= 1) cuts.push_back(t);
  }
  if (cuts.empty()) return Contains(polygon, segment.from + 0.5 * step) && part(0.0, 1.0);
  cuts.push_back(0);
  cuts.push_back(1);
  std::sort(cuts.begin(), cuts.end());
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
    if (cuts[i + 1] - cuts[i] >= kTiny * kTiny &&
        Contains(polygon, segment.from + 0.5 * (cuts[i] + cuts[i + 1]) * step) &&
        part(cuts[i], cuts[i + 1]))
      return true;
  return false;
}
}  // namespace

std::vector<Inside> PartsInside(Segment2 segment, const Polygon& polygon) {
  std::vector<Inside> out;
  EachInside(segment, polygon, [&](double enter, double leave) {
    if (!out.empty() && out.back().leave == enter)
      out.back().leave = leave;
    else
      out.push_back({enter, leave});
    return false;
  });
  return out;
}

bool AnyInside(Segment2 segment, const Polygon& polygon) {
  return EachInside(segment, polygon, [](double, double) { return true; });
}

Base Turned(const Base& base, Vec2 pivot, double clockwise_deg) {
  Base out = base;
  out.centre = pivot + Rotated(base.centre - pivot, -Radians(clockwise_deg));
  out.facing_deg = WrappedBearing(base.facing_deg + clockwise_deg);
  return out;
}

Base Shifted(const Base& base, Vec2 by) {
  Base out = base;
  out.centre = base.centre + by;
  return out;
}

}  // namespace fos::open_table
