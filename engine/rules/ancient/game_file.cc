#include "engine/rules/ancient/game_file.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/files/scenario_file.h"
#include "engine/files/toml_reader.h"
#include "engine/rules/ancient/army.h"
#include "engine/rules/ancient/query.h"
#include "engine/squares/deployment.h"
#include "engine/squares/field_reader.h"
#include "engine/table/pose2.h"

namespace fos::ancient {
namespace {

class GameReader {
 public:
  GameReader(TomlTable root, std::filesystem::path folder)
      : root_(std::move(root)), folder_(std::move(folder)), field_(root_) {}

  Result<std::shared_ptr<const Setup>> Read(const TomlFile& file) {
    root_.Choice("ruleset", "rule set of this reader", {"ancient"});
    if (Status read = ReadHead(); !read.ok()) return read.error();
    field_.ReadBoard();
    field_.ReadSides();
    if (!first_attacker_.empty())
      setup_.first_attacker = field_.SideNamed(first_attacker_, "first_attacker");
    field_.ReadTerrain();
    std::array<int, 2> circle{setup_.circle_milli_in, setup_.circle_milli_in};
    std::array<int, 2> touch{};  // touching has no extra effect (ANC-C4)
    field_.ReadProjectiles(circle, touch);
    setup_.circle_milli_in = circle[static_cast<std::size_t>(Projectile::kShell)];
    setup_.board = field_.board;
    setup_.sides = field_.sides;
    setup_.terrain = field_.terrain;
    if (field_.own_square_in) setup_.tables.square_in = *field_.own_square_in;  // ANC-G1
    for (TomlTable& unit : root_.Tables("unit")) ReadUnit(unit);
    for (TomlTable& piece : root_.Tables("equipment")) ReadPiece(piece);
    for (TomlTable& army : root_.Tables("army")) ReadArmy(army);
    field_.ReadObjectives();
    setup_.objectives = field_.objectives;
    root_.NoOtherKeys();
    if (const Status problem = file.Problem(); !problem.ok()) return problem.error();
    if (setup_.units.empty())
      return Error{ErrorCode::kBadFormat, "the game has no units; add [[unit]] or [[army]]"};
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
    setup_.circle_milli_in = setup_.tables.circle_milli_in;
    head->NoOtherKeys();
    return Ok();
  }

  void ReadUnit(TomlTable& table) {
    auto unit = squares::ReadPlaced<UnitInfo>(table, field_, setup_.tables.types, "unit type");
    const UnitType& type = setup_.tables.types[static_cast<std::size_t>(unit.type)];
    unit.stands = table.Has("stands") ? table.Integer("stands", {1, 100}) : type.stands;
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
    const std::string id = table.Text("id");
    const int side = field_.Side(table);
    const std::string name = table.Text("army");
    const Result<Muster> muster =
        table.Has("points") ? BuildArmy(setup_.tables, name, table.Integer("points", {1, 10000}))
                            : MusterOf(setup_.tables, name);
    const std::vector<Cell> cells = field_.SquaresOf(table, "squares");
    const Facing facing = field_.FacingOf(table, side);
    table.NoOtherKeys();
    if (!muster.ok()) {
      table.Refuse("army", ErrorCode::kBadFormat, muster.error().message);
      return;
    }
    if (cells.size() != muster->Squares()) {
      table.Refuse("squares", ErrorCode::kOutOfRange,
                   fmt::format("`{}` needs {} squares, one for each unit and catapult, not {}",
                               name, muster->Squares(), cells.size()));
      return;
    }
    if (setup_.settings.lists_computed && !table.Has("points"))
      for (const ArmyList& list : setup_.tables.armies)
        if (const std::string notice = NoticeOf(setup_.tables, list);
            list.name == name && !notice.empty())
          setup_.notices.push_back(notice);
    std::size_t next = 0;
    for (const MusterUnit& unit : muster->units) {
      const std::string unit_id = fmt::format("{}-{}", id, next + 1);
      field_.TakeId(table, unit_id);
      setup_.units.push_back({unit_id, side, unit.type, unit.stands, cells[next], facing, false});
      ++next;
    }
    for (const MusterCatapult& catapult : muster->catapults) {
      const std::string piece_id = fmt::format("{}-{}", id, next + 1);
      field_.TakeId(table, piece_id);
      setup_.units.push_back(
          {piece_id + "c", side, catapult.crew.type, catapult.crew.stands, cells[next], facing, false});
      setup_.equipment.push_back({piece_id, side, catapult.type, cells[next], facing});
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

// Checks that the sides are apart, ANC-V2 and ANC-V6 hold, and no unit is on impassable ground.
std::vector<std::string> DeploymentFaults(const State& s) {
  std::vector<std::string> faults = squares::SquareFaults(s, "ANC-V4", "ANC-V2", "");
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
      squares::SeenSetupHead<Setup>(scenario, frame, "Ancient", ReadRules(scenario.club));
  if (!head.ok()) return head.error();
  Setup setup = std::move(head).value();
  setup.circle_milli_in = setup.tables.circle_milli_in;
  for (const ProjectileSpec& spec : scenario.projectiles)
    if (spec.type == Projectile::kShell) setup.circle_milli_in = squares::Milli(spec.hit_radius_in);
  for (const UnitSpec& spec : scenario.units) {
    const std::string& kind = scenario.kinds[static_cast<std::size_t>(spec.kind)].name;
    const int type = setup.tables.TypeOf(kind);
    const int piece = setup.tables.EquipmentOf(kind);
    const Cell cell = setup.board.At(spec.square);
    if (type >= 0) {
      setup.units.push_back({spec.id, spec.side, type, spec.stands, cell, spec.facing, false});
    } else if (piece >= 0) {
      for (int n = 0; n < spec.stands; ++n)
        setup.equipment.push_back(
            {fmt::format("{}#{}", spec.id, n + 1), spec.side, piece, cell, spec.facing});
    } else {
      return Error{
          ErrorCode::kBadFormat,
          fmt::format("kind `{}` is neither a [unit] nor an [equipment] of the tables", kind)};
    }
  }
  return std::make_shared<const Setup>(std::move(setup));
}

}  // namespace fos::ancient
