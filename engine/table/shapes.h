// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "engine/table/pose2.h"
#include "engine/table/vec2.h"

namespace fos {

struct Circle {
  Vec2 centre;
  double radius_in = 0;
};

struct Segment2 {
  Vec2 from;
  Vec2 to;
};

// Width along a stand's front and depth behind it, inches; centred on the origin of its own frame.
struct Box2 {
  double width_in = 0;
  double depth_in = 0;
};

// A simple polygon in either orientation. The first corner is not repeated at the end.
using Polygon = std::vector<Vec2>;

// Corners of a footprint in the table frame: front-left, front-right, rear-right, rear-left as the
// stand itself sees them (contract, section 2.3).
std::array<Vec2, 4> Corners(const Pose2& table_from_stand, Box2 footprint);
Polygon ToPolygon(const std::array<Vec2, 4>& corners);

// The nearest point of the filled shape to p; p itself if p is inside.
Vec2 NearestPoint(Segment2 segment, Vec2 p);
Vec2 NearestPoint(const Pose2& table_from_stand, Box2 footprint, Vec2 p);
Vec2 NearestPoint(const Polygon& polygon, Vec2 p);

bool Contains(const Polygon& polygon, Vec2 p);
// The distance; 0 inside.
double DistanceTo(const Polygon& polygon, Vec2 p);
double Area(const Polygon& polygon);

}  // namespace fos
