// SPDX-License-Identifier: MIT
#include "vision/scene/terrain_map.h"

#include <algorithm>
#include <cmath>

namespace fos {

TerrainMap::TerrainMap(const Scenario& scenario) {
  for (const TerrainArea& area : scenario.terrain) {
    if (area.type == "hill") hills_.push_back(area);
    objects_.insert(objects_.end(), area.objects.begin(), area.objects.end());
    if (area.type == "house" && area.objects.empty()) {
      objects_.push_back({area.type, std::nullopt, area.polygon, area.height_in});
    }
  }
  for (const KindSpec& kind : scenario.kinds) thickness_in_.push_back(kind.thickness_in);
}

void TerrainMap::SetStands(const std::vector<StandObservation>& stands) {
  bases_.clear();
  for (const StandObservation& stand : stands) {
    const Box2& footprint = stand.footprint;
    bases_.push_back({Inverse(stand.table_from_stand), footprint,
                      stand.ground_in + thickness_in_.at(static_cast<std::size_t>(stand.kind)),
                      stand.table_from_stand.origin,
                      (footprint.width_in * footprint.width_in +
                       footprint.depth_in * footprint.depth_in) / 4});
  }
}

bool TerrainMap::Base::Covers(Vec2 at) const {
  // Most places are far from it, and a rotation takes a sine and a cosine.
  const Vec2 off = at - centre;
  if (Dot(off, off) > reach2_in2) return false;
  const Vec2 own = stand_from_table * at;
  return std::abs(own.x) <= footprint.width_in / 2 && std::abs(own.y) <= footprint.depth_in / 2;
}

double TerrainMap::GroundAt(Vec2 at) const {
  double height = 0;
  for (const TerrainArea& hill : hills_) {
    if (hill.height_in > height && Contains(hill.polygon, at)) height = hill.height_in;
  }
  return height;
}

double TerrainMap::SupportAt(Vec2 at) const {
  double height = GroundAt(at);
  for (const Base& base : bases_) {
    if (base.Covers(at)) height = std::max(height, base.top_in);
  }
  for (const LyingSwab& swab : swabs_) {
    const double length = Distance(swab.from, swab.to);
    if (length <= 0) continue;
    const double off = Distance(NearestPoint(Segment2{swab.from, swab.to}, at), at);
    if (off >= swab.shape.cotton_radius_in) continue;
    const double share =
        std::clamp(Dot(at - swab.from, swab.to - swab.from) / (length * length), 0.0, 1.0);
    const double from_end_in = std::min(share, 1 - share) * length;
    const double radius = from_end_in <= swab.shape.cotton_length_in ? swab.shape.cotton_radius_in
                                                                     : swab.shape.stick_radius_in;
    if (off >= radius) continue;
    const double axis = swab.from_in + share * (swab.to_in - swab.from_in);
    height = std::max(height, axis + std::sqrt(radius * radius - off * off));
  }
  return height;
}

double TerrainMap::HighestSupportAt(Vec2 at) const {
  double height = SupportAt(at);
  for (const Lump& lump : unknown_) {
    if (lump.top_in > height && Contains(lump.outline, at)) height = lump.top_in;
  }
  return height;
}

bool TerrainMap::ObstacleAt(Vec2 at) const {
  if (std::any_of(bases_.begin(), bases_.end(), [&](const Base& base) { return base.Covers(at); }))
    return true;
  if (std::any_of(unknown_.begin(), unknown_.end(),
                  [&](const Lump& lump) { return Contains(lump.outline, at); })) {
    return true;
  }
  return SceneryAt(at);
}

bool TerrainMap::SceneryAt(Vec2 at) const {
  return std::any_of(objects_.begin(), objects_.end(), [&](const TerrainObject& object) {
    if (object.circle) {
      const Vec2 off = at - object.circle->centre;
      const double radius = object.circle->radius_in;
      // Most places are far from it.
      return std::abs(off.x) <= radius && std::abs(off.y) <= radius && Norm(off) <= radius;
    }
    return object.polygon.size() >= 3 && Contains(object.polygon, at);
  });
}

namespace {

bool Meet(const TableBox& a, const TableBox& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y;
}

}  // namespace

TerrainMap TerrainMap::Within(const TableBox& box) const {
  TerrainMap out = *this;
  std::erase_if(out.bases_, [&](const Base& base) {
    return !Grown(box, std::sqrt(base.reach2_in2)).Contains(base.centre);
  });
  std::erase_if(out.unknown_, [&](const Lump& lump) {
    return lump.outline.empty() || !Meet(box, BoundsOf(lump.outline));
  });
  std::erase_if(out.objects_, [&](const TerrainObject& object) {
    if (object.circle) return !Grown(box, object.circle->radius_in).Contains(object.circle->centre);
    return object.polygon.empty() || !Meet(box, BoundsOf(object.polygon));
  });
  return out;
}

namespace {

template <typename SupportAt>
SwabRest RestOn(const SupportAt& support_at, const TerrainMap& terrain, Vec2 tip, Vec2 tail,
                const SwabShape& shape) {
  // Where each slice of the swab would have to be, were it held up there alone.
  // An odd number of steps: no slice is at the very middle, where the swab would balance on that
  // slice alone and any slope would do.
  constexpr int kSlices = 61;
  struct Slice {
    double at;  // 0 at the tip, 1 at the tail
    double axis_in;
  };
  std::vector<Slice> before_middle;
  std::vector<Slice> behind_middle;
  const Vec2 across = Perpendicular(Normalized(tail - tip));
  SwabRest rest;
  double lowest = 1e9;
  double highest = -1e9;
  for (int i = 0; i <= kSlices; ++i) {
    const double t = static_cast<double>(i) / kSlices;
    const double from_end_in = std::min(t, 1 - t) * shape.length_in;
    const double radius_in =
        from_end_in <= shape.cotton_length_in ? shape.cotton_radius_in : shape.stick_radius_in;
    const Vec2 at = tip + t * (tail - tip);
    const double ground_in = std::max({support_at(at), support_at(at + 0.5 * radius_in * across),
                                       support_at(at - 0.5 * radius_in * across)});
    lowest = std::min(lowest, ground_in);
    highest = std::max(highest, ground_in);
    rest.doubtful = rest.doubtful || terrain.ObstacleAt(at);
    (t <= 0.5 ? before_middle : behind_middle).push_back({t, ground_in + radius_in});
  }
  rest.leaning = highest > lowest;
  double best_middle = -1e9;
  for (const Slice& a : before_middle) {
    for (const Slice& b : behind_middle) {
      const double slope = (b.axis_in - a.axis_in) / (b.at - a.at);
      const double middle = a.axis_in + slope * (0.5 - a.at);
      if (middle > best_middle) {
        best_middle = middle;
        rest.tip_in = a.axis_in - slope * a.at;
        rest.tail_in = a.axis_in + slope * (1 - a.at);
      }
    }
  }
  return rest;
}

}  // namespace

SwabRest RestOf(const TerrainMap& terrain, Vec2 tip, Vec2 tail, const SwabShape& shape) {
  return RestOn([&](Vec2 at) { return terrain.SupportAt(at); }, terrain, tip, tail, shape);
}

SwabRest HighestRestOf(const TerrainMap& terrain, Vec2 tip, Vec2 tail, const SwabShape& shape) {
  return RestOn([&](Vec2 at) { return terrain.HighestSupportAt(at); }, terrain, tip, tail, shape);
}

}  // namespace fos
