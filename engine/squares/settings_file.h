#pragma once

#include <optional>
#include <string>

#include "engine/squares/rules_tables.h"

namespace fos::squares {

// Where the rulings of a club's settings file stand: at its top, in a table each, or all in one
// [settings], as the catalogue lists them (`melee.fraction = "exact"`). There the head may lack.
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

// A table of a club's own tables file: where it lacks and the shipped ones have it (`may_lack`),
// the shipped numbers stay.
inline std::optional<TomlTable> TableOrShipped(TomlTable& root, const char* name, bool may_lack) {
  if (may_lack && !root.Has(name)) return std::nullopt;
  return root.Table(name);
}

}  // namespace fos::squares
