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

// The rule sets of this program, one line each in rule_sets.cc.
namespace fos {

struct RuleSet {
  std::string_view name;   // as in scenarios: `ruleset = "napoleonic"`
  std::string_view title;  // for players: "Close Fire & European Order"
  std::span<const Clause> (*clauses)();
  Result<std::unique_ptr<RuleGame>> (*open)(const std::filesystem::path& scenario,
                                            std::optional<std::uint64_t> seed);
  // The game of a clip's scenario (contract, section 2.2), for playing under the camera. This and
  // the functions below are nullptr if the rule set has none.
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
  // errors  faults of a club's own tables and settings.
  Status (*check_club)(const ClubFiles& club) = nullptr;
  // The troops that armies are built from, from the club's own tables if it has any.
  Result<std::vector<Troop>> (*troops)(const ClubFiles& club) = nullptr;
  // The names of the army lists.
  Result<std::vector<std::string>> (*army_lists)() = nullptr;
  // One army: for a number of points, or without points the list as printed.
  // errors  kBadFormat: no such list; kOutOfRange: too few points for any unit.
  Result<ArmyOffer> (*army)(std::string_view list, std::optional<int> points) = nullptr;
  // True if moves are measured: a unit's pieces move together, not the pieces of a square.
  bool measured = false;
};

std::span<const RuleSet> RuleSets();
// nullptr if there is no rule set of that name.
const RuleSet* FindRuleSet(std::string_view name);
// Its title for players; `name` itself if there is no rule set of that name.
std::string_view RuleSetTitle(std::string_view name);
// A clause of any rule set by its id ("NAP-3F"); nullptr if there is none.
const Clause* FindClause(std::string_view id);

// errors  faults of the rules files that the scenario names.
Status CheckClubFiles(const Scenario& scenario);

// The game of a clip's scenario, of any rule set, for playing under the camera.
// errors  kUnsupported: that rule set has no such game; the rule set's own.
Result<std::unique_ptr<RuleGame>> OpenSeenGame(const Scenario& scenario, const TableFrame& frame,
                                               std::optional<std::uint64_t> seed);

}  // namespace fos
