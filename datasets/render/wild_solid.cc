// SPDX-License-Identifier: MIT
#include "datasets/render/wild_solid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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

double Beyond(const cv::Vec4d& plane, const cv::Vec3d& at) {
  return plane[0] * at[0] + plane[1] * at[1] + plane[2] * at[2] - plane[3];
}
double Cosine(const cv::Vec4d& a, const cv::Vec4d& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The distance to where the half-spaces of two planes overlap, if its nearest point lies on both
// planes; else 0. u, v: how far the point is beyond each; c: the cosine between their normals
double ToEdge(double u, double v, double c) {
  if (u < c * v || v < c * u || c * c > 1 - 1e-9) return 0;
  return std::sqrt((u * u - 2 * c * u * v + v * v) / (1 - c * c));
}

// The same of three planes. beyond: how far the point is beyond each
double ToCorner(const cv::Matx33d& cosines, const cv::Vec3d& beyond) {
  constexpr double kFlat = 1e-9;
  if (cv::determinant(cosines) < kFlat) return 0;
  const cv::Vec3d share = cosines.inv() * beyond;  // of each normal in the way to the nearest point
  if (share[0] < 0 || share[1] < 0 || share[2] < 0) return 0;
  return std::sqrt(std::max(share.dot(beyond), 0.0));
}

// The distance to a polyhedron with sharp edges. Its nearest point lies on three planes at most.
// The distance to what some of the planes enclose is never more than that to the whole. So the
// three planes that a point is furthest beyond give a lower bound, and near the body the distance.
// planes, shrunk_in: each plane moves inwards by this
double SharpDistance(std::span<const cv::Vec4d> planes, double shrunk_in, const cv::Vec3d& own) {
  std::array<std::size_t, 3> first{};
  cv::Vec3d beyond(-1e9, -1e9, -1e9);  // the largest three, in order
  for (std::size_t i = 0; i < planes.size(); ++i) {
    double u = Beyond(planes[i], own) + shrunk_in;
    std::size_t which = i;
    for (std::size_t k = 0; k < 3; ++k) {
      if (u <= beyond[static_cast<int>(k)]) continue;
      std::swap(u, beyond[static_cast<int>(k)]);
      std::swap(which, first[k]);
    }
  }
  if (beyond[0] <= 0) return beyond[0];
  const double c01 = Cosine(planes[first[0]], planes[first[1]]);
  const double c02 = Cosine(planes[first[0]], planes[first[2]]);
  const double c12 = Cosine(planes[first[1]], planes[first[2]]);
  return std::max({beyond[0], ToEdge(beyond[0], beyond[1], c01), ToEdge(beyond[0], beyond[2], c02),
                   ToCorner({1, c01, c02, c01, 1, c12, c02, c12, 1}, beyond)});
}

double PolyhedronDistance(const WildSolid& s, const cv::Vec3d& at) {
  const cv::Vec3d own = s.table_from_own.t() * (at - s.centre);
  return SharpDistance(s.planes, s.edge_round_in, own) - s.edge_round_in;
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
  } else if (!s.planes.empty()) {
    s.middle = s.centre;
    std::vector<cv::Vec4d> core = s.planes;
    for (cv::Vec4d& plane : core) plane[3] -= s.edge_round_in;
    s.reach_in = 0;
    for (const cv::Vec3d& corner : CornersOf(core))
      s.reach_in = std::max(s.reach_in, cv::norm(corner) + s.edge_round_in);
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

WildSolid Polyhedron(std::vector<cv::Vec4d> planes, double edge_round_in,
                     const cv::Matx33d& table_from_own, const cv::Vec3d& centre,
                     SurfacePaint paint) {
  WildSolid s;
  s.planes = std::move(planes);
  s.edge_round_in = edge_round_in;
  s.table_from_own = table_from_own;
  s.centre = centre;
  s.paint = std::move(paint);
  return Bounded(s);
}

WildSolid Moved(WildSolid s, const cv::Vec3d& by) {
  for (SpineBall& ball : s.spine) ball.at += by;
  s.centre += by;
  s.middle += by;
  return s;
}

std::vector<cv::Vec3d> CornersOf(std::span<const cv::Vec4d> planes) {
  std::vector<cv::Vec3d> out;
  constexpr double kSame_in = 1e-6;
  const auto take = [&](const cv::Vec3d& corner) {
    for (const cv::Vec4d& plane : planes)
      if (Beyond(plane, corner) > kSame_in) return;
    for (const cv::Vec3d& other : out)
      if (cv::norm(corner - other) < kSame_in) return;
    out.push_back(corner);
  };
  for (std::size_t i = 0; i < planes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (std::size_t k = 0; k < j; ++k) {
        const cv::Vec4d &a = planes[i], &b = planes[j], &c = planes[k];
        const cv::Matx33d normals(a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]);
        if (std::abs(cv::determinant(normals)) < 1e-9) continue;
        take(normals.inv() * cv::Vec3d(a[3], b[3], c[3]));
      }
    }
  }
  return out;
}

double DistanceTo(const WildSolid& s, const cv::Vec3d& at) {
  const cv::Vec3d off = at - s.middle;
  const double far = std::sqrt(off.dot(off)) - s.reach_in;
  constexpr double kFar_in = 0.3;  // from here the bounding ball is near enough
  if (far > kFar_in) return far;
  double distance = !s.spine.empty()    ? NearestOnSpine(s.spine, at).distance
                    : !s.planes.empty() ? PolyhedronDistance(s, at)
                                        : PrismDistance(s, at);
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
