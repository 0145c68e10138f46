#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "engine/rules/rule_game.h"

// The rule sets this program has: one line each in rule_sets.cc.
namespace fos {

struct RuleSet {
  std::string_view name;  // as scenarios call it: `ruleset = "napoleonic"`
  std::span<const Clause> (*clauses)();
  Result<std::unique_ptr<RuleGame>> (*open)(const std::filesystem::path& scenario,
                                            std::optional<std::uint64_t> seed);
};

std::span<const RuleSet> RuleSets();
// nullptr: there is none of that name.
const RuleSet* FindRuleSet(std::string_view name);
// Of any rule set, by its id ("NAP-3F"); nullptr: there is none.
const Clause* FindClause(std::string_view id);

}  // namespace fos
