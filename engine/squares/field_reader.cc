// SPDX-License-Identifier: MIT
#include "engine/squares/field_reader.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace fos::squares {
namespace {

constexpr TomlRange kBoardSide{2, 100};  // squares; Cell is 16 bits wide
const std::vector<std::string> kFacingNames = {"N", "NE", "E", "SE", "S", "SW", "W", "NW"};
const std::vector<std::string> kHomeNames = {"north", "south", "east", "west"};
constexpr std::array<Facing, 4> kHomes = {Facing::kNorth, Facing::kSouth, Facing::kEast,
                                          Facing::kWest};

}  // namespace

void FieldReader::ReadBoard(std::optional<double> square_in) {
  if (auto table = root_.Table("board")) {
    board = {table->Integer("columns", kBoardSide), table->Integer("rows", kBoardSide)};
    // A side may be rounded a little, as people write it.
    constexpr double kRounding_in = 0.04;
    if (square_in && table->Has("square") &&
        std::abs(table->Number("square", {0.25, 48}) - *square_in) > kRounding_in)
      table->Refuse("square", ErrorCode::kOutOfRange,
                    fmt::format("these rules use squares of {:.4f} in", *square_in));
    if (!square_in && table->Has("square")) own_square_in = table->Number("square", {0.1, 100});
    table->NoOtherKeys();
  }
  // A refused number reads as zero; keep the board large enough for the code below.
  board = {std::max(2, board.columns), std::max(2, board.rows)};
  terrain.resize(static_cast<std::size_t>(board.Cells()));
}

void FieldReader::ReadSides() {
  std::vector<TomlTable> tables = root_.Tables("side");
  if (tables.size() != 2) {
    root_.Refuse("side", ErrorCode::kBadFormat, "the game needs two [[side]] tables");
    return;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    sides[i].name = tables[i].Text("name");
    if (tables[i].Has("paint")) tables[i].Paint("paint");  // used by camera scenarios only
    const int home = tables[i].Choice("baseline", "edge", kHomeNames);
    sides[i].home = kHomes[static_cast<std::size_t>(std::max(0, home))];
    tables[i].NoOtherKeys();
    side_names_.push_back(sides[i].name);
  }
}

int FieldReader::SideNamed(const std::string& name, std::string_view key) {
  for (std::size_t i = 0; i < side_names_.size(); ++i)
    if (side_names_[i] == name) return static_cast<int>(i);
  root_.Refuse("scenario", ErrorCode::kBadFormat,
               fmt::format("`{}` is `{}`, which is not a side", key, name));
  return 0;
}

Cell FieldReader::Square(TomlTable& table, std::string_view key, const std::string& name) {
  const auto index = ParseSquare(name);
  if (index && board.Contains(*index)) return board.At(*index);
  table.Refuse(key, ErrorCode::kOutOfRange, NotASquare(name, board.columns, board.rows));
  return 0;
}

std::vector<Cell> FieldReader::SquaresOf(TomlTable& table, std::string_view key) {
  std::vector<Cell> out;
  for (const std::string& name : table.Texts(key)) out.push_back(Square(table, key, name));
  return out;
}

void FieldReader::ReadTerrain() {
  for (TomlTable& area : root_.Tables("terrain")) {
    const std::string type = area.Text("type");
    CellTerrain agreed = UsualTerrain(type);
    // NAP-6B: the players' agreement about this feature.
    agreed.protection = area.Flag("protected", agreed.protection);
    agreed.inflammable = area.Flag("inflammable", agreed.inflammable);
    agreed.impassable = area.Flag("impassable", agreed.impassable);
    agreed.water = area.Flag("water", agreed.water);
    agreed.move_cost =
        static_cast<int>(std::lround(area.Number("move_cost", {0, 100}, 0) * kWhole));
    if (area.Has("extra_dice")) agreed.extra_dice = area.Integer("extra_dice", {-20, 20});
    if (area.Has("melee_reduction"))
      agreed.melee_reduction =
          static_cast<Sixteenths>(std::lround(area.Number("melee_reduction", {0, 1000}) * kPoint));
    const std::vector<Cell> cells = SquaresOf(area, "squares");
    area.NoOtherKeys();
    for (const Cell cell : cells) Merge(terrain[static_cast<std::size_t>(cell)], agreed);
    // NAP-2D, ANC-V1: each square joins the next.
    if (type == "road" && !LinkRoad(board, terrain, cells))
      area.Refuse("squares", ErrorCode::kOutOfRange,
                  "each square of a road must be next to the one before it");
  }
}

// NAP-3F, ANC-C4.
void FieldReader::ReadProjectiles(std::array<int, 2>& circle_milli_in,
                                  std::array<int, 2>& touch_milli_in) {
  constexpr TomlRange kRadius_in{0, 24};
  for (TomlTable& table : root_.Tables("projectile")) {
    const auto which = static_cast<std::size_t>(
        std::max(0, table.Choice("type", "projectile", {"qtip", "shell"})));
    const auto milli = [&](const char* key, int known) {
      return static_cast<int>(std::lround(table.Number(key, kRadius_in, known / 1000.0) * 1000));
    };
    circle_milli_in[which] = milli("hit_radius", circle_milli_in[which]);
    touch_milli_in[which] = milli("touch_radius", touch_milli_in[which]);
    // Its looks matter to the camera only.
    for (const char* size : {"length", "diameter", "size"}) table.Number(size, kRadius_in, 0);
    for (const char* paint : {"tip_paint", "body", "mark"})
      if (table.Has(paint)) table.Paint(paint);
    table.NoOtherKeys();
  }
}

// NAP-12, NAP-BEA, ANC-M4: objectives agreed before the game, such as garrisons.
void FieldReader::ReadObjectives() {
  for (TomlTable& table : root_.Tables("objective")) {
    Objective objective;
    objective.name = table.Text("name");
    objective.points = table.Integer("points", {0, 100000});
    objective.cells = SquaresOf(table, "squares");
    table.NoOtherKeys();
    objectives.push_back(objective);
  }
}

int FieldReader::Side(TomlTable& table) {
  return std::max(0, table.Choice("side", "side", side_names_));
}

Facing FieldReader::FacingOf(TomlTable& table, int side) {
  if (table.Has("facing"))
    return static_cast<Facing>(std::max(0, table.Choice("facing", "facing", kFacingNames)));
  return Opposite(sides[static_cast<std::size_t>(side)].home);
}

void FieldReader::TakeId(TomlTable& table, const std::string& id) {
  if (std::find(ids_.begin(), ids_.end(), id) != ids_.end())
    table.Refuse("id", ErrorCode::kBadFormat,
                 "`" + id + "` is used twice; every id must be unique");
  if (id.find_first_of(" #") != std::string::npos)
    table.Refuse("id", ErrorCode::kBadFormat, "`" + id + "`: an id may not contain a space or #");
  ids_.push_back(id);
}

}  // namespace fos::squares
