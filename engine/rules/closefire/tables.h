// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/files/club_rules.h"
#include "engine/table/result.h"

// The numbers of the rules (tables.toml) and the rulings clubs may change (settings.toml).
// Distances in yards, angles in degrees.
namespace fos::closefire {

// CF-2.7. The combat factor of a grade is Tables::grade[grade].
enum class Grade : std::int8_t { kA, kB, kC, kD, kE };
enum class Rank : std::int8_t { kBrigadier, kGeneral, kMarshal };
enum class RangeClass : std::int8_t { kHeavy, kField, kBattalion };

// CF-1.2: an average die has the faces 2, 3, 3, 4, 4, 5.
enum class Die : std::int8_t { kAverage, kD6 };
using DiceSet = std::vector<Die>;
// "avd+avd+d6" as scripts write it; an empty set is "0".
std::string DiceName(const DiceSet& dice);
// "2 AvD + 1 D6", for players.
std::string DiceInWords(const DiceSet& dice);
// errors  kBadFormat, with the form it should have.
Result<DiceSet> ParseDiceSet(std::string_view text);

// A range of whole numbers, both ends included.
struct Limits {
  int least = 0, most = 0;
  bool Contains(int n) const { return least <= n && n <= most; }
};
// A set of faces of a die: bit n for face n.
struct Faces {
  std::uint8_t bits = 0;
  bool Has(int face) const { return face >= 0 && face < 8 && (bits >> face & 1) != 0; }
};
struct GunRange {
  double maximum = 0, effective = 0, close = 0;
};
// CF-21.1, from the best result to the worst.
enum class Outcome : std::int8_t {
  kBreakthrough,
  kVictory,
  kSuccess,
  kInconclusive,
  kDrivenBack,
  kDefeat,
  kBreak
};
constexpr int kOutcomes = 7;
// The name in tables.toml: "driven_back". OutcomeWords is for players: "driven back".
std::string_view OutcomeName(Outcome outcome);
std::string OutcomeWords(Outcome outcome);
struct ResultRow {
  int least = 0;  // least difference for this result; unused in the last row
  int dp = 0;
  int dp_outrance_or_assault_column = 0;
  int casualties = 0;
  int casualties_cavalry_charged_foot = 0;
};

struct Tables {
  std::string source;
  std::array<int, 7> avd_from_d6{};  // what a D6 counts as, by its face from 1 to 6
  Faces avd;                         // the faces of an average die

  double yards_per_inch_small = 0, yards_per_inch_large = 0;
  // CF-2.2: width and depth, inches. A depth of 0: as deep as the model needs.
  std::array<double, 2> traditional_foot{}, traditional_cavalry{}, new_foot{}, new_foot_half{},
      new_cavalry{}, hussars{}, battalion_gun{}, other_gun{};
  double leader_base = 1;  // CF-1.3: the diameter of a leader's base, inches

  Limits battalion_bases, foot_unit_battalions, squadron_bases, cavalry_unit_squadrons;
  int foot_unit_bases_max = 0, brigade_units_max = 0;
  int encounter_battalions = 0, encounter_squadrons = 0, encounter_batteries = 0;

  struct {
    int stands_ratio_of = 0, stands_ratio_to = 0;  // 3:2
    int ab_units_ratio_max = 0;
    double fortification_yd = 0;
    int fortification_battalions = 0, fortification_squadrons = 0;
    int terrain_features_min = 0;
    double linear_obstacle_front_fraction_max = 0;
    double attacker_min_distance = 0, meeting_centre_distance = 0;
  } setup;

  std::array<int, 5> grade{};

  struct {
    std::array<int, 3> actions{}, actions_wounded{};
    std::array<double, 3> control_radius{};
    double move = 0, move_far = 0, far_distance = 0, lone_distance = 0;
    int inspire_max = 0;
    Faces hit_attached, hit_lone, killed, wounded;
  } leader;
  struct {
    int state_modifier = 0, low_max = 0, free_max = 0;
    double rear_line = 0, rear_line_deg = 0;
  } control;
  struct {
    double wood_town = 0, over_units_min = 0, beyond_unformed = 0;
  } visibility;
  struct {
    int limit_max = 0, manoeuvre_limit = 0;
    int redress_ab_not_in_combat = 0, redress_ab_stationary_extra = 0, redress_cd_stationary = 0,
        redress_e_stationary_not_under_fire = 0;
  } dp;
  struct {
    double radius = 0;
    int lower_rout_or_destroyed = 0, equal_higher_rout_or_destroyed = 0;
    int equal_higher_foot_retire = 0, general_or_marshal = 0, ride_through = 0, take_position = 0;
  } morale;
  struct {
    std::vector<DiceSet> foot, dismounted_dragoons, battalion_gun_unlimbered, cavalry,
        limbered_good, limbered_rough;
    DiceSet fast_foot, fast_cavalry;
    double per_die_inspired = 0, per_die_rough = 0, per_die_fast_initial = 0;
    double road = 0, road_far = 0, far_distance = 0, direction_deg = 0, stop_from_enemy = 0,
           stop_short_max = 0, gun_pivot_deg = 0;
    int pace_change_max = 0, road_counts_as_dice = 0;
  } move;
  struct {
    Faces good_line, rough_cavalry, rough_cavalry_further, rough_foot_line, rough_unlimbered_gun,
        rough_assault_column;
  } fatigue;
  struct {
    double near = 0, side_step_max = 0, mount_holder_within = 0, mount_holder_move = 0,
           gap_front_min_share = 0, unformed_spacing = 0, amalgamate_min_distance = 0;
    int wheel_dp_near = 0, formation_change_dp_near = 0, unlimber_dp = 0,
        unlimber_dp_under_fire = 0, obstacle_dp = 0, obstacle_dp_under_fire = 0,
        obstacle_hard_cavalry_dp = 0, obstacle_hard_cavalry_dp_under_fire = 0, about_face_dp = 0,
        side_step_stands = 0, mount_dp_under_fire = 0, pass_friends_dp = 0, gap_dp_near = 0,
        detached_min_bases = 0;
  } manoeuvre;
  std::array<GunRange, 3> gun_range{};  // by RangeClass
  GunRange musketry;                    // without an effective range
  struct {
    int heavy = 0, battalion = 0, per_dp = 0, beyond_effective = 0, indirect = 0,
        column_limbered_enfilade = 0, fortifications = 0, new_target = 0, same_target_and_range = 0;
    int close_one_dp = 0, close_two_dp = 0, far_one_dp = 0;
    double indirect_neighbour = 0, indirect_friend = 0, friends_safety = 0, arc_half_deg = 0;
    Faces indirect_other_hit, indirect_friend_hit;
  } gun;
  struct {
    int per_stand = 0, per_new_battalion = 0, per_dp = 0;
    Faces hit;
  } musket;
  double close_fire = 0;
  struct {
    double free_from = 0, stand_to_receive_beyond = 0, swedish_foot = 0;
    int evade_dp = 0;
  } charge;
  struct {
    int inspire_each = 0, inspire_max = 0, ground = 0, fieldworks = 0, fortifications = 0,
        charging_or_pursuing = 0, outrance_or_pursuing = 0, depth = 0, reserved_fire = 0,
        unready = 0, flank = 0, order = 0, each_loss = 0, outnumbered = 0, outnumbered_2 = 0,
        outnumbered_3 = 0;
  } combat;
  // Counts of bases in hundredths: a dismounted dragoon base counts 50.
  struct {
    int cavalry_overlap_each_flank = 0;
    double other_distance = 0, other_flank_deg = 0;
    int pike_vs_cavalry = 0, pike_front_of_assault_column = 0, pike_otherwise = 0,
        dismounted_dragoons = 0;
    std::array<int, 4> assault_advancing_ranks{};
  } numbers;
  std::array<ResultRow, kOutcomes> results{};
  struct {
    int decline_pursuit_dp_cavalry = 0, retire_blocked_dp = 0, rout_blocked_casualties = 0,
        rout_step_casualties = 0;
    double rout_stop_from_enemy = 0, surrender_within = 0, ride_through_support = 0,
           ride_through_halt = 0, retire_deg = 0;
    Faces hack_hit;
  } after;
  struct {
    double no_formed_enemy_within = 0, crew_shelter_distance = 0;
    int drive_off_bases = 0;
  } guns;
};

// The rulings of settings.toml; the members follow its keys.
struct Settings {
  double yards_per_inch = 20;
  bool avd_from_d6 = false;
  double contact_gap_yd = 2;
  double close_call_yd = 1;
  bool arc_any_part = true;             // false: the target's centre
  bool under_fire_when_shot_at = true;  // false: only if it took a DP
  bool in_combat_now = true;            // false: for the whole turn
  int battery_dp_limit = 3;
  RangeClass howitzer_range = RangeClass::kField;
  bool blinds = false;
  bool listen_costs_action = true;
  bool steadied_may_countercharge = true;
  double order_note_yd = 240;
  bool line_contact_transitive = true;
  bool combat_exempt_from_control = true;
  bool control_after_roll = true;       // false: the player chooses before the roll
  bool failed_charge_same_dice = true;  // false: the player chooses the dice
  bool repeat_may_charge = false;
  int lone_leader_dice = 1;
  int sight_points = 5;  // 1: only the target's centre
  bool guns_block_sight = false;
  double wood_edge_yd = 20;
  bool sight_mutual = true;
  bool trim_dp = false;
  bool manoeuvre_dp_accumulates = true;  // false: none beyond the number of bases
  bool morale_event_once = true;
  bool casualty_removes_base = true;  // false: the base is only marked
  bool initiative_tie_reroll = true;
  bool initiative_roll_winner = true;  // false: the side that moves first
  double line_bend_deg = 45;
  bool assault_column_needs_objective = true;
  bool double_optional = true;
  bool limbered_rough_minus10 = false;
  double unlimbered_gun_move_yd = 20;
  bool charge_obeys_pace = true;
  bool cavalry_rough_four = true;
  bool wheel_arc = true;  // false: measured along the chord
  enum class GapHalf : std::int8_t { kFoot, kAll, kNone } gap_half_move = GapHalf::kFoot;
  bool close_enemy_blocks_musketry = true;
  bool first_shot_new = true;
  double same_range_tolerance_yd = 10;
  double enfilade_half_angle_deg = 22.5;
  bool indirect_needs_spotter = true;
  bool command_stand_per_battalion = true;  // false: one command stand per unit
  bool countercharge_is_charge = true;
  bool swedish_charge = false;
  bool swedish_extra_dp = false;
  bool close_fire_any = true;         // false: only if the foot itself advanced
  bool outrance_cavalry_only = true;  // false: against all but foot
  bool dragoons_reserved_fire = false;
  bool dragoons_are_foot_targets = true;
  bool truncate_difference = true;  // false: each side's average is rounded half up
  bool gun_result_replaces_losses = true;
  bool rout_unpursued_costs = false;  // true: it takes a casualty in its own phase as well
  int reinforcement_first = 5;
};

// errors  as TomlFile's, naming the key.
Result<Tables> ReadTables(const std::filesystem::path& path);
// Missing keys keep the values of `defaults`.
Result<Settings> ReadSettings(const std::filesystem::path& path, const Settings& defaults);
// Reads tables and settings: the club's own files, or those shipped with the program (data_path.h).
Result<ClubRules<Tables, Settings>> ReadRules(const ClubFiles& club);

}  // namespace fos::closefire
