#include "engine/rules/rule_sets.h"

#include <string>
#include <vector>

#include "engine/files/toml_reader.h"
#include "engine/rules/napoleonic/clauses.h"
#include "engine/rules/napoleonic/line_game.h"

namespace fos {
namespace {

constexpr RuleSet kRuleSets[] = {
    {"napoleonic", napoleonic::Clauses, napoleonic::OpenGame},
};

}  // namespace

std::span<const RuleSet> RuleSets() { return kRuleSets; }

const RuleSet* FindRuleSet(std::string_view name) {
  for (const RuleSet& set : RuleSets())
    if (set.name == name) return &set;
  return nullptr;
}

const Clause* FindClause(std::string_view id) {
  for (const RuleSet& set : RuleSets())
    for (const Clause& clause : set.clauses())
      if (clause.id == id) return &clause;
  return nullptr;
}

Result<std::unique_ptr<RuleGame>> OpenGame(const std::filesystem::path& scenario,
                                           std::optional<std::uint64_t> seed) {
  Result<TomlFile> file = TomlFile::Read(scenario);
  if (!file.ok()) return file.error();
  std::vector<std::string> names;
  for (const RuleSet& set : RuleSets()) names.emplace_back(set.name);
  const int which = file.value().Root().Choice("ruleset", "rule set", names);
  if (which < 0) return file.value().Problem().error();
  return RuleSets()[static_cast<std::size_t>(which)].open(scenario, seed);
}

}  // namespace fos
