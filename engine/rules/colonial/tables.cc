// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "engine/files/data_path.h"
#include "engine/files/toml_reader.h"
#include "engine/table/sentence.h"

namespace fos::colonial {
namespace {

constexpr TomlRange kSquares{0, 100};
constexpr TomlRange kMillimetres{1, 1000};
constexpr TomlRange kPoints{0, 1000};  // of an army
constexpr TomlRange kValue{0, 100};    // of a stand
constexpr TomlRange kModifier{-100, 100};
constexpr long kMostTimes = 100;  // of a score in a comparison
constexpr double kDegreesPerTurn = 45;

const std::vector<std::string> kArms = {"infantry",    "cavalry",   "artillery",
                                        "machine_gun", "transport", "command"};
const std::vector<std::string> kRatingNames = {"poor", "average", "exceptional"};
const std::vector<std::string> kOutcomeNames = {"ineffective", "tie", "destroyed", "withdraw"};

int Hundredths(double number) { return static_cast<int>(std::lround(number * kWhole)); }

void ReadHead(TomlTable& root, const std::string& schema) {
  if (root.Has("schema")) root.Choice("schema", "schema", {schema});
  if (root.Has("ruleset")) root.Choice("ruleset", "rule set", {"colonial"});
  if (root.Has("id")) root.Choice("id", "rule set", {"colonial"});
}

// COL-1.1, COL-1.2, COL-1.3.
void ReadGrid(TomlTable& root, Tables& out) {
  if (auto grid = root.Table("grid")) {
    out.square_mm = grid->Integer("square_mm", kMillimetres);
    out.least_columns = grid->Integer("min_columns", {1, 100});
    out.least_rows = grid->Integer("min_rows", {1, 100});
    for (const Vec2 size : grid->Points("recommended", 1, {1, 100}, {1, 100}))
      out.recommended.push_back({static_cast<int>(size.x), static_cast<int>(size.y)});
    // With more than two stands in a square there would be no front and rear stand.
    grid->Integer("stands_per_square", {2, 2});
    grid->NoOtherKeys();
  }
  if (auto dice = root.Table("dice")) {
    out.combat_faces = dice->Integer("combat", {2, 100});
    if (auto army = dice->Table("army_dice")) {
      out.army_dice = army->Integer("count", {1, 100});
      out.army_faces = army->Integer("sides", {2, 100});
      army->NoOtherKeys();
    }
    dice->NoOtherKeys();
  }
}

// COL-2.2 to COL-2.6. The percentage for armies by dice is also a setting, which takes precedence.
void ReadArmy(TomlTable& root, Tables& out) {
  if (auto army = root.Table("army")) {
    out.agreed_points = army->Integer("agreed_points", kPoints);
    out.agreed_cap = army->Integer("agreed_four_point_cap", kPoints);
    army->Integer("diced_four_point_percent", {0, 100});
    out.section_mm = army->Integer("entrenchment_section_mm", kMillimetres);
    out.section_hundredths =
        Hundredths(army->Number("entrenchment_points_per_section", {0, kPoints.most}));
    army->NoOtherKeys();
  }
  if (auto general = root.Table("general")) {
    for (std::size_t face = 0; face < out.general.size(); ++face) {
      const int rating = general->Choice(std::to_string(face + 1), "rating", kRatingNames);
      out.general[face] = static_cast<Rating>(std::max(0, rating));
    }
    general->NoOtherKeys();
  }
  if (auto value = root.Table("general_value")) {
    for (std::size_t i = 0; i < kRatingNames.size(); ++i)
      out.general_value[i] = value->Integer(kRatingNames[i], {1, kValue.most});
    value->NoOtherKeys();
  }
}

void ReadRanges(TomlTable& root, Tables& out) {
  auto ranges = root.Table("range");
  if (!ranges) return;
  for (const std::string& id : ranges->Keys())
    out.weapons.push_back({id, ranges->Integer(id, kSquares)});
  ranges->NoOtherKeys();
  if (out.WeaponOf("none") < 0)
    root.Refuse("range", ErrorCode::kBadFormat, "[range] needs an entry `none`");
}

void ReadStands(TomlTable& root, Tables& out) {
  std::vector<std::string> weapons;
  for (const Weapon& weapon : out.weapons) weapons.push_back(weapon.id);
  for (TomlTable& row : root.Tables("stand")) {
    StandType type;
    type.id = row.Text("type");
    type.name = row.Has("name") ? row.Text("name") : KeyInWords(type.id);
    type.arm = static_cast<Arm>(std::max(0, row.Choice("arm", "arm", kArms)));
    type.value = row.Integer("value", kValue);
    type.move = Hundredths(row.Number("move", kSquares));
    type.width_mm = row.Integer("width_mm", kMillimetres);
    type.depth_mm = row.Integer("depth_mm", kMillimetres);
    type.foot = row.Flag("foot", false);  // overridden by the setting foot_types
    type.weapon = std::max(0, out.WeaponOf("none"));
    if (row.Has("weapon")) type.weapon = std::max(0, row.Choice("weapon", "weapon", weapons));
    row.NoOtherKeys();
    if (out.TypeOf(type.id) >= 0)
      row.Refuse("type", ErrorCode::kBadFormat, fmt::format("`{}` is listed twice", type.id));
    out.types.push_back(type);
  }
  for (const char* needed : {"command_foot", "dismounted_cavalry"})
    if (out.TypeOf(needed) < 0)
      root.Refuse("stand", ErrorCode::kBadFormat,
                  fmt::format("there must be a [[stand]] for `{}`", needed));
}

// Sections 7 and 8.
void ReadModifiers(TomlTable& root, Tables& out) {
  if (auto fire = root.Table("fire_mod")) {
    out.fire_own_value = fire->Flag("own_value", true);
    out.fire_command = fire->Flag("command_adjacent", true);
    out.fire_artillery_adjacent = fire->Integer("artillery_adjacent_target", kModifier);
    out.fire_cover = fire->Integer("target_in_cover", kModifier);
    fire->NoOtherKeys();
  }
  if (auto close = root.Table("close_mod")) {
    out.close_own_value = close->Flag("own_value", true);
    out.close_command = close->Flag("command_adjacent", true);
    out.support_adjacent = close->Integer("support_adjacent", kModifier);
    out.support_same_square = close->Integer("support_same_square", kModifier);
    out.flank_or_rear = close->Integer("initiator_on_flank_or_rear", kModifier);
    out.cavalry_in_open = close->Integer("initiator_cavalry_in_open", kModifier);
    out.downhill = close->Integer("initiator_downhill", kModifier);
    out.close_cover = close->Integer("enemy_behind_wall_or_entrenched", kModifier);
    close->NoOtherKeys();
  }
}

// "2*E < I": each side of the comparison is a whole multiple of one score.
std::optional<Comparison> ParseComparison(std::string_view text) {
  std::string packed;
  for (const char c : text)
    if (c != ' ') packed += c;
  const std::size_t sign = packed.find_first_of("<=>");
  if (sign == std::string::npos) return std::nullopt;
  std::size_t after = sign + 1;
  if (after < packed.size() && packed[after] == '=') ++after;
  Comparison out;
  out.sign = packed.substr(sign, after - sign);
  if (out.sign == "=") return std::nullopt;
  const auto read = [](std::string term, int& times, bool& initiator) {
    times = 1;
    if (const std::size_t star = term.find('*'); star != std::string::npos) {
      char* end = nullptr;
      const long value = std::strtol(term.c_str(), &end, 10);
      if (end != term.c_str() + star || star == 0 || value < 0 || value > kMostTimes) return false;
      times = static_cast<int>(value);
      term = term.substr(star + 1);
    }
    initiator = term == "I";
    return term == "I" || term == "E";
  };
  if (!read(packed.substr(0, sign), out.left_times, out.left_initiator) ||
      !read(packed.substr(after), out.right_times, out.right_initiator))
    return std::nullopt;
  return out;
}

void ReadResults(TomlTable& root, Tables& out) {
  if (auto result = root.Table("result")) {
    for (const std::string& name : kOutcomeNames) result->Text(name);
    for (const std::string& name : result->Texts("order")) {
      const auto at = std::find(kOutcomeNames.begin(), kOutcomeNames.end(), name);
      const auto comparison =
          at == kOutcomeNames.end() ? std::nullopt : ParseComparison(result->Text(name));
      if (!comparison) {
        result->Refuse(
            "order", ErrorCode::kBadFormat,
            fmt::format("`{}` in [result] is not a comparison of I and E such as 2*E < I", name));
        continue;
      }
      out.results.emplace_back(static_cast<Outcome>(at - kOutcomeNames.begin()), *comparison);
    }
    result->NoOtherKeys();
  }
  if (auto withdraw = root.Table("withdraw")) {
    out.withdraw_most = withdraw->Integer("max_squares", {0, 100});
    out.withdraw_turns =
        static_cast<int>(withdraw->Integer("arc_deg", {0, 180}) / (2 * kDegreesPerTurn));
    withdraw->NoOtherKeys();
  }
}

// The keys of [settings], each optional.
class Rulings {
 public:
  explicit Rulings(std::optional<TomlTable> table) : table_(std::move(table)) {}
  ~Rulings() {
    if (table_) table_->NoOtherKeys();
  }
  Rulings(const Rulings&) = delete;
  Rulings& operator=(const Rulings&) = delete;

  void Flag(std::string_view key, bool& value) {
    if (table_) value = table_->Flag(key, value);
  }
  // True for the first name, false for the second.
  void Either(std::string_view key, const char* yes, const char* no, bool& value) {
    if (!table_ || !table_->Has(key)) return;
    const int choice = table_->Choice(key, "choice", {yes, no});
    if (choice >= 0) value = choice == 0;
  }
  template <typename Enum>
  void Choice(std::string_view key, const std::vector<std::string>& names, Enum& value) {
    if (!table_ || !table_->Has(key)) return;
    const int choice = table_->Choice(key, "choice", names);
    if (choice >= 0) value = static_cast<Enum>(choice);
  }
  void Integer(std::string_view key, TomlRange range, int& value) {
    if (table_ && table_->Has(key)) value = table_->Integer(key, range);
  }
  void Number(std::string_view key, TomlRange range, double& value) {
    if (table_ && table_->Has(key)) value = table_->Number(key, range);
  }
  void Cost(std::string_view key, TomlRange range, int& hundredths) {
    if (table_ && table_->Has(key)) hundredths = Hundredths(table_->Number(key, range));
  }
  void Text(std::string_view key, std::string& value) {
    if (table_ && table_->Has(key)) value = table_->Text(key);
  }
  void Texts(std::string_view key, std::vector<std::string>& value) {
    if (table_ && table_->Has(key)) value = table_->Texts(key);
  }
  void CoverList(std::string_view key, Cover& value) {
    if (!table_ || !table_->Has(key)) return;
    static const std::vector<std::pair<std::string, EdgeBit>> kEdges = {
        {"wall", kWall},
        {"hedge", kHedge},
        {"fence", kFence},
        {"river", kFordEdge},
        {"stream", kStreamEdge},
        {"trench", kTrenchEdge},
        {"entrenchment", kEntrenchment}};
    value = {};
    for (const std::string& name : table_->Texts(key)) {
      const auto edge = std::find_if(kEdges.begin(), kEdges.end(),
                                     [&](const auto& known) { return known.first == name; });
      if (edge != kEdges.end()) {
        value.edges |= edge->second;
      } else if (name == "wood") {
        value.wood = true;
      } else if (name == "built_up") {
        value.built_up = true;
      } else {
        std::vector<std::string> names = {"wood", "built_up"};
        for (const auto& known : kEdges) names.push_back(known.first);
        table_->Refuse(key, ErrorCode::kBadFormat,
                       fmt::format("`{}` gives no cover in these rules; the nearest is `{}`",
                                   name, NearestName(name, names)));
      }
    }
  }

 private:
  std::optional<TomlTable> table_;
};

void ReadMovementRulings(Rulings& r, Settings& s) {
  r.Flag("command_needs_activation", s.command_needs_activation);
  r.Flag("pair_may_split", s.pair_may_split);
  r.Flag("split_move", s.split_move);
  r.Flag("move_after_own_withdrawal", s.move_after_own_withdrawal);
  // A free step would let a stand move without limit.
  r.Cost("diagonal_step_cost", {0.01, kSquares.most}, s.diagonal_step_cost);
  r.Cost("contour_cost", kSquares, s.contour_cost);
  r.Cost("road_bonus", kSquares, s.road_bonus);
  r.Cost("facing_change_cost", kSquares, s.facing_change_cost);
  r.Cost("obstacle_cross_cost", kSquares, s.obstacle_cross_cost);
  r.Texts("artillery_types", s.artillery_types);
  r.Texts("foot_types", s.foot_types);
  r.Integer("withdraw_clear_gap", kSquares, s.withdraw_clear_gap);
  r.Integer("withdraw_min_squares", kSquares, s.withdraw_least);
  r.Either("withdraw_off_table", "destroyed", "stop_at_edge", s.withdraw_off_table_destroys);
  r.Flag("withdraw_keeps_facing", s.withdraw_keeps_facing);
  r.Choice("mount_dismount_cost", {"whole_move", "free", "forbidden"}, s.mount);
}

void ReadCombatRulings(Rulings& r, Settings& s) {
  r.Either("pair_initiation", "at_the_moment", "whole_turn", s.initiation_at_the_moment);
  r.Either("pair_target", "facing_side", "attacker_choice", s.pair_target_by_side);
  r.Flag("los_stands_block", s.stands_block_sight);
  r.Text("transport_weapon", s.transport_weapon);
  r.Text("command_weapon", s.command_weapon);
  r.Flag("command_same_square", s.command_same_square);
  r.CoverList("fire_cover", s.fire_cover);
  r.CoverList("close_cover", s.close_cover);
  r.Either("entrenchment_protects", "edge", "all_round", s.entrenchment_by_edge);
  r.Flag("close_combat_needs_front_arc", s.close_needs_front_arc);
  r.Either("same_type", "exact", "arm", s.exact_type);
  r.Texts("cavalry_bonus_vs", s.cavalry_bonus_vs);
  int only_choice = 0;
  r.Choice("tie_break_equal", {"reroll"}, only_choice);
  r.Either("exact_half", "withdraw", "destroyed", s.exact_half_withdraws);
}

}  // namespace

int Tables::TypeOf(std::string_view id) const {
  for (std::size_t i = 0; i < types.size(); ++i)
    if (types[i].id == id) return static_cast<int>(i);
  return -1;
}
bool MayCarry(const Tables& tables, const StandType& type, int weapon) {
  constexpr std::array<std::string_view, 4> kSmallArms = {"handheld", "musket",
                                                          "single_shot_rifle", "magazine_rifle"};
  constexpr std::array<std::string_view, 3> kGuns = {"mountain", "field", "heavy"};
  const std::string& id = tables.weapons[static_cast<std::size_t>(weapon)].id;
  if (weapon == type.weapon) return true;
  if (type.arm == Arm::kTransport || type.arm == Arm::kCommand || id == "none") return false;
  for (const std::string_view gun : kGuns)
    if (id == fmt::format("smoothbore_{}", gun) || id == fmt::format("rifled_{}", gun))
      return type.id == fmt::format("{}_artillery", gun);
  if (id == "machine_gun") return type.arm == Arm::kMachineGun;
  if (std::find(kSmallArms.begin(), kSmallArms.end(), id) != kSmallArms.end())
    return type.arm == Arm::kInfantry || type.arm == Arm::kCavalry;
  return true;
}

int Tables::WeaponOf(std::string_view id) const {
  for (std::size_t i = 0; i < weapons.size(); ++i)
    if (weapons[i].id == id) return static_cast<int>(i);
  return -1;
}

Result<Tables> ReadTables(const std::filesystem::path& path) {
  Result<TomlFile> file = TomlFile::Read(path);
  if (!file.ok()) return file.error();
  TomlTable root = file.value().Root();
  Tables out;
  ReadHead(root, "fall-of-shot/rules-tables/1");
  out.source = root.Text("source");
  ReadGrid(root, out);
  ReadArmy(root, out);
  ReadRanges(root, out);
  ReadStands(root, out);
  ReadModifiers(root, out);
  ReadResults(root, out);
  root.NoOtherKeys();
  if (const Status problem = file.value().Problem(); !problem.ok()) return problem.error();
  return out;
}

Result<Settings> ReadSettings(const std::filesystem::path& path, const Settings& defaults) {
  Result<TomlFile> file = TomlFile::Read(path);
  if (!file.ok()) return file.error();
  TomlTable root = file.value().Root();
  Settings s = defaults;
  ReadHead(root, "fall-of-shot/rules-settings/1");
  {
    Rulings r(root.Table("settings"));
    r.Either("distance_metric", "king", "orthogonal", s.king_distance);
    r.Either("adjacency", "king", "orthogonal", s.king_adjacency);
    r.Number("grid_line_doubt_mm", {0, 1000}, s.grid_line_doubt_mm);
    r.Either("square_fit", "depth_sum", "any_two", s.fit_by_depth);
    r.Number("terrain_cover_fraction", {0, 1}, s.terrain_cover_fraction);
    r.Number("stand_size_tolerance_mm", {0, 1000}, s.stand_size_tolerance_mm);
    const int steps_before = s.facing_steps;
    r.Integer("facing_steps", {4, 8}, s.facing_steps);
    if (s.facing_steps != 4 && s.facing_steps != 8) {
      root.Refuse("settings", ErrorCode::kOutOfRange, "`facing_steps` must be 4 or 8");
      s.facing_steps = steps_before;
    }
    r.Number("facing_doubt_deg", {0, 180}, s.facing_doubt_deg);
    r.Choice("points_enforcement", {"warn", "refuse", "off"}, s.points_enforcement);
    r.Integer("guard_share_percent", {0, 100}, s.guard_share_percent);
    r.Integer("command_stands", {0, 100}, s.command_stands);
    r.Either("entrenchment_rounding", "up", "exact", s.sections_up);
    r.Choice("general_roll_2", {"poor", "average", "reroll"}, s.roll_two);
    r.Integer("max_turns", {1, 1000}, s.max_turns);
    ReadMovementRulings(r, s);
    ReadCombatRulings(r, s);
  }
  root.NoOtherKeys();
  if (const Status problem = file.value().Problem(); !problem.ok()) return problem.error();
  return s;
}

Status Settle(Tables& tables, const Settings& settings) {
  std::vector<std::string> names;
  for (const StandType& type : tables.types) names.push_back(type.id);
  std::vector<std::string> weapons;
  for (const Weapon& weapon : tables.weapons) weapons.push_back(weapon.id);
  const auto mark = [&](const char* key, const std::vector<std::string>& list,
                        bool StandType::*flag) -> Status {
    for (StandType& type : tables.types) type.*flag = false;
    for (const std::string& id : list) {
      const int type = tables.TypeOf(id);
      if (type < 0)
        return Error{
            ErrorCode::kBadFormat,
            fmt::format("settings: `{}` in `{}` is not a type of stand; the nearest is `{}`",
                        id, key, NearestName(id, names))};
      tables.types[static_cast<std::size_t>(type)].*flag = true;
    }
    return Ok();
  };
  const auto arm = [&](const char* key, Arm whose, const std::string& id) -> Status {
    const int weapon = tables.WeaponOf(id);
    if (weapon < 0)
      return Error{ErrorCode::kBadFormat,
                   fmt::format("settings: `{}` in `{}` is not a weapon; the nearest is `{}`",
                               id, key, NearestName(id, weapons))};
    for (StandType& type : tables.types)
      if (type.arm == whose) type.weapon = weapon;
    return Ok();
  };
  for (const Status& status :
       {mark("artillery_types", settings.artillery_types, &StandType::keeps_distance),
        mark("foot_types", settings.foot_types, &StandType::foot),
        mark("cavalry_bonus_vs", settings.cavalry_bonus_vs, &StandType::open_to_cavalry),
        arm("transport_weapon", Arm::kTransport, settings.transport_weapon),
        arm("command_weapon", Arm::kCommand, settings.command_weapon)})
    if (!status.ok()) return status;
  return Ok();
}

// COL-9.1, COL-9.2, COL-9.3, COL-9.4, COL-9.5.
Outcome OutcomeOf(const Tables& tables, const Settings& settings, int initiator, int enemy) {
  const auto holds = [&](const Comparison& c) {
    const int left = c.left_times * (c.left_initiator ? initiator : enemy);
    const int right = c.right_times * (c.right_initiator ? initiator : enemy);
    if (c.sign == "<") return left < right;
    if (c.sign == "<=") return left <= right;
    if (c.sign == "==") return left == right;
    if (c.sign == ">=") return left >= right;
    return left > right;
  };
  // COL-9.5: the source covers scores above half and below half, but not exactly half.
  if (initiator > enemy && 2 * enemy == initiator)
    return settings.exact_half_withdraws ? Outcome::kWithdraw : Outcome::kDestroyed;
  for (const auto& [outcome, comparison] : tables.results)
    if (holds(comparison)) return outcome;
  return Outcome::kIneffective;
}

std::string_view RatingName(Rating rating) {
  return kRatingNames[static_cast<std::size_t>(rating)];
}
std::string_view OutcomeName(Outcome outcome) {
  return kOutcomeNames[static_cast<std::size_t>(outcome)];
}

Result<ClubRules<Tables, Settings>> ReadRules(const ClubFiles& club) {
  auto rules = ReadClubRules(club, "colonial", &ReadTables, &ReadSettings);
  if (!rules.ok()) return rules;
  if (const Status settled = Settle(rules->tables, rules->settings); !settled.ok())
    return settled.error();
  return rules;
}

}  // namespace fos::colonial
