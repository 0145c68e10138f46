// SPDX-License-Identifier: MIT
#include "engine/table/shapes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/table/result.h"

namespace fos {

std::array<Vec2, 4> Corners(const Pose2& table_from_stand, Box2 footprint) {
  const double w = footprint.width_in / 2;
  const double d = footprint.depth_in / 2;
  return {table_from_stand * Vec2{-w, d}, table_from_stand * Vec2{w, d},
          table_from_stand * Vec2{w, -d}, table_from_stand * Vec2{-w, -d}};
}

Polygon ToPolygon(const std::array<Vec2, 4>& corners) { return {corners.begin(), corners.end()}; }

Vec2 NearestPoint(Segment2 segment, Vec2 p) {
  const Vec2 along = segment.to - segment.from;
  const double length2 = Dot(along, along);
  if (length2 <= 0) return segment.from;
  const double t = std::clamp(Dot(p - segment.from, along) / length2, 0.0, 1.0);
  return segment.from + t * along;
}

Vec2 NearestPoint(const Pose2& table_from_stand, Box2 footprint, Vec2 p) {
  const Vec2 own = Inverse(table_from_stand) * p;
  const Vec2 nearest{std::clamp(own.x, -footprint.width_in / 2, footprint.width_in / 2),
                     std::clamp(own.y, -footprint.depth_in / 2, footprint.depth_in / 2)};
  if (nearest == own) return p;
  return table_from_stand * nearest;
}

Vec2 NearestPoint(const Polygon& polygon, Vec2 p) {
  FOS_CHECK(!polygon.empty());
  if (Contains(polygon, p)) return p;
  Vec2 best = polygon.front();
  double best_distance = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 candidate = NearestPoint(Segment2{polygon[i], polygon[(i + 1) % polygon.size()]}, p);
    const double distance = Distance(candidate, p);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

bool Contains(const Polygon& polygon, Vec2 p) {
  bool inside = false;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const Vec2 a = polygon[i];
    const Vec2 b = polygon[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) {
      inside = !inside;
    }
  }
  return inside;
}

double DistanceTo(const Polygon& polygon, Vec2 p) { return Distance(NearestPoint(polygon, p), p); }

double Area(const Polygon& polygon) {
  double twice = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    twice += Cross(polygon[i], polygon[(i + 1) % polygon.size()]);
  }
  return std::abs(twice) / 2;
}

}  // namespace fos
