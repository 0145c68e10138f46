// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/squares/casualties.h"
#include "engine/squares/geometry.h"
#include "engine/table/scenario.h"

// Terrain by square, as agreed before the first turn.
namespace fos::squares {

// NAP-6B: the effects of a square's terrain.
struct CellTerrain {
  bool protection = false;
  bool inflammable = false;
  bool impassable = false;
  bool water = false;     // impassable without a bridge; a shot into it has no effect
  bool bridge = false;    // passable water, inflammable, no protection (NAP-6C)
  std::uint8_t road = 0;  // bit d: a road joins the neighbour in direction d
  int move_cost = 0;      // added to a step into it, hundredths of a square
  int extra_dice = 0;     // added to the dice of every unit that fires at it
  std::optional<Sixteenths> melee_reduction;  // overrides the settings
  bool Closed() const { return impassable || (water && !bridge); }
};
void Merge(CellTerrain& into, const CellTerrain& more);

// The usual effects of a terrain type ("wood", "bridge"; NAP-6A, 6D). An unknown type has none.
CellTerrain UsualTerrain(std::string_view type);

// Joins these squares by road, each to the next; false if two of them are not neighbours.
bool LinkRoad(const Board& board, std::vector<CellTerrain>& terrain,
              const std::vector<Cell>& squares);

// A clip's terrain (contract, section 2.2) by square. A polygon counts for the squares whose centre
// it covers, or, if it covers none, for the square its own centre lies in.
std::vector<CellTerrain> TerrainOf(const Scenario& scenario, const TableFrame& frame);

// The square that holds most of a model (NAP-6D); of equal shares the most south-western one's.
// Empty off the board.
std::optional<SquareIndex> MostlyIn(const Polygon& model, const TableFrame& frame);
std::optional<SquareIndex> MostlyIn(const TerrainObject& object, const TableFrame& frame);

struct SideInfo {
  std::string name;
  Facing home = Facing::kSouth;  // DEF-9: its rear
};
struct Objective {
  std::string name;
  int points = 0;
  std::vector<Cell> cells;
};

}  // namespace fos::squares
