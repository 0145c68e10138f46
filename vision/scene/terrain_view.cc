// SPDX-License-Identifier: MIT
#include "vision/scene/terrain_view.h"

#include <algorithm>
#include <cmath>

#include "vision/scene/terrain_map.h"

namespace fos {
namespace {

// What the eye does not clear by this much hides all behind it; scenarios with such things are
// mistaken.
constexpr double kBelowEye_in = 1;

bool Meet(const Segment2& one, Vec2 a, Vec2 b) {
  const Vec2 along = one.to - one.from;
  const Vec2 edge = b - a;
  const double area = Cross(along, edge);
  if (area == 0) return false;
  const double t = Cross(a - one.from, edge) / area;
  const double u = Cross(a - one.from, along) / area;
  return t >= 0 && t <= 1 && u >= 0 && u <= 1;
}

bool Meets(const Polygon& polygon, const Segment2& segment) {
  if (Contains(polygon, segment.from) || Contains(polygon, segment.to)) return true;
  for (std::size_t i = 0; i < polygon.size(); ++i)
    if (Meet(segment, polygon[i], polygon[(i + 1) % polygon.size()])) return true;
  return false;
}

Circle About(const Polygon& polygon) {
  Vec2 sum;
  for (const Vec2 p : polygon) sum = sum + p;
  Circle out{sum / static_cast<double>(polygon.size()), 0};
  for (const Vec2 p : polygon) out.radius_in = std::max(out.radius_in, Distance(p, out.centre));
  return out;
}

}  // namespace

TerrainView::TerrainView(const Scenario& scenario, const TableCamera& camera)
    : eye_(CameraCentre(camera)) {
  const TerrainMap ground(scenario);
  const auto add = [&](const std::string& type, const Polygon& outline,
                       const std::optional<Circle>& circle, double height_in) {
    Solid solid;
    solid.type = type;
    if (outline.size() >= 3) {
      solid.outline = outline;
      solid.round = About(outline);
    } else if (circle && circle->radius_in > 0) {
      solid.round = *circle;
    } else {
      return;
    }
    solid.dome = type == "tree" && solid.outline.empty();
    solid.foot_in = ground.GroundAt(solid.round.centre);
    solid.top_in = solid.foot_in + height_in;
    if (height_in > 0 && solid.top_in < eye_[2] - kBelowEye_in) solids_.push_back(std::move(solid));
  };
  for (const TerrainArea& area : scenario.terrain) {
    // A house is drawn by its own outline; the circle that may stand beside it says where it burns.
    const bool house = area.type == "house" && area.polygon.size() >= 3 && area.height_in > 0;
    if (house) add(area.type, area.polygon, std::nullopt, area.height_in);
    for (const TerrainObject& object : area.objects) {
      if (house && object.type == "house") continue;
      add(object.type, object.polygon, object.circle, object.height_in);
    }
  }
}

bool TerrainView::Hides(const Solid& solid, Vec2 at, double height_in) const {
  if (height_in >= solid.top_in) return false;
  const Vec2 to_eye{eye_[0] - at.x, eye_[1] - at.y};
  const double rise = eye_[2] - height_in;
  if (solid.dome) {
    // With heights stretched so that the dome is a ball: how near the ray passes its middle.
    const double stretch = solid.round.radius_in / (solid.top_in - solid.foot_in);
    const Vec2 off = solid.round.centre - at;
    const double up = (solid.foot_in - height_in) * stretch;
    const double way2 = Dot(to_eye, to_eye) + rise * rise * stretch * stretch;
    const double t =
        std::max(0.0, (Dot(off, to_eye) + up * rise * stretch) / std::max(way2, 1e-12));
    const Vec2 miss = off - t * to_eye;
    const double miss_up = up - t * rise * stretch;
    return Dot(miss, miss) + miss_up * miss_up < solid.round.radius_in * solid.round.radius_in;
  }
  const double share = (solid.top_in - height_in) / rise;
  const Segment2 ray{at, at + share * to_eye};
  if (!solid.outline.empty()) return Meets(solid.outline, ray);
  return Distance(NearestPoint(ray, solid.round.centre), solid.round.centre) <
         solid.round.radius_in;
}

bool TerrainView::Hides(Vec2 at, double height_in) const {
  return std::any_of(solids_.begin(), solids_.end(),
                     [&](const Solid& solid) { return Hides(solid, at, height_in); });
}

double TerrainView::HiddenShare(const Pose2& table_from_stand, Box2 footprint,
                                double top_in) const {
  if (empty()) return 0;
  constexpr int kCells = 6;  // each way
  int hidden = 0;
  for (int i = 0; i < kCells; ++i) {
    for (int j = 0; j < kCells; ++j) {
      const Vec2 own{((i + 0.5) / kCells - 0.5) * footprint.width_in,
                     ((j + 0.5) / kCells - 0.5) * footprint.depth_in};
      hidden += Hides(table_from_stand * own, top_in) ? 1 : 0;
    }
  }
  return static_cast<double>(hidden) / (kCells * kCells);
}

bool TerrainView::Fills(const Pose2& table_from_stand, Box2 footprint) const {
  // Of a model tree's crown the trunk is about this share; the rest is held up over the table.
  constexpr double kTrunk = 0.25;
  const Polygon base = ToPolygon(Corners(table_from_stand, footprint));
  return std::any_of(solids_.begin(), solids_.end(), [&](const Solid& solid) {
    if (solid.outline.empty()) {
      return DistanceTo(base, solid.round.centre) <
             solid.round.radius_in * (solid.dome ? kTrunk : 1);
    }
    for (std::size_t i = 0; i < base.size(); ++i)
      if (Meets(solid.outline, {base[i], base[(i + 1) % base.size()]})) return true;
    return Contains(base, solid.outline.front());
  });
}

std::string TerrainView::NameOfTallest() const {
  const auto tallest =
      std::max_element(solids_.begin(), solids_.end(),
                       [](const Solid& a, const Solid& b) { return a.top_in < b.top_in; });
  return tallest == solids_.end() ? std::string() : tallest->type;
}

TerrainView TerrainView::Near(Vec2 at, double reach_in) const {
  TerrainView out;
  out.eye_ = eye_;
  for (const Solid& solid : solids_) {
    const Vec2 centre = solid.round.centre;
    const double grows = solid.top_in / (eye_[2] - solid.top_in);
    const Segment2 lean{centre, centre + grows * (centre - Vec2{eye_[0], eye_[1]})};
    if (Distance(NearestPoint(lean, at), at) <= reach_in + solid.round.radius_in * (1 + grows))
      out.solids_.push_back(solid);
  }
  return out;
}

}  // namespace fos
