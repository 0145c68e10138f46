// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <opencv2/core.hpp>

#include "engine/table/pose2.h"
#include "engine/table/shapes.h"

// Solids of the wild tables, by their signed distance. Inches, table frame.
namespace fos {

struct SpineBall {
  cv::Vec3d at;
  double radius_in;
};

// Where on a solid's surface its paint is asked for.
struct SurfacePoint {
  cv::Vec3d own;  // of a prism or polyhedron: its own frame, the middle of its body is the origin
  double along_in =
      0;  // of a swept ball: along the spine from its first end, the round cap included
  double angle_rad = 0;  // round the spine
};
// Reflectance in linear light: blue, green, red.
using SurfacePaint = std::function<cv::Vec3f(const SurfacePoint&)>;

// One of three: a ball swept along a spine, its radius changing on the way: sticks, cotton, heads;
// a convex polyhedron with rounded edges: dice that are no cubes; or a prism with rounded edges:
// blocks, coins, leaves.
struct WildSolid {
  std::vector<SpineBall> spine;  // empty: a polyhedron or a prism

  // The faces of a polyhedron, own frame: the outward unit normal and the distance from the origin,
  // which lies inside. Its edges are as round as edge_round_in. Empty: a prism.
  std::vector<cv::Vec4d> planes;

  Polygon outline;           // of the prism's top, own frame; one point is a disc
  double plan_round_in = 0;  // the outline grows by this
  double edge_round_in = 0;  // radius of the edges
  double half_height_in = 0;
  std::vector<SpineBall> hollows;  // what balls take away of the prism, own frame: pips
  cv::Vec3d centre;
  cv::Matx33d table_from_own = cv::Matx33d::eye();

  double uneven_in = 0;   // bumps of the surface, peak
  double bump_in = 0.05;  // their size
  double gloss = 0;       // share of a lamp's light that is mirrored
  bool holds = false;     // things can come to rest on it
  bool ground = false;    // has the ground's paint: a hill
  int group = -1;         // solids of one group are nudged together
  std::uint32_t salt = 0;
  SurfacePaint paint;

  // A ball about it, from Bounded.
  cv::Vec3d middle;
  double reach_in = 0;
};

SurfacePaint Plain(cv::Vec3f reflectance);
// The same with its bounding ball.
WildSolid Bounded(WildSolid solid);
WildSolid Swept(std::vector<SpineBall> spine, SurfacePaint paint);
// A box with rounded edges that stands on bottom_in.
WildSolid UprightBlock(const Pose2& table_from_own, Box2 size, double bottom_in, double top_in,
                       double round_in, SurfacePaint paint);
WildSolid UprightDisc(Vec2 centre, double radius_in, double bottom_in, double top_in,
                      SurfacePaint paint);
// The body within some planes (WildSolid::planes) about `centre`.
WildSolid Polyhedron(std::vector<cv::Vec4d> planes, double edge_round_in,
                     const cv::Matx33d& table_from_own, const cv::Vec3d& centre,
                     SurfacePaint paint);
WildSolid Moved(WildSolid solid, const cv::Vec3d& by);

// Where three or more of the planes of a convex polyhedron meet, each corner once.
std::vector<cv::Vec3d> CornersOf(std::span<const cv::Vec4d> planes);

// Below 0 inside; never more than the true distance by much, so that spheres of it can be traced.
double DistanceTo(const WildSolid& solid, const cv::Vec3d& at);
SurfacePoint SurfaceOf(const WildSolid& solid, const cv::Vec3d& at);

// The height of what holds things up at a place, the table at 0.
double SupportAt(std::span<const WildSolid> solids, Vec2 at);

}  // namespace fos
