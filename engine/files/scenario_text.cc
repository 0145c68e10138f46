// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/files/scenario_file.h"
#include "engine/files/toml_reader.h"

namespace fos {
namespace {

std::string Paint(Colour c) { return fmt::format("\"#{:02x}{:02x}{:02x}\"", c.r, c.g, c.b); }

// To 1e-4 inch, finer than any base is cut.
std::string Inches(double value) {
  std::string out = fmt::format("{:.4f}", value);
  while (out.back() == '0' && out[out.size() - 2] != '.') out.pop_back();
  return out == "-0.0" ? "0.0" : out;
}

std::string Point(Vec2 p) { return fmt::format("[{}, {}]", Inches(p.x), Inches(p.y)); }

std::string Points(const std::vector<Vec2>& points) {
  std::string out = "[";
  for (std::size_t i = 0; i < points.size(); ++i) {
    out += (i > 0 ? ", " : "") + Point(points[i]);
  }
  return out + "]";
}

const char* BaselineName(Facing facing) {
  switch (facing) {
    case Facing::kNorth:
      return "north";
    case Facing::kEast:
      return "east";
    case Facing::kWest:
      return "west";
    default:
      return "south";
  }
}

std::string ProjectileText(const ProjectileSpec& shot) {
  std::string out = "\n[[projectile]]\n";
  if (shot.type == Projectile::kQtip) {
    out += fmt::format("type = \"qtip\"\nlength = {}\ndiameter = {}\ntip_paint = {}\n",
                       Inches(shot.length_in), Inches(shot.diameter_in), Paint(shot.tip_paint));
  } else {
    out += fmt::format("type = \"shell\"\nsize = {}\nbody = {}\nmark = {}\n", Inches(shot.size_in),
                       Paint(shot.body), Paint(shot.mark));
  }
  return out + fmt::format("hit_radius = {}\ntouch_radius = {}\n", Inches(shot.hit_radius_in),
                           Inches(shot.touch_radius_in));
}

std::string KindText(const KindSpec& kind) {
  std::string out = fmt::format(
      "\n[[kind]]\nname = {}\nfootprint = {}\nthickness = {}\nbar = {}\nbar_depth = {}\n"
      "figures_height = {}\nequipment = {}\n",
      TomlString(kind.name), Point({kind.footprint.width_in, kind.footprint.depth_in}),
      Inches(kind.thickness_in), Paint(kind.bar), Inches(kind.bar_depth_in),
      Inches(kind.figures_height_in), kind.equipment);
  if (!kind.target.empty()) {
    out += fmt::format("target = {}\n", Points(kind.target));
    if (kind.target_points)
      out += fmt::format("target_is = \"{}\"\n", *kind.target_points ? "points" : "segments");
  }
  return out;
}

std::string ObjectText(const TerrainObject& object) {
  const std::string where =
      object.circle ? fmt::format("centre = {}, radius = {}", Point(object.circle->centre),
                                  Inches(object.circle->radius_in))
                    : fmt::format("polygon = {}", Points(object.polygon));
  return fmt::format("{{ type = {}, {}, height = {} }}", TomlString(object.type), where,
                     Inches(object.height_in));
}

std::string TerrainText(const TerrainArea& area) {
  std::string out =
      fmt::format("\n[[terrain]]\ntype = {}\npolygon = {}\nheight = {}\n", TomlString(area.type),
                  Points(area.polygon), Inches(area.height_in));
  if (area.objects.empty()) return out;
  out += "objects = [\n";
  for (const TerrainObject& object : area.objects) out += "  " + ObjectText(object) + ",\n";
  return out + "]\n";
}

}  // namespace

std::string ScenarioText(const Scenario& scenario, const std::string& added) {
  std::string out = fmt::format("ruleset = {}\n", TomlString(scenario.ruleset));
  const ClubFiles& club = scenario.club;
  if (!scenario.name.empty() || scenario.turns || scenario.own_dice || club.Named() ||
      !added.empty())
    out += "\n[scenario]\n";
  if (!scenario.name.empty()) out += fmt::format("name = {}\n", TomlString(scenario.name));
  if (scenario.turns) out += fmt::format("turns = {}\n", *scenario.turns);
  if (scenario.own_dice) out += fmt::format("dice = [{}]\n", fmt::join(scenario.dice, ", "));
  if (!club.tables.empty()) out += fmt::format("tables = {}\n", TomlString(club.tables));
  if (!club.settings.empty()) out += fmt::format("settings = {}\n", TomlString(club.settings));
  out += added;
  for (const SideSpec& side : scenario.sides) {
    out += fmt::format("\n[[side]]\nname = {}\npaint = {}\nbaseline = \"{}\"\n",
                       TomlString(side.name), Paint(side.paint), BaselineName(side.baseline));
  }
  for (const ProjectileSpec& shot : scenario.projectiles) out += ProjectileText(shot);
  for (const KindSpec& kind : scenario.kinds) out += KindText(kind);
  for (const UnitSpec& unit : scenario.units) {
    out += fmt::format(
        "\n[[unit]]\nid = {}\nside = {}\nkind = {}\nstands = {}\nsquare = \"{}\"\n"
        "facing = \"{}\"\n",
        TomlString(unit.id),
        TomlString(scenario.sides.at(static_cast<std::size_t>(unit.side)).name),
        TomlString(scenario.kinds.at(static_cast<std::size_t>(unit.kind)).name), unit.stands,
        SquareName(unit.square), FacingName(unit.facing));
    if (!unit.mounted.empty()) out += fmt::format("mounted = {}\n", TomlString(unit.mounted));
  }
  for (const TerrainArea& area : scenario.terrain) out += TerrainText(area);
  return out;
}

}  // namespace fos
