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

// The rule book's numbers (catalogue, sections 2 and 7) and the club rulings (section 8), from
// TOML.
namespace fos::ancient {

using squares::CapturedPoints, squares::Card, squares::CardName, squares::CardResult,
    squares::kCardKinds, squares::Sixteenths, sweet::Count, sweet::FireColumn, sweet::FirstAttacker,
    sweet::SupportType;

enum class Arm : std::uint8_t { kInfantry, kCavalry, kChariot, kElephant, kCrew, kCommander };
constexpr bool IsMounted(Arm arm) {
  return arm == Arm::kCavalry || arm == Arm::kChariot || arm == Arm::kElephant;
}

struct UnitType {
  std::string id;      // as in files: "light_infantry"
  std::string name;    // "Light infantry"
  std::string kind;    // inside a sentence: "light infantry", "Roman velites"
  std::string family;  // selects the missile row and light-troop rights
  Arm arm = Arm::kInfantry;
  int move = 0;   // hundredths of a square
  int range = 0;  // hundredths of a square; 0: no missiles
  Sixteenths melee = 0;
  Sixteenths melee_charging = 0;  // into the contact square; as `melee` where the row has none
  Sixteenths melee_reduced = 0;   // with few stands left (the phalanx)
  int melee_reduced_at = 0;
  int dice_per_stand = 1;
  int support = 0;  // index into Tables::supports
  int points = 0;   // per stand
  int stands = 0;   // of a complete unit
  bool special = false;
  bool shielded = false;  // always_protected_from = "missiles" (ANC-F4)
  bool may_separate = false;
  bool must_retreat_alone = false;  // ANC-M1
  bool bars_cavalry = false;        // ANC-H7
};

struct EquipmentType {
  std::string id;
  std::string name;
  int move = 0;   // hundredths of a square
  int range = 0;  // hundredths of a square
  int points = 0;
  int crew = 0;  // index into Tables::types: the unit that comes with it in an army list
};

// ANC-L.
struct ArmyList {
  std::string name;
  int stated_points = 0;
  int computed_points = 0;
  std::vector<Count> units;      // unit type ids, complete units
  std::vector<Count> catapults;  // equipment type ids, each with its crew
};

struct Tables : sweet::CommonTables<UnitType, EquipmentType> {
  std::array<bool, 6> may_man{};  // by Arm
  struct {
    int catapults = 0, crew = 0, commanders = 0;
  } stacking;
  struct {
    int later_unit = 0, protection = 0;
  } missiles;
  int bars_cavalry_stands = 0;
  std::vector<ArmyList> armies;
};

// Section 8, and the Napoleonic keys where it gives none. The names follow the keys.
struct Settings : sweet::CommonSettings {
  int end_time_extra_moves = 1;
  std::uint8_t stationary_faces = 1 << 4 | 1 << 5;  // bit 0 is face 1
  int run_down_max = 0;                             // 0: no limit
  bool axle_segment = true;                         // false: its midpoint
  bool landing_must_be_valid = false;
  bool shields_only_missiles = true;  // false: also against catapults
  bool beside_supported_unit = true;  // false: at the supporter's own side
  bool coin_always = true;
  Sixteenths protected_attack_penalty = squares::kPoint;
  bool revalue_at_once = true;   // false: in the next melee
  bool unmanned_counts = false;  // a catapult without a stand of its owner scores for him
  bool lists_computed = true;    // false: no check
};

// errors  as TomlFile's, and kBadFormat for a missing row, card or type, with the key.
Result<Tables> ReadTables(const std::filesystem::path& path);
// Missing keys keep the values of `defaults`.
Result<Settings> ReadSettings(const std::filesystem::path& path, const Settings& defaults);
// The tables and the settings: the club's own, or the shipped ones (data_path.h) where `club` names
// none.
Result<ClubRules<Tables, Settings>> ReadRules(const ClubFiles& club);

}  // namespace fos::ancient
