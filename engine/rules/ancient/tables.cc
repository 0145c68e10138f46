// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/tables.h"

#include <algorithm>

#include "engine/files/toml_reader.h"
#include "engine/table/sentence.h"

namespace fos::ancient {
namespace {

using sweet::Hundredths;
using sweet::InSixteenths;
using sweet::kPointsRange;
using sweet::kSquaresRange;
using sweet::kStandsRange;
using sweet::Milli;

const std::vector<std::string> kArms = {"infantry", "cavalry", "chariot",
                                        "elephant", "crew",    "commander"};

std::vector<std::string> IdsOf(const Tables& tables) {
  std::vector<std::string> ids;
  for (const UnitType& type : tables.types) ids.push_back(type.id);
  return ids;
}

// The index of a name in a list. An unknown name is refused with the nearest one.
int Named(TomlTable& table, const char* key, const std::string& name,
          const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  table.Refuse(
      key, ErrorCode::kBadFormat,
      "`" + name + "` is not a known name; the nearest is `" + NearestName(name, names) + "`");
  return -1;
}

// The fire table's target families, kept until all families are read.
void ReadUnits(TomlTable root, Tables& out, std::vector<std::string>& target_families) {
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
    type.family = row->Text("family");
    type.arm = static_cast<Arm>(std::max(0, row->Choice("arm", "arm", kArms)));
    type.move = Hundredths(row->Number("move", kSquaresRange));
    type.range = Hundredths(row->Number("range", kSquaresRange));
    type.melee = InSixteenths(row->Number("melee", kPointsRange));
    type.melee_charging = row->Has("melee_charging")
                              ? InSixteenths(row->Number("melee_charging", kPointsRange))
                              : type.melee;
    if (row->Has("melee_reduced")) {
      type.melee_reduced = InSixteenths(row->Number("melee_reduced", kPointsRange));
      type.melee_reduced_at = row->Integer("melee_reduced_at", kStandsRange);
    }
    if (row->Has("dice_per_stand")) type.dice_per_stand = row->Integer("dice_per_stand", {1, 20});
    type.support = std::max(0, row->Choice("support", "support type", supports));
    type.points = row->Integer("points", kPointsRange);
    type.stands = row->Integer("stands", {1, kStandsRange.most});
    type.special = row->Flag("special", false);
    // The special rows begin with a nation's name.
    type.kind = type.special ? type.name : Uncapitalised(type.name);
    if (row->Has("always_protected_from"))
      type.shielded = row->Choice("always_protected_from", "protection", {"missiles"}) == 0;
    target_families.push_back(row->Has("target_as") ? row->Text("target_as") : type.family);
    row->NoOtherKeys();
    out.types.push_back(type);
  }
}

// ANC-F1, ANC-F5: rows go by family.
void ReadFire(TomlTable root, Tables& out, const std::vector<std::string>& target_families) {
  std::vector<std::string> families;
  for (const UnitType& type : out.types) families.push_back(type.family);
  sweet::ReadFire(root, families, out.fire_table);
  out.fire.resize(out.types.size());
  for (std::size_t i = 0; i < out.types.size(); ++i)
    for (const auto& [target, row] : out.fire_table.rows)
      if (target == target_families[i]) out.fire[i] = row;
}

void ReadEquipment(TomlTable root, Tables& out) {
  auto equipment = root.Table("equipment");
  if (!equipment) return;
  for (const std::string& id : equipment->Keys()) {
    auto row = equipment->Table(id);
    if (!row) continue;
    EquipmentType type;
    type.id = id;
    type.name = row->Text("name");
    type.move = Hundredths(row->Number("move", kSquaresRange));
    type.range = Hundredths(row->Number("range", kSquaresRange));
    type.points = row->Integer("points", kPointsRange);
    type.crew = std::max(0, row->Choice("crew", "unit type", IdsOf(out)));
    row->NoOtherKeys();
    out.equipment.push_back(type);
  }
}

// Marks the unit types that a list of ids names.
template <typename Mark>
void MarkTypes(TomlTable& table, const char* key, Tables& out, Mark mark) {
  const std::vector<std::string> ids = IdsOf(out);
  for (const std::string& id : table.Texts(key))
    if (const int type = Named(table, key, id, ids); type >= 0)
      mark(out.types[static_cast<std::size_t>(type)]);
}

// Copies from the shipped tables what a club's file may leave out.
void TakeShipped(const Tables& shipped, Tables& out) {
  out.melee = shipped.melee;
  out.may_man = shipped.may_man;
  out.stacking = shipped.stacking;
  out.missiles = shipped.missiles;
  out.bars_cavalry_stands = shipped.bars_cavalry_stands;
}
// Copies the marks of unit types: which may separate and which cavalry may not charge.
void TakeShippedMarks(const Tables& shipped, bool separating, bool cavalry, Tables& out) {
  for (UnitType& type : out.types)
    for (const UnitType& known : shipped.types) {
      if (separating && known.family == type.family)
        type.may_separate = type.may_separate || known.may_separate;
      if (cavalry && known.id == type.id) type.bars_cavalry = known.bars_cavalry;
    }
}

void ReadClauseNumbers(TomlTable& root, const Tables* shipped, Tables& out) {
  if (shipped) {
    TakeShipped(*shipped, out);
    TakeShippedMarks(*shipped, !root.Has("separating"), !root.Has("cavalry"), out);
  }
  const auto table = [&](const char* name) {
    return sweet::TableOrShipped(root, name, shipped != nullptr);
  };
  sweet::ReadMeleeNumbers(root, out.melee);
  if (auto t = root.Table("catapult")) {
    out.circle_milli_in = Milli(t->Number("circle_in", {0, 100}));
    const bool manned_by = !shipped || t->Has("manned_by");
    if (manned_by) out.may_man = {};
    for (const std::string& arm : manned_by ? t->Texts("manned_by") : std::vector<std::string>())
      if (const int index = Named(*t, "manned_by", arm, kArms); index >= 0)
        out.may_man[static_cast<std::size_t>(index)] = true;
    t->NoOtherKeys();
  }
  if (auto t = table("separating")) {
    std::vector<std::string> families;
    for (const UnitType& type : out.types) families.push_back(type.family);
    for (const std::string& family : t->Texts("families"))
      if (Named(*t, "families", family, families) >= 0)
        for (UnitType& type : out.types)
          type.may_separate = type.may_separate || type.family == family;
    t->NoOtherKeys();
  }
  if (auto t = table("stacking")) {
    out.stacking = {t->Integer("catapults", kStandsRange), t->Integer("crew", kStandsRange),
                    t->Integer("commanders", kStandsRange)};
    t->NoOtherKeys();
  }
  if (auto t = table("missiles")) {
    out.missiles = {t->Integer("later_unit", {-20, 20}), t->Integer("protected", {-20, 20})};
    t->NoOtherKeys();
  }
  if (auto t = table("cavalry")) {
    MarkTypes(*t, "not_against", out, [](UnitType& type) { type.bars_cavalry = true; });
    out.bars_cavalry_stands = t->Integer("not_against_stands", {1, 100});
    t->NoOtherKeys();
  }
  if (auto t = root.Table("morale")) {
    MarkTypes(*t, "must_retreat_at_one_stand", out,
              [](UnitType& type) { type.must_retreat_alone = true; });
    t->NoOtherKeys();
  }
}

// ANC-L.
void ReadArmies(TomlTable root, Tables& out) {
  const std::vector<std::string> ids = IdsOf(out);
  std::vector<std::string> pieces;
  for (const EquipmentType& type : out.equipment) pieces.push_back(type.id);
  for (TomlTable& row : root.Tables("army")) {
    ArmyList list;
    list.name = row.Text("name");
    list.stated_points = row.Integer("stated_points", {0, 100000});
    list.computed_points = row.Integer("computed_points", {0, 100000});
    list.units = sweet::ReadCounts(row, "units");
    list.catapults = sweet::ReadCounts(row, "catapults");
    for (const Count& count : list.units) Named(row, "units", count.name, ids);
    for (const Count& count : list.catapults) Named(row, "catapults", count.name, pieces);
    row.NoOtherKeys();
    out.armies.push_back(list);
  }
}

// Do these tables have every unit and catapult of the list?
bool HasAll(const Tables& book, const ArmyList& list) {
  return std::all_of(list.units.begin(), list.units.end(),
                     [&](const Count& count) { return book.TypeOf(count.name) >= 0; }) &&
         std::all_of(list.catapults.begin(), list.catapults.end(),
                     [&](const Count& count) { return book.EquipmentOf(count.name) >= 0; });
}

// shipped  supplies what a club's file may leave out; nullptr if every table is required.
Result<Tables> ReadOver(const std::filesystem::path& path, const Tables* shipped) {
  Result<TomlFile> file = TomlFile::Read(path);
  if (!file.ok()) return file.error();
  TomlTable root = file.value().Root();
  Tables out;
  sweet::ReadRulesHead(root, "fall-of-shot/rules-table/1", "ancient");
  out.provenance = root.Text("provenance");
  root.Flag("replaceable", true);
  sweet::ReadGrid(root, out);
  sweet::ReadSupports(root, out.supports);
  std::vector<std::string> target_families;
  ReadUnits(root, out, target_families);
  ReadFire(root, out, target_families);
  ReadEquipment(root, out);
  sweet::ReadCards(root, out.cards);
  ReadClauseNumbers(root, shipped, out);
  ReadArmies(root, out);
  if (shipped && !root.Has("army"))
    for (const ArmyList& list : shipped->armies)
      if (HasAll(out, list)) out.armies.push_back(list);
  for (const char* key :
       {"grid", "support", "unit", "fire", "equipment", "mdi", "annihilation", "melee", "catapult",
        "separating", "stacking", "missiles", "cavalry", "morale", "army"})
    root.Has(key);
  root.NoOtherKeys();
  if (const Status problem = file.value().Problem(); !problem.ok()) return problem.error();
  if (out.types.empty() || out.supports.empty() || out.equipment.empty())
    return Error{ErrorCode::kBadFormat,
                 path.string() + ": [unit], [support] and [equipment] are required"};
  return out;
}

}  // namespace

Result<Tables> ReadTables(const std::filesystem::path& path) {
  return sweet::ReadOverShipped<Tables>(path, "engine/rules/ancient/tables.toml", &ReadOver);
}

namespace {

using sweet::SettingsGroup;

void ReadFireSettings(TomlTable& root, Settings& s) {
  {
    SettingsGroup g(root, "catapult");
    g.Either("axle_measure", "segment", "midpoint", s.axle_segment);
    g.Flag("landing_must_be_valid", s.landing_must_be_valid);
  }
  SettingsGroup(root, "heavy_archers")
      .Either("protected_from", "missiles", "missiles_and_catapults", s.shields_only_missiles);
}

void ReadMeleeSettings(TomlTable& root, Settings& s) {
  SettingsGroup(root, "support")
      .Either("mounted_beside", "supported_unit", "supporter", s.beside_supported_unit);
  {
    SettingsGroup g(root, "melee");
    sweet::ReadMeleeRulings(g, s);
    g.Number("protected_attack_penalty", kPointsRange, s.protected_attack_penalty, InSixteenths);
  }
  SettingsGroup(root, "phalanx").Either("revalue", "immediate", "next_melee", s.revalue_at_once);
}

void ReadOwnSettings(TomlTable& root, Settings& s) {
  SettingsGroup(root, "game").Integer("end_time_extra_moves", {0, 1000}, s.end_time_extra_moves);
  SettingsGroup(root, "movement").Flag("pass_through_friends", s.pass_through_friends);
  SettingsGroup(root, "elephant").Faces("stationary_faces", s.stationary_faces);
  SettingsGroup(root, "run_down").Integer("max_per_move", {0, 1000}, s.run_down_max);
  ReadFireSettings(root, s);
  ReadMeleeSettings(root, s);
  SettingsGroup(root, "morale").Flag("commander_exempts", s.commander_exempts);
  SettingsGroup(root, "single_stand").Either("cut_off", "destroyed", "stays", s.cut_off_destroyed);
  {
    SettingsGroup g(root, "points");
    g.Choice("captured_equipment", {"captor", "original_owner", "nobody"}, s.captured);
    g.Either("unmanned_catapults", "owner", "nobody", s.unmanned_counts);
  }
  SettingsGroup(root, "lists").Either("enforce", "computed", "stated", s.lists_computed);
}

}  // namespace

Result<Settings> ReadSettings(const std::filesystem::path& path, const Settings& defaults) {
  return sweet::ReadSettingsOver(path, "ancient", defaults, &ReadOwnSettings);
}

Result<ClubRules<Tables, Settings>> ReadRules(const ClubFiles& club) {
  return ReadClubRules(club, "ancient", &ReadTables, &ReadSettings);
}

}  // namespace fos::ancient
