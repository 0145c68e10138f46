// SPDX-License-Identifier: MIT
#include "engine/files/scenario_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/files/toml_reader.h"
#include "engine/table/look_around.h"

namespace fos {
namespace {

// The possible sizes of miniatures, projectiles and scenery, in inches.
constexpr TomlRange kFootprint_in = {0.1, 24};
constexpr TomlRange kThickness_in = {0, 2};
constexpr TomlRange kFigures_in = {0, 24};
constexpr TomlRange kSwabLength_in = {0.5, 24};
constexpr TomlRange kSwabDiameter_in = {0.01, 1};
constexpr TomlRange kShellSize_in = {0.05, 4};
constexpr TomlRange kRadius_in = {0, 24};
constexpr TomlRange kTerrainHeight_in = {0, 24};
constexpr TomlRange kObjectRadius_in = {0.01, 48};
constexpr TomlRange kStands = {1, 200};
constexpr TomlRange kTurns = {1, 1000};
constexpr int kMostStands = 5000;
constexpr double kLeastArea_in2 = 1e-4;
// Terrain may extend beyond the board's edge, as rivers and tree crowns do.
constexpr double kStandOffBoard_in = 24;
constexpr std::size_t kMostTargetPoints = 8;

const std::vector<std::string> kProjectiles = {"qtip", "shell"};
const std::vector<std::string> kFacings = {"N", "NE", "E", "SE", "S", "SW", "W", "NW"};
const std::vector<std::string> kTerrainTypes = {"wood", "rocks", "house", "river", "road", "bridge",
                                                "hill", "fort",  "field", "wall",  "marsh"};

// Where terrain may lie.
struct Reach {
  TomlRange x;
  TomlRange y;
};

template <typename Spec, typename Name>
std::vector<std::string> Names(const std::vector<Spec>& specs, Name Spec::*name) {
  std::vector<std::string> names;
  for (const Spec& spec : specs) names.push_back(spec.*name);
  return names;
}

void RefuseTwin(TomlTable& in, std::string_view key, const std::string& name,
                const std::vector<std::string>& taken) {
  if (name.empty() || std::find(taken.begin(), taken.end(), name) == taken.end()) return;
  in.Refuse(key, ErrorCode::kBadFormat,
            fmt::format("`{}` of {} is `{}` twice; each must be different", key, in.Name(), name));
}

SideSpec ReadSide(TomlTable& in, const std::vector<SideSpec>& before) {
  SideSpec out;
  out.name = in.Text("name");
  RefuseTwin(in, "name", out.name, Names(before, &SideSpec::name));
  out.paint = in.Paint("paint");
  constexpr Facing kEdges[] = {Facing::kNorth, Facing::kEast, Facing::kSouth, Facing::kWest};
  const int edge = in.Choice("baseline", "edge of the board", {"north", "east", "south", "west"});
  if (edge >= 0) out.baseline = kEdges[edge];
  in.NoOtherKeys();
  return out;
}

ProjectileSpec ReadProjectile(TomlTable& in, const std::vector<ProjectileSpec>& before) {
  ProjectileSpec out;
  const int type = in.Choice("type", "projectile", kProjectiles);
  if (type < 0) return out;
  out.type = type == 0 ? Projectile::kQtip : Projectile::kShell;
  for (const ProjectileSpec& other : before) {
    if (other.type != out.type) continue;
    in.Refuse("type", ErrorCode::kBadFormat,
              fmt::format("[[projectile]] `{}` is described twice; keep one",
                          kProjectiles[static_cast<std::size_t>(type)]));
  }
  if (out.type == Projectile::kQtip) {
    out.length_in = in.Number("length", kSwabLength_in);
    out.diameter_in = in.Number("diameter", kSwabDiameter_in);
    out.tip_paint = in.Paint("tip_paint");
  } else {
    out.size_in = in.Number("size", kShellSize_in);
    out.body = in.Paint("body");
    out.mark = in.Paint("mark");
  }
  out.hit_radius_in = in.Number("hit_radius", kRadius_in);
  out.touch_radius_in = in.Number("touch_radius", kRadius_in);
  // What is touched further away than stands are reported would be neither told nor destroyed.
  if (out.touch_radius_in > out.hit_radius_in + kLookAround_in) {
    in.Refuse("touch_radius", ErrorCode::kOutOfRange,
              fmt::format("`touch_radius` of [[projectile]] is {:g}; want at most {:g}, its "
                          "hit_radius + {:g} in, as far as stands are reported",
                          out.touch_radius_in, out.hit_radius_in + kLookAround_in,
                          kLookAround_in));
  }
  in.NoOtherKeys();
  return out;
}

KindSpec ReadKind(TomlTable& in, const std::vector<KindSpec>& before) {
  KindSpec out;
  out.name = in.Text("name");
  RefuseTwin(in, "name", out.name, Names(before, &KindSpec::name));
  const Vec2 footprint = in.Point("footprint", kFootprint_in, kFootprint_in);
  out.footprint = {footprint.x, footprint.y};
  out.thickness_in = in.Number("thickness", kThickness_in);
  out.bar = in.Paint("bar");
  out.bar_depth_in = in.Number("bar_depth", {0.01, out.footprint.depth_in});
  out.figures_height_in = in.Number("figures_height", kFigures_in);
  out.equipment = in.Flag("equipment", false);
  if (in.Has("target")) {
    const double w = out.footprint.width_in / 2;
    const double d = out.footprint.depth_in / 2;
    out.target = in.Points("target", 1, {-w, w}, {-d, d});
    if (out.target.size() > kMostTargetPoints) {
      in.Refuse("target", ErrorCode::kOutOfRange,
                fmt::format("`target` of [[kind]] holds {} points; want at most {}",
                            out.target.size(), kMostTargetPoints));
    }
    if (in.Has("target_is"))
      out.target_points = in.Choice("target_is", "kind of target", {"points", "segments"}) == 0;
  }
  in.NoOtherKeys();
  return out;
}

UnitSpec ReadUnit(TomlTable& in, const Scenario& scenario, const TableFrame& frame) {
  UnitSpec out;
  out.id = in.Text("id");
  if (out.id.find('#') != std::string::npos) {
    in.Refuse("id", ErrorCode::kBadFormat,
              fmt::format("`id` of [[unit]] is `{}`; `#` is reserved for its stands (`{}#1`)",
                          out.id, out.id.substr(0, out.id.find('#'))));
  }
  out.side = std::max(0, in.Choice("side", "[[side]]", Names(scenario.sides, &SideSpec::name)));
  out.kind = std::max(0, in.Choice("kind", "[[kind]]", Names(scenario.kinds, &KindSpec::name)));
  out.stands = in.Integer("stands", kStands);
  const std::string square = in.Text("square");
  if (const auto parsed = ParseSquare(square); !square.empty() && !parsed) {
    in.Refuse("square", ErrorCode::kBadFormat,
              fmt::format("`square` of unit {} is `{}`; want a column letter and a row, as C4",
                          out.id, square));
  } else if (parsed && !frame.Contains(*parsed)) {
    in.Refuse("square", ErrorCode::kOutOfRange,
              fmt::format("`square` of unit {} is `{}`, off the board; want A1 to {}", out.id,
                          square, SquareName({frame.columns - 1, frame.rows - 1})));
  } else if (parsed) {
    out.square = *parsed;
  }
  const int facing = in.Choice("facing", "facing", kFacings);
  out.facing = static_cast<Facing>(std::max(0, facing));
  if (in.Has("mounted")) out.mounted = in.Text("mounted");
  in.NoOtherKeys();
  return out;
}

Polygon ReadOutline(TomlTable& in, const Reach& reach) {
  Polygon polygon = in.Points("polygon", 3, reach.x, reach.y);
  if (!polygon.empty() && Area(polygon) < kLeastArea_in2) {
    in.Refuse("polygon", ErrorCode::kOutOfRange,
              fmt::format("`polygon` of {} has no area; give its corners in order", in.Name()));
  }
  return polygon;
}

TerrainObject ReadObject(TomlTable& in, const Reach& reach) {
  TerrainObject out;
  out.type = in.Text("type");
  if (in.Has("polygon")) {
    for (const char* other : {"centre", "radius"}) {
      if (!in.Has(other)) continue;
      in.Refuse(other, ErrorCode::kBadFormat,
                fmt::format("`{}` of {} stands beside `polygon`; give `centre` and `radius`, or "
                            "`polygon`",
                            other, in.Name()));
    }
    out.polygon = ReadOutline(in, reach);
  } else {
    out.circle =
        Circle{in.Point("centre", reach.x, reach.y), in.Number("radius", kObjectRadius_in)};
  }
  out.height_in = in.Number("height", kTerrainHeight_in, 0);
  in.NoOtherKeys();
  return out;
}

TerrainArea ReadTerrain(TomlTable& in, const Reach& reach) {
  TerrainArea out;
  const int type = in.Choice("type", "kind of terrain", kTerrainTypes);
  if (type >= 0) out.type = kTerrainTypes[static_cast<std::size_t>(type)];
  out.polygon = ReadOutline(in, reach);
  out.height_in = in.Number("height", kTerrainHeight_in, 0);
  for (TomlTable& object : in.Tables("objects")) out.objects.push_back(ReadObject(object, reach));
  in.NoOtherKeys();
  return out;
}

void ReadUnits(TomlTable& root, const TableFrame& frame, Scenario& out) {
  std::vector<std::string> ids;
  int stands = 0;
  for (TomlTable& unit : root.Tables("unit")) {
    out.units.push_back(ReadUnit(unit, out, frame));
    const UnitSpec& read = out.units.back();
    RefuseTwin(unit, "id", read.id, ids);
    ids.push_back(read.id);
    if (stands <= kMostStands && (stands += read.stands) > kMostStands) {
      unit.Refuse("stands", ErrorCode::kOutOfRange,
                  fmt::format("more than {} stands in all; want fewer", kMostStands));
    }
  }
}

// The sides of the dice thrown, each once and in order.
std::vector<int> ReadDice(TomlTable& scenario) {
  constexpr TomlRange kAny{-1e9, 1e9};
  std::vector<int> out = scenario.Integers("dice", kAny);
  if (out.empty())
    scenario.Refuse("dice", ErrorCode::kBadFormat,
                    "`dice` of [scenario] is empty; want [6], [12] or [6, 12]");
  for (const int sides : out) {
    if (sides == 6 || sides == 12) continue;
    scenario.Refuse("dice", ErrorCode::kOutOfRange,
                    fmt::format("`dice` of [scenario] has {}; want 6 or 12", sides));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Result<Scenario> Take(Result<TomlFile> file, const TableFrame& frame,
                      const std::filesystem::path& folder) {
  if (!file.ok()) return file.error();
  TomlTable root = file.value().Root();
  Scenario out;
  out.ruleset = root.Text("ruleset");
  if (root.Has("scenario")) {
    if (auto scenario = root.Table("scenario")) {
      if (scenario->Has("name")) out.name = scenario->Text("name");
      if (scenario->Has("turns")) out.turns = scenario->Integer("turns", kTurns);
      out.own_dice = scenario->Has("dice");
      if (out.own_dice) out.dice = ReadDice(*scenario);
      out.club = ReadClubFiles(*scenario, folder);
      scenario->NoMisspeltKeys();  // rule sets add their own keys
    }
  }
  for (TomlTable& side : root.Tables("side")) out.sides.push_back(ReadSide(side, out.sides));
  for (TomlTable& projectile : root.Tables("projectile")) {
    out.projectiles.push_back(ReadProjectile(projectile, out.projectiles));
  }
  for (TomlTable& kind : root.Tables("kind")) out.kinds.push_back(ReadKind(kind, out.kinds));
  if (out.sides.empty()) root.Refuse("side", ErrorCode::kBadFormat, "no [[side]]; add the sides");
  if (out.kinds.empty()) {
    root.Refuse("kind", ErrorCode::kBadFormat, "no [[kind]]; add the kinds of stand");
  }
  ReadUnits(root, frame, out);
  const Reach reach{{-kStandOffBoard_in, frame.Width() + kStandOffBoard_in},
                    {-kStandOffBoard_in, frame.Depth() + kStandOffBoard_in}};
  for (TomlTable& area : root.Tables("terrain")) out.terrain.push_back(ReadTerrain(area, reach));
  root.NoOtherKeys();
  if (Status problem = file.value().Problem(); !problem.ok()) return problem.error();
  return out;
}

}  // namespace

ClubFiles ReadClubFiles(TomlTable& head, const std::filesystem::path& folder) {
  ClubFiles out{folder, {}, {}};
  if (head.Has("tables")) out.tables = head.Text("tables");
  if (head.Has("settings")) out.settings = head.Text("settings");
  return out;
}

Result<Scenario> ReadScenario(const std::filesystem::path& path, const TableFrame& frame) {
  return Take(TomlFile::Read(path), frame, path.parent_path());
}

std::string ScenarioName(const std::filesystem::path& path) {
  std::string name;
  if (Result<TomlFile> file = TomlFile::Read(path); file.ok()) {
    TomlTable root = file.value().Root();
    auto head = root.Has("scenario") ? root.Table("scenario") : std::nullopt;
    if (head && head->Has("name")) name = head->Text("name");
  }
  return name.empty() ? path.stem().string() : name;
}

Result<std::string> AddedToScenario(const std::filesystem::path& path) {
  Result<TomlFile> file = TomlFile::Read(path);
  if (!file.ok()) return file.error();
  TomlTable root = file.value().Root();
  auto head = root.Has("scenario") ? root.Table("scenario") : std::nullopt;
  if (!head) return std::string();
  for (const char* known : {"name", "turns", "dice", "tables", "settings"}) (void)head->Has(known);
  return head->OtherKeys();
}

Result<Scenario> ParseScenario(std::string_view text, const std::string& name,
                               const TableFrame& frame) {
  return Take(TomlFile::Parse(text, name), frame, {});
}

}  // namespace fos
