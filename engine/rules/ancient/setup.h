// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "engine/rules/ancient/tables.h"
#include "engine/squares/queries.h"
#include "engine/squares/terrain.h"

// The setup, agreed before the first turn and fixed after it: board, terrain, armies, tables,
// settings.
namespace fos::ancient {

using squares::Board, squares::Cell, squares::CellTerrain, squares::kNobody, squares::kNowhere,
    squares::Objective, squares::PieceNo, squares::SideInfo;

// A unit, a crew or a commander.
struct UnitInfo {
  std::string id;
  int side = 0;
  int type = 0;  // index into Tables::types
  int stands = 0;
  Cell cell = kNowhere;
  Facing facing = Facing::kNorth;
  bool guards = false;  // exempt from ANC-M1, whatever its kind
};
struct EquipmentInfo {
  std::string id;
  int side = 0;
  int type = 0;  // index into Tables::equipment
  Cell cell = kNowhere;
  Facing facing = Facing::kNorth;
};

struct Setup {
  std::string name;
  Tables tables;
  Settings settings;
  Board board;
  std::vector<CellTerrain> terrain;  // by cell
  std::array<SideInfo, 2> sides;
  std::vector<UnitInfo> units;
  std::vector<EquipmentInfo> equipment;
  std::vector<Objective> objectives;
  std::vector<std::string> notices;  // for players: army lists that do not add up
  int first_attacker = 0;            // used if the settings leave it to the scenario
  int circle_milli_in = 1000;        // radius around the pellet's mark, thousandths of an inch

  const CellTerrain& At(Cell c) const { return terrain[static_cast<std::size_t>(c)]; }
};

}  // namespace fos::ancient
