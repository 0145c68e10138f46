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

// What is agreed about the ground before the first turn, for games on a grid.
namespace fos::squares {

// NAP-6B: what a square's terrain does.
struct CellTerrain {
  bool protection = false;
  bool inflammable = false;
  bool impassable = false;
  bool water = false;     // impassable unless bridged; a shot over it has no effect
  bool bridge = false;    // passable water, inflammable, no protection (NAP-6C)
  std::uint8_t road = 0;  // bit d: joined by road to the neighbour in direction d
  int move_cost = 0;      // added to a step into it, hundredths of a square
  int extra_dice = 0;     // added to every unit's dice at it
  std::optional<Sixteenths> melee_reduction;  // instead of what the settings say
  bool Closed() const { return impassable || (water && !bridge); }
};
void Merge(CellTerrain& into, const CellTerrain& more);

// NAP-6A, 6D and the like for a terrain type's usual name ("wood", "bridge"); anything else does
// nothing.
CellTerrain UsualTerrain(std::string_view type);

// A road through these squares in order, each joined to the next; false when two are not next to
// each other.
bool LinkRoad(const Board& board, std::vector<CellTerrain>& terrain,
              const std::vector<Cell>& squares);

// A clip's terrain (contract, section 2.2), square by square. A polygon counts for the squares
// whose centre it covers; one that covers none, for the square its middle lies in.
std::vector<CellTerrain> TerrainOf(const Scenario& scenario, const TableFrame& frame);

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
