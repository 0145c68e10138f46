// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/game_file.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/rules/ancient/army.h"
#include "engine/rules/ancient/query.h"
#include "engine/rules/sweet/game_reader.h"
#include "engine/table/pose2.h"

namespace fos::ancient {
namespace {

class GameReader : public sweet::GameReader<GameReader, Setup, Muster> {
 public:
  using Base = sweet::GameReader<GameReader, Setup, Muster>;
  using Base::Base;

 private:
  friend Base;
  static constexpr const char* kRuleset = "ancient";
  static constexpr const char* kArmyTable = "army";
  static constexpr const char* kBlocks = "unit and catapult";

  static auto RulesOf(const ClubFiles& club) { return ReadRules(club); }
  void ReadCircles() {
    std::array<int, 2> circle{setup_.tables.circle_milli_in, setup_.tables.circle_milli_in};
    std::array<int, 2> touch{};  // touching has no extra effect (ANC-C4)
    field_.ReadProjectiles(circle, touch);
    setup_.circle_milli_in = circle[static_cast<std::size_t>(Projectile::kShell)];
  }

  void ReadUnit(TomlTable& table) {
    auto unit = PlacedUnit<UnitInfo>(table);
    unit.guards = table.Flag("guards", false);
    table.NoOtherKeys();
    setup_.units.push_back(unit);
  }

  void ReadPiece(TomlTable& table) {
    auto piece = squares::ReadPlaced<EquipmentInfo>(table, field_, setup_.tables.equipment,
                                                    "equipment type");
    table.NoOtherKeys();
    setup_.equipment.push_back(piece);
  }

  // ANC-L: a whole list of the tables, its units and then its catapults in the squares listed.
  void ReadArmy(TomlTable& table) {
    const auto army = ReadWhole(table);
    if (!army) return;
    const auto& [id, side, name, muster, cells, facing] = *army;
    if (setup_.settings.lists_computed && !table.Has("points"))
      for (const ArmyList& list : setup_.tables.armies)
        if (const std::string notice = NoticeOf(setup_.tables, list);
            list.name == name && !notice.empty())
          setup_.notices.push_back(notice);
    std::size_t next = 0;
    for (const MusterUnit& unit : muster.units) {
      const std::string unit_id = fmt::format("{}-{}", id, next + 1);
      field_.TakeId(table, unit_id);
      setup_.units.push_back({unit_id, side, unit.type, unit.stands, cells[next], facing, false});
      ++next;
    }
    for (const MusterCatapult& catapult : muster.catapults) {
      const std::string piece_id = fmt::format("{}-{}", id, next + 1);
      field_.TakeId(table, piece_id);
      setup_.units.push_back({piece_id + "c", side, catapult.crew.type, catapult.crew.stands,
                              cells[next], facing, false});
      setup_.equipment.push_back({piece_id, side, catapult.type, cells[next], facing});
      ++next;
    }
  }
};

}  // namespace

// Checks that the sides are apart, ANC-V2 and ANC-V6 hold, and no unit is on impassable ground.
std::vector<std::string> DeploymentFaults(const State& s) {
  std::vector<std::string> faults = sweet::SquareFaults(s, "ANC-V4", "ANC-V2", "");
  for (std::size_t u = 0; u < s.setup->units.size(); ++u) {
    const auto unit = static_cast<PieceNo>(u);
    const std::vector<PieceNo> stands = StandsOf(s, unit);
    const UnitType& type = TypeOfUnit(s, unit);
    for (const PieceNo i : stands)
      if (!MayFace(s, type, s.StandAt(i).facing)) {
        faults.push_back(fmt::format("{} ({}) may face a side of its square only, not {} (ANC-V6)",
                                     UnitName(s, unit), type.name,
                                     FacingName(s.StandAt(i).facing)));
        break;
      }
  }
  return faults;
}

Result<std::shared_ptr<const Setup>> ReadGame(const std::filesystem::path& path) {
  return sweet::ReadSetup<GameReader, Setup>(path);
}

Result<std::shared_ptr<const Setup>> SetupOf(const Scenario& scenario, const TableFrame& frame) {
  Result<Setup> head =
      sweet::SeenSetupHead<Setup>(scenario, frame, "Ancient", ReadRules(scenario.club));
  if (!head.ok()) return head.error();
  Setup setup = std::move(head).value();
  setup.circle_milli_in = setup.tables.circle_milli_in;
  for (const ProjectileSpec& spec : scenario.projectiles)
    if (spec.type == Projectile::kShell) setup.circle_milli_in = sweet::Milli(spec.hit_radius_in);
  const Status added = sweet::AddSeenPieces(
      scenario, setup,
      [&](const UnitSpec& spec, int type, Cell cell) {
        setup.units.push_back({spec.id, spec.side, type, spec.stands, cell, spec.facing, false});
      },
      [&](const std::string& id, const UnitSpec& spec, int type, Cell cell) {
        setup.equipment.push_back({id, spec.side, type, cell, spec.facing});
      });
  if (!added.ok()) return added.error();
  return std::make_shared<const Setup>(std::move(setup));
}

}  // namespace fos::ancient
