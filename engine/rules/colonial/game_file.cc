// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/game_file.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "engine/files/scenario_file.h"
#include "engine/rules/colonial/reading.h"
#include "engine/squares/field_reader.h"
#include "engine/table/sentence.h"

namespace fos::colonial {
namespace {

constexpr int kMostLevels = 9;
constexpr int kLongestTrench_mm = 100000;
constexpr std::size_t kMostStands = 500;
const std::vector<std::string> kRatings = {"poor", "average", "exceptional"};

class GameReader {
 public:
  GameReader(TomlTable root, std::filesystem::path folder)
      : root_(std::move(root)), folder_(std::move(folder)), field_(root_) {}

  Result<std::shared_ptr<const Setup>> Read(const TomlFile& file) {
    root_.Choice("ruleset", "rule set of this engine", {"colonial"});
    if (Status read = ReadHead(); !read.ok()) return read.error();
    ReadArmies();
    field_.ReadBoard(setup_.tables.square_mm / kMillimetresPerInch);
    field_.ReadSides();
    setup_.MakeBoard(field_.board.columns, field_.board.rows);
    setup_.sides = field_.sides;
    ReadTerrain();
    for (TomlTable& unit : root_.Tables("unit")) ReadUnit(unit);
    field_.ReadObjectives();
    setup_.objectives = field_.objectives;
    ReadVictory();
    root_.NoOtherKeys();
    if (const Status problem = file.Problem(); !problem.ok()) return problem.error();
    if (setup_.stands.size() > kMostStands)
      return Error{ErrorCode::kOutOfRange,
                   fmt::format("the game has {} stands; at most {} are allowed",
                               setup_.stands.size(), kMostStands)};
    return std::make_shared<const Setup>(std::move(setup_));
  }

 private:
  Status ReadHead() {
    auto head = root_.Table("scenario");
    // A game without a head is refused in the end; what follows reads with the tables all the same.
    auto rules = ReadRules(head ? ReadClubFiles(*head, folder_) : ClubFiles());
    if (!rules.ok()) return rules.error();
    setup_.tables = std::move(rules->tables);
    setup_.settings = std::move(rules->settings);
    if (!head) return Ok();
    setup_.name = head->Text("name");
    // COL-3.1: a scenario may set fewer turns.
    const int most = setup_.settings.max_turns;
    setup_.turns =
        head->Has("turns") ? head->Integer("turns", {1, static_cast<double>(most)}) : most;
    head->NoOtherKeys();
    return Ok();
  }

  // COL-2.2, COL-2.3.
  void ReadArmies() {
    setup_.army = ArmyBy::kAgreed;
    setup_.agreed_points = setup_.tables.agreed_points;
    if (!root_.Has("army")) return;
    auto army = root_.Table("army");
    if (!army) return;
    if (army->Has("by"))
      setup_.army = static_cast<ArmyBy>(
          std::max(0, army->Choice("by", "way", {"agreed", "dice", "campaign"})));
    if (army->Has("points")) setup_.agreed_points = army->Integer("points", {0, 1000});
    army->NoOtherKeys();
  }

  // "E5|E6": the edge between two squares.
  std::optional<std::pair<Cell, Cell>> EdgeNamed(TomlTable& area, const std::string& name) {
    const std::size_t bar = name.find('|');
    if (bar != std::string::npos) {
      const Cell a = field_.Square(area, "edges", name.substr(0, bar));
      const Cell b = field_.Square(area, "edges", name.substr(bar + 1));
      const squares::Offset d = setup_.board.Between(a, b);
      if (std::abs(d.dx) + std::abs(d.dy) == 1) return std::pair{a, b};
    }
    area.Refuse(
        "edges", ErrorCode::kBadFormat,
        fmt::format("`{}` is not an edge: write two squares that share one, for example `E5|E6`",
                    name));
    return std::nullopt;
  }

  void ReadTerrain() {
    std::vector<Cell> bridges;
    for (TomlTable& area : root_.Tables("terrain")) {
      const std::string type = area.Text("type");
      if (area.Has("edges")) {
        ReadEdges(area, type);
      } else {
        ReadSquares(area, type, bridges);
      }
      area.NoOtherKeys();
    }
    for (const Cell cell : bridges) Bridge(setup_.ground[static_cast<std::size_t>(cell)]);
  }

  // COL-2.5: an entrenchment costs by its length, or one section per edge if no length is given.
  void ReadEdges(TomlTable& area, const std::string& type) {
    const auto known = EdgeTypeOf(type);
    if (!known) {
      area.Refuse("type", ErrorCode::kBadFormat,
                  fmt::format("`{}` does not lie along edges; the nearest type that does is `{}`",
                              type, NearestName(type, EdgeTypeNames())));
      return;
    }
    int edges = 0;
    for (const std::string& name : area.Texts("edges"))
      if (const auto edge = EdgeNamed(area, name)) {
        setup_.AddEdge(edge->first, edge->second, *known);
        ++edges;
      }
    if (*known != kEntrenchment) return;
    int length_mm = edges * setup_.tables.section_mm;
    if (area.Has("length_mm")) {
      const int edges_mm = length_mm;
      const int section_mm = setup_.tables.section_mm;
      length_mm = area.Integer("length_mm", {0, kLongestTrench_mm});
      if ((length_mm + section_mm - 1) / section_mm * section_mm < edges_mm)
        area.Refuse("length_mm", ErrorCode::kOutOfRange,
                    fmt::format("{} mm is too short for the {} edges listed: each is {} mm long",
                                length_mm, edges, section_mm));
    }
    if (!area.Has("side")) return;  // it was there before the armies came
    setup_.entrenchment_hundredths[static_cast<std::size_t>(field_.Side(area))] +=
        EntrenchmentPoints(setup_.tables, setup_.settings, length_mm);
  }

  // Terrain that covers no square may still lie along edges: a wall, a hedge, a stream.
  std::vector<Cell> CellsUnder(TomlTable& area, const std::string& type) {
    constexpr TomlRange kAnywhere_in{-1000, 1000};
    Polygon outline_mm = area.Points("polygon", 3, kAnywhere_in, kAnywhere_in);
    for (Vec2& corner : outline_mm) corner = corner * kMillimetresPerInch;
    std::vector<Cell> cells = CellsTaken(setup_.tables, setup_.settings, setup_.board, outline_mm);
    if (const auto edge = EdgeTypeOf(type); edge && cells.empty() && outline_mm.size() >= 3)
      AddEdgesUnder(setup_, outline_mm, *edge);
    return cells;
  }

  void ReadSquares(TomlTable& area, const std::string& type, std::vector<Cell>& bridges) {
    Ground usual = UsualGround(type);
    usual.impassable = area.Flag("impassable", usual.impassable);
    int level = type == "hill" ? 1 : 0;
    if (area.Has("level")) level = area.Integer("level", {0, kMostLevels});
    // COL-1.4: either an outline in inches, as in a clip's scenario, or the squares themselves.
    const bool outlined = area.Has("polygon");
    const std::vector<Cell> cells =
        outlined ? CellsUnder(area, type) : field_.SquaresOf(area, "squares");
    if (outlined && type == "road")
      area.Refuse("polygon", ErrorCode::kBadFormat, "give a road by its `squares`, in order");
    for (std::size_t n = 0; n < cells.size(); ++n) {
      Ground& ground = setup_.ground[static_cast<std::size_t>(cells[n])];
      Merge(ground, usual);
      // Where hills overlap, the summit counts, whichever is listed first.
      ground.level = std::max(ground.level, static_cast<std::int8_t>(level));
      if (type == "bridge") bridges.push_back(cells[n]);
      // COL-5.7: each square to the next.
      if (type != "road" || n == 0 || outlined) continue;
      if (squares::Adjacent(setup_.board.Between(cells[n - 1], cells[n]))) {
        setup_.LinkRoad(cells[n - 1], cells[n]);
      } else {
        area.Refuse("squares", ErrorCode::kOutOfRange,
                    "each square of a road must be next to the one before");
      }
    }
  }

  // COL-7.3.
  void RefuseWeapon(TomlTable& unit, const StandType& type, int weapon) {
    std::string may;
    const std::vector<Weapon>& weapons = setup_.tables.weapons;
    for (std::size_t i = 0; i < weapons.size(); ++i)
      if (MayCarry(setup_.tables, type, static_cast<int>(i)))
        may += (may.empty() ? "`" : ", `") + weapons[i].id + "`";
    unit.Refuse("weapon", ErrorCode::kBadFormat,
                fmt::format("{} has no {}; give it {} (COL-7.3)", type.name,
                            KeyInWords(weapons[static_cast<std::size_t>(weapon)].id), may));
  }

  // COL-1.5, COL-2.1, COL-7.3.
  void ReadUnit(TomlTable& unit) {
    const Tables& book = setup_.tables;
    std::vector<std::string> kinds, cavalry, weapons;
    for (const StandType& type : book.types) {
      kinds.push_back(type.id);
      if (type.arm == Arm::kCavalry) cavalry.push_back(type.id);
    }
    for (const Weapon& weapon : book.weapons) weapons.push_back(weapon.id);
    StandInfo info;
    info.id = unit.Text("id");
    if (const auto square = ParseSquare(info.id); square && setup_.board.Contains(*square))
      unit.Refuse(
          "id", ErrorCode::kBadFormat,
          fmt::format("`{}` is also the name of a square: give the stand another id", info.id));
    info.side = field_.Side(unit);
    info.type = std::max(0, unit.Choice("kind", "kind of stand", kinds));
    const StandType& type = setup_.TypeAt(info.type);
    if (type.arm == Arm::kCavalry) info.mounted_type = info.type;
    if (type.id == "dismounted_cavalry") {
      const int mounted = unit.Choice("mounted", "kind of cavalry", cavalry);
      if (mounted >= 0) info.mounted_type = book.TypeOf(cavalry[static_cast<std::size_t>(mounted)]);
    }
    info.weapon = type.weapon;
    if (unit.Has("weapon")) {
      info.weapon = std::max(0, unit.Choice("weapon", "weapon", weapons));
      if (!MayCarry(book, type, info.weapon)) RefuseWeapon(unit, type, info.weapon);
    }
    if (type.arm == Arm::kCommand && unit.Has("rating"))
      info.rating = static_cast<Rating>(std::max(0, unit.Choice("rating", "rating", kRatings)));
    info.cell = field_.Square(unit, "square", unit.Text("square"));
    info.facing = field_.FacingOf(unit, info.side);
    const int stands = unit.Has("stands") ? unit.Integer("stands", {1, 2}) : 1;
    unit.NoOtherKeys();
    field_.TakeId(unit, info.id);
    const std::string id = info.id;
    for (int n = 1; n <= stands; ++n) {
      if (stands > 1) info.id = fmt::format("{}#{}", id, n);
      setup_.stands.push_back(info);
    }
  }

  // COL-3.1: the scenario decides who wins.
  void ReadVictory() {
    setup_.count_points = !setup_.objectives.empty();
    if (!root_.Has("victory")) return;
    auto victory = root_.Table("victory");
    if (!victory) return;
    setup_.count_points = victory->Flag("points", setup_.count_points);
    setup_.end_when_wiped_out = victory->Flag("wiped_out", true);
    victory->NoOtherKeys();
  }

  TomlTable root_;
  std::filesystem::path folder_;
  squares::FieldReader field_;
  Setup setup_;
};

}  // namespace

Result<std::shared_ptr<const Setup>> ReadGame(const std::filesystem::path& path) {
  Result<TomlFile> file = TomlFile::Read(path);
  if (!file.ok()) return file.error();
  GameReader reader(file.value().Root(), path.parent_path());
  auto setup = reader.Read(file.value());
  if (!setup.ok()) return setup;
  if (const auto why = WhyNoStart(*setup.value()))
    return Error{ErrorCode::kOutOfRange,
                 fmt::format("{}: {} ({})", path.string(), why->text, why->clause)};
  return setup;
}

}  // namespace fos::colonial
