// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/game/rule_game.h"
#include "engine/game/script_runner.h"
#include "engine/journal/game_files.h"
#include "engine/journal/journal.h"

// A game under the rules in the log: written as it is played, continued after an interruption, and
// recomputed from its lines.
namespace fos {

// Which tables a game is replayed with.
enum class RulesOf { kLog, kProgram };

// The game before its first line.
// errors  as OpenGame's, with the log's file names; kBadFormat: the log holds no scenario.
Result<std::unique_ptr<RuleGame>> OpenLogged(const GameStart& start, RulesOf rules);

// The log record of a script step; none for steps that only display something.
std::optional<Record> RecordOf(const ScriptStep& step);

// What a record of a correction says.
struct Correction {
  std::size_t number = 0;  // of the line, from 1; 0: the record does not say
  std::string line;        // what stands in its place; empty: nothing does
};
Correction CorrectionIn(std::string_view text);

// Applies the record to the game again and returns the record that results: the same one, word for
// word, unless the rules or the program have changed.
// errors  kBadFormat: its line can no longer be read.
Result<Record> PlayAgain(RuleGame& game, const Record& record);

// One record with a different result when it is recomputed.
struct Difference {
  std::int64_t record = 0;
  std::string text;  // the line or the verdict as it was logged
  std::string why;   // "then: ...; now: ...", with the clauses
};
// "" if both are equal; else a sentence with the old and the new result.
std::string Differs(const Record& logged, const Record& now);

struct Replayed {
  std::unique_ptr<RuleGame> game;  // as it stands at the end
  std::int64_t records = 0;        // number of recomputed records
  std::vector<Difference> differences;
  // One hash over all recomputed records in order and the final state. It is the same for the same
  // game on every machine and with every compiler, however often the game was interrupted.
  std::string signature;
};
struct ReplayOptions {
  RulesOf rules = RulesOf::kLog;
  std::optional<std::int64_t> until;  // the last record to recompute

  // Called after each record with the game's state.
  std::function<void(const Record& logged, const Record& now, const RuleGame& game)> step;
};
// errors  as OpenLogged's. A record that can no longer be read or is refused counts as a
// difference.
Result<Replayed> Replay(const GameLog& log, const ReplayOptions& options);

// Plays a script into the log. A game begun before continues after its last record; the records
// already there are recomputed and must be the same. The log ends where the game is over: a script
// that stops earlier leaves it to be continued.
struct Played {
  std::unique_ptr<RuleGame> game;
  std::int64_t before = 0;  // records before
  std::int64_t now = 0;     // records now
};
struct PlayIntoOptions {
  std::function<double()> clock;                        // seconds since 1970
  std::function<void(const ScriptStep&, bool)> report;  // bool: it was already in the log
};
// errors  as OpenLogged's, RunScript's and the writer's; kBadFormat: the log was not written from
//         this script.
Result<Played> PlayInto(Journal& journal, std::int64_t game, std::string_view script,
                        const PlayIntoOptions& options);

}  // namespace fos
