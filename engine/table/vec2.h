// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace fos {

// A point or a displacement in the table plane, inches: x east, y north.
struct Vec2 {
  double x = 0;
  double y = 0;

  friend constexpr Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
  friend constexpr Vec2 operator-(Vec2 a) { return {-a.x, -a.y}; }
  friend constexpr Vec2 operator*(double s, Vec2 a) { return {s * a.x, s * a.y}; }
  friend constexpr Vec2 operator*(Vec2 a, double s) { return {s * a.x, s * a.y}; }
  friend constexpr Vec2 operator/(Vec2 a, double s) { return {a.x / s, a.y / s}; }
  friend constexpr bool operator==(Vec2 a, Vec2 b) = default;
};

constexpr double Dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
// z of the cross product: positive when b lies counter-clockwise of a.
constexpr double Cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }
inline double Norm(Vec2 a) { return std::hypot(a.x, a.y); }
inline double Distance(Vec2 a, Vec2 b) { return Norm(a - b); }
// Unit vector along a; (0, 0) stays (0, 0).
inline Vec2 Normalized(Vec2 a) {
  const double n = Norm(a);
  return n > 0 ? a / n : Vec2{};
}
// A quarter turn counter-clockwise.
constexpr Vec2 Perpendicular(Vec2 a) { return {-a.y, a.x}; }
// a turned counter-clockwise by angle_rad.
inline Vec2 Rotated(Vec2 a, double angle_rad) {
  const double c = std::cos(angle_rad);
  const double s = std::sin(angle_rad);
  return {c * a.x - s * a.y, s * a.x + c * a.y};
}

// A symmetric 2x2 covariance, inches squared.
struct Cov2 {
  double xx = 0;
  double xy = 0;
  double yy = 0;

  friend constexpr Cov2 operator+(Cov2 a, Cov2 b) {
    return {a.xx + b.xx, a.xy + b.xy, a.yy + b.yy};
  }
  friend constexpr Cov2 operator*(double s, Cov2 a) { return {s * a.xx, s * a.xy, s * a.yy}; }
  friend constexpr bool operator==(Cov2 a, Cov2 b) = default;
};

// The same in every direction: sigma_in squared on the diagonal.
constexpr Cov2 IsotropicCov(double sigma_in) {
  return {sigma_in * sigma_in, 0, sigma_in * sigma_in};
}
// sigma_along_in along the unit vector `along`, sigma_across_in across it.
constexpr Cov2 OrientedCov(Vec2 along, double sigma_along_in, double sigma_across_in) {
  const double a = sigma_along_in * sigma_along_in;
  const double b = sigma_across_in * sigma_across_in;
  return {a * along.x * along.x + b * along.y * along.y, (a - b) * along.x * along.y,
          a * along.y * along.y + b * along.x * along.x};
}
// Variance along the unit vector u.
constexpr double VarianceAlong(Cov2 c, Vec2 u) {
  return c.xx * u.x * u.x + 2 * c.xy * u.x * u.y + c.yy * u.y * u.y;
}
// The one number quoted as "sigma": root of the mean variance of the two axes.
inline double RmsSigma(Cov2 c) { return std::sqrt(0.5 * (c.xx + c.yy)); }

}  // namespace fos
