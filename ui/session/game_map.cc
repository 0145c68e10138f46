// SPDX-License-Identifier: MIT
#include "ui/session/game_map.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "engine/files/scenario_file.h"
#include "engine/files/table_file.h"
#include "engine/files/toml_reader.h"
#include "engine/rules/rule_sets.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

constexpr double kFoot_in = 12;

// The squares of a table without a grid: one foot each, enough to cover it.
int Feet(TomlTable& table, const char* key) {
  return std::max(1, static_cast<int>(std::ceil(table.Number(key, {6, 600}) / kFoot_in)));
}

void ReadBoard(TomlTable& root, GameMap& map) {
  if (root.Has("board")) {
    TomlTable board = *root.Table("board");
    // The limits of table.toml.
    map.board.columns = board.Integer("columns", {1, 200});
    map.board.rows = board.Integer("rows", {1, 200});
    const RuleSet* set = root.Has("ruleset") ? FindRuleSet(root.Text("ruleset")) : nullptr;
    map.board.square_in =
        board.Number("square", {0.25, 48}, set ? set->square_in : RuleSet{}.square_in);
  } else if (root.Has("table")) {
    TomlTable table = *root.Table("table");
    map.gridded = false;
    map.board = {Feet(table, "length"), Feet(table, "width"), kFoot_in};
  } else {
    root.Refuse("board", ErrorCode::kBadFormat, "is missing; give its columns and rows");
  }
}

// "E5|E6"
std::optional<std::pair<SquareIndex, SquareIndex>> ParseEdge(std::string_view name) {
  const std::size_t bar = name.find('|');
  if (bar == std::string_view::npos) return std::nullopt;
  const auto one = ParseSquare(name.substr(0, bar));
  const auto other = ParseSquare(name.substr(bar + 1));
  if (!one || !other) return std::nullopt;
  return std::pair(*one, *other);
}

std::vector<SquareIndex> ReadSquares(TomlTable& table) {
  std::vector<SquareIndex> out;
  if (!table.Has("squares")) return out;
  for (const std::string& name : table.Texts("squares")) {
    if (const auto square = ParseSquare(name)) out.push_back(*square);
  }
  return out;
}

void ReadTerrain(TomlTable& root, GameMap& map) {
  constexpr TomlRange kAnywhere{-1000, 1000};
  for (TomlTable& area : root.Tables("terrain")) {
    MapTerrain terrain;
    terrain.type = area.Has("type") ? area.Text("type") : "";
    terrain.squares = ReadSquares(area);
    if (area.Has("polygon")) terrain.polygon = area.Points("polygon", 3, kAnywhere, kAnywhere);
    if (area.Has("edges")) {
      for (const std::string& name : area.Texts("edges")) {
        if (const auto edge = ParseEdge(name)) terrain.edges.push_back(*edge);
      }
    }
    map.terrain.push_back(std::move(terrain));
  }
  for (TomlTable& one : root.Tables("objective")) {
    MapObjective objective;
    objective.name = one.Has("name") ? one.Text("name") : "";
    objective.points = one.Has("points") ? one.Number("points", {-1000, 1000}) : 0;
    objective.squares = ReadSquares(one);
    map.objectives.push_back(std::move(objective));
  }
}

Polygon SquarePolygon(SquareIndex square, double side_in) {
  const Vec2 low{square.column * side_in, square.row * side_in};
  return {low, low + Vec2{side_in, 0}, low + Vec2{side_in, side_in}, low + Vec2{0, side_in}};
}

// A thin strip along the edge between two squares.
Polygon EdgePolygon(SquareIndex one, SquareIndex other, const TableFrame& board) {
  constexpr double kHalfWidth = 0.06;  // in squares
  const Vec2 middle = (board.CentreOf(one) + board.CentreOf(other)) * 0.5;
  const Vec2 step = board.CentreOf(other) - board.CentreOf(one);
  const Vec2 across = step * kHalfWidth;
  const Vec2 along{step.y * 0.5, step.x * 0.5};
  return {middle - along - across, middle + along - across, middle + along + across,
          middle - along + across};
}

TerrainArea AreaOf(const std::string& type, Polygon polygon) {
  TerrainArea area;
  area.type = type;
  area.polygon = std::move(polygon);
  return area;
}

}  // namespace

Result<GameMap> ReadGameMap(const fs::path& scenario) {
  Result<TomlFile> read = TomlFile::Read(scenario);
  if (!read.ok()) return read.error();
  TomlFile file = std::move(read).value();
  TomlTable root = file.Root();
  GameMap map;
  if (root.Has("kind")) {  // a clip's scenario
    const Result<TableSpec> table = ReadTable(scenario.parent_path() / "table.toml");
    if (!table.ok()) return table.error();
    map.board = table->frame;
  } else {
    ReadBoard(root, map);
    if (const Status problem = file.Problem(); !problem.ok()) return problem.error();
  }
  if (root.Has("scenario")) {
    TomlTable head = *root.Table("scenario");
    map.club = ReadClubFiles(head, scenario.parent_path());
  }
  ReadTerrain(root, map);
  return map;
}

std::vector<TerrainArea> TerrainAreas(const GameMap& map) {
  const TableFrame& board = map.board;
  std::vector<TerrainArea> out;
  for (const MapTerrain& terrain : map.terrain) {
    if (terrain.polygon.size() >= 3) out.push_back(AreaOf(terrain.type, terrain.polygon));
    for (const auto& [one, other] : terrain.edges) {
      if (!board.Contains(one) || !board.Contains(other)) continue;
      out.push_back(AreaOf(terrain.type, EdgePolygon(one, other, board)));
    }
    for (const SquareIndex square : terrain.squares) {
      if (!board.Contains(square)) continue;
      out.push_back(AreaOf(terrain.type, SquarePolygon(square, board.square_in)));
    }
  }
  return out;
}

}  // namespace fos
