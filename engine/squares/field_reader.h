// SPDX-License-Identifier: MIT
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

// Reads the parts of a game scenario (docs/scripts.md) that every grid game has: board, sides,
// terrain, objectives, and references to squares, sides and facings.
namespace fos::squares {

class FieldReader {
 public:
  explicit FieldReader(TomlTable& root) : root_(root) {}

  // Call in this order, each once. square_in: the side of the rules' squares. A scenario may repeat
  // it but not change it.
  void ReadBoard(std::optional<double> square_in = std::nullopt);
  void ReadSides();
  void ReadTerrain();
  // [[projectile]] (contract, section 2.2): hit and touch radius by Projectile, in thousandths of
  // an inch. A radius the scenario does not give stays unchanged.
  void ReadProjectiles(std::array<int, 2>& circle_milli_in, std::array<int, 2>& touch_milli_in);
  void ReadObjectives();

  // The index of the side of that name; if there is none, refuses [scenario] and returns 0.
  int SideNamed(const std::string& name, std::string_view key);

  Cell Square(TomlTable& table, std::string_view key, const std::string& name);
  std::vector<Cell> SquaresOf(TomlTable& table, std::string_view key);
  int Side(TomlTable& table);
  // `facing`, or away from the side's baseline if it is not given.
  Facing FacingOf(TomlTable& table, int side);
  // Records the id of a unit or piece. Refuses one that is already used or that scripts cannot
  // name.
  void TakeId(TomlTable& table, const std::string& id);

  Board board{2, 2};
  std::optional<double> own_square_in;  // if the rules leave it to the scenario
  std::array<SideInfo, 2> sides;
  std::vector<CellTerrain> terrain;  // by cell
  std::vector<Objective> objectives;

 private:
  TomlTable& root_;
  std::vector<std::string> side_names_;
  std::vector<std::string> ids_;
};

// Reads the keys that units and equipment share: id, side, kind (one of `types`, called `what` in
// messages), square and facing.
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
