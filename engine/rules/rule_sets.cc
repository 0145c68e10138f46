// SPDX-License-Identifier: MIT
#include "engine/rules/rule_sets.h"

#include <algorithm>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "engine/files/scenario_file.h"
#include "engine/files/table_file.h"
#include "engine/files/toml_reader.h"
#include "engine/rules/ancient/rule_set.h"
#include "engine/rules/closefire/rule_set.h"
#include "engine/rules/colonial/rule_set.h"
#include "engine/rules/napoleonic/rule_set.h"

namespace fos {
namespace {

std::vector<RuleSet>& List() {
  static std::vector<RuleSet> sets = {napoleonic::Description(), closefire::Description(),
                                      colonial::Description(), ancient::Description()};
  return sets;
}

// The rule set a file names; nullptr if there is none, and the file says so.
const RuleSet* NamedBy(TomlFile& file) {
  std::vector<std::string> names;
  for (const RuleSet& set : List()) names.emplace_back(set.name);
  const int which = file.Root().Choice("ruleset", "rule set", names);
  return which < 0 ? nullptr : &List()[static_cast<std::size_t>(which)];
}

// The effects of a shot under the scenario's rules, before their ruling.
ShotEffects EffectsUnder(const RuleSet* set) { return set ? set->shots : ShotEffects{}; }

}  // namespace

std::span<const RuleSet> RuleSets() { return List(); }

void AddRuleSet(const RuleSet& set) {
  FOS_CHECK(FindRuleSet(set.name) == nullptr);
  List().push_back(set);
}

const RuleSet* FindRuleSet(std::string_view name) {
  for (const RuleSet& set : RuleSets())
    if (set.name == name) return &set;
  return nullptr;
}

std::string_view RuleSetTitle(std::string_view name) {
  const RuleSet* set = FindRuleSet(name);
  return set != nullptr ? set->title : name;
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
  const RuleSet* set = NamedBy(*file);
  if (!set) return file.value().Problem().error();
  // A clip's scenario describes its stands; its table.toml lies beside it.
  if (file.value().Root().Has("kind")) {
    const Result<TableSpec> table = ReadTable(scenario.parent_path() / "table.toml");
    if (!table.ok()) return table.error();
    const Result<Scenario> seen = ReadScenarioUnderRules(scenario, table->frame);
    if (!seen.ok()) return seen.error();
    return OpenSeenGame(*seen, table->frame, seed);
  }
  return set->open(scenario, seed);
}

Result<Scenario> ReadScenarioUnderRules(const std::filesystem::path& path,
                                        const TableFrame& frame) {
  Result<TomlFile> file = TomlFile::Read(path);
  if (!file.ok()) return file.error();
  const RuleSet* set = NamedBy(*file);
  if (!set) return file.value().Problem().error();
  Result<Scenario> scenario = ReadScenario(path, frame);
  if (!scenario.ok()) return scenario;
  if (!scenario->own_dice) TakeUsualDice(*scenario);
  for (KindSpec& kind : scenario->kinds) {
    if (!kind.target_points)
      kind.target_points = std::find(set->hit_at_points.begin(), set->hit_at_points.end(),
                                     kind.name) != set->hit_at_points.end();
  }
  return scenario;
}

void TakeUsualDice(Scenario& scenario) {
  const RuleSet* set = FindRuleSet(scenario.ruleset);
  scenario.own_dice = false;
  scenario.dice = {6};
  if (set != nullptr && set->twelve_sided_dice) scenario.dice.push_back(12);
}

std::vector<std::optional<Troop>> TroopsOf(const Scenario& scenario) {
  std::vector<std::optional<Troop>> out(scenario.kinds.size());
  const RuleSet* set = FindRuleSet(scenario.ruleset);
  if (!set || !set->troops) return out;
  const Result<std::vector<Troop>> troops = set->troops(scenario.club);
  if (!troops.ok()) return out;
  for (std::size_t kind = 0; kind < out.size(); ++kind)
    for (const Troop& troop : *troops)
      if (troop.id == scenario.kinds[kind].name) out[kind] = troop;
  return out;
}

Status CheckClubFiles(const Scenario& scenario) {
  const RuleSet* set = FindRuleSet(scenario.ruleset);
  if (!set || !set->check_club || !scenario.club.Named()) return Ok();
  return set->check_club(scenario.club);
}

Result<std::unique_ptr<RuleGame>> OpenSeenGame(const Scenario& scenario, const TableFrame& frame,
                                               std::optional<std::uint64_t> seed) {
  const RuleSet* set = FindRuleSet(scenario.ruleset);
  if (!set || !set->open_seen)
    return Error{ErrorCode::kUnsupported,
                 "the rule set `" + scenario.ruleset + "` cannot be played with the camera"};
  return set->open_seen(scenario, frame, seed);
}

ShotVerdict JudgeShotUnderRules(const ShotObservation& shot,
                                const std::vector<StandObservation>& stands,
                                const ProjectileSpec& spec, const Scenario& scenario,
                                const TableFrame& frame, const DecisionPolicy& policy) {
  const RuleSet* set = FindRuleSet(scenario.ruleset);
  const Result<Scenario> aimed =
      set && set->with_targets ? set->with_targets(scenario) : Result<Scenario>(scenario);
  ShotVerdict verdict = JudgeShot(shot, stands, spec, aimed.ok() ? *aimed : scenario, frame, policy,
                                  EffectsUnder(set));
  if (!set || !set->judge_shot) return verdict;
  Result<ShotRuling> ruling = set->judge_shot(shot, stands, scenario, frame, policy);
  if (!ruling.ok()) {
    verdict.no_ruling = ruling.error().message;
    return verdict;
  }
  verdict.choice = ruling->eligible.size() > 1;
  verdict.text = ruling->text;
  verdict.ruling = std::move(ruling).value();
  return verdict;
}

std::vector<SeenMove> MovesSeen(const std::vector<StandMoved>& moved, const Scenario& scenario,
                                const TableFrame& frame) {
  const RuleSet* set = FindRuleSet(scenario.ruleset);
  const bool measured = set && set->measured;
  std::vector<SeenMove> moves;
  for (const StandMoved& one : moved) {
    const auto from = frame.SquareAt(one.from.table_from_stand.origin);
    const auto to = frame.SquareAt(one.to.table_from_stand.origin);
    if (!from || !to || (!measured && *from == *to)) continue;
    const auto with = [&](const SeenMove& move) {
      const StandObservation& first = move.after.front();
      if (first.side != one.to.side) return false;
      return measured ? first.unit == one.to.unit : move.from == *from && move.to == *to;
    };
    auto known = std::find_if(moves.begin(), moves.end(), with);
    if (known == moves.end()) {
      const double bearing = BearingFromHeading(one.to.table_from_stand.heading_rad);
      moves.push_back({{}, *from, *to, bearing, {}});
      known = moves.end() - 1;
    }
    known->pieces.push_back(one.to.stand);
    known->after.push_back(one.to);
  }
  return moves;
}

Result<std::optional<MoveRuling>> JudgeMoveUnderRules(const SeenMove& move,
                                                      const std::vector<StandObservation>& stands,
                                                      const Scenario& scenario,
                                                      const TableFrame& frame) {
  const RuleSet* set = FindRuleSet(scenario.ruleset);
  if (!set || !set->judge_move) return std::optional<MoveRuling>();
  return set->judge_move(move, stands, scenario, frame);
}

std::vector<double> ReachesInOneMove(const Scenario& scenario, const TableFrame& frame) {
  std::vector<double> out(scenario.kinds.size(), std::numeric_limits<double>::infinity());
  const RuleSet* set = FindRuleSet(scenario.ruleset);
  if (!set || !set->troops) return out;
  const Result<std::vector<Troop>> troops = set->troops(scenario.club);
  if (!troops.ok()) return out;
  for (std::size_t kind = 0; kind < out.size(); ++kind) {
    for (const Troop& troop : *troops) {
      // From the far corner of one square to the far corner of another, if every step is diagonal.
      if (troop.id == scenario.kinds[kind].name && troop.squares > 0)
        out[kind] = (troop.squares + 1) * frame.square_in * std::numbers::sqrt2;
    }
  }
  return out;
}

const MoveRuling* RuledMoves::Of(const StandId& stand) const {
  const auto made = std::find_if(moves.begin(), moves.end(), [&](const One& one) {
    const auto& pieces = one.move.pieces;
    return std::find(pieces.begin(), pieces.end(), stand) != pieces.end();
  });
  return made == moves.end() ? nullptr : &made->ruling;
}

RuledMoves JudgeMovesUnderRules(const std::vector<StandMoved>& moved,
                                const std::vector<StandObservation>& stands,
                                const Scenario& scenario, const TableFrame& frame) {
  RuledMoves out;
  for (SeenMove& move : MovesSeen(moved, scenario, frame)) {
    Result<std::optional<MoveRuling>> ruling = JudgeMoveUnderRules(move, stands, scenario, frame);
    if (!ruling.ok()) {
      out.none = RuledMoves::None{move.pieces.front(), ruling.error().message};
      return out;
    }
    if (*ruling) out.moves.push_back({std::move(move), **std::move(ruling)});
  }
  return out;
}

Result<std::vector<std::string>> CheckSetupUnderRules(const std::vector<StandObservation>& stands,
                                                      const Scenario& scenario,
                                                      const TableFrame& frame) {
  const RuleSet* set = FindRuleSet(scenario.ruleset);
  if (!set || !set->check_setup) return std::vector<std::string>();
  return set->check_setup(stands, scenario, frame);
}

Result<std::vector<std::string>> PlacementUnderRules(const std::vector<StandObservation>& stands,
                                                     const Scenario& scenario,
                                                     const TableFrame& frame) {
  std::vector<std::string> placed;
  const RuleSet* set = FindRuleSet(scenario.ruleset);
  if (!set || !set->open_seen || !set->measured) return placed;
  const auto game = set->open_seen(scenario, frame, 0);
  if (!game.ok()) return game.error();
  for (const std::string& line : (*game)->PlacementLines(stands)) {
    const Result<LineOutcome> outcome = (*game)->Play(line);
    if (outcome.ok() && !outcome->refused) placed.push_back(line);
  }
  return placed;
}

}  // namespace fos
