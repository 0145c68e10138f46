// SPDX-License-Identifier: MIT
#include "engine/table/pose2.h"

#include <numbers>

namespace fos {

Pose2 operator*(const Pose2& c_from_b, const Pose2& b_from_a) {
  return {c_from_b * b_from_a.origin, WrappedAngle(c_from_b.heading_rad + b_from_a.heading_rad)};
}

Vec2 operator*(const Pose2& b_from_a, Vec2 point_in_a) {
  return Rotated(point_in_a, b_from_a.heading_rad) + b_from_a.origin;
}

Pose2 Inverse(const Pose2& b_from_a) {
  return {Rotated(-b_from_a.origin, -b_from_a.heading_rad), WrappedAngle(-b_from_a.heading_rad)};
}

double WrappedAngle(double angle_rad) {
  constexpr double kPi = std::numbers::pi;
  const double wrapped = std::remainder(angle_rad, 2 * kPi);
  return wrapped <= -kPi ? kPi : wrapped;
}

double BearingFromHeading(double heading_rad) {
  const double degrees = std::fmod(-heading_rad * 180 / std::numbers::pi, 360.0);
  const double positive = degrees < 0 ? degrees + 360.0 : degrees;
  return positive >= 360.0 ? 0.0 : positive + 0.0;
}

double HeadingFromBearing(double bearing_deg) {
  return WrappedAngle(-bearing_deg * std::numbers::pi / 180);
}

}  // namespace fos
