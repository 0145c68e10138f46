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

// What a watched game was watched with: its table, from its file or the rig's, and its scenario.
struct WatchedWith {
  TableSpec table;
  Scenario scenario;
};
// errors  those of ReadTable, ReadRig and ReadScenario.
Result<WatchedWith> ReadWatchedWith(const GameFolder& folder);

// What was measured, judged again as the match did.
// rules   kLog: with the tables and settings of the log, which lie in its folder.
// errors  kBadFormat: it names what the scenario has not.
Result<ShotVerdict> JudgeAgain(const ShotMeasured& measured, const WatchedWith& with,
                               const GameFolder& folder, RulesOf rules);
Result<RuledMoves> JudgeAgain(const StandsMeasured& measured, const WatchedWith& with,
                              const GameFolder& folder, RulesOf rules);

// A whole log computed again: its lines by the rules; its verdicts on shots, moves and how the
// armies were set out from the stored measurements.
struct ReplayedLog {
  std::unique_ptr<RuleGame> game;  // null where no line was played
  std::int64_t lines = 0;
  std::int64_t verdicts = 0;  // on shots
  std::int64_t moves = 0;     // looks at which stands had been moved
  // What the rules said to moves, but is not computed: an older program kept no measurements.
  std::int64_t not_measured = 0;
  std::vector<Difference> differences;
  std::string signature;  // over both; see Replayed
};
// errors  those of OpenLogged and of the stored scenario and table.
Result<ReplayedLog> ReplayLog(const GameLog& log, const ReplayOptions& options);

}  // namespace fos
