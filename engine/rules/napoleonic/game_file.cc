#include "engine/rules/napoleonic/game_file.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "engine/files/toml_reader.h"
#include "engine/rules/napoleonic/army.h"
#include "engine/rules/napoleonic/query.h"

namespace fos::napoleonic {
namespace {

constexpr TomlRange kBoardSide{2, 100};  // squares; Cell is 16 bits wide
const std::vector<std::string> kFacingNames = {"N", "NE", "E", "SE", "S", "SW", "W", "NW"};
const std::vector<std::string> kHomeNames = {"north", "south", "east", "west"};
constexpr std::array<Facing, 4> kHomes = {Facing::kNorth, Facing::kSouth, Facing::kEast,
                                          Facing::kWest};

void Merge(CellTerrain& into, const CellTerrain& more) {
  into.protection |= more.protection;
  into.inflammable |= more.inflammable;
  into.impassable |= more.impassable;
  into.water |= more.water;
  into.bridge |= more.bridge;
  into.move_cost += more.move_cost;
  into.extra_dice += more.extra_dice;
  if (more.melee_reduction) into.melee_reduction = more.melee_reduction;
}

class GameReader {
 public:
  GameReader(TomlTable root, std::filesystem::path folder)
      : root_(std::move(root)), folder_(std::move(folder)) {}

  Result<std::shared_ptr<const Setup>> Read(const TomlFile& file) {
    root_.Choice("ruleset", "rule set of this engine", {"napoleonic"});
    if (Status read = ReadHead(); !read.ok()) return read.error();
    ReadBoard();
    ReadSides();
    ReadTerrain();
    for (TomlTable& unit : root_.Tables("unit")) ReadUnit(unit);
    for (TomlTable& piece : root_.Tables("equipment")) ReadPiece(piece);
    for (TomlTable& part : root_.Tables("organisation")) ReadOrganisation(part);
    ReadObjectives();
    root_.NoOtherKeys();
    if (const Status problem = file.Problem(); !problem.ok()) return problem.error();
    if (setup_.units.empty())
      return Error{ErrorCode::kBadFormat, "the game has no unit: add [[unit]] or [[organisation]]"};
    return std::make_shared<const Setup>(std::move(setup_));
  }

 private:
  Status ReadHead() {
    auto tables = ShippedTables();
    auto settings = ShippedSettings();
    auto head = root_.Table("scenario");
    if (!head) return Ok();
    setup_.name = head->Text("name");
    // A club's own tables and settings lie beside the scenario.
    if (head->Has("tables")) tables = ReadTables(folder_ / head->Text("tables"));
    if (!tables.ok()) return tables.error();
    if (!settings.ok()) return settings.error();
    if (head->Has("settings"))
      settings = ReadSettings(folder_ / head->Text("settings"), settings.value());
    if (!settings.ok()) return settings.error();
    setup_.tables = tables.value();
    setup_.settings = settings.value();
    if (head->Has("turns")) setup_.settings.turn_limit = head->Integer("turns", {0, 1000});
    if (head->Has("first_attacker")) {
      first_attacker_ = head->Text("first_attacker");
      setup_.settings.first_attacker = FirstAttacker::kScenario;
    }
    setup_.circle_milli_in = {setup_.tables.circle_milli_in, setup_.tables.circle_milli_in};
    head->NoOtherKeys();
    return Ok();
  }

  void ReadBoard() {
    auto board = root_.Table("board");
    setup_.board = {2, 2};
    if (board) {
      setup_.board = {board->Integer("columns", kBoardSide), board->Integer("rows", kBoardSide)};
      board->NoOtherKeys();
    }
    setup_.terrain.resize(static_cast<std::size_t>(setup_.board.Cells()));
  }

  void ReadSides() {
    std::vector<TomlTable> sides = root_.Tables("side");
    if (sides.size() != 2) {
      root_.Refuse("side", ErrorCode::kBadFormat, "the game needs two [[side]] tables");
      return;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      setup_.sides[i].name = sides[i].Text("name");
      const int home = sides[i].Choice("baseline", "edge", kHomeNames);
      setup_.sides[i].home = kHomes[static_cast<std::size_t>(std::max(0, home))];
      sides[i].NoOtherKeys();
      side_names_.push_back(setup_.sides[i].name);
    }
    if (first_attacker_.empty()) return;
    if (first_attacker_ == side_names_[1]) {
      setup_.first_attacker = 1;
    } else if (first_attacker_ != side_names_[0]) {
      root_.Refuse("scenario", ErrorCode::kBadFormat,
                   "`first_attacker` is `" + first_attacker_ + "`, which is no side");
    }
  }

  Cell Square(TomlTable& table, std::string_view key, const std::string& name) {
    const auto index = ParseSquare(name);
    if (index && setup_.board.Contains(*index)) return setup_.board.At(*index);
    table.Refuse(key, ErrorCode::kOutOfRange,
                 fmt::format("`{}` is no square of this board ({} by {})", name,
                             setup_.board.columns, setup_.board.rows));
    return 0;
  }
  std::vector<Cell> SquaresOf(TomlTable& table, std::string_view key) {
    std::vector<Cell> out;
    for (const std::string& name : table.Texts(key)) out.push_back(Square(table, key, name));
    return out;
  }

  void ReadTerrain() {
    for (TomlTable& area : root_.Tables("terrain")) {
      const std::string type = area.Text("type");
      CellTerrain terrain = UsualTerrain(type);
      // NAP-6B: what was agreed for this feature.
      terrain.protection = area.Flag("protected", terrain.protection);
      terrain.inflammable = area.Flag("inflammable", terrain.inflammable);
      terrain.impassable = area.Flag("impassable", terrain.impassable);
      terrain.water = area.Flag("water", terrain.water);
      terrain.move_cost =
          static_cast<int>(std::lround(area.Number("move_cost", {0, 100}, 0) * squares::kWhole));
      if (area.Has("extra_dice")) terrain.extra_dice = area.Integer("extra_dice", {-20, 20});
      if (area.Has("melee_reduction"))
        terrain.melee_reduction = static_cast<Sixteenths>(
            std::lround(area.Number("melee_reduction", {0, 1000}) * squares::kPoint));
      const std::vector<Cell> cells = SquaresOf(area, "squares");
      area.NoOtherKeys();
      for (const Cell cell : cells) Merge(setup_.terrain[static_cast<std::size_t>(cell)], terrain);
      if (type == "road") LinkRoad(area, cells);
    }
  }

  // NAP-2D: each square to the next.
  void LinkRoad(TomlTable& area, const std::vector<Cell>& cells) {
    for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
      const squares::Offset step = setup_.board.Between(cells[i], cells[i + 1]);
      if (!squares::Adjacent(step)) {
        area.Refuse("squares", ErrorCode::kOutOfRange, "a road goes from neighbour to neighbour");
        return;
      }
      const Facing way = squares::NearestDirection(step);
      const auto bit = [](Facing f) { return static_cast<std::uint8_t>(1 << static_cast<int>(f)); };
      setup_.terrain[static_cast<std::size_t>(cells[i])].road |= bit(way);
      setup_.terrain[static_cast<std::size_t>(cells[i + 1])].road |= bit(squares::Opposite(way));
    }
  }

  int Side(TomlTable& table) { return std::max(0, table.Choice("side", "side", side_names_)); }
  Facing FacingOf(TomlTable& table, int side) {
    if (table.Has("facing"))
      return static_cast<Facing>(std::max(0, table.Choice("facing", "facing", kFacingNames)));
    return squares::Opposite(setup_.sides[static_cast<std::size_t>(side)].home);
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
    constexpr std::size_t kMostBatteries = 100;  // their numbers are 8 bits wide
    if (setup_.batteries.size() >= kMostBatteries) {
      root_.Refuse("organisation", ErrorCode::kOutOfRange, "there are more than 100 batteries");
      return -1;
    }
    setup_.batteries.push_back({name, side});
    return static_cast<int>(setup_.batteries.size() - 1);
  }
  void CheckId(TomlTable& table, const std::string& id) {
    const auto same = [&](const auto& other) { return other.id == id; };
    if (std::any_of(setup_.units.begin(), setup_.units.end(), same) ||
        std::any_of(setup_.equipment.begin(), setup_.equipment.end(), same))
      table.Refuse("id", ErrorCode::kBadFormat, "`" + id + "` is taken");
    if (id.find_first_of(" #") != std::string::npos)
      table.Refuse("id", ErrorCode::kBadFormat, "`" + id + "`: an id has no space and no #");
  }

  void ReadUnit(TomlTable& table) {
    UnitInfo unit;
    unit.id = table.Text("id");
    CheckId(table, unit.id);
    unit.side = Side(table);
    std::vector<std::string> kinds;
    for (const UnitType& type : setup_.tables.types) kinds.push_back(type.id);
    unit.type = std::max(0, table.Choice("kind", "unit type", kinds));
    unit.stands = table.Has("stands")
                      ? table.Integer("stands", {1, 100})
                      : setup_.tables.types[static_cast<std::size_t>(unit.type)].stands;
    unit.cell = Square(table, "square", table.Text("square"));
    unit.facing = FacingOf(table, unit.side);
    unit.battery = BatteryNamed(table, unit.side);
    table.NoOtherKeys();
    setup_.units.push_back(unit);
  }

  void ReadPiece(TomlTable& table) {
    EquipmentInfo piece;
    piece.id = table.Text("id");
    CheckId(table, piece.id);
    piece.side = Side(table);
    std::vector<std::string> kinds;
    for (const EquipmentType& type : setup_.tables.equipment) kinds.push_back(type.id);
    piece.type = std::max(0, table.Choice("kind", "equipment type", kinds));
    piece.cell = Square(table, "square", table.Text("square"));
    piece.facing = FacingOf(table, piece.side);
    piece.battery = BatteryNamed(table, piece.side);
    piece.limbered = table.Flag("limbered", false);
    table.NoOtherKeys();
    setup_.equipment.push_back(piece);
  }

  // A whole organisation of the tables, its units and then its batteries in the squares listed.
  void ReadOrganisation(TomlTable& table) {
    const std::string id = table.Text("id");
    const int side = Side(table);
    const std::string name = table.Text("organisation");
    const std::vector<Cell> cells = SquaresOf(table, "squares");
    const Facing facing = FacingOf(table, side);
    table.NoOtherKeys();
    const Result<Muster> muster = MusterOf(setup_.tables, name);
    if (!muster.ok()) {
      table.Refuse("organisation", ErrorCode::kBadFormat, muster.error().message);
      return;
    }
    if (cells.size() != muster->Squares()) {
      table.Refuse("squares", ErrorCode::kOutOfRange,
                   fmt::format("`{}` wants {} squares, one for each unit and battery, not {}", name,
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
      CheckId(table, info.id);
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

  // NAP-12, NAP-BEA: garrisons and the like, agreed before the game.
  void ReadObjectives() {
    for (TomlTable& table : root_.Tables("objective")) {
      Objective objective;
      objective.name = table.Text("name");
      objective.points = table.Integer("points", {0, 100000});
      objective.cells = SquaresOf(table, "squares");
      table.NoOtherKeys();
      setup_.objectives.push_back(objective);
    }
  }

  TomlTable root_;
  std::filesystem::path folder_;
  Setup setup_;
  std::vector<std::string> side_names_;
  std::string first_attacker_;
};

// Both sides apart, NAP-2C kept, nobody on impassable ground.
Status CheckDeployment(const std::shared_ptr<const Setup>& setup) {
  const State s = NewGame(setup, 0);
  for (Cell cell = 0; cell < setup->board.Cells(); ++cell) {
    const std::string where = CellName(s, cell);
    if (s.CountIn(0, cell) > 0 && s.CountIn(1, cell) > 0)
      return Error{ErrorCode::kOutOfRange, "both sides start in " + where};
    for (int side = 0; side < 2; ++side) {
      const std::string fault = StackingFault(s, side, cell, {}, false);
      if (!fault.empty())
        return Error{ErrorCode::kOutOfRange, fault + " at the start (NAP-2C): move one away"};
      if (s.CountIn(side, cell) > 0 && Impassable(s, cell))
        return Error{ErrorCode::kOutOfRange, where + " is impassable: nobody can start there"};
    }
  }
  return Ok();
}

}  // namespace

CellTerrain UsualTerrain(std::string_view type) {
  CellTerrain t;
  if (type == "wood" || type == "house" || type == "tree") t.protection = t.inflammable = true;
  if (type == "rocks" || type == "fort" || type == "wall") t.protection = true;
  if (type == "river" || type == "water") t.water = true;
  if (type == "bridge") t.bridge = t.inflammable = true;
  return t;
}

// NAP-BEA is one of these files: datasets/scenarios/beattenburg.toml.
Result<std::shared_ptr<const Setup>> ReadGame(const std::filesystem::path& path) {
  Result<TomlFile> file = TomlFile::Read(path);
  if (!file.ok()) return file.error();
  GameReader reader(file.value().Root(), path.parent_path());
  Result<std::shared_ptr<const Setup>> setup = reader.Read(file.value());
  if (!setup.ok()) return setup;
  if (const Status legal = CheckDeployment(setup.value()); !legal.ok())
    return Error{legal.error().code, path.string() + ": " + legal.error().message};
  return setup;
}

namespace {

// Squares an area counts for.
std::vector<Cell> CellsUnder(const TerrainArea& area, const TableFrame& frame, const Board& board) {
  std::vector<Cell> out;
  for (int row = 0; row < board.rows; ++row)
    for (int column = 0; column < board.columns; ++column)
      if (Contains(area.polygon, frame.CentreOf({column, row})))
        out.push_back(board.At({column, row}));
  if (!out.empty() || area.polygon.empty()) return out;
  // Smaller than a square, beside its centre: the square its middle lies in.
  Vec2 middle;
  for (const Vec2 corner : area.polygon) middle = middle + corner;
  if (const auto square = frame.SquareAt(middle / static_cast<double>(area.polygon.size())))
    out.push_back(board.At(*square));
  return out;
}

void LinkRoadCells(Setup& setup, const std::vector<Cell>& cells) {
  for (const Cell a : cells)
    for (const Cell b : cells) {
      const squares::Offset step = setup.board.Between(a, b);
      if (squares::Adjacent(step))
        setup.terrain[static_cast<std::size_t>(a)].road |=
            static_cast<std::uint8_t>(1 << static_cast<int>(squares::NearestDirection(step)));
    }
}

}  // namespace

Result<std::shared_ptr<const Setup>> SetupOf(const Scenario& scenario, const TableFrame& frame) {
  if (scenario.sides.size() != 2)
    return Error{ErrorCode::kBadFormat, "the Napoleonic rules are for two sides"};
  const auto tables = ShippedTables();
  if (!tables.ok()) return tables.error();
  const auto settings = ShippedSettings();
  if (!settings.ok()) return settings.error();
  Setup setup;
  setup.name = scenario.name;
  setup.tables = tables.value();
  setup.settings = settings.value();
  setup.tables.square_in = frame.square_in;
  if (scenario.turns) setup.settings.turn_limit = *scenario.turns;
  setup.board = {frame.columns, frame.rows};
  setup.terrain.resize(static_cast<std::size_t>(setup.board.Cells()));
  for (std::size_t i = 0; i < 2; ++i)
    setup.sides[i] = {scenario.sides[i].name, scenario.sides[i].baseline};
  for (const ProjectileSpec& spec : scenario.projectiles) {
    const auto p = static_cast<std::size_t>(spec.type);
    setup.circle_milli_in[p] = static_cast<int>(std::lround(spec.hit_radius_in * 1000));
    setup.touch_milli_in[p] = static_cast<int>(std::lround(spec.touch_radius_in * 1000));
  }
  for (const TerrainArea& area : scenario.terrain) {
    const std::vector<Cell> cells = CellsUnder(area, frame, setup.board);
    for (const Cell cell : cells)
      Merge(setup.terrain[static_cast<std::size_t>(cell)], UsualTerrain(area.type));
    if (area.type == "road") LinkRoadCells(setup, cells);
    // Trees and houses burn wherever they stand (NAP-6D).
    for (const TerrainObject& object : area.objects) {
      if (!object.circle && object.polygon.empty()) continue;
      const auto square =
          frame.SquareAt(object.circle ? object.circle->centre : object.polygon.front());
      if (square)
        setup.terrain[static_cast<std::size_t>(setup.board.At(*square))].inflammable = true;
    }
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
      return Error{ErrorCode::kBadFormat,
                   fmt::format("kind `{}` is neither a unit nor equipment of the tables", kind)};
    }
  }
  return std::make_shared<const Setup>(std::move(setup));
}

}  // namespace fos::napoleonic
