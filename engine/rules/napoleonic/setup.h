// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/rules/napoleonic/tables.h"
#include "engine/squares/queries.h"
#include "engine/squares/terrain.h"
#include "engine/table/scenario.h"

// The setup, agreed before the first turn and fixed after it: board, terrain, armies, tables,
// settings.
namespace fos::napoleonic {

using squares::Board;
using squares::Cell;
using squares::kNowhere;

using squares::kNobody;
using squares::PieceNo;

using squares::CellTerrain;
using squares::Objective;
using squares::SideInfo;
// A regiment, an artillery crew of one type, or a commander.
struct UnitInfo {
  std::string id;
  int side = 0;
  int type = 0;  // index into Tables::types
  int stands = 0;
  int battery = -1;  // crews: index into Setup::batteries, -1 for none
  Cell cell = kNowhere;
  Facing facing = Facing::kNorth;
};
struct EquipmentInfo {
  std::string id;  // "F-A1g#2"
  int side = 0;
  int type = 0;  // index into Tables::equipment
  int battery = -1;
  Cell cell = kNowhere;
  Facing facing = Facing::kNorth;
  bool limbered = false;
};
struct BatteryInfo {
  std::string name;
  int side = 0;
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
  std::vector<BatteryInfo> batteries;
  std::vector<Objective> objectives;
  int first_attacker = 0;  // used if the settings leave it to the scenario
  // By Projectile: the radius of the hit circle and the touch distance; thousandths of an inch.
  std::array<int, 2> circle_milli_in{1000, 1000};
  std::array<int, 2> touch_milli_in{125, 250};

  const CellTerrain& At(Cell c) const { return terrain[static_cast<std::size_t>(c)]; }
  std::string CellName(Cell c) const {
    return c == kNowhere ? "off the board" : SquareName(board.IndexOf(c));
  }
};

}  // namespace fos::napoleonic
