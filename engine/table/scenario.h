// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/table/shapes.h"
#include "engine/table/table_frame.h"

// The contents of table.toml and scenario.toml (contract, sections 2.1 and 2.2), as plain values.
namespace fos {

// sRGB, 0 to 255.
struct Colour {
  std::uint8_t r = 0;
  std::uint8_t g = 0;
  std::uint8_t b = 0;
  friend constexpr bool operator==(Colour a, Colour b) = default;
};

struct FiducialMarker {
  int id = 0;
  Vec2 centre;  // inches, table frame; the marker's top edge faces north
};
// Printed ArUco markers lying flat at the corners, outside the playing area.
struct FiducialSpec {
  std::string dictionary;  // OpenCV's name, "DICT_4X4_50"
  double size_in = 0;      // black border included
  std::vector<FiducialMarker> markers;
};
// The board shown in lens/*.png.
struct CharucoSpec {
  int squares_x = 0;
  int squares_y = 0;
  double square_length_in = 0;
  double marker_length_in = 0;
  std::string dictionary;
};
// Where dice are thrown: a rectangle along the table's axes, on the board or beside it. What comes
// to rest there is a die or nothing.
struct TraySpec {
  Vec2 centre;   // inches
  Vec2 size_in;  // along x and y
  Vec2 Low() const { return centre - 0.5 * size_in; }  // south-west corner
  Vec2 High() const { return centre + 0.5 * size_in; }
  bool Contains(Vec2 at) const {
    return at.x >= Low().x && at.x <= High().x && at.y >= Low().y && at.y <= High().y;
  }
  friend bool operator==(const TraySpec&, const TraySpec&) = default;
};
struct TableSpec {
  TableFrame frame;
  std::optional<FiducialSpec> fiducials;
  std::optional<CharucoSpec> charuco;
  std::vector<TraySpec> trays = {};
};

struct SideSpec {
  std::string name;
  Colour paint;  // nominal; the colour the camera sees is learnt from the table
  Facing baseline = Facing::kSouth;
};

enum class Projectile { kQtip, kShell };
// "qtip" or "shell", as files and events name them (contract §2, §4).
inline std::string ProjectileName(Projectile projectile) {
  return projectile == Projectile::kQtip ? "qtip" : "shell";
}
// Any other name is a shell: readers refuse those before.
inline Projectile ProjectileNamed(std::string_view name) {
  return name == "qtip" ? Projectile::kQtip : Projectile::kShell;
}

struct ProjectileSpec {
  Projectile type = Projectile::kQtip;
  double length_in = 0;    // qtip: end to end
  double diameter_in = 0;  // qtip: of the stick
  Colour tip_paint;    // qtip: the dipped end; the point that counts is its far end, on the axis
  double size_in = 0;  // shell: side of the square
  Colour body;         // shell
  Colour mark;         // shell: the point that counts is its centre
  double hit_radius_in = 0;
  double touch_radius_in = 0;
};

struct KindSpec {
  std::string name;
  Box2 footprint;
  double thickness_in = 0;
  Colour bar;
  double bar_depth_in = 0;
  double figures_height_in = 0;  // above the table: models hide what is behind them
  bool equipment = false;        // destroyed by touch, not by the circle
  // Points (or the segment between two) that the circle must reach instead of the footprint, in the
  // stand's own frame. Empty: the whole footprint counts.
  std::vector<Vec2> target;
  // True: each point of `target` counts on its own (an elephant's front legs). False: the segments
  // between them count too (a chariot's front axle). Empty if the scenario does not say: the rule
  // set does, and without one the segments count.
  std::optional<bool> target_points = {};
};

struct UnitSpec {
  std::string id;
  int side = 0;  // index into Scenario::sides
  int kind = 0;  // index into Scenario::kinds
  int stands = 0;
  SquareIndex square;
  Facing facing = Facing::kNorth;
  // What a dismounted unit rides: a kind of the rule set's own. Empty: the unit does not say.
  std::string mounted = {};
};

struct TerrainObject {
  std::string type;              // tree, house, hedge, fence, ...
  std::optional<Circle> circle;  // either a circle
  Polygon polygon;               // or a polygon
  double height_in = 0;          // above the ground it stands on
};
struct TerrainArea {
  std::string type;      // wood, rocks, house, river, road, bridge, hill, fort, field, wall, marsh
  Polygon polygon;       // inches
  double height_in = 0;  // of a hill's or house's top
  std::vector<TerrainObject> objects;
};

// A club's own tables and settings for the rule set: files in the scenario's folder, named by
// [scenario]. Empty for the shipped ones.
struct ClubFiles {
  std::filesystem::path folder;
  std::string tables;
  std::string settings;

  // Does it name any file?
  bool Named() const { return !tables.empty() || !settings.empty(); }
};

struct Scenario {
  std::string ruleset;  // the name of a rule set
  std::string name;     // may be empty
  std::optional<int> turns;
  ClubFiles club;
  // The sides of the dice thrown, in order: 6 and 12 can be read. The rule set's, unless the
  // scenario has its own.
  std::vector<int> dice{6};
  bool own_dice = false;
  std::vector<SideSpec> sides;
  std::vector<ProjectileSpec> projectiles;
  std::vector<KindSpec> kinds;
  std::vector<UnitSpec> units;
  std::vector<TerrainArea> terrain;
};

}  // namespace fos
