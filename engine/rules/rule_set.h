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

#include "engine/game/army.h"
#include "engine/game/rule_game.h"
#include "engine/shots/seen.h"

// What a rule set tells the rest of the program about itself. Each folder below engine/rules fills
// in one RuleSet; rule_sets.cc lists them.
namespace fos {

// What every game says as it goes along and a report leaves out: the beginnings of such sentences.
inline constexpr std::string_view kUsualAsides[] = {"Next:", "Dice:", "Turn ", "The coin "};

// A function that is nullptr means that the rule set has nothing of the kind.
struct RuleSet {
  std::string_view name;   // as in scenarios: `ruleset = "chess"`
  std::string_view title;  // for players: "Chess"
  // The folder of its tables and settings, below a root of data_path.h.
  std::string_view data = {};
  std::span<const Clause> (*clauses)() = nullptr;
  Result<std::unique_ptr<RuleGame>> (*open)(const std::filesystem::path& scenario,
                                            std::optional<std::uint64_t> seed) = nullptr;
  // The game of a clip's scenario (contract, section 2.2), for playing under the camera.
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
  // The troops that armies are built from, in the order of the club's own tables, or of the shipped
  // ones. Bases come from the tables where they give any; else the usual ones (usual_bases.h).
  // errors  those of the tables.
  Result<std::vector<Troop>> (*troops)(const ClubFiles& club) = nullptr;
  // The names of the army lists.
  Result<std::vector<std::string>> (*army_lists)() = nullptr;
  // One army: for a number of points, or without points the list as printed.
  // errors  kBadFormat: no such list; kOutOfRange: too few points for any unit.
  Result<ArmyOffer> (*army)(std::string_view list, std::optional<int> points) = nullptr;

  // ---- The table ----
  // True if moves are measured: a unit's pieces move together, not the pieces of a square.
  bool measured = false;
  double square_in = 4;  // the usual square, where a scenario gives none

  // ---- Shots ----
  ShotEffects shots = {};
  // Kinds of stand whose `target` points are hit one by one (an animal's legs), not on the lines
  // between them (an axle), unless the scenario says otherwise.
  std::span<const std::string_view> hit_at_points = {};
  // The scenario with every kind's `target` as these rules and the club's settings measure to it.
  // errors  those of the tables and settings.
  Result<Scenario> (*with_targets)(const Scenario& scenario) = nullptr;

  // ---- Reports ----
  // The verbs that fire or throw: `VERB PIECE [KIND] at SQUARE-OR-PIECE`.
  std::span<const std::string_view> firing = {};
  std::span<const std::string_view> asides = kUsualAsides;

  // ---- Dice beside ordinary six-sided ones ----
  bool average_dice = false;       // they show 2 3 3 4 4 5
  bool twelve_sided_dice = false;  // they show 1 to 12
};

// For RuleSet::check_club: whether ReadRules(const ClubFiles&) reads them.
template <auto ReadRules>
Status ClubReadable(const ClubFiles& club) {
  const auto rules = ReadRules(club);
  if (!rules.ok()) return rules.error();
  return Ok();
}

}  // namespace fos
