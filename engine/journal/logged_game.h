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

// A game under the rules, in the log: written as it is played, gone on with after an interruption,
// computed again from its lines.
namespace fos {

// Whose tables a game is played again with.
enum class RulesOf { kLog, kProgram };

// The game as it stood before its first line.
// errors  as OpenGame's, with the log's names for files; kBadFormat: the log holds no scenario.
Result<std::unique_ptr<RuleGame>> OpenLogged(const GameStart& start, RulesOf rules);

// What a step of a script is in the log; nothing for what only shows something.
std::optional<Record> RecordOf(const ScriptStep& step);

// Does to the game what the record says was done to it, and gives the record that this makes now:
// the same one, word for word, unless the rules or the program have changed.
// errors  kBadFormat: its line can no longer be read.
Result<Record> PlayAgain(RuleGame& game, const Record& record);

// One record that comes out otherwise when it is computed again.
struct Difference {
  std::int64_t record = 0;
  std::string text;  // the line or the verdict as it was logged
  std::string why;   // "then: ...; now: ...", with the clauses
};
// "" when both say the same; else what was and what is, in a sentence.
std::string Differs(const Record& logged, const Record& now);

struct Replayed {
  std::unique_ptr<RuleGame> game;  // as it stands at the end
  std::int64_t records = 0;        // that were computed again
  std::vector<Difference> differences;
  // One hash over everything that was computed, in order, and the state at the end: the same for
  // the same game on every machine and under every compiler, however often it was interrupted.
  std::string signature;
};
struct ReplayOptions {
  RulesOf rules = RulesOf::kLog;
  std::optional<std::int64_t> until;  // the last record that is computed
  // Called after each record, with the game as it then stands.
  std::function<void(const Record& logged, const Record& now, const RuleGame& game)> step;
};
// errors  as OpenLogged's. A record that can no longer be read or is refused is a difference.
Result<Replayed> Replay(const GameLog& log, const ReplayOptions& options);

// Plays a script into the log. A game that was begun before is gone on with at the record after the
// last: what is there already is computed again and must be the same.
struct Played {
  std::unique_ptr<RuleGame> game;
  std::int64_t before = 0;  // records that were there already
  std::int64_t now = 0;     // and are there now
};
struct PlayIntoOptions {
  std::function<double()> clock;                        // seconds since 1970
  std::function<void(const ScriptStep&, bool)> report;  // true: it was in the log already
  bool end = true;  // the script is the whole game: where it ends, the log is ended
};
// errors  as OpenLogged's, RunScript's and the writer's; kBadFormat: the script is not the one the
//         log was written from.
Result<Played> PlayInto(Journal& journal, std::int64_t game, std::string_view script,
                        const PlayIntoOptions& options);

}  // namespace fos
