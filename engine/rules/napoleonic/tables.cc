// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/tables.h"

#include <algorithm>

#include "engine/files/toml_reader.h"
#include "engine/table/sentence.h"

namespace fos::napoleonic {
namespace {

using sweet::Hundredths;
using sweet::InSixteenths;
using sweet::Milli;
constexpr TomlRange kSquares = sweet::kSquaresRange;
constexpr TomlRange kPoints = sweet::kPointsRange;
constexpr TomlRange kStands = sweet::kStandsRange;
constexpr TomlRange kDegrees{0, 180};
constexpr double kDegreesPerTurn = 45;

int Turns(int degrees) { return static_cast<int>(degrees / kDegreesPerTurn); }

const std::vector<std::string> kShotKindNames = {"field_gun", "howitzer", "horse_gun"};

void ReadUnits(TomlTable root, Tables& out) {
  auto units = root.Table("unit");
  if (!units) return;
  std::vector<std::string> supports;
  for (const SupportType& type : out.supports) supports.push_back(type.id);
  for (const std::string& id : units->Keys()) {
    auto row = units->Table(id);
    if (!row) continue;
    UnitType type;
    type.id = id;
    type.name = row->Text("name");
    type.kind = Uncapitalised(type.name);
    type.arm = static_cast<Arm>(
        std::max(0, row->Choice("arm", "arm", {"infantry", "cavalry", "artillery", "commander"})));
    type.move = Hundredths(row->Number("move", kSquares));
    type.melee = InSixteenths(row->Number("melee", kPoints));
    type.range = Hundredths(row->Number("range", kSquares));
    type.arc =
        static_cast<Arc>(std::max(0, row->Choice("arc", "arc", {"none", "ahead", "cone45"})));
    type.support = std::max(0, row->Choice("support", "support type", supports));
    type.points = row->Integer("points", kPoints);
    type.stands = row->Integer("stands", {1, kStands.most});
    type.guards = row->Flag("guards", false);
    type.may_separate = row->Flag("may_separate", false);
    type.may_form_square = row->Flag("may_form_square", false);
    type.one_stand_retreat = row->Flag("one_stand_retreat", false);
    row->NoOtherKeys();
    out.types.push_back(type);
  }
}

void ReadEquipment(TomlTable root, Tables& out) {
  auto equipment = root.Table("equipment");
  if (!equipment) return;
  const std::vector<std::pair<const char*, EquipmentRole>> roles = {
      {"foot_gun", EquipmentRole::kFootGun},
      {"supply_wagon", EquipmentRole::kWagon},
      {"horse_gun", EquipmentRole::kHorseGun}};
  for (const auto& [id, role] : roles) {
    auto row = equipment->Table(id);
    if (!row) continue;
    EquipmentType type{id, row->Text("name"), role, 0, 0};
    type.move = Hundredths(row->Number("move", kSquares));
    type.points = row->Integer("points", kPoints);
    row->NoOtherKeys();
    out.equipment.push_back(type);
  }
  equipment->NoOtherKeys();
}

void ReadArtillery(TomlTable root, Tables& out) {
  auto artillery = root.Table("artillery");
  if (!artillery) return;
  out.circle_milli_in = Milli(artillery->Number("circle_in", {0, 100}));
  out.gun_range = {Hundredths(artillery->Number("field_gun_range", kSquares)),
                   Hundredths(artillery->Number("howitzer_range", kSquares)),
                   Hundredths(artillery->Number("horse_gun_range", kSquares))};
  if (auto dice = artillery->Table("canister_dice")) {
    for (std::size_t kind = 0; kind < kShotKindNames.size(); ++kind)
      out.canister_dice[kind] = dice->Integer(kShotKindNames[kind], {0, 20});
    dice->NoOtherKeys();
  }
  for (TomlTable& row : artillery->Tables("foot_battery")) {
    BatteryRow shots;
    shots.guns = row.Integer("guns", {1, 10});
    shots.wagon = row.Flag("wagon", false);
    if (row.Has("field_gun")) shots.field = row.Integer("field_gun", {0, 10});
    if (row.Has("howitzer")) shots.howitzer = row.Integer("howitzer", {0, 10});
    if (row.Has("either")) shots.either = row.Integer("either", {0, 10});
    row.NoOtherKeys();
    out.battery_rows.push_back(shots);
  }
  artillery->NoOtherKeys();
}

void ReadFire(TomlTable root, Tables& out) {
  std::vector<std::string> ids;
  for (const UnitType& type : out.types) ids.push_back(type.id);
  sweet::ReadFire(root, ids, out.fire_table);
  out.fire.resize(out.types.size());
  for (const auto& [target, row] : out.fire_table.rows)
    out.fire[static_cast<std::size_t>(out.TypeOf(target))] = row;
}

void ReadOrganisations(TomlTable root, Tables& out) {
  for (TomlTable& row : root.Tables("organisation")) {
    Organisation o;
    o.name = row.Text("name");
    o.stands = sweet::ReadCounts(row, "stands");
    o.equipment = sweet::ReadCounts(row, "equipment");
    o.units = sweet::ReadCounts(row, "units");
    o.batteries = sweet::ReadCounts(row, "batteries");
    o.points = row.Integer("points", {0, 100000});
    row.NoOtherKeys();
    out.organisations.push_back(o);
  }
}

// may_lack  true if `out` already holds the shipped numbers.
void ReadClauseNumbers(TomlTable& root, bool may_lack, Tables& out) {
  sweet::ReadMeleeNumbers(root, out.melee);
  const auto table = [&](const char* name) { return sweet::TableOrShipped(root, name, may_lack); };
  if (auto t = table("stacking")) {
    out.stacking = {t->Integer("guns", kStands), t->Integer("wagons", kStands),
                    t->Integer("crew", kStands), t->Integer("commanders", kStands)};
    t->NoOtherKeys();
  }
  if (auto t = table("turning")) {
    out.defender_turns = Turns(t->Integer("defender_deg", kDegrees));
    t->NoOtherKeys();
  }
  if (auto t = table("musketry")) {
    constexpr TomlRange kDice{-20, 20};
    out.musketry = {t->Integer("per_stand", kDice), t->Integer("guards", kDice),
                    t->Integer("commander", kDice), t->Integer("later_unit", kDice),
                    t->Integer("protected", kDice)};
    t->NoOtherKeys();
  }
  if (auto t = table("canister")) {
    out.canister_protection = t->Integer("protected", {-20, 20});
    t->NoOtherKeys();
  }
  if (auto t = table("burning")) {
    out.burning = {t->Integer("dice", {0, 20}), t->Integer("face", {1, 6}),
                   t->Integer("retreat", {0, 20})};
    t->NoOtherKeys();
  }
  if (auto t = table("square")) {
    out.square_stands_per_side = t->Integer("stands_per_side", {1, 10});
    t->NoOtherKeys();
  }
}

}  // namespace

std::string_view ShotKindName(ShotKind kind) {
  constexpr std::array<std::string_view, 3> kNames = {"field gun", "howitzer", "horse gun"};
  return kNames[static_cast<std::size_t>(kind)];
}

namespace {

// shipped  supplies what a club's file may leave out; nullptr if every table is required.
Result<Tables> ReadOver(const std::filesystem::path& path, const Tables* shipped) {
  Result<TomlFile> file = TomlFile::Read(path);
  if (!file.ok()) return file.error();
  TomlTable root = file.value().Root();
  Tables out;
  if (shipped) {
    out.melee = shipped->melee;
    out.stacking = shipped->stacking;
    out.defender_turns = shipped->defender_turns;
    out.musketry = shipped->musketry;
    out.canister_protection = shipped->canister_protection;
    out.burning = shipped->burning;
    out.square_stands_per_side = shipped->square_stands_per_side;
  }
  sweet::ReadRulesHead(root, "fall-of-shot/rules-table/1", "napoleonic");
  out.provenance = root.Text("provenance");
  root.Flag("replaceable", true);
  sweet::ReadGrid(root, out);
  sweet::ReadSupports(root, out.supports);
  ReadUnits(root, out);
  ReadEquipment(root, out);
  ReadArtillery(root, out);
  ReadFire(root, out);
  sweet::ReadCards(root, out.cards);
  ReadOrganisations(root, out);
  ReadClauseNumbers(root, shipped != nullptr, out);
  for (const char* key : {"grid", "support", "unit", "equipment", "artillery", "fire", "mdi",
                          "organisation", "annihilation", "stacking", "turning", "musketry",
                          "canister", "melee", "burning", "square"})
    root.Has(key);
  root.NoOtherKeys();
  if (const Status problem = file.value().Problem(); !problem.ok()) return problem.error();
  if (out.types.empty() || out.supports.empty() || out.equipment.size() != 3)
    return Error{ErrorCode::kBadFormat,
                 path.string() + ": [unit], [support] and the three [equipment] rows are required"};
  return out;
}

}  // namespace

Result<Tables> ReadTables(const std::filesystem::path& path) {
  return sweet::ReadOverShipped<Tables>(path, "engine/rules/napoleonic/tables.toml", &ReadOver);
}

namespace {

using sweet::SettingsGroup;

void ReadFireSettings(TomlTable& root, Settings& s) {
  {
    SettingsGroup g(root, "artillery");
    g.Either("choice", "shooter", "nearest", s.shooter_chooses);
    g.Flag("gun_hit_extra_stand", s.gun_hit_extra_stand);
    g.Either("overrange", "counts", "no_effect", s.overrange_counts);
    g.Either("out_of_arc", "counts", "no_effect", s.out_of_arc_counts);
    g.Flag("aim_declared", s.aim_declared);
  }
  {
    SettingsGroup g(root, "canister");
    g.Either("held_trigger", "passed_or_ended", "ended", s.held_if_passed);
    g.Flag("later_unit_bonus", s.canister_later_unit_bonus);
  }
  SettingsGroup g(root, "burning");
  g.Either("unmanned_equipment", "lost", "stays", s.burning_unmanned_lost);
  g.Either("bridge_after_burnup", "normal", "underlying", s.burnt_bridge_normal);
}

// NAP-12. Objectives belong to the scenario, so the list here must be empty.
void ReadPoints(TomlTable& root, Settings& s) {
  auto points = root.Has("points") ? root.Table("points") : std::nullopt;
  if (!points) return;
  if (points->Has("captured_equipment"))
    s.captured = static_cast<CapturedPoints>(std::max(
        0, points->Choice("captured_equipment", "choice", {"captor", "original_owner", "nobody"})));
  if (points->Has("objectives") && !points->Tables("objectives").empty())
    points->Refuse("objectives", ErrorCode::kBadFormat,
                   "objectives belong in the scenario, one [[objective]] each");
  points->NoOtherKeys();
}

void ReadMeleeSettings(TomlTable& root, Settings& s) {
  {
    SettingsGroup g(root, "support");
    g.Either("model", "directional", "yes_no", s.directional_support);
    g.Flag("cavalry_wheel_limit", s.cavalry_wheel_limit);
  }
  {
    SettingsGroup g(root, "melee");
    sweet::ReadMeleeRulings(g, s);
    g.Number("protected_reduction", {0, 1000}, s.protected_reduction, InSixteenths);
  }
  SettingsGroup g(root, "capture");
  g.Either("superior_retreating", "carries", "leaves_in_square", s.superior_carries);
  g.Either("equal_equal", "keep_own", "left_in_open", s.equal_keeps_own);
}

void ReadOwnSettings(TomlTable& root, Settings& s) {
  {
    SettingsGroup g(root, "movement");
    g.Flag("pass_through_friends", s.pass_through_friends);
    g.Flag("one_stand_per_gun", s.one_stand_per_gun);
    g.Flag("must_limber_to_move", s.must_limber_to_move);
  }
  SettingsGroup(root, "stacking").Flag("artillery_with_unit", s.artillery_with_unit);
  ReadFireSettings(root, s);
  ReadMeleeSettings(root, s);
  {
    SettingsGroup g(root, "square");
    int only_choice = 0;
    g.Choice("shape", {"square_only"}, only_choice);
    g.Either("fire", "facing_stands", "all_stands", s.square_facing_stands);
    g.Integer("form_from", {0, 10}, s.square_form_from);
  }
  {
    SettingsGroup g(root, "single_stand");
    g.Either("cavalry", "all_cavalry_exempt", "guards_only_exempt", s.all_cavalry_exempt);
    g.Either("artillery_scope", "side", "battery", s.artillery_by_side);
    g.Flag("commander_exempts", s.commander_exempts);
    g.Either("cut_off", "destroyed", "stays", s.cut_off_destroyed);
  }
  ReadPoints(root, s);
  {
    SettingsGroup g(root, "camera");
    g.Number("close_call_in", {0, 10}, s.close_call_milli_in, Milli);
  }
}

}  // namespace

Result<Settings> ReadSettings(const std::filesystem::path& path, const Settings& defaults) {
  return sweet::ReadSettingsOver(path, "napoleonic", defaults, &ReadOwnSettings);
}

Result<ClubRules<Tables, Settings>> ReadRules(const ClubFiles& club) {
  return ReadClubRules(club, "napoleonic", &ReadTables, &ReadSettings);
}

}  // namespace fos::napoleonic
