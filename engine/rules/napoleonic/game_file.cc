#include "engine/rules/napoleonic/game_file.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "engine/files/scenario_file.h"
#include "engine/files/toml_reader.h"
#include "engine/rules/napoleonic/army.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/squares/deployment.h"
#include "engine/squares/field_reader.h"

namespace fos::napoleonic {
namespace {

class GameReader {
 public:
  GameReader(TomlTable root, std::filesystem::path folder)
      : root_(std::move(root)), folder_(std::move(folder)), field_(root_) {}

  Result<std::shared_ptr<const Setup>> Read(const TomlFile& file) {
    root_.Choice("ruleset", "rule set of this reader", {"napoleonic"});
    if (Status read = ReadHead(); !read.ok()) return read.error();
    field_.ReadBoard();
    field_.ReadSides();
    if (!first_attacker_.empty())
      setup_.first_attacker = field_.SideNamed(first_attacker_, "first_attacker");
    field_.ReadTerrain();
    field_.ReadProjectiles(setup_.circle_milli_in, setup_.touch_milli_in);
    setup_.board = field_.board;
    setup_.sides = field_.sides;
    setup_.terrain = field_.terrain;
    if (field_.own_square_in) setup_.tables.square_in = *field_.own_square_in;
    for (TomlTable& unit : root_.Tables("unit")) ReadUnit(unit);
    for (TomlTable& piece : root_.Tables("equipment")) ReadPiece(piece);
    for (TomlTable& part : root_.Tables("organisation")) ReadOrganisation(part);
    field_.ReadObjectives();
    setup_.objectives = field_.objectives;
    root_.NoOtherKeys();
    if (const Status problem = file.Problem(); !problem.ok()) return problem.error();
    if (setup_.units.empty())
      return Error{ErrorCode::kBadFormat,
                   "the game has no units; add [[unit]] or [[organisation]]"};
    return std::make_shared<const Setup>(std::move(setup_));
  }

 private:
  Status ReadHead() {
    auto head = root_.Table("scenario");
    if (!head) return Ok();
    setup_.name = head->Text("name");
    auto rules = ReadRules(ReadClubFiles(*head, folder_));
    if (!rules.ok()) return rules.error();
    setup_.tables = std::move(rules->tables);
    setup_.settings = std::move(rules->settings);
    if (head->Has("turns")) setup_.settings.turn_limit = head->Integer("turns", {0, 1000});
    if (head->Has("first_attacker")) {
      first_attacker_ = head->Text("first_attacker");
      setup_.settings.first_attacker = FirstAttacker::kScenario;
    }
    setup_.circle_milli_in = {setup_.tables.circle_milli_in, setup_.tables.circle_milli_in};
    head->NoOtherKeys();
    return Ok();
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
    auto unit = squares::ReadPlaced<UnitInfo>(table, field_, setup_.tables.types, "unit type");
    unit.stands = table.Has("stands")
                      ? table.Integer("stands", {1, 100})
                      : setup_.tables.types[static_cast<std::size_t>(unit.type)].stands;
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
  void ReadOrganisation(TomlTable& table) {
    const std::string id = table.Text("id");
    const int side = field_.Side(table);
    const std::string name = table.Text("organisation");
    const std::vector<Cell> cells = field_.SquaresOf(table, "squares");
    const Facing facing = field_.FacingOf(table, side);
    const Result<Muster> muster =
        table.Has("points") ? BuildArmy(setup_.tables, name, table.Integer("points", {1, 10000}))
                            : MusterOf(setup_.tables, name);
    table.NoOtherKeys();
    if (!muster.ok()) {
      table.Refuse("organisation", ErrorCode::kBadFormat, muster.error().message);
      return;
    }
    if (cells.size() != muster->Squares()) {
      table.Refuse("squares", ErrorCode::kOutOfRange,
                   fmt::format("`{}` needs {} squares, one for each unit and battery, not {}", name,
                               muster->Squares(), cells.size()));
      return;
    }
    std::size_t next = 0;
    for (const MusterUnit& unit : muster->units) {
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
    for (const MusterBattery& part : muster->batteries) {
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

  TomlTable root_;
  std::filesystem::path folder_;
  squares::FieldReader field_;
  Setup setup_;
  std::string first_attacker_;
};

}  // namespace

std::vector<std::string> DeploymentFaults(const State& s) {
  return squares::SquareFaults(s, "NAP-2E", "NAP-2C", "NAP-6B");
}

// NAP-BEA is one of these files: datasets/scenarios/beattenburg.toml.
Result<std::shared_ptr<const Setup>> ReadGame(const std::filesystem::path& path) {
  Result<TomlFile> file = TomlFile::Read(path);
  if (!file.ok()) return file.error();
  GameReader reader(file.value().Root(), path.parent_path());
  Result<std::shared_ptr<const Setup>> setup = reader.Read(file.value());
  if (!setup.ok()) return setup;
  const std::vector<std::string> faults = DeploymentFaults(NewGame(setup.value(), 0));
  if (!faults.empty())
    return Error{ErrorCode::kOutOfRange,
                 path.string() + ": at the start " + faults.front() + "; change the scenario"};
  return setup;
}

Result<std::shared_ptr<const Setup>> SetupOf(const Scenario& scenario, const TableFrame& frame) {
  Result<Setup> head =
      squares::SeenSetupHead<Setup>(scenario, frame, "Napoleonic", ReadRules(scenario.club));
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
  for (const UnitSpec& spec : scenario.units) {
    const std::string& kind = scenario.kinds[static_cast<std::size_t>(spec.kind)].name;
    const int type = setup.tables.TypeOf(kind);
    const int piece = setup.tables.EquipmentOf(kind);
    const Cell cell = setup.board.At(spec.square);
    if (type >= 0) {
      const bool crew = setup.tables.types[static_cast<std::size_t>(type)].arm == Arm::kArtillery;
      setup.units.push_back({spec.id, spec.side, type, spec.stands,
                             crew ? battery_in(spec.side, cell) : -1, cell, spec.facing});
    } else if (piece >= 0) {
      for (int n = 0; n < spec.stands; ++n)
        setup.equipment.push_back({fmt::format("{}#{}", spec.id, n + 1), spec.side, piece,
                                   battery_in(spec.side, cell), cell, spec.facing, false});
    } else {
      return Error{
          ErrorCode::kBadFormat,
          fmt::format("kind `{}` is neither a [unit] nor an [equipment] of the tables", kind)};
    }
  }
  return std::make_shared<const Setup>(std::move(setup));
}

}  // namespace fos::napoleonic
