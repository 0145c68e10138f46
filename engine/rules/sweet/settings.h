// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/rules/sweet/tables.h"
#include "engine/squares/queries.h"

namespace fos::sweet {

using namespace squares;

// The club rulings that both sets have. The names follow the keys.
struct CommonSettings {
  FirstAttacker first_attacker = FirstAttacker::kDieRoll;
  int turn_limit = 0;  // 0: none
  bool pass_through_friends = true;
  bool cone_arcs = true;  // false: rays
  bool pool_dice = false;
  bool detachment_bonus = false;
  bool whole_steps = false;
  bool superior_loss_computed = true;  // false: of what was really lost
  bool annihilation_after_losses = true;
  bool contact_first_strict = true;
  bool clockwise_from_entry = false;
  bool commander_last = false;
  bool last_side_stays = true;
  bool both_withdraw = true;         // false: an equal melee
  bool rear_is_home_edge = true;     // false: opposite to the facing
  bool origin_is_turn_start = true;  // false: the last step
  int retreat_max_turns = 2;         // eighths of a circle
  bool retreat_extends = true;
  bool retreat_owner_choice = false;
  bool commander_exempts = false;
  bool cut_off_destroyed = true;
  CapturedPoints captured = CapturedPoints::kCaptor;
  int close_call_milli_in = 50;
};

// Finds the rulings in a club's settings file: either in tables at its top, or all in one
// [settings] table with dotted keys (`melee.fraction = "exact"`), which needs no `schema` and
// `ruleset`.
class SettingsFile {
 public:
  SettingsFile(TomlTable root, const std::string& ruleset) : root_(std::move(root)) {
    if (root_.Has("settings")) in_ = root_.Table("settings");
    if (!in_ || root_.Has("schema")) root_.Choice("schema", "schema", {kSchema});
    if (!in_ || root_.Has("ruleset")) root_.Choice("ruleset", "rule set", {ruleset});
  }
  TomlTable& In() { return in_ ? *in_ : root_; }
  void NoOtherKeys() {
    if (in_) in_->NoOtherKeys();
    root_.NoOtherKeys();
  }

 private:
  static constexpr const char* kSchema = "fall-of-shot/rules-settings/1";
  TomlTable root_;
  std::optional<TomlTable> in_;
};

// A table of a club's own tables file. If the club's file lacks it and the shipped one may stand in
// (`may_lack`), the shipped numbers stay.
inline std::optional<TomlTable> TableOrShipped(TomlTable& root, const char* name, bool may_lack) {
  if (may_lack && !root.Has(name)) return std::nullopt;
  return root.Table(name);
}

// Reads the melee and retreat rulings that every grid rule set has (NAP-5, ANC-P; DEF-11, DEF-13)
// into its Settings.
template <typename Settings>
void ReadMeleeRulings(SettingsGroup& melee, Settings& s) {
  melee.Either("fraction", "whole_steps", "exact", s.whole_steps);
  melee.Either("superior_loss_basis", "computed", "actual", s.superior_loss_computed);
  melee.Either("annihilation_timing", "after_losses", "before_losses", s.annihilation_after_losses);
  melee.Either("remainder", "coin_always", "nearest_coin_on_half", s.coin_always);
  melee.Either("contact_first", "strict", "preferred", s.contact_first_strict);
  melee.Either("clockwise_start", "attacker_entry", "north", s.clockwise_from_entry);
  melee.Either("commander_in_rotation", "last", "after_companion", s.commander_last);
  melee.Flag("last_side_stays", s.last_side_stays);
}
template <typename Settings>
void ReadRetreatRulings(TomlTable& root, Settings& s) {
  constexpr int kDegreesPerTurn = 45;
  SettingsGroup(root, "mdi")
      .Either("withdrawal_vs_withdrawal", "both_withdraw", "equal_melee", s.both_withdraw);
  SettingsGroup g(root, "retreat");
  g.Either("rear", "home_edge", "facing", s.rear_is_home_edge);
  g.Either("attacker_origin", "turn_start", "last_step", s.origin_is_turn_start);
  int degrees = s.retreat_max_turns * kDegreesPerTurn;
  g.Integer("max_deviation_deg", {0, 90}, degrees);
  s.retreat_max_turns = degrees / kDegreesPerTurn;
  g.Either("friends", "extend", "block", s.retreat_extends);
  g.Either("tie", "owner_choice", "clockwise", s.retreat_owner_choice);
}

// Reads a settings file over `defaults`: the rulings that both sets have, and the set's own.
// read_own  (TomlTable&, Settings&)
template <typename Settings, typename ReadOwn>
Result<Settings> ReadSettingsOver(const std::filesystem::path& path, const std::string& ruleset,
                                  const Settings& defaults, ReadOwn read_own) {
  Result<TomlFile> file = TomlFile::Read(path);
  if (!file.ok()) return file.error();
  SettingsFile at(file.value().Root(), ruleset);
  TomlTable& root = at.In();
  Settings s = defaults;
  {
    SettingsGroup g(root, "turn");
    g.Choice("first_attacker", {"die_roll", "scenario"}, s.first_attacker);
    g.Integer("limit", {0, 1000}, s.turn_limit);
  }
  SettingsGroup(root, "fire").Either("arc_model", "cone", "rays", s.cone_arcs);
  {
    SettingsGroup g(root, "musketry");
    g.Flag("pool_dice", s.pool_dice);
    g.Flag("detachment_bonus", s.detachment_bonus);
  }
  ReadRetreatRulings(root, s);
  read_own(root, s);
  SettingsGroup(root, "camera").Number("close_call_in", {0, 10}, s.close_call_milli_in, Milli);
  at.NoOtherKeys();
  if (const Status problem = file.value().Problem(); !problem.ok()) return problem.error();
  return s;
}

}  // namespace fos::sweet
