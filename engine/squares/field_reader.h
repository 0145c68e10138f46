#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/files/toml_reader.h"
#include "engine/squares/terrain.h"

// The parts of a game scenario (docs/scripts.md) that every game on a grid has: board, sides,
// terrain, objectives, and how squares, sides and facings are written.
namespace fos::squares {

class FieldReader {
 public:
  explicit FieldReader(TomlTable& root) : root_(root) {}

  // In this order, each once. square_in: the side the rules' squares have, where a scenario may
  // repeat it; another is refused.
  void ReadBoard(std::optional<double> square_in = std::nullopt);
  void ReadSides();
  void ReadTerrain();
  // [[projectile]] (contract, section 2.2): the circle about the point that counts and how near is
  // touching, by Projectile, thousandths of an inch; what the scenario does not say stays.
  void ReadProjectiles(std::array<int, 2>& circle_milli_in, std::array<int, 2>& touch_milli_in);
  void ReadObjectives();

  // The index of a side by its name; 0 (and a refusal at [scenario]) when there is none.
  int SideNamed(const std::string& name, std::string_view key);

  Cell Square(TomlTable& table, std::string_view key, const std::string& name);
  std::vector<Cell> SquaresOf(TomlTable& table, std::string_view key);
  int Side(TomlTable& table);
  // Away from the side's home edge where none is given.
  Facing FacingOf(TomlTable& table, int side);
  // Notes an id of a unit or piece; refuses one that is taken or that scripts could not name.
  void TakeId(TomlTable& table, const std::string& id);

  Board board{2, 2};
  std::optional<double> own_square_in;  // where the scenario has its own and may
  std::array<SideInfo, 2> sides;
  std::vector<CellTerrain> terrain;  // by cell
  std::vector<Objective> objectives;

 private:
  TomlTable& root_;
  std::vector<std::string> side_names_;
  std::vector<std::string> ids_;
};

// What a unit and a piece of equipment are both given: id, side, kind (one of `types`, `what` they
// are called), square and facing.
template <typename Info, typename Types>
Info ReadPlaced(TomlTable& table, FieldReader& field, const Types& types, const char* what) {
  Info out;
  out.id = table.Text("id");
  field.TakeId(table, out.id);
  out.side = field.Side(table);
  std::vector<std::string> kinds;
  for (const auto& type : types) kinds.push_back(type.id);
  out.type = std::max(0, table.Choice("kind", what, kinds));
  out.cell = field.Square(table, "square", table.Text("square"));
  out.facing = field.FacingOf(table, out.side);
  return out;
}

}  // namespace fos::squares
