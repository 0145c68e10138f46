// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "engine/table/shapes.h"
#include "engine/table/vec2.h"

// Bases on a table without a grid: gaps, wedges, moves and lines of sight. One unit of length
// throughout (the rule set's: yards); x east, y north; bearings in degrees clockwise from north.
namespace fos::open_table {

// Lengths that differ by less count as equal: positions are given in thousandths of a yard.
constexpr double kTiny = 1e-6;

struct Base {
  Vec2 centre;
  double facing_deg = 0;
  double width = 0;  // along its front
  double depth = 0;
};

// The unit vector along a bearing, and the one to the right of it.
Vec2 Ahead(double bearing_deg);
Vec2 Rightward(double bearing_deg);
// In [0, 360); 0 for the same point.
double BearingTo(Vec2 from, Vec2 to);
// Between two bearings, in [0, 180].
double AngleBetween(double a_deg, double b_deg);
double WrappedBearing(double deg);

// Front-left, front-right, rear-right, rear-left from the base's own view.
std::array<Vec2, 4> Outline(const Base& base);
Polygon OutlinePolygon(const Base& base);
Vec2 FrontCentre(const Base& base);

// The shortest distance between the outlines; 0 if they touch or overlap.
double Gap(const Base& a, const Base& b);
double Gap(const Base& a, Vec2 point);
double Gap(std::span<const Base> a, std::span<const Base> b);
// How far one base would have to be pushed to clear the other; 0 or negative if they are apart (use
// Gap for the distance then).
double Depth(const Base& a, const Base& b);
// More than touching: the overlap is wider than kTiny.
bool Overlap(const Base& a, const Base& b);

// Is any part of the outline (or its centre, if not any_part) within half_deg of the bearing, seen
// from the apex? Limits included. half_deg up to 90.
bool InWedge(Vec2 apex, double bearing_deg, double half_deg, const Base& target, bool any_part);

// Does the segment pass through the inside of the outline?
bool Crosses(Segment2 segment, const Base& base);
// Parts of the segment inside a simple polygon, as shares of its length from `from`, in order.
struct Inside {
  double enter = 0, leave = 0;
};
std::vector<Inside> PartsInside(Segment2 segment, const Polygon& polygon);
// Whether there are any.
bool AnyInside(Segment2 segment, const Polygon& polygon);

// A base with its trigonometry precomputed, for repeated queries.
struct Placed {
  Vec2 centre, ahead, right;
  double half_width = 0, half_depth = 0;
  std::array<Vec2, 4> corners{};  // as Outline
  double reach = 0;               // of its corners from its centre
};
Placed Place(const Base& base);
// As above.
double Gap(const Placed& a, Vec2 point);
double Gap(const Placed& a, const Placed& b);
double Gap(std::span<const Placed> a, std::span<const Placed> b);
double Depth(const Placed& a, const Placed& b);
// Depth(a, b) > depth, for a depth that is not negative. Takes no corners.
bool Deeper(const Placed& a, const Placed& b, double depth);
// The lesser of `least` and Gap(a, b), in less time where the bases are far apart.
double LesserGap(const Placed& a, const Placed& b, double least);
// The part of the segment inside the outline.
std::optional<Inside> PartInside(Segment2 segment, const Placed& base);

// The base turned about a pivot, clockwise positive.
Base Turned(const Base& base, Vec2 pivot, double clockwise_deg);
Base Shifted(const Base& base, Vec2 by);

}  // namespace fos::open_table
