// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/game_file.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "engine/rules/napoleonic/army.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/rules/sweet/game_reader.h"

namespace fos::napoleonic {
namespace {

class GameReader : public sweet::GameReader<GameReader, Setup, Muster> {
 public:
  using Base = sweet::GameReader<GameReader, Setup, Muster>;
  using Base::Base;

 private:
  friend Base;
  static constexpr const char* kRuleset = "napoleonic";
  static constexpr const char* kArmyTable = "organisation";
  static constexpr const char* kBlocks = "unit and battery";

  static auto RulesOf(const ClubFiles& club) { return ReadRules(club); }
  void ReadCircles() {
    setup_.circle_milli_in = {setup_.tables.circle_milli_in, setup_.tables.circle_milli_in};
    field_.ReadProjectiles(setup_.circle_milli_in, setup_.touch_milli_in);
  }

  int BatteryNamed(TomlTable& table, int side) {
    if (!table.Has("battery")) return -1;
    const std::string name = table.Text("battery");
    for (std::size_t i = 0; i < setup_.batteries.size(); ++i)
      if (setup_.batteries[i].name == name && setup_.batteries[i].side == side)
        return static_cast<int>(i);
    return AddBattery(name, side);
  }
  int AddBattery(const std::string& name, int side) {
    constexpr std::size_t kMostBatteries = 100;  // battery numbers are 8 bits wide
    if (setup_.batteries.size() >= kMostBatteries) {
      root_.Refuse("organisation", ErrorCode::kOutOfRange,
                   "more than 100 batteries; want at most 100");
      return -1;
    }
    setup_.batteries.push_back({name, side});
    return static_cast<int>(setup_.batteries.size() - 1);
  }
  void ReadUnit(TomlTable& table) {
    auto unit = PlacedUnit<UnitInfo>(table);
    unit.battery = BatteryNamed(table, unit.side);
    table.NoOtherKeys();
    setup_.units.push_back(unit);
  }

  void ReadPiece(TomlTable& table) {
    auto piece = squares::ReadPlaced<EquipmentInfo>(table, field_, setup_.tables.equipment,
                                                    "equipment type");
    piece.battery = BatteryNamed(table, piece.side);
    piece.limbered = table.Flag("limbered", false);
    table.NoOtherKeys();
    setup_.equipment.push_back(piece);
  }

  // A whole organisation of the tables: its units, then its batteries, in the squares listed.
  void ReadArmy(TomlTable& table) {
    const auto army = ReadWhole(table);
    if (!army) return;
    const auto& [id, side, name, muster, cells, facing] = *army;
    std::size_t next = 0;
    for (const MusterUnit& unit : muster.units) {
      UnitInfo info{fmt::format("{}-{}", id, next + 1),
                    side,
                    unit.type,
                    unit.stands,
                    -1,
                    cells[next],
                    facing};
      field_.TakeId(table, info.id);
      setup_.units.push_back(info);
      ++next;
    }
    for (const MusterBattery& part : muster.batteries) {
      const std::string battery = fmt::format("{}-{}", id, next + 1);
      const int number = AddBattery(battery, side);
      for (std::size_t c = 0; c < part.crews.size(); ++c)
        setup_.units.push_back({fmt::format("{}c{}", battery, c + 1), side, part.crews[c].type,
                                part.crews[c].stands, number, cells[next], facing});
      for (std::size_t e = 0; e < part.equipment.size(); ++e)
        setup_.equipment.push_back({fmt::format("{}e{}", battery, e + 1), side, part.equipment[e],
                                    number, cells[next], facing, false});
      ++next;
    }
  }
};

}  // namespace

std::vector<std::string> DeploymentFaults(const State& s) {
  return sweet::SquareFaults(s, "NAP-2E", "NAP-2C", "NAP-6B");
}

// NAP-BEA is one of these files: datasets/scenarios/beattenburg.toml.
Result<std::shared_ptr<const Setup>> ReadGame(const std::filesystem::path& path) {
  return sweet::ReadSetup<GameReader, Setup>(path);
}

Result<std::shared_ptr<const Setup>> SetupOf(const Scenario& scenario, const TableFrame& frame) {
  Result<Setup> head =
      sweet::SeenSetupHead<Setup>(scenario, frame, "Napoleonic", ReadRules(scenario.club));
  if (!head.ok()) return head.error();
  Setup setup = std::move(head).value();
  for (const ProjectileSpec& spec : scenario.projectiles) {
    const auto p = static_cast<std::size_t>(spec.type);
    setup.circle_milli_in[p] = static_cast<int>(std::lround(spec.hit_radius_in * 1000));
    setup.touch_milli_in[p] = static_cast<int>(std::lround(spec.touch_radius_in * 1000));
  }
  const auto battery_in = [&](int side, Cell cell) {
    const std::string name =
        setup.sides[static_cast<std::size_t>(side)].name + " in " + setup.CellName(cell);
    for (std::size_t i = 0; i < setup.batteries.size(); ++i)
      if (setup.batteries[i].name == name) return static_cast<int>(i);
    setup.batteries.push_back({name, side});
    return static_cast<int>(setup.batteries.size() - 1);
  };
  const Status added = sweet::AddSeenPieces(
      scenario, setup,
      [&](const UnitSpec& spec, int type, Cell cell) {
        const bool crew = setup.tables.types[static_cast<std::size_t>(type)].arm == Arm::kArtillery;
        const int battery = crew ? battery_in(spec.side, cell) : -1;
        setup.units.push_back({spec.id, spec.side, type, spec.stands, battery, cell, spec.facing});
      },
      [&](const std::string& id, const UnitSpec& spec, int type, Cell cell) {
        setup.equipment.push_back(
            {id, spec.side, type, battery_in(spec.side, cell), cell, spec.facing, false});
      });
  if (!added.ok()) return added.error();
  return std::make_shared<const Setup>(std::move(setup));
}

}  // namespace fos::napoleonic
