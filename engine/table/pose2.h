// SPDX-License-Identifier: MIT
#pragma once

#include "engine/table/vec2.h"

namespace fos {

// Rigid motion in the table plane: x_in_b = Rotate(heading_rad) * x_in_a + origin.
// Named b_from_a, so that chains read like fractions: c_from_a = c_from_b * b_from_a.
// Inches; radians counter-clockwise from east (+x), in (-pi, pi].
struct Pose2 {
  Vec2 origin;
  double heading_rad = 0;
  friend constexpr bool operator==(const Pose2& a, const Pose2& b) = default;
};
Pose2 operator*(const Pose2& c_from_b, const Pose2& b_from_a);
Vec2 operator*(const Pose2& b_from_a, Vec2 point_in_a);
Pose2 Inverse(const Pose2& b_from_a);

// The equivalent angle in (-pi, pi].
double WrappedAngle(double angle_rad);

// A stand's own frame has +x to its right and +y to its front (contract, section 2.2), so a stand
// that faces along bearing_deg (clockwise from north) has heading -bearing. These two convert.
double BearingFromHeading(double heading_rad);  // degrees in [0, 360)
double HeadingFromBearing(double bearing_deg);  // radians in (-pi, pi]

}  // namespace fos
