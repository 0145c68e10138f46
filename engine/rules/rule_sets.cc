#include "engine/rules/rule_sets.h"

#include <algorithm>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "engine/files/scenario_file.h"
#include "engine/files/table_file.h"
#include "engine/files/toml_reader.h"
#include "engine/rules/ancient/clauses.h"
#include "engine/rules/ancient/line_game.h"
#include "engine/rules/ancient/seen_move.h"
#include "engine/rules/ancient/seen_shot.h"
#include "engine/rules/ancient/tables.h"
#include "engine/rules/closefire/line_game.h"
#include "engine/rules/closefire/seen.h"
#include "engine/rules/closefire/tables.h"
#include "engine/rules/colonial/clauses.h"
#include "engine/rules/colonial/line_game.h"
#include "engine/rules/colonial/seen.h"
#include "engine/rules/colonial/tables.h"
#include "engine/rules/napoleonic/clauses.h"
#include "engine/rules/napoleonic/line_game.h"
#include "engine/rules/napoleonic/seen_move.h"
#include "engine/rules/napoleonic/seen_shot.h"
#include "engine/rules/napoleonic/tables.h"

namespace fos {
namespace {

template <auto ReadRules>
Status Readable(const ClubFiles& club) {
  const auto rules = ReadRules(club);
  if (!rules.ok()) return rules.error();
  return Ok();
}

constexpr RuleSet kRuleSets[] = {
    {"napoleonic", "Napoleonic", napoleonic::Clauses, napoleonic::OpenGame,
     napoleonic::OpenSeenGame, napoleonic::JudgeSeenShot, napoleonic::JudgeSeenMove,
     napoleonic::CheckSeenSetup, Readable<napoleonic::ReadRules>, napoleonic::Troops,
     napoleonic::ArmyLists, napoleonic::ArmyOf},
    {.name = "closefire",
     .title = "Close Fire & European Order",
     .clauses = closefire::Clauses,
     .open = closefire::OpenGame,
     .open_seen = closefire::OpenSeenGame,
     .judge_move = closefire::JudgeSeenMove,
     .check_setup = closefire::CheckSeenSetup,
     .check_club = Readable<closefire::ReadRules>,
     .troops = closefire::Troops,
     .measured = true},
    {"colonial", "Colonial", colonial::Clauses, colonial::OpenGame, colonial::OpenSeenGame,
     colonial::JudgeSeenShot, colonial::JudgeSeenMove, colonial::CheckSeenSetup,
     Readable<colonial::ReadRules>, colonial::Troops},
    {"ancient", "Ancient", ancient::Clauses, ancient::OpenGame, ancient::OpenSeenGame,
     ancient::JudgeSeenShot, ancient::JudgeSeenMove, ancient::CheckSeenSetup,
     Readable<ancient::ReadRules>, ancient::Troops, ancient::ArmyLists, ancient::ArmyOf},
};

}  // namespace

std::span<const RuleSet> RuleSets() { return kRuleSets; }

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
  std::vector<std::string> names;
  for (const RuleSet& set : RuleSets()) names.emplace_back(set.name);
  const int which = file.value().Root().Choice("ruleset", "rule set", names);
  if (which < 0) return file.value().Problem().error();
  // A clip's scenario describes its stands; its table.toml lies beside it.
  if (file.value().Root().Has("kind")) {
    const Result<TableSpec> table = ReadTable(scenario.parent_path() / "table.toml");
    if (!table.ok()) return table.error();
    const Result<Scenario> seen = ReadScenario(scenario, table->frame);
    if (!seen.ok()) return seen.error();
    return OpenSeenGame(*seen, table->frame, seed);
  }
  return RuleSets()[static_cast<std::size_t>(which)].open(scenario, seed);
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
  ShotVerdict verdict = JudgeShot(shot, stands, spec, scenario, frame, policy);
  const RuleSet* set = FindRuleSet(scenario.ruleset);
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
