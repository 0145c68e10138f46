// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/files/scenario_file.h"
#include "engine/files/toml_reader.h"
#include "engine/rules/sweet/deployment.h"
#include "engine/rules/sweet/tables.h"
#include "engine/squares/field_reader.h"

// Reads the scenarios of both sets, to play without a camera.
namespace fos::sweet {

// Own is the rule set's reader. It provides
//   kRuleset, kArmyTable: the table of a whole army, "organisation"
//   kBlocks: what a square of an army holds, "unit and battery"
//   ReadCircles(): the radii of the hit circles, from the tables and the scenario
//   ReadUnit(TomlTable&), ReadPiece(TomlTable&), ReadArmy(TomlTable&)
//   RulesOf(ClubFiles): the tables and settings
// and, beside the Setup: MusterOf, BuildArmy.
template <typename Own, typename Setup, typename Muster>
class GameReader {
 public:
  GameReader(TomlTable root, std::filesystem::path folder)
      : root_(std::move(root)), folder_(std::move(folder)), field_(root_) {}

  Result<std::shared_ptr<const Setup>> Read(const TomlFile& file) {
    root_.Choice("ruleset", "rule set of this reader", {Own::kRuleset});
    if (Status read = ReadHead(); !read.ok()) return read.error();
    field_.ReadBoard();
    field_.ReadSides();
    if (!first_attacker_.empty())
      setup_.first_attacker = field_.SideNamed(first_attacker_, "first_attacker");
    field_.ReadTerrain();
    Self().ReadCircles();
    setup_.board = field_.board;
    setup_.sides = field_.sides;
    setup_.terrain = field_.terrain;
    if (field_.own_square_in) setup_.tables.square_in = *field_.own_square_in;  // ANC-G1
    for (TomlTable& unit : root_.Tables("unit")) Self().ReadUnit(unit);
    for (TomlTable& piece : root_.Tables("equipment")) Self().ReadPiece(piece);
    for (TomlTable& army : root_.Tables(Own::kArmyTable)) Self().ReadArmy(army);
    field_.ReadObjectives();
    setup_.objectives = field_.objectives;
    root_.NoOtherKeys();
    if (const Status problem = file.Problem(); !problem.ok()) return problem.error();
    if (setup_.units.empty())
      return Error{ErrorCode::kBadFormat,
                   fmt::format("the game has no units; add [[unit]] or [[{}]]", Own::kArmyTable)};
    return std::make_shared<const Setup>(std::move(setup_));
  }

 protected:
  // A whole army of the tables, and the squares for its parts.
  struct WholeArmy {
    std::string id;
    int side = 0;
    std::string list;
    Muster muster;
    std::vector<Cell> cells;
    Facing facing = Facing::kNorth;
  };
  // Nothing if the army is refused.
  std::optional<WholeArmy> ReadWhole(TomlTable& table) {
    WholeArmy out;
    out.id = table.Text("id");
    out.side = field_.Side(table);
    out.list = table.Text(Own::kArmyTable);
    Result<Muster> muster = table.Has("points") ? BuildArmy(setup_.tables, out.list,
                                                            table.Integer("points", {1, 10000}))
                                                : MusterOf(setup_.tables, out.list);
    out.cells = field_.SquaresOf(table, "squares");
    out.facing = field_.FacingOf(table, out.side);
    table.NoOtherKeys();
    if (!muster.ok()) {
      table.Refuse(Own::kArmyTable, ErrorCode::kBadFormat, muster.error().message);
      return std::nullopt;
    }
    out.muster = std::move(muster).value();
    if (out.cells.size() == out.muster.Squares()) return out;
    table.Refuse("squares", ErrorCode::kOutOfRange,
                 fmt::format("`{}` needs {} squares, one for each {}, not {}", out.list,
                             out.muster.Squares(), Own::kBlocks, out.cells.size()));
    return std::nullopt;
  }
  // A unit as [[unit]] places it; by default with all its stands.
  template <typename UnitInfo>
  UnitInfo PlacedUnit(TomlTable& table) {
    auto unit = ReadPlaced<UnitInfo>(table, field_, setup_.tables.types, "unit type");
    unit.stands = table.Has("stands")
                      ? table.Integer("stands", {1, 100})
                      : setup_.tables.types[static_cast<std::size_t>(unit.type)].stands;
    return unit;
  }

  TomlTable root_;
  std::filesystem::path folder_;
  FieldReader field_;
  Setup setup_;

 private:
  Own& Self() { return static_cast<Own&>(*this); }

  Status ReadHead() {
    auto head = root_.Table("scenario");
    // A game without a head is refused in the end; what follows reads with the tables all the same.
    auto rules = Own::RulesOf(head ? ReadClubFiles(*head, folder_) : ClubFiles());
    if (!rules.ok()) return rules.error();
    setup_.tables = std::move(rules->tables);
    setup_.settings = std::move(rules->settings);
    if (!head) return Ok();
    setup_.name = head->Text("name");
    if (head->Has("turns")) setup_.settings.turn_limit = head->Integer("turns", {0, 1000});
    if (head->Has("first_attacker")) {
      first_attacker_ = head->Text("first_attacker");
      setup_.settings.first_attacker = FirstAttacker::kScenario;
    }
    head->NoOtherKeys();
    return Ok();
  }

  std::string first_attacker_;
};

// The setup of a scenario file, refused where the deployment is illegal. Beside the Setup: NewGame,
// DeploymentFaults.
template <typename Reader, typename Setup>
Result<std::shared_ptr<const Setup>> ReadSetup(const std::filesystem::path& path) {
  Result<TomlFile> file = TomlFile::Read(path);
  if (!file.ok()) return file.error();
  Reader reader(file.value().Root(), path.parent_path());
  Result<std::shared_ptr<const Setup>> setup = reader.Read(file.value());
  if (!setup.ok()) return setup;
  const std::vector<std::string> faults = DeploymentFaults(NewGame(setup.value(), 0));
  if (!faults.empty())
    return Error{ErrorCode::kOutOfRange,
                 path.string() + ": at the start " + faults.front() + "; change the scenario"};
  return setup;
}

// The pieces of a clip's scenario.
// add_unit   (spec, type, Cell)
// add_piece  (id, spec, type, Cell): one piece of equipment
template <typename Setup, typename AddUnit, typename AddPiece>
Status AddSeenPieces(const Scenario& scenario, const Setup& setup, AddUnit add_unit,
                     AddPiece add_piece) {
  for (const UnitSpec& spec : scenario.units) {
    const std::string& kind = scenario.kinds[static_cast<std::size_t>(spec.kind)].name;
    const int type = setup.tables.TypeOf(kind);
    const int piece = setup.tables.EquipmentOf(kind);
    const Cell cell = setup.board.At(spec.square);
    if (type >= 0) {
      add_unit(spec, type, cell);
    } else if (piece >= 0) {
      for (int n = 0; n < spec.stands; ++n)
        add_piece(fmt::format("{}#{}", spec.id, n + 1), spec, piece, cell);
    } else {
      return Error{
          ErrorCode::kBadFormat,
          fmt::format("kind `{}` is neither a [unit] nor an [equipment] of the tables", kind)};
    }
  }
  return Ok();
}

}  // namespace fos::sweet
