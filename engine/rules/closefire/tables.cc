// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/tables.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/files/toml_reader.h"
#include "engine/table/sentence.h"

namespace fos::closefire {
namespace {

constexpr TomlRange kYards{0, 5000};  // a long table is 2,400 yd at 20 yd to the inch
constexpr TomlRange kDegrees{0, 180};
constexpr TomlRange kFactor{-20, 20};
constexpr TomlRange kCount{0, 100};
constexpr TomlRange kFace{1, 6};

int Whole(TomlTable& t, std::string_view key) { return t.Integer(key, kCount); }
int Factor(TomlTable& t, std::string_view key) { return t.Integer(key, kFactor); }
double Yards(TomlTable& t, std::string_view key) { return t.Number(key, kYards); }
int Hundredths(TomlTable& t, std::string_view key) {
  return static_cast<int>(std::lround(t.Number(key, {0, 10}) * 100));
}

Faces ReadFaces(TomlTable& t, std::string_view key) {
  Faces faces;
  for (const int face : t.Integers(key, kFace))
    faces.bits = static_cast<std::uint8_t>(faces.bits | 1 << face);
  return faces;
}

Limits ReadLimits(TomlTable& t, std::string_view key) {
  const std::vector<int> both = t.Integers(key, {1, 100});
  if (both.size() == 2 && both[0] <= both[1]) return {both[0], both[1]};
  t.Refuse(key, ErrorCode::kBadFormat, "write the minimum and the maximum, for example [3, 5]");
  return {1, 100};
}

std::array<double, 2> ReadBase(TomlTable& t, std::string_view key) {
  const Vec2 size = t.Point(key, {0.1, 10}, {0, 10});
  return {size.x, size.y};
}

DiceSet ReadDice(TomlTable& t, std::string_view key, const std::string& text) {
  const Result<DiceSet> dice = ParseDiceSet(text);
  if (dice.ok()) return dice.value();
  t.Refuse(key, ErrorCode::kBadFormat, dice.error().message);
  return {Die::kAverage};
}

std::vector<DiceSet> ReadDiceSets(TomlTable& t, std::string_view key) {
  std::vector<DiceSet> out;
  for (const std::string& text : t.Texts(key)) out.push_back(ReadDice(t, key, text));
  return out;
}

template <typename Values, typename Read>
void ReadByRank(TomlTable& t, std::string_view key, Values& values, Read read) {
  auto row = t.Table(key);
  if (!row) return;
  values = {read(*row, "brigadier"), read(*row, "general"), read(*row, "marshal")};
  row->NoOtherKeys();
}

// Calls f with the table, then refuses keys that f did not read.
template <typename F>
void In(TomlTable& root, std::string_view key, F f) {
  auto table = root.Table(key);
  if (!table) return;
  f(*table);
  table->NoOtherKeys();
}

void ReadArmies(TomlTable& root, Tables& out) {
  In(root, "dice", [&](TomlTable& t) {
    out.avd = ReadFaces(t, "avd");
    const std::vector<int> map = t.Integers("avd_from_d6", kFace);
    if (map.size() != 6)
      t.Refuse("avd_from_d6", ErrorCode::kBadFormat,
               "write six numbers: what each face from 1 to 6 counts as");
    for (std::size_t i = 0; i < std::min<std::size_t>(6, map.size()); ++i)
      out.avd_from_d6[i + 1] = map[i];
  });
  In(root, "scale", [&](TomlTable& t) {
    out.yards_per_inch_small = t.Number("yards_per_inch_small", {1, 100});
    out.yards_per_inch_large = t.Number("yards_per_inch_large", {1, 100});
  });
  In(root, "base", [&](TomlTable& t) {
    out.traditional_foot = ReadBase(t, "traditional_foot");
    out.traditional_cavalry = ReadBase(t, "traditional_cavalry");
    out.new_foot = ReadBase(t, "new_foot");
    out.new_foot_half = ReadBase(t, "new_foot_half");
    out.new_cavalry = ReadBase(t, "new_cavalry");
    out.hussars = ReadBase(t, "hussars");
    out.battalion_gun = ReadBase(t, "battalion_gun");
    out.other_gun = ReadBase(t, "other_gun");
    if (t.Has("leader")) out.leader_base = t.Number("leader", {0.1, 10});
  });
  In(root, "organisation", [&](TomlTable& t) {
    out.battalion_bases = ReadLimits(t, "battalion_bases");
    out.foot_unit_battalions = ReadLimits(t, "foot_unit_battalions");
    out.foot_unit_bases_max = Whole(t, "foot_unit_bases_max");
    out.squadron_bases = ReadLimits(t, "squadron_bases");
    out.cavalry_unit_squadrons = ReadLimits(t, "cavalry_unit_squadrons");
    out.brigade_units_max = Whole(t, "brigade_units_max");
    out.encounter_battalions = Whole(t, "encounter_battalions");
    out.encounter_squadrons = Whole(t, "encounter_squadrons");
    out.encounter_batteries = Whole(t, "encounter_batteries");
  });
  In(root, "setup", [&](TomlTable& t) {
    const std::vector<int> ratio = t.Integers("attack_stands_ratio", {1, 100});
    if (ratio.size() != 2)
      t.Refuse("attack_stands_ratio", ErrorCode::kBadFormat,
               "write two numbers, for example [3, 2]");
    out.setup.stands_ratio_of = ratio.empty() ? 1 : ratio.front();
    out.setup.stands_ratio_to = ratio.empty() ? 1 : ratio.back();
    out.setup.ab_units_ratio_max = Whole(t, "attack_ab_units_ratio_max");
    out.setup.fortification_yd = t.Number("fortification_yd", {1, 5000});
    out.setup.fortification_battalions = Whole(t, "fortification_battalions");
    out.setup.fortification_squadrons = Whole(t, "fortification_squadrons");
    out.setup.terrain_features_min = Whole(t, "terrain_features_min");
    out.setup.linear_obstacle_front_fraction_max =
        t.Number("linear_obstacle_front_fraction_max", {0, 1});
    out.setup.attacker_min_distance = Yards(t, "attacker_min_distance");
    out.setup.meeting_centre_distance = Yards(t, "meeting_centre_distance");
  });
  In(root, "grade", [&](TomlTable& t) {
    out.grade = {Factor(t, "A"), Factor(t, "B"), Factor(t, "C"), Factor(t, "D"), Factor(t, "E")};
  });
}

void ReadCommand(TomlTable& root, Tables& out) {
  In(root, "leader", [&](TomlTable& t) {
    ReadByRank(t, "actions", out.leader.actions, Whole);
    ReadByRank(t, "actions_wounded", out.leader.actions_wounded, Whole);
    ReadByRank(t, "control_radius", out.leader.control_radius, Yards);
    out.leader.move = Yards(t, "move");
    out.leader.move_far = Yards(t, "move_far");
    out.leader.far_distance = Yards(t, "far_distance");
    out.leader.inspire_max = Whole(t, "inspire_max");
    out.leader.lone_distance = Yards(t, "lone_distance");
    out.leader.hit_attached = ReadFaces(t, "hit_attached");
    out.leader.hit_lone = ReadFaces(t, "hit_lone");
    out.leader.killed = ReadFaces(t, "killed");
    out.leader.wounded = ReadFaces(t, "wounded");
  });
  In(root, "control", [&](TomlTable& t) {
    out.control.state_modifier = Factor(t, "state_modifier");
    out.control.low_max = Factor(t, "low_max");
    out.control.free_max = Factor(t, "free_max");
    out.control.rear_line = Yards(t, "rear_line");
    out.control.rear_line_deg = t.Number("rear_line_deg", kDegrees);
  });
  In(root, "visibility", [&](TomlTable& t) {
    out.visibility.wood_town = Yards(t, "wood_town_yd");
    out.visibility.over_units_min = Yards(t, "over_units_min_yd");
    out.visibility.beyond_unformed = Yards(t, "beyond_unformed_yd");
  });
  In(root, "dp", [&](TomlTable& t) {
    out.dp.limit_max = Whole(t, "limit_max");
    out.dp.manoeuvre_limit = Whole(t, "manoeuvre_limit");
    out.dp.redress_ab_not_in_combat = Whole(t, "redress_ab_not_in_combat");
    out.dp.redress_ab_stationary_extra = Whole(t, "redress_ab_stationary_extra");
    out.dp.redress_cd_stationary = Whole(t, "redress_cd_stationary");
    out.dp.redress_e_stationary_not_under_fire = Whole(t, "redress_e_stationary_not_under_fire");
  });
  In(root, "morale", [&](TomlTable& t) {
    out.morale.radius = Yards(t, "radius");
    out.morale.lower_rout_or_destroyed = Whole(t, "lower_rout_or_destroyed");
    out.morale.equal_higher_rout_or_destroyed = Whole(t, "equal_higher_rout_or_destroyed");
    out.morale.equal_higher_foot_retire = Whole(t, "equal_higher_foot_retire");
    out.morale.general_or_marshal = Whole(t, "general_or_marshal_killed_or_routing");
    out.morale.ride_through = Factor(t, "ride_through");
    out.morale.take_position = Factor(t, "take_position");
  });
}

void ReadMoving(TomlTable& root, Tables& out) {
  In(root, "move", [&](TomlTable& t) {
    out.move.foot = ReadDiceSets(t, "foot");
    out.move.dismounted_dragoons = ReadDiceSets(t, "dismounted_dragoons");
    out.move.battalion_gun_unlimbered = ReadDiceSets(t, "battalion_gun_unlimbered");
    out.move.cavalry = ReadDiceSets(t, "cavalry");
    out.move.limbered_good = ReadDiceSets(t, "limbered_good");
    out.move.limbered_rough = ReadDiceSets(t, "limbered_rough");
    out.move.fast_foot = ReadDice(t, "fast_foot", t.Text("fast_foot"));
    out.move.fast_cavalry = ReadDice(t, "fast_cavalry", t.Text("fast_cavalry"));
    out.move.per_die_inspired = Factor(t, "per_die_inspired");
    out.move.per_die_rough = Factor(t, "per_die_rough");
    out.move.per_die_fast_initial = Factor(t, "per_die_fast_initial");
    out.move.road = Yards(t, "road");
    out.move.road_far = Yards(t, "road_far");
    out.move.far_distance = Yards(t, "far_distance");
    out.move.direction_deg = t.Number("direction_deg", kDegrees);
    out.move.stop_from_enemy = Yards(t, "stop_from_enemy");
    out.move.stop_short_max = Yards(t, "stop_short_max");
    out.move.gun_pivot_deg = t.Number("gun_pivot_deg", kDegrees);
    out.move.pace_change_max = Whole(t, "pace_change_max");
    out.move.road_counts_as_dice = Whole(t, "road_counts_as_dice");
  });
  In(root, "fatigue", [&](TomlTable& t) {
    out.fatigue.good_line = ReadFaces(t, "good_line");
    out.fatigue.rough_cavalry = ReadFaces(t, "rough_cavalry");
    out.fatigue.rough_cavalry_further = ReadFaces(t, "rough_cavalry_further");
    out.fatigue.rough_foot_line = ReadFaces(t, "rough_foot_line");
    out.fatigue.rough_unlimbered_gun = ReadFaces(t, "rough_unlimbered_gun");
    out.fatigue.rough_assault_column = ReadFaces(t, "rough_assault_column");
  });
  In(root, "manoeuvre", [&](TomlTable& t) {
    auto& m = out.manoeuvre;
    m.near = Yards(t, "near");
    m.wheel_dp_near = Whole(t, "wheel_dp_near");
    m.formation_change_dp_near = Whole(t, "formation_change_dp_near");
    m.unlimber_dp = Whole(t, "unlimber_dp");
    m.unlimber_dp_under_fire = Whole(t, "unlimber_dp_under_fire");
    m.obstacle_dp = Whole(t, "obstacle_dp");
    m.obstacle_dp_under_fire = Whole(t, "obstacle_dp_under_fire");
    m.obstacle_hard_cavalry_dp = Whole(t, "obstacle_hard_cavalry_dp");
    m.obstacle_hard_cavalry_dp_under_fire = Whole(t, "obstacle_hard_cavalry_dp_under_fire");
    m.about_face_dp = Whole(t, "about_face_dp");
    m.side_step_max = Yards(t, "side_step_max");
    m.side_step_stands = Whole(t, "side_step_stands");
    m.mount_dp_under_fire = Whole(t, "mount_dp_under_fire");
    m.mount_holder_within = Yards(t, "mount_holder_within");
    m.mount_holder_move = Yards(t, "mount_holder_move");
    m.pass_friends_dp = Whole(t, "pass_friends_dp");
    m.gap_front_min_share = t.Number("gap_front_min_share", {0, 1});
    m.gap_dp_near = Whole(t, "gap_dp_near");
    m.unformed_spacing = Yards(t, "unformed_spacing");
    m.detached_min_bases = Whole(t, "detached_min_bases");
    m.amalgamate_min_distance = Yards(t, "amalgamate_min_distance");
  });
}

void ReadFire(TomlTable& root, Tables& out) {
  In(root, "range", [&](TomlTable& ranges) {
    const std::array<const char*, 3> classes = {"heavy", "field", "battalion"};
    for (std::size_t i = 0; i < classes.size(); ++i)
      In(ranges, classes[i], [&](TomlTable& t) {
        out.gun_range[i] = {Yards(t, "maximum"), Yards(t, "effective"), Yards(t, "close")};
      });
    In(ranges, "musketry", [&](TomlTable& t) {
      out.musketry = {Yards(t, "maximum"), 0, Yards(t, "close")};
    });
  });
  In(root, "gun_fire", [&](TomlTable& t) {
    auto& g = out.gun;
    g.heavy = Factor(t, "heavy");
    g.battalion = Factor(t, "battalion");
    g.per_dp = Factor(t, "per_dp");
    g.beyond_effective = Factor(t, "beyond_effective");
    g.indirect = Factor(t, "indirect");
    g.column_limbered_enfilade = Factor(t, "column_limbered_enfilade");
    g.fortifications = Factor(t, "fortifications");
    g.new_target = Factor(t, "new_target");
    g.same_target_and_range = Factor(t, "same_target_and_range");
    g.close_one_dp = Factor(t, "close_one_dp");
    g.close_two_dp = Factor(t, "close_two_dp");
    g.far_one_dp = Factor(t, "far_one_dp");
    g.indirect_neighbour = Yards(t, "indirect_neighbour");
    g.indirect_other_hit = ReadFaces(t, "indirect_other_hit");
    g.indirect_friend = Yards(t, "indirect_friend");
    g.indirect_friend_hit = ReadFaces(t, "indirect_friend_hit");
    g.friends_safety = Yards(t, "friends_safety");
    g.arc_half_deg = t.Number("arc_half_deg", kDegrees);
  });
  In(root, "musketry", [&](TomlTable& t) {
    out.musket.per_stand = Whole(t, "per_stand");
    out.musket.per_new_battalion = Whole(t, "per_new_battalion");
    out.musket.per_dp = Factor(t, "per_dp");
    out.musket.hit = ReadFaces(t, "hit");
  });
  In(root, "close_fire", [&](TomlTable& t) { out.close_fire = Yards(t, "distance"); });
}

void ReadResults(TomlTable& root, Tables& out) {
  std::vector<TomlTable> rows = root.Tables("result");
  if (rows.size() != kOutcomes) {
    root.Refuse("result", ErrorCode::kBadFormat, "write seven [[result]] tables, the best first");
    return;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    TomlTable& t = rows[i];
    ResultRow& row = out.results[i];
    const std::string name(OutcomeName(static_cast<Outcome>(i)));
    if (t.Text("name") != name)
      t.Refuse("name", ErrorCode::kBadFormat, "this row must be `" + name + "`");
    if (i + 1 < rows.size()) row.least = t.Integer("min", {-100, 100});
    if (i > 0 && i + 1 < rows.size() && row.least >= out.results[i - 1].least)
      t.Refuse("min", ErrorCode::kOutOfRange, "`min` must be lower than in the row above");
    row.dp = Whole(t, "dp");
    row.dp_outrance_or_assault_column =
        t.Has("dp_outrance_or_assault_column") ? Whole(t, "dp_outrance_or_assault_column") : row.dp;
    row.casualties = Whole(t, "casualties");
    row.casualties_cavalry_charged_foot = t.Has("casualties_cavalry_charged_foot")
                                              ? Whole(t, "casualties_cavalry_charged_foot")
                                              : row.casualties;
    t.NoOtherKeys();
  }
}

void ReadCombat(TomlTable& root, Tables& out) {
  In(root, "charge", [&](TomlTable& t) {
    out.charge.free_from = Yards(t, "free_from");
    out.charge.stand_to_receive_beyond = Yards(t, "stand_to_receive_beyond");
    out.charge.swedish_foot = Yards(t, "swedish_foot_distance");
    out.charge.evade_dp = Whole(t, "evade_dp");
  });
  In(root, "combat", [&](TomlTable& t) {
    auto& c = out.combat;
    c.inspire_each = Factor(t, "inspire_each");
    c.inspire_max = Factor(t, "inspire_max");
    c.ground = Factor(t, "ground");
    c.fieldworks = Factor(t, "fieldworks");
    c.fortifications = Factor(t, "fortifications");
    c.charging_or_pursuing = Factor(t, "charging_or_pursuing");
    c.outrance_or_pursuing = Factor(t, "outrance_or_cavalry_pursuing");
    c.depth = Factor(t, "depth");
    c.reserved_fire = Factor(t, "reserved_fire");
    c.unready = Factor(t, "unready");
    c.flank = Factor(t, "flank");
    c.order = Factor(t, "order");
    c.each_loss = Factor(t, "each_dp_or_casualty");
    c.outnumbered = Factor(t, "outnumbered");
    c.outnumbered_2 = Factor(t, "outnumbered_2");
    c.outnumbered_3 = Factor(t, "outnumbered_3");
  });
  In(root, "numbers", [&](TomlTable& t) {
    auto& n = out.numbers;
    n.cavalry_overlap_each_flank = Whole(t, "cavalry_overlap_each_flank");
    n.other_distance = Yards(t, "other_distance");
    n.other_flank_deg = t.Number("other_flank_deg", kDegrees);
    n.pike_vs_cavalry = Hundredths(t, "pike_vs_cavalry");
    n.pike_front_of_assault_column = Hundredths(t, "pike_front_of_assault_column");
    n.pike_otherwise = Hundredths(t, "pike_otherwise");
    n.dismounted_dragoons = Hundredths(t, "dismounted_dragoons");
    const std::vector<int> ranks = t.Integers("assault_advancing_ranks_percent", {0, 1000});
    if (ranks.size() != n.assault_advancing_ranks.size())
      t.Refuse("assault_advancing_ranks_percent", ErrorCode::kBadFormat,
               "write four numbers, the front rank first");
    std::copy_n(ranks.begin(), std::min(ranks.size(), n.assault_advancing_ranks.size()),
                n.assault_advancing_ranks.begin());
  });
  ReadResults(root, out);
  In(root, "after", [&](TomlTable& t) {
    auto& a = out.after;
    a.decline_pursuit_dp_cavalry = Whole(t, "decline_pursuit_dp_cavalry");
    a.rout_stop_from_enemy = Yards(t, "rout_stop_from_enemy");
    a.retire_blocked_dp = Whole(t, "retire_blocked_dp");
    a.rout_blocked_casualties = Whole(t, "rout_blocked_casualties");
    a.rout_step_casualties = Whole(t, "rout_step_casualties");
    a.surrender_within = Yards(t, "surrender_within");
    a.hack_hit = ReadFaces(t, "hack_hit");
    a.ride_through_support = Yards(t, "ride_through_support");
    a.ride_through_halt = Yards(t, "ride_through_halt");
    a.retire_deg = t.Number("retire_deg", kDegrees);
  });
  In(root, "guns", [&](TomlTable& t) {
    out.guns.no_formed_enemy_within = Yards(t, "no_formed_enemy_within");
    out.guns.crew_shelter_distance = Yards(t, "crew_shelter_distance");
    out.guns.drive_off_bases = Whole(t, "drive_off_bases");
  });
}

// A setting with two values; true for the first.
void Either(TomlTable& t, std::string_view key, const char* yes, const char* no, bool& value) {
  if (!t.Has(key)) return;
  value = t.Choice(key, "value", {yes, no}) != 1;
}

}  // namespace

std::string DiceInWords(const DiceSet& dice) {
  if (dice.empty()) return "no dice";
  const auto d6 = std::count(dice.begin(), dice.end(), Die::kD6);
  const auto average = static_cast<std::ptrdiff_t>(dice.size()) - d6;
  std::string out;
  if (average > 0) out = fmt::format("{} AvD", average);
  if (d6 > 0) out += fmt::format("{}{} D6", out.empty() ? "" : " + ", d6);
  return out;
}
std::string DiceName(const DiceSet& dice) {
  if (dice.empty()) return "0";
  std::string out;
  for (const Die die : dice) {
    if (!out.empty()) out.append(1, '+');
    out.append(die == Die::kD6 ? "d6" : "avd");
  }
  return out;
}

Result<DiceSet> ParseDiceSet(std::string_view text) {
  DiceSet out;
  if (text == "0") return out;
  std::string_view left = text;
  while (true) {
    const std::size_t plus = left.find('+');
    const std::string_view word = left.substr(0, plus);
    if (word == "avd") {
      out.push_back(Die::kAverage);
    } else if (word == "d6") {
      out.push_back(Die::kD6);
    } else {
      return Error{
          ErrorCode::kBadFormat,
          fmt::format("`{}` is not a set of dice: write for example avd, avd+d6 or avd+avd+d6",
                      text.substr(0, 40))};
    }
    if (plus == std::string_view::npos) return out;
    left.remove_prefix(plus + 1);
  }
}

std::string_view OutcomeName(Outcome outcome) {
  constexpr std::array<std::string_view, kOutcomes> kNames = {
      "breakthrough", "victory", "success", "inconclusive", "driven_back", "defeat", "break"};
  return kNames[static_cast<std::size_t>(outcome)];
}

std::string OutcomeWords(Outcome outcome) { return KeyInWords(std::string(OutcomeName(outcome))); }

Result<Tables> ReadTables(const std::filesystem::path& path) {
  auto file = TomlFile::Read(path);
  if (!file.ok()) return file.error();
  Tables out;
  TomlTable root = file.value().Root();
  root.Choice("id", "rule set of this engine", {"closefire"});
  if (root.Has("source")) out.source = root.Text("source");
  ReadArmies(root, out);
  ReadCommand(root, out);
  ReadMoving(root, out);
  ReadFire(root, out);
  ReadCombat(root, out);
  root.NoOtherKeys();
  if (const Status problem = file.value().Problem(); !problem.ok()) return problem.error();
  return out;
}

Result<Settings> ReadSettings(const std::filesystem::path& path, const Settings& defaults) {
  auto file = TomlFile::Read(path);
  if (!file.ok()) return file.error();
  TomlTable root = file.value().Root();
  Settings s = defaults;
  In(root, "settings", [&](TomlTable& t) {
    s.yards_per_inch = t.Number("yards_per_inch", {1, 100}, s.yards_per_inch);
    s.avd_from_d6 = t.Flag("avd_from_d6", s.avd_from_d6);
    s.contact_gap_yd = t.Number("contact_gap_yd", {0, 20}, s.contact_gap_yd);
    s.close_call_yd = t.Number("close_call_yd", {0, 20}, s.close_call_yd);
    Either(t, "arc_test", "any_part", "centre", s.arc_any_part);
    Either(t, "under_fire", "shot_at_this_turn", "dp_taken_this_turn", s.under_fire_when_shot_at);
    Either(t, "in_combat", "now", "this_turn", s.in_combat_now);
    if (t.Has("battery_dp_limit")) s.battery_dp_limit = t.Integer("battery_dp_limit", {1, 6});
    bool field = s.howitzer_range == RangeClass::kField;
    Either(t, "howitzer_range_class", "field", "heavy", field);
    s.howitzer_range = field ? RangeClass::kField : RangeClass::kHeavy;
    s.blinds = t.Flag("blinds", s.blinds);
    s.listen_costs_action = t.Flag("listen_costs_action", s.listen_costs_action);
    s.steadied_may_countercharge =
        t.Flag("steadied_may_countercharge", s.steadied_may_countercharge);
    s.order_note_yd = t.Number("order_note_yd", kYards, s.order_note_yd);
    s.line_contact_transitive = t.Flag("line_contact_transitive", s.line_contact_transitive);
    s.combat_exempt_from_control =
        t.Flag("combat_exempt_from_control", s.combat_exempt_from_control);
    Either(t, "control_choice", "after_roll", "before_roll", s.control_after_roll);
    Either(t, "failed_charge_dice", "same", "player", s.failed_charge_same_dice);
    s.repeat_may_charge = t.Flag("repeat_may_charge", s.repeat_may_charge);
    if (t.Has("lone_leader_dice")) s.lone_leader_dice = t.Integer("lone_leader_dice", {1, 6});
    if (t.Has("sight_points")) s.sight_points = t.Integer("sight_points", {1, 5});
    s.guns_block_sight = t.Flag("guns_block_sight", s.guns_block_sight);
    s.wood_edge_yd = t.Number("wood_edge_yd", kYards, s.wood_edge_yd);
    s.sight_mutual = t.Flag("sight_mutual", s.sight_mutual);
    s.trim_dp = t.Flag("trim_dp", s.trim_dp);
    Either(t, "manoeuvre_dp_over_bases", "accumulate", "ignore", s.manoeuvre_dp_accumulates);
    s.morale_event_once = t.Flag("morale_event_once", s.morale_event_once);
    Either(t, "casualty_effect", "remove_base", "mark_only", s.casualty_removes_base);
    Either(t, "initiative_tie", "reroll", "first_side", s.initiative_tie_reroll);
    Either(t, "initiative_holder", "roll_winner", "first_mover", s.initiative_roll_winner);
    s.line_bend_deg = t.Number("line_bend_deg", kDegrees, s.line_bend_deg);
    s.assault_column_needs_objective =
        t.Flag("assault_column_needs_objective", s.assault_column_needs_objective);
    s.double_optional = t.Flag("double_optional", s.double_optional);
    // CF-12.4: the only reading the engine supports. The catalogue does not say how much of a move
    // another reading would need.
    if (!t.Flag("rough_if_any_part", true)) {
      t.Refuse("rough_if_any_part", ErrorCode::kUnsupported,
               "`rough_if_any_part` in [settings] must be true: by CF-12.4 a "
               "move is rough if any part of it is; write true or remove the line");
    }
    s.limbered_rough_minus10 = t.Flag("limbered_rough_minus10", s.limbered_rough_minus10);
    s.unlimbered_gun_move_yd =
        t.Number("unlimbered_gun_move_yd", {0, 200}, s.unlimbered_gun_move_yd);
    s.charge_obeys_pace = t.Flag("charge_obeys_pace", s.charge_obeys_pace);
    s.cavalry_rough_four = t.Flag("cavalry_rough_four", s.cavalry_rough_four);
    Either(t, "wheel_measure", "arc", "chord", s.wheel_arc);
    if (t.Has("gap_half_move"))
      s.gap_half_move = static_cast<Settings::GapHalf>(
          std::max(0, t.Choice("gap_half_move", "value", {"foot", "all", "none"})));
    s.close_enemy_blocks_musketry =
        t.Flag("close_enemy_blocks_musketry", s.close_enemy_blocks_musketry);
    s.first_shot_new = t.Flag("first_shot_new", s.first_shot_new);
    s.same_range_tolerance_yd =
        t.Number("same_range_tolerance_yd", kYards, s.same_range_tolerance_yd);
    s.enfilade_half_angle_deg =
        t.Number("enfilade_half_angle_deg", {0, 90}, s.enfilade_half_angle_deg);
    s.indirect_needs_spotter = t.Flag("indirect_needs_spotter", s.indirect_needs_spotter);
    Either(t, "command_stand_per", "battalion", "unit", s.command_stand_per_battalion);
    s.countercharge_is_charge = t.Flag("countercharge_is_charge", s.countercharge_is_charge);
    s.swedish_charge = t.Flag("swedish_charge", s.swedish_charge);
    s.swedish_extra_dp = t.Flag("swedish_extra_dp", s.swedish_extra_dp);
    Either(t, "close_fire_trigger", "any_within_40", "foot_advance_only", s.close_fire_any);
    Either(t, "outrance_bonus", "cavalry_only", "not_foot", s.outrance_cavalry_only);
    s.dragoons_reserved_fire = t.Flag("dragoons_reserved_fire", s.dragoons_reserved_fire);
    s.dragoons_are_foot_targets = t.Flag("dragoons_are_foot_targets", s.dragoons_are_foot_targets);
    Either(t, "multi_unit_rounding", "truncate_difference", "round_half_up_each_side",
           s.truncate_difference);
    // CF-20.7: the only reading the engine supports, named so that clubs know of it.
    if (t.Has("combat_grouping")) t.Choice("combat_grouping", "value", {"connected"});
    s.gun_result_replaces_losses =
        t.Flag("gun_result_replaces_losses", s.gun_result_replaces_losses);
    bool free = !s.rout_unpursued_costs;
    Either(t, "rout_unpursued", "own_phase_no_casualty", "own_phase_casualty", free);
    s.rout_unpursued_costs = !free;
    if (t.Has("reinforcement_first"))
      s.reinforcement_first = t.Integer("reinforcement_first", {2, 6});
  });
  root.NoOtherKeys();
  if (const Status problem = file.value().Problem(); !problem.ok()) return problem.error();
  return s;
}

Result<ClubRules<Tables, Settings>> ReadRules(const ClubFiles& club) {
  return ReadClubRules(club, "closefire", &ReadTables, &ReadSettings);
}

}  // namespace fos::closefire
