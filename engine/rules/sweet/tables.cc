// SPDX-License-Identifier: MIT
#include "engine/rules/sweet/tables.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace fos::sweet {

using namespace squares;
namespace {

const std::vector<std::string> kCardNames = {"LINE",     "COLUMN",  "SQUARE",
                                             "FLANKING", "PINCERS", "WITHDRAWAL"};
const std::vector<std::string> kColumns = {"near", "middle", "far"};

}  // namespace

int Hundredths(double squares) { return static_cast<int>(std::lround(squares * 100)); }
int Milli(double inches) {
  constexpr double kFarOff = 1e6;  // so that thousandths fit in 32 bits
  return static_cast<int>(std::lround(std::clamp(inches, -kFarOff, kFarOff) * 1000));
}
Sixteenths InSixteenths(double value) {
  return static_cast<Sixteenths>(std::lround(value * kPoint));
}

bool SupportType::Any() const {
  return std::find(allowed.begin(), allowed.end(), true) != allowed.end();
}

FireColumn FireTable::ColumnAt(int distance) const {
  for (std::size_t c = 0; c + 1 < column_max.size(); ++c)
    if (distance <= column_max[c]) return static_cast<FireColumn>(c);
  return FireColumn::kFar;
}

void ReadRulesHead(TomlTable& root, const std::string& schema, const std::string& ruleset) {
  root.Choice("schema", "schema", {schema});
  root.Choice("ruleset", "rule set", {ruleset});
}

// NAP-1, ANC-G1, ANC-V1.
void ReadGrid(TomlTable& root, GridNumbers& out) {
  auto grid = root.Table("grid");
  if (!grid) return;
  out.square_in = grid->Number("square_in", {0.1, 100});
  out.diagonal_cost = Hundredths(grid->Number("diagonal_cost", {1, 2}));
  // A retreat counts steps, so a diagonal must cost 1 (NAP-1).
  grid->Number("retreat_diagonal_cost", {1, 1});
  out.road_bonus = Hundredths(grid->Number("road_bonus", kSquaresRange));
  grid->NoOtherKeys();
}

void ReadSupports(TomlTable& root, std::vector<SupportType>& out) {
  auto supports = root.Table("support");
  if (!supports) return;
  for (const std::string& id : supports->Keys()) {
    auto row = supports->Table(id);
    if (!row) continue;
    SupportType type;
    type.id = id;
    const bool front = row->Flag("front", false);
    const bool oblique = row->Flag("oblique", false);
    const bool side = row->Flag("side", false);
    const bool rear_oblique = row->Flag("rear_oblique", false);
    const bool rear = row->Flag("rear", false);
    type.allowed = {front, oblique, side, rear_oblique, rear, rear_oblique, side, oblique};
    row->NoOtherKeys();
    out.push_back(type);
  }
}

namespace {

squares::HitRule ReadHitRule(TomlTable& row, const std::string& column) {
  squares::HitRule rule;
  auto entry = row.Table(column);
  if (!entry) return rule;
  for (const int face : entry->Integers("faces", {1, 6}))
    rule.faces = static_cast<std::uint8_t>(rule.faces | 1 << (face - 1));
  rule.group = entry->Integer("group", {1, 6});
  entry->NoOtherKeys();
  return rule;
}

}  // namespace

void ReadFire(TomlTable& root, const std::vector<std::string>& targets, FireTable& out) {
  auto fire = root.Table("fire");
  if (!fire) return;
  // One arc for the whole table can only be the 45-degree cone (ANC-F1).
  if (fire->Has("arc")) fire->Choice("arc", "arc", {"cone45"});
  std::size_t next = 0;
  for (TomlTable& column : fire->Tables("columns")) {
    const int key = column.Choice("key", "column of the fire table", kColumns);
    const int most = Hundredths(column.Number("max", {0, 1000}));
    if (key != static_cast<int>(next))
      column.Refuse("key", ErrorCode::kBadFormat,
                    "the columns must be near, middle, far, in this order");
    else
      out.column_max[next++] = most;
    column.NoOtherKeys();
    if (next == kColumns.size()) break;
  }
  for (TomlTable& row : fire->Tables("row")) {
    FireRow rules;
    for (std::size_t c = 0; c < kColumns.size(); ++c) rules[c] = ReadHitRule(row, kColumns[c]);
    for (const std::string& target : row.Texts("targets")) {
      if (std::find(targets.begin(), targets.end(), target) == targets.end())
        row.Refuse("targets", ErrorCode::kBadFormat,
                   "`" + target + "` is not a [unit]; the nearest is `" +
                       NearestName(target, targets) + "`");
      else
        out.rows.emplace_back(target, rules);
    }
    row.NoOtherKeys();
  }
  fire->NoOtherKeys();
}

void ReadCards(TomlTable& root, CardTable& out) {
  auto mdi = root.Table("mdi");
  if (!mdi) return;
  if (mdi->Texts("cards") != kCardNames)
    mdi->Refuse("cards", ErrorCode::kBadFormat,
                "the cards must be LINE, COLUMN, SQUARE, FLANKING, PINCERS, WITHDRAWAL");
  const auto card_of = [&](TomlTable& table, const std::string& key, const std::string& name) {
    const auto found = std::find(kCardNames.begin(), kCardNames.end(), name);
    if (found != kCardNames.end()) return static_cast<std::size_t>(found - kCardNames.begin());
    table.Refuse(
        key, ErrorCode::kBadFormat,
        "`" + name + "` is not a card; the nearest is `" + NearestName(name, kCardNames) + "`");
    return std::size_t{0};
  };
  for (auto& row : out) row.fill(CardResult::kEqual);
  if (auto superior = mdi->Table("superior")) {
    for (const std::string& winner : superior->Keys()) {
      const std::size_t w = card_of(*superior, winner, winner);
      for (const std::string& loser : superior->Texts(winner)) {
        const std::size_t l = card_of(*superior, winner, loser);
        out[w][l] = CardResult::kSuperior;
        out[l][w] = CardResult::kInferior;
      }
    }
  }
  constexpr std::size_t kOut = static_cast<std::size_t>(Card::kWithdrawal);
  for (const std::string& other : mdi->Texts("withdrawal_succeeds_against")) {
    const std::size_t o = card_of(*mdi, "withdrawal_succeeds_against", other);
    out[kOut][o] = CardResult::kWithdraws;
    out[o][kOut] = CardResult::kEnemyWithdraws;
  }
  for (const std::string& other : mdi->Texts("withdrawal_fails_against")) {
    const std::size_t o = card_of(*mdi, "withdrawal_fails_against", other);
    out[kOut][o] = CardResult::kInferior;
    out[o][kOut] = CardResult::kSuperior;
  }
  out[kOut][kOut] = CardResult::kBothWithdraw;
  mdi->NoOtherKeys();
}

void ReadMeleeNumbers(TomlTable& root, MeleeNumbers& out) {
  if (auto t = root.Table("annihilation")) {
    out.equal_ratio = t->Integer("equal_ratio", {1, 100});
    out.equal_strict = t->Flag("equal_strict", true);
    out.unequal_ratio = t->Integer("unequal_ratio", {1, 100});
    out.unequal_strict = t->Flag("unequal_strict", false);
    t->NoOtherKeys();
  }
  // A club's file may leave the shipped numbers as they are.
  const bool shipped = out.least_stands > 0;
  if (auto t = shipped && !root.Has("melee") ? std::nullopt : root.Table("melee")) {
    out.least_stands = t->Integer("least_stands", kStandsRange);
    out.equal_share = InSixteenths(t->Number("equal_share", {0, 1}));
    out.unequal_base = InSixteenths(t->Number("unequal_base", kPointsRange));
    out.unequal_share = InSixteenths(t->Number("unequal_share", {0, 1}));
    out.superior_share = InSixteenths(t->Number("superior_share", {0, 1}));
    out.retreat = t->Integer("retreat", {0, 20});
    out.withdrawal = t->Integer("withdrawal", {0, 20});
    t->NoOtherKeys();
  }
}

std::vector<Count> ReadCounts(TomlTable& table, const std::string& key) {
  std::vector<Count> out;
  if (!table.Has(key)) return out;
  auto counts = table.Table(key);
  if (!counts) return out;
  for (const std::string& name : counts->Keys())
    out.push_back({name, counts->Integer(name, kStandsRange)});
  return out;
}

SettingsGroup::SettingsGroup(TomlTable& root, std::string_view name) {
  if (root.Has(name)) table_ = root.Table(name);
}
SettingsGroup::~SettingsGroup() {
  if (table_) table_->NoOtherKeys();
}
void SettingsGroup::Flag(std::string_view key, bool& value) {
  if (table_) value = table_->Flag(key, value);
}
void SettingsGroup::Either(std::string_view key, const char* yes, const char* no, bool& value) {
  if (!table_ || !table_->Has(key)) return;
  const int choice = table_->Choice(key, "choice", {yes, no});
  if (choice >= 0) value = choice == 0;
}
void SettingsGroup::Integer(std::string_view key, TomlRange range, int& value) {
  if (table_ && table_->Has(key)) value = table_->Integer(key, range);
}
void SettingsGroup::Number(std::string_view key, TomlRange range, int& value, int (*unit)(double)) {
  if (table_ && table_->Has(key)) value = unit(table_->Number(key, range));
}
void SettingsGroup::Faces(std::string_view key, std::uint8_t& value) {
  if (!table_ || !table_->Has(key)) return;
  value = 0;
  for (const int face : table_->Integers(key, {1, 6}))
    value = static_cast<std::uint8_t>(value | 1 << (face - 1));
}

}  // namespace fos::sweet
