// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/files/club_rules.h"
#include "engine/squares/geometry.h"
#include "engine/table/result.h"

// The numbers of the rules (tables.toml) and the rulings clubs may change (settings.toml). Costs
// and allowances are in hundredths of a square, lengths in millimetres, points in hundredths:
// integers, so play never rounds.
namespace fos::colonial {

using squares::kWhole;

inline constexpr double kMillimetresPerInch = 25.4;

enum class Arm : std::uint8_t {
  kInfantry,
  kCavalry,
  kArtillery,
  kMachineGun,
  kTransport,
  kCommand
};

// COL-1.5, COL-2.1, COL-5.1.
struct StandType {
  std::string id;
  std::string name;  // as players say it, in lower case: "field artillery"
  Arm arm = Arm::kInfantry;
  int value = 0;  // 0: as its General (Command stand) or mounted type (dismounted cavalry)
  int move = 0;
  int width_mm = 0, depth_mm = 0;
  int weapon = 0;  // index into Tables::weapons, unless the roster names one
  // From the settings foot_types (COL-5.6), artillery_types (COL-5.5, 7.6) and cavalry_bonus_vs
  // (COL-8.6).
  bool foot = false;
  bool keeps_distance = false;
  bool open_to_cavalry = false;
};
struct Weapon {
  std::string id;
  int range = 0;  // squares
};

enum class Rating : std::uint8_t { kPoor, kAverage, kExceptional };
constexpr int kRatings = 3;

// COL-9: comparisons of the two scores; the first match decides.
enum class Outcome : std::uint8_t { kIneffective, kTie, kDestroyed, kWithdraw };
constexpr int kOutcomes = 4;
// left_times * one score compared with right_times * one score.
struct Comparison {
  int left_times = 1, right_times = 1;
  bool left_initiator = true, right_initiator = false;
  std::string sign;  // < <= == >= >
};

struct Tables {
  std::string source;
  int square_mm = 0;
  int least_columns = 0, least_rows = 0;
  std::vector<std::array<int, 2>> recommended;  // columns, rows
  int combat_faces = 0;
  int army_dice = 0, army_faces = 0;
  int agreed_points = 0;
  int agreed_cap = 0;                          // points on four-point stands
  int section_mm = 0, section_hundredths = 0;  // entrenchments
  std::array<Rating, 6> general{};             // by D6 face, 1 first
  std::array<int, kRatings> general_value{};
  std::vector<StandType> types;
  std::vector<Weapon> weapons;
  // Modifiers. A flag adds the stand's or the General's own value.
  int fire_own_value = 1, fire_command = 1, fire_artillery_adjacent = 0, fire_cover = 0;
  int close_own_value = 1, close_command = 1, support_adjacent = 0, support_same_square = 0,
      flank_or_rear = 0, cavalry_in_open = 0, downhill = 0, close_cover = 0;
  std::vector<std::pair<Outcome, Comparison>> results;
  int withdraw_most = 0;
  int withdraw_turns = 1;  // eighths of a circle to either side of straight back

  // -1 if there is none of that name.
  int TypeOf(std::string_view id) const;
  int WeaponOf(std::string_view id) const;
};

enum class Enforcement : std::uint8_t { kWarn, kRefuse, kOff };
enum class RollTwo : std::uint8_t { kPoor, kAverage, kReroll };
enum class MountCost : std::uint8_t { kWholeMove, kFree, kForbidden };

// What can lie along an edge of a square or give cover.
enum EdgeBit : std::uint8_t {
  kWall = 1,
  kHedge = 2,
  kFence = 4,
  kFordEdge = 8,
  kStreamEdge = 16,
  kTrenchEdge = 32,
  kEntrenchment = 64
};
constexpr std::uint8_t kVertical = kWall | kHedge | kFence;
constexpr std::uint8_t kHorizontal = kFordEdge | kStreamEdge | kTrenchEdge | kEntrenchment;
constexpr std::uint8_t kAnyObstacle = kVertical | kHorizontal;
struct Cover {
  std::uint8_t edges = 0;  // EdgeBits
  bool wood = false;
  bool built_up = false;
};

struct Settings {
  bool king_distance = true;
  bool king_adjacency = true;
  double grid_line_doubt_mm = 2;
  bool fit_by_depth = true;
  double terrain_cover_fraction = 0.5;
  double stand_size_tolerance_mm = 3;
  int facing_steps = 4;
  double facing_doubt_deg = 5;
  Enforcement points_enforcement = Enforcement::kWarn;
  int guard_share_percent = 33;
  int command_stands = 1;
  bool sections_up = true;
  RollTwo roll_two = RollTwo::kPoor;
  int max_turns = 12;
  bool command_needs_activation = true;
  bool pair_may_split = true;
  bool split_move = false;
  bool move_after_own_withdrawal = false;
  int diagonal_step_cost = kWhole;
  int contour_cost = kWhole;
  int road_bonus = kWhole;
  int facing_change_cost = 0;
  int obstacle_cross_cost = 0;
  std::vector<std::string> artillery_types, foot_types, cavalry_bonus_vs;
  int withdraw_clear_gap = 1;
  int withdraw_least = 1;
  bool withdraw_off_table_destroys = true;
  bool withdraw_keeps_facing = true;
  MountCost mount = MountCost::kWholeMove;
  bool initiation_at_the_moment = true;
  bool pair_target_by_side = true;
  bool stands_block_sight = true;
  std::string transport_weapon = "none";
  std::string command_weapon = "handheld";
  bool command_same_square = true;
  Cover fire_cover{kWall | kEntrenchment, true, false};
  Cover close_cover{kWall | kEntrenchment, false, false};
  bool entrenchment_by_edge = true;
  bool close_needs_front_arc = false;
  bool exact_type = true;
  bool exact_half_withdraws = true;
};

// errors  as TomlFile's, and kOutOfRange for an impossible number.
Result<Tables> ReadTables(const std::filesystem::path& path);
// Missing keys keep the values of `defaults`.
Result<Settings> ReadSettings(const std::filesystem::path& path, const Settings& defaults);
// Reads tables and settings: the club's own files, or those shipped with the program (data_path.h).
Result<ClubRules<Tables, Settings>> ReadRules(const ClubFiles& club);
// COL-7.3: may the roster give a stand of this type the weapon? Guns go with their kind of artillery,
// small arms with foot and horse; transport and Command stands have those of the settings. A club's
// own weapons go with any other stand.
bool MayCarry(const Tables& tables, const StandType& type, int weapon);
// Copies the type lists and weapons of the settings into the tables.
// errors  kBadFormat: an unknown type or weapon, with the nearest name.
Status Settle(Tables& tables, const Settings& settings);

Outcome OutcomeOf(const Tables& tables, const Settings& settings, int initiator, int enemy);
std::string_view RatingName(Rating rating);
std::string_view OutcomeName(Outcome outcome);

}  // namespace fos::colonial
