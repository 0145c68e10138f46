// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "engine/table/result.h"
#include "engine/table/scenario.h"
#include "engine/table/table_frame.h"

namespace fos {

// One [[terrain]] entry, as a map shows it: squares, a polygon, or edges between two squares (walls
// and streams).
struct MapTerrain {
  std::string type;
  std::vector<SquareIndex> squares;
  Polygon polygon;  // inches
  std::vector<std::pair<SquareIndex, SquareIndex>> edges;
};
struct MapObjective {
  std::string name;
  double points = 0;
  std::vector<SquareIndex> squares;
};

// Board, terrain and objectives of a game's scenario, for maps in the window and in reports. The
// rule sets read the same file for themselves.
struct GameMap {
  TableFrame board;
  bool gridded = true;  // false: a table without squares; `board` then has squares of a foot
  std::vector<MapTerrain> terrain;
  std::vector<MapObjective> objectives;
  ClubFiles club;  // the rules files that the scenario names
};
// The board comes from [board] (columns, rows, and square: 4 in or the rule set's own when not
// given), from [table] (length and width, inches), or for a clip's scenario from the table.toml
// beside it. Terrain and objectives that cannot be read are left out: the rule set reports them.
// errors  those of TomlFile and ReadTable; kBadFormat: no board.
Result<GameMap> ReadGameMap(const std::filesystem::path& scenario);

// The terrain as polygons on the table, inches.
std::vector<TerrainArea> TerrainAreas(const GameMap& map);

}  // namespace fos
