// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/files/club_rules.h"
#include "engine/rules/sweet/settings.h"
#include "engine/rules/sweet/tables.h"
#include "engine/squares/casualties.h"
#include "engine/squares/dice_hits.h"
#include "engine/squares/geometry.h"
#include "engine/squares/melee_sums.h"
#include "engine/squares/queries.h"
#include "engine/table/result.h"

// The rule book's numbers (catalogue, section 3) and the club rulings (section 13), read from TOML.
namespace fos::napoleonic {

using squares::CapturedPoints, squares::Card, squares::CardName, squares::CardResult,
    squares::kCardKinds, squares::Sixteenths, sweet::Count, sweet::FireColumn, sweet::FirstAttacker,
    sweet::SupportType;

enum class Arm : std::uint8_t { kInfantry, kCavalry, kArtillery, kCommander };
enum class Arc : std::uint8_t { kNone, kAhead, kCone45 };

struct UnitType {
  std::string id;    // as in files: "line_infantry"
  std::string name;  // "Line infantry"
  std::string kind;  // inside a sentence: "line infantry"
  Arm arm = Arm::kInfantry;
  int move = 0;   // hundredths of a square
  int range = 0;  // hundredths of a square
  Sixteenths melee = 0;
  Arc arc = Arc::kNone;
  int support = 0;  // index into Tables::supports
  int points = 0;   // per stand
  int stands = 0;   // of a complete unit
  bool guards = false;
  bool may_separate = false;
  bool may_form_square = false;
  bool one_stand_retreat = false;
};

enum class EquipmentRole : std::uint8_t { kFootGun, kHorseGun, kWagon };
struct EquipmentType {
  std::string id;
  std::string name;
  EquipmentRole role = EquipmentRole::kFootGun;
  int move = 0;  // hundredths of a square
  int points = 0;
};

// The kinds of gun shot. kEither occurs only in a battery's row.
enum class ShotKind : std::uint8_t { kField, kHowitzer, kHorse };

struct BatteryRow {
  int guns = 0;
  bool wagon = false;
  int field = 0;
  int howitzer = 0;
  int either = 0;
};

// NAP-ORG: the contents of a formation of the army list.
struct Organisation {
  std::string name;
  std::vector<Count> stands;     // unit type ids, by stand
  std::vector<Count> equipment;  // equipment type ids
  std::vector<Count> units;      // unit type ids, complete units
  std::vector<Count> batteries;  // names of other organisations
  int points = 0;
};

struct Tables : sweet::CommonTables<UnitType, EquipmentType> {
  std::array<int, 3> gun_range{};      // by ShotKind, hundredths of a square
  std::array<int, 3> canister_dice{};  // by ShotKind
  std::vector<BatteryRow> battery_rows;
  std::vector<Organisation> organisations;

  struct {
    int guns = 0, wagons = 0, crew = 0, commanders = 0;
  } stacking;
  int defender_turns = 2;  // eighths of a circle
  struct {
    int per_stand = 0, guards = 0, commander = 0, later_unit = 0, protection = 0;
  } musketry;
  int canister_protection = 0;
  struct {
    int dice = 0, face = 0, retreat = 0;
  } burning;
  int square_stands_per_side = 1;
};

std::string_view ShotKindName(ShotKind kind);

// Section 13. The names follow the keys.
struct Settings : sweet::CommonSettings {
  bool one_stand_per_gun = true;
  bool must_limber_to_move = true;
  bool artillery_with_unit = true;
  bool shooter_chooses = true;  // false: the nearest stand
  bool gun_hit_extra_stand = false;
  bool overrange_counts = true;
  bool out_of_arc_counts = true;
  bool aim_declared = true;
  bool held_if_passed = true;  // false: the enemy must end its move there
  bool canister_later_unit_bonus = false;
  bool directional_support = true;  // false: yes_no
  bool cavalry_wheel_limit = true;
  bool coin_always = false;
  Sixteenths protected_reduction = squares::kPoint;
  bool superior_carries = true;
  bool equal_keeps_own = true;
  bool burning_unmanned_lost = true;
  bool burnt_bridge_normal = true;   // false: it is water again
  bool square_facing_stands = true;  // false: all of them fire
  int square_form_from = 1;
  bool all_cavalry_exempt = false;
  bool artillery_by_side = true;  // false: by battery
};

// errors  as TomlFile's, and kBadFormat for a missing row, card or type, with the key.
Result<Tables> ReadTables(const std::filesystem::path& path);
// Missing keys keep the values of `defaults`.
Result<Settings> ReadSettings(const std::filesystem::path& path, const Settings& defaults);
// The tables and the settings: the club's own, or the shipped ones (data_path.h) where `club` names
// none.
Result<ClubRules<Tables, Settings>> ReadRules(const ClubFiles& club);

}  // namespace fos::napoleonic
