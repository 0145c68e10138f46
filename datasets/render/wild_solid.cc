// SPDX-License-Identifier: MIT
#include "datasets/render/wild_solid.h"

#include <algorithm>
#include <cmath>

#include "datasets/render/wild_draws.h"

namespace fos {
namespace {

struct OnSpine {
  double distance = 1e9;  // to the surface
  std::size_t segment = 0;
  double share = 0;  // of the segment
};

OnSpine NearestOnSpine(const std::vector<SpineBall>& spine, const cv::Vec3d& at) {
  OnSpine best;
  if (spine.size() == 1) return {cv::norm(at - spine[0].at) - spine[0].radius_in, 0, 0};
  for (std::size_t i = 0; i + 1 < spine.size(); ++i) {
    const cv::Vec3d d = spine[i + 1].at - spine[i].at;
    const cv::Vec3d w = at - spine[i].at;
    const double t = std::clamp(w.dot(d) / d.dot(d), 0.0, 1.0);
    const double radius = spine[i].radius_in + t * (spine[i + 1].radius_in - spine[i].radius_in);
    const cv::Vec3d off = w - t * d;
    const double distance = std::sqrt(off.dot(off)) - radius;
    if (distance < best.distance) best = {distance, i, t};
  }
  return best;
}

double PrismDistance(const WildSolid& s, const cv::Vec3d& at) {
  const cv::Vec3d own = s.table_from_own.t() * (at - s.centre);
  const Vec2 p{own[0], own[1]};
  double plan2 = 1e9;
  const std::size_t n = s.outline.size();
  bool inside = false;
  for (std::size_t i = 0, j = n - 1; i < n; j = i++) {
    const Vec2 a = s.outline[i];
    const Vec2 b = s.outline[j];
    const Vec2 e = b - a;
    const double length2 = Dot(e, e);
    const double t = length2 > 0 ? std::clamp(Dot(p - a, e) / length2, 0.0, 1.0) : 0;
    const Vec2 off = p - a - t * e;
    plan2 = std::min(plan2, Dot(off, off));
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) * (b.x - a.x) / (b.y - a.y))
      inside = !inside;
  }
  // Rounded edges: the body without them, grown by them.
  const double plan = std::sqrt(plan2);
  const double out = (inside ? -plan : plan) - s.plan_round_in + s.edge_round_in;
  const double up = std::abs(own[2]) - s.half_height_in + s.edge_round_in;
  const double beside = std::max(out, 0.0);
  const double above = std::max(up, 0.0);
  double distance = std::min(std::max(out, up), 0.0) +
                    std::sqrt(beside * beside + above * above) - s.edge_round_in;
  constexpr double kNear_in = 0.1;  // hollows are shallower
  if (distance > kNear_in) return distance;
  for (const SpineBall& hollow : s.hollows)
    distance = std::max(distance, hollow.radius_in - cv::norm(own - hollow.at));
  return distance;
}

}  // namespace

SurfacePaint Plain(cv::Vec3f reflectance) {
  return [reflectance](const SurfacePoint&) { return reflectance; };
}

WildSolid Bounded(WildSolid s) {
  if (!s.spine.empty()) {
    s.middle = {};
    for (const SpineBall& ball : s.spine)
      s.middle += ball.at * (1.0 / static_cast<double>(s.spine.size()));
    s.reach_in = 0;
    for (const SpineBall& ball : s.spine)
      s.reach_in = std::max(s.reach_in, cv::norm(ball.at - s.middle) + ball.radius_in);
  } else {
    s.middle = s.centre;
    double out = 0;
    for (const Vec2 p : s.outline) out = std::max(out, Norm(p));
    s.reach_in = std::hypot(out + s.plan_round_in, s.half_height_in);
  }
  s.reach_in += s.uneven_in;
  return s;
}

WildSolid Swept(std::vector<SpineBall> spine, SurfacePaint paint) {
  WildSolid s;
  s.spine = std::move(spine);
  s.paint = std::move(paint);
  return Bounded(s);
}

WildSolid UprightBlock(const Pose2& table_from_own, Box2 size, double bottom_in, double top_in,
                       double round_in, SurfacePaint paint) {
  WildSolid s;
  const double c = std::cos(table_from_own.heading_rad);
  const double sin = std::sin(table_from_own.heading_rad);
  s.table_from_own = {c, -sin, 0, sin, c, 0, 0, 0, 1};
  s.centre = {table_from_own.origin.x, table_from_own.origin.y, (bottom_in + top_in) / 2};
  const Vec2 half{size.width_in / 2 - round_in, size.depth_in / 2 - round_in};
  s.outline = {{-half.x, -half.y}, {half.x, -half.y}, {half.x, half.y}, {-half.x, half.y}};
  s.plan_round_in = round_in;
  s.half_height_in = (top_in - bottom_in) / 2;
  s.edge_round_in = std::min(round_in, s.half_height_in);
  s.paint = std::move(paint);
  return Bounded(s);
}

WildSolid UprightDisc(Vec2 centre, double radius_in, double bottom_in, double top_in,
                      SurfacePaint paint) {
  WildSolid s;
  s.centre = {centre.x, centre.y, (bottom_in + top_in) / 2};
  s.outline = {{0, 0}};
  s.plan_round_in = radius_in;
  s.half_height_in = (top_in - bottom_in) / 2;
  s.edge_round_in = std::min(0.02, s.half_height_in);
  s.paint = std::move(paint);
  return Bounded(s);
}

WildSolid Moved(WildSolid s, const cv::Vec3d& by) {
  for (SpineBall& ball : s.spine) ball.at += by;
  s.centre += by;
  s.middle += by;
  return s;
}

double DistanceTo(const WildSolid& s, const cv::Vec3d& at) {
  const cv::Vec3d off = at - s.middle;
  const double far = std::sqrt(off.dot(off)) - s.reach_in;
  constexpr double kFar_in = 0.3;  // from here the bounding ball is near enough
  if (far > kFar_in) return far;
  double distance = s.spine.empty() ? PrismDistance(s, at) : NearestOnSpine(s.spine, at).distance;
  if (s.uneven_in > 0 && distance < 4 * s.uneven_in) {
    distance +=
        s.uneven_in * SmoothNoise(at[0] / s.bump_in, at[1] / s.bump_in, at[2] / s.bump_in, s.salt);
    distance *= 0.7;  // bumps are steep
  }
  return distance;
}

SurfacePoint SurfaceOf(const WildSolid& s, const cv::Vec3d& at) {
  SurfacePoint out;
  if (s.spine.empty()) {
    out.own = s.table_from_own.t() * (at - s.centre);
    return out;
  }
  const OnSpine on = NearestOnSpine(s.spine, at);
  for (std::size_t i = 0; i < on.segment; ++i)
    out.along_in += cv::norm(s.spine[i + 1].at - s.spine[i].at);
  out.own = at - s.middle;
  if (s.spine.size() == 1) return out;
  const cv::Vec3d d = s.spine[on.segment + 1].at - s.spine[on.segment].at;
  const double length = cv::norm(d);
  const cv::Vec3d along = d / length;
  const cv::Vec3d across = at - s.spine[on.segment].at;
  // Along the cap too: not held between the ends.
  double station = across.dot(along);
  if (on.segment > 0) station = std::max(station, 0.0);
  if (on.segment + 2 < s.spine.size()) station = std::min(station, length);
  out.along_in += s.spine.front().radius_in + station;
  const cv::Vec3d level =
      std::abs(along[2]) < 0.9 ? along.cross(cv::Vec3d(0, 0, 1)) : cv::Vec3d(1, 0, 0);
  const cv::Vec3d third = along.cross(level);
  out.angle_rad = std::atan2(across.dot(third), across.dot(level));
  return out;
}

double SupportAt(std::span<const WildSolid> solids, Vec2 at) {
  double highest = 0;
  constexpr double kTouch_in = 5e-4;
  for (const WildSolid& s : solids) {
    if (!s.holds || std::hypot(at.x - s.middle[0], at.y - s.middle[1]) > s.reach_in) continue;
    double z = s.middle[2] + s.reach_in;
    for (int i = 0; i < 100 && z > highest; ++i) {
      const double distance = DistanceTo(s, {at.x, at.y, z});
      if (distance < kTouch_in) {
        highest = std::max(highest, z);
        break;
      }
      z -= distance;
    }
  }
  return highest;
}

}  // namespace fos
