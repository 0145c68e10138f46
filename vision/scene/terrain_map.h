// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "engine/table/observation.h"
#include "engine/table/scenario.h"
#include "vision/image/patch.h"

namespace fos {

// Cotton ends are cotton_radius_in thick over cotton_length_in, the stick stick_radius_in between.
struct SwabShape {
  double length_in = 3.0;
  double stick_radius_in = 0.05;
  // The contract's "cotton ends are about 0.22 thick, 0.5 long" (section 2.2).
  double cotton_radius_in = 0.11;
  double cotton_length_in = 0.5;
  Colour tip_paint{90, 20, 20};  // nominal, or as it was learnt
  double length_sigma_in = 0;    // of one swab, where the kind was learnt; 0 where it was not
  // Of a stick that is not white, where the kind was learnt; as it looks where cotton is
  // kCottonLight of white.
  std::optional<Colour> stick = {};
  bool any_stick = false;  // the stick's colour is taken from the picture: the kind is being learnt
};

// A swab that lies on the table and may support the next one.
struct LyingSwab {
  Vec2 from;  // its ends, straight below
  Vec2 to;
  double from_in = 0;  // heights of its axis there
  double to_in = 0;
  SwabShape shape;
};

// An object that may support what lies across it: a shell, a pencil, a rubber. Its height is not
// known, only that it is at most top_in above the cloth.
struct Lump {
  Polygon outline;
  double top_in = 0;
};

// The heights of what a projectile or a base may rest on: hills from the scenario, the stands'
// bases and the swabs as last seen. Inches above the cloth.
class TerrainMap {
 public:
  explicit TerrainMap(const Scenario& scenario);

  // The bases on the table now; their tops support what lies across them.
  void SetStands(const std::vector<StandObservation>& stands);

  // The swabs that lie on the table now.
  void SetLying(std::vector<LyingSwab> swabs) { swabs_ = std::move(swabs); }
  const std::vector<LyingSwab>& Lying() const { return swabs_; }
  // Other objects that lie on the table now.
  void SetUnknown(std::vector<Lump> places) { unknown_ = std::move(places); }
  const std::vector<Lump>& Unknown() const { return unknown_; }

  // The ground a stand would stand on: 0 or a hill's top.
  double GroundAt(Vec2 at) const;
  // The same with the stands' bases and the swabs on it; the second also with the other objects,
  // each at its greatest height.
  double SupportAt(Vec2 at) const;
  double HighestSupportAt(Vec2 at) const;
  // Whether a figure, tree, house, hedge or other object rises at this place, so that a swab there
  // may lean on it.
  bool ObstacleAt(Vec2 at) const;
  // Whether a tree, house or hedge of the scenario does.
  bool SceneryAt(Vec2 at) const;
  // The map without the obstacles that are clear of a box: in the box it answers the same, sooner.
  TerrainMap Within(const TableBox& box) const;

 private:
  struct Base {
    Pose2 stand_from_table;
    Box2 footprint;
    double top_in;
    Vec2 centre;      // on the table
    double reach2_in2;  // of its corners from there, squared

    bool Covers(Vec2 at) const;
  };
  std::vector<TerrainArea> hills_;
  std::vector<TerrainObject> objects_;
  std::vector<double> thickness_in_;  // by kind
  std::vector<Base> bases_;
  std::vector<LyingSwab> swabs_;
  std::vector<Lump> unknown_;
};

// Heights of the two ends of a swab's axis.
struct SwabRest {
  double tip_in = 0;
  double tail_in = 0;
  bool leaning = false;  // not flat on level ground
  bool doubtful =
      false;  // may be leaning on something whose height is not known (a figure, a tree)
};
// How a rigid swab rests: the lowest position of its middle in which no part of it intersects its
// supports.
SwabRest RestOf(const TerrainMap& terrain, Vec2 tip, Vec2 tail, const SwabShape& shape);
// The same with each other object at its greatest height.
SwabRest HighestRestOf(const TerrainMap& terrain, Vec2 tip, Vec2 tail, const SwabShape& shape);

}  // namespace fos
