// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/files/data_path.h"
#include "engine/files/toml_reader.h"
#include "engine/squares/dice_hits.h"
#include "engine/squares/melee_sums.h"

// The parts of the rules-table and rules-settings files that the de Gre/Sweet rule sets share.
namespace fos::sweet {

using namespace squares;

constexpr TomlRange kSquaresRange{0, 100};  // a move or range in squares
constexpr TomlRange kPointsRange{0, 1000};  // what a stand may cost or be worth
constexpr TomlRange kStandsRange{0, 100};

int Hundredths(double squares);
int Milli(double inches);
Sixteenths InSixteenths(double value);

// Columns of the fire table.
enum class FireColumn : std::uint8_t { kNear, kMiddle, kFar };

// By relative direction (DEF-10), eighths clockwise from the facing.
struct SupportType {
  std::string id;  // "A"
  std::array<bool, 8> allowed{};
  bool Any() const;
};

// NAP-2A, ANC-G2.
enum class FirstAttacker : std::uint8_t { kDieRoll, kScenario };

struct GridNumbers {
  double square_in = 4.0;
  int diagonal_cost = 150;  // hundredths of a square
  int road_bonus = 100;
};

using FireRow = std::array<squares::HitRule, 3>;  // by FireColumn
struct FireTable {
  std::array<int, 3> column_max{};                    // hundredths of a square
  std::vector<std::pair<std::string, FireRow>> rows;  // by target name
  FireColumn ColumnAt(int distance) const;
};

// What both sets' tables hold, over their own types.
template <typename UnitType, typename EquipmentType>
struct CommonTables : GridNumbers {
  std::string provenance;
  std::vector<UnitType> types;
  std::vector<EquipmentType> equipment;
  std::vector<SupportType> supports;
  FireTable fire_table;
  std::vector<FireRow> fire;  // by unit type, as a target
  CardTable cards{};
  MeleeNumbers melee;
  int circle_milli_in = 1000;  // thousandths of an inch

  FireColumn ColumnAt(int distance) const { return fire_table.ColumnAt(distance); }
  // -1 if there is none.
  int TypeOf(std::string_view id) const { return IndexOf(types, id); }
  int EquipmentOf(std::string_view id) const { return IndexOf(equipment, id); }

 private:
  template <typename Rows>
  static int IndexOf(const Rows& rows, std::string_view id) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i].id == id) return static_cast<int>(i);
    return -1;
  }
};

// A club's tables, with the shipped ones for what its file may leave out.
// read_over  (path, const Tables* shipped): shipped is nullptr if every table is required
template <typename Tables>
Result<Tables> ReadOverShipped(const std::filesystem::path& path, const std::string& shipped_file,
                               Result<Tables> (*read_over)(const std::filesystem::path&,
                                                           const Tables*)) {
  const auto shipped_path = FindData(shipped_file);
  if (!shipped_path.ok() || shipped_path.value() == path) return read_over(path, nullptr);
  const Result<Tables> shipped = read_over(shipped_path.value(), nullptr);
  return read_over(path, shipped.ok() ? &shipped.value() : nullptr);
}

void ReadRulesHead(TomlTable& root, const std::string& schema, const std::string& ruleset);
void ReadGrid(TomlTable& root, GridNumbers& out);
void ReadSupports(TomlTable& root, std::vector<SupportType>& out);
// targets  the names that a row may list.
void ReadFire(TomlTable& root, const std::vector<std::string>& targets, FireTable& out);
void ReadCards(TomlTable& root, CardTable& out);
// [annihilation] and [melee].
void ReadMeleeNumbers(TomlTable& root, MeleeNumbers& out);

// A named count, as army lists have them.
struct Count {
  std::string name;
  int count = 0;
};
// { name = count, ... }; empty when the key is missing.
std::vector<Count> ReadCounts(TomlTable& table, const std::string& key);

// One [group] of a settings file. A missing key leaves its setting unchanged.
class SettingsGroup {
 public:
  SettingsGroup(TomlTable& root, std::string_view name);
  ~SettingsGroup();
  SettingsGroup(const SettingsGroup&) = delete;
  SettingsGroup& operator=(const SettingsGroup&) = delete;

  void Flag(std::string_view key, bool& value);
  // True for the first name, false for the second.
  void Either(std::string_view key, const char* yes, const char* no, bool& value);
  template <typename Enum>
  void Choice(std::string_view key, const std::vector<std::string>& names, Enum& value) {
    if (!table_ || !table_->Has(key)) return;
    const int choice = table_->Choice(key, "choice", names);
    if (choice >= 0) value = static_cast<Enum>(choice);
  }
  void Integer(std::string_view key, TomlRange range, int& value);
  void Number(std::string_view key, TomlRange range, int& value, int (*unit)(double));
  // A list of dice faces as bits, bit 0 for face 1.
  void Faces(std::string_view key, std::uint8_t& value);

 private:
  std::optional<TomlTable> table_;
};

}  // namespace fos::sweet
