// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/journal/game_files.h"
#include "engine/journal/logged_game.h"
#include "engine/shots/fall_of_shot.h"
#include "engine/shots/seen.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"

namespace fos {

// The table and scenario of a watched game; the table comes from table.toml or from a rig.
struct WatchedWith {
  TableSpec table;
  Scenario scenario;
};
// errors  those of ReadTable, ReadRig and ReadScenarioUnderRules.
Result<WatchedWith> ReadWatchedWith(const GameFolder& folder);

// Judges stored measurements again, as the match did.
// rules   kLog: with the tables and settings of the log, which are in its folder.
// calls   that the players settled: they count, whatever was measured.
// errors  kBadFormat: the measurement has a side or kind that the scenario has not.
Result<ShotVerdict> JudgeAgain(const ShotMeasured& measured, const WatchedWith& with,
                               const GameFolder& folder, RulesOf rules, SettledCalls calls = {});
Result<RuledMoves> JudgeAgain(const StandsMeasured& measured, const WatchedWith& with,
                              const GameFolder& folder, RulesOf rules);

// A log computed again: its lines by the rules; its rulings on shots, moves and the deployment from
// the stored measurements.
struct ReplayedLog {
  std::unique_ptr<RuleGame> game;  // null when no line was played
  std::int64_t lines = 0;
  std::int64_t verdicts = 0;  // on shots
  std::int64_t moves = 0;     // looks in which stands had moved
  // Rulings on moves that cannot be computed: older programs stored no measurements of them.
  std::int64_t not_measured = 0;
  std::vector<Difference> differences;
  std::string signature;  // over both; see Replayed
};
// errors  those of OpenLogged and of the stored scenario and table.
Result<ReplayedLog> ReplayLog(const GameLog& log, const ReplayOptions& options);

}  // namespace fos
