// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/game/rule_game.h"
#include "engine/rules/rule_set.h"
#include "engine/shots/seen.h"

// The rule sets of this program, one line each in rule_sets.cc, and what they do for a scenario.
namespace fos {

std::span<const RuleSet> RuleSets();
// Adds a rule set of a program's own. Call it first of all: who has asked for the sets before does
// not hear of it. A set of that name may not be there yet.
void AddRuleSet(const RuleSet& set);
// nullptr if there is no rule set of that name.
const RuleSet* FindRuleSet(std::string_view name);
// Its title for players; `name` itself if there is no rule set of that name.
std::string_view RuleSetTitle(std::string_view name);
// A clause of any rule set by its id; nullptr if there is none.
const Clause* FindClause(std::string_view id);

// ReadScenario, with what the scenario's rule set says of its kinds (RuleSet::hit_at_points) and of
// the dice, where the scenario says nothing itself.
// errors  those of ReadScenario; kBadFormat: no such rule set (the nearest is named).
Result<Scenario> ReadScenarioUnderRules(const std::filesystem::path& path, const TableFrame& frame);

// Gives a scenario the dice of its rule set in place of its own.
void TakeUsualDice(Scenario& scenario);

// The troops that the scenario's kinds are, by index; empty where its rule set has none of that
// name, or where its tables cannot be read.
std::vector<std::optional<Troop>> TroopsOf(const Scenario& scenario);

// errors  faults of the rules files that the scenario names.
Status CheckClubFiles(const Scenario& scenario);

// The game of a clip's scenario, of any rule set, for playing under the camera.
// errors  kUnsupported: that rule set has no such game; the rule set's own.
Result<std::unique_ptr<RuleGame>> OpenSeenGame(const Scenario& scenario, const TableFrame& frame,
                                               std::optional<std::uint64_t> seed);

}  // namespace fos
