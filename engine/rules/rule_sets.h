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
#include "engine/rules/troops.h"
#include "engine/shots/seen.h"

// The rule sets this program has: one line each in rule_sets.cc.
namespace fos {

struct RuleSet {
  std::string_view name;  // as scenarios call it: `ruleset = "napoleonic"`
  std::span<const Clause> (*clauses)();
  Result<std::unique_ptr<RuleGame>> (*open)(const std::filesystem::path& scenario,
                                            std::optional<std::uint64_t> seed);
  // A game of what a clip's scenario sets out (contract, section 2.2), for playing under the
  // camera. This and those below are nullptr where the rule set has none.
  Result<std::unique_ptr<RuleGame>> (*open_seen)(const Scenario& scenario, const TableFrame& frame,
                                                 std::optional<std::uint64_t> seed) = nullptr;
  Result<ShotRuling> (*judge_shot)(const ShotObservation& shot,
                                   const std::vector<StandObservation>& stands,
                                   const Scenario& scenario, const TableFrame& frame,
                                   const DecisionPolicy& policy) = nullptr;
  Result<std::optional<MoveRuling>> (*judge_move)(const SeenMove& move,
                                                  const std::vector<StandObservation>& stands,
                                                  const Scenario& scenario,
                                                  const TableFrame& frame) = nullptr;
  Result<std::vector<std::string>> (*check_setup)(const std::vector<StandObservation>& stands,
                                                  const Scenario& scenario,
                                                  const TableFrame& frame) = nullptr;
  // errors  what is wrong with a club's own tables and settings.
  Status (*check_club)(const ClubFiles& club) = nullptr;
  // What armies are built from, by a club's own tables where it has any.
  Result<std::vector<Troop>> (*troops)(const ClubFiles& club) = nullptr;
  // The army lists by name, and an army of one; without points the list as it is printed.
  // errors  kBadFormat: no such list; kOutOfRange: points for which it has nothing.
  Result<std::vector<std::string>> (*army_lists)() = nullptr;
  Result<ArmyOffer> (*army)(std::string_view list, std::optional<int> points) = nullptr;
  // Moves are measured: what goes together is a unit, not the pieces of a square.
  bool measured = false;
};

std::span<const RuleSet> RuleSets();
// nullptr: there is none of that name.
const RuleSet* FindRuleSet(std::string_view name);
// Of any rule set, by its id ("NAP-3F"); nullptr: there is none.
const Clause* FindClause(std::string_view id);

// errors  what is wrong with the files of its own that the scenario names for its rules.
Status CheckClubFiles(const Scenario& scenario);

// A game under the camera: of a clip's scenario, whatever rule set it names.
// errors  kUnsupported: that rule set has no such game; the rule set's own.
Result<std::unique_ptr<RuleGame>> OpenSeenGame(const Scenario& scenario, const TableFrame& frame,
                                               std::optional<std::uint64_t> seed);

}  // namespace fos
