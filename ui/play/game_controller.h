#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/game/rule_game.h"
#include "engine/journal/record.h"
#include "engine/table/result.h"
#include "engine/table/table_frame.h"
#include "ui/session/snapshot.h"

namespace fos {

// One thing that was said at the controller and what came of it.
struct GameLogEntry {
  int number = 0;  // of the accepted line, from 1; 0 for what was refused or is a remark
  double time_s = 0;
  std::string line;
  std::vector<std::string> told;
  std::vector<std::string> clauses;
  std::string refused;  // why; empty when it was accepted
  int shot = 0;         // the camera's shot that was taken for its fall; 0: none
};

// Everything the window shows of a game: made anew after each line, never written to afterwards.
struct GameShown {
  std::string ruleset;
  std::string name;
  TableFrame board;
  std::vector<TerrainArea> terrain;
  Prompt prompt;
  GameView view;
  std::vector<std::vector<LineOption>> options;  // by side
  std::vector<GameLogEntry> log;
  std::size_t played = 0;
  std::size_t to_redo = 0;
  std::vector<bool> chosen;  // by side: a secret choice is made, not yet shown
  std::string notice;        // the last answer to what was said
  bool refused = false;      // the notice is a refusal
  std::string clause;        // that the notice cites
  // Of a game that is only stepped through: the turn it is after so many lines, from none to all.
  // `played` says how many are played now. Empty: the game is played.
  std::vector<int> replay_turns;
  // While dice are asked for: the line they are thrown for, with its forecast; else empty.
  std::optional<LineOption> thrown_for;
  std::optional<Forecast> awaited;  // the sums of what is asked for: dice, cards
};

// A game of any rule set as people play it in the window: what it asks, what may be answered, what
// was said, what came of it. Knows no rule: every answer is a line that the rule set takes or
// refuses. One thread's alone.
class GameController {
 public:
  // How to set the same game up: it is asked again after a correction, to tell the game anew.
  using Opener = std::function<Result<std::unique_ptr<RuleGame>>()>;
  // Where everything that is said goes, before it is shown; a refusal is told to people.
  using Recorder = std::function<Status(Record)>;
  struct Setup {
    Opener open;
    std::string name;
    TableFrame board;
    std::vector<TerrainArea> terrain;  // for the map; the rules have their own
    // Of a game that was broken off: done again, not recorded again.
    std::vector<Record> before;
    Recorder record;      // may be empty
    bool replay = false;  // `before` is stepped through; what is said is refused
  };
  // errors  the opener's; kBadFormat when what was recorded no longer fits the game, with its
  // number.
  static Result<std::unique_ptr<GameController>> Open(Setup setup);

  const std::shared_ptr<const GameShown>& Now() const { return now_; }
  // The legal lines about one unit or piece, kept until the game goes on.
  const std::vector<LineOption>& OptionsOf(const std::string& piece);
  // What one unit or piece could do, kept likewise.
  const PieceReach& ReachOf(const std::string& piece);
  // The sums of one legal line, kept likewise; empty where sums decide nothing.
  const std::optional<Forecast>& ForecastOf(const LineOption& option);
  // Everything on the table as the pictures show stands: for boards that no camera looks at.
  std::vector<StandObservation> Stands() const;

  // Everything where the camera saw it, as far as the rule set measures; only before anything has
  // been said. False where it came too late.
  bool PlaceAsSeen(const std::vector<StandObservation>& stands, double time_s);

  // A line of the rule set's, or `undo [N]`, `redo`, `correct N LINE`, `remove N`.
  // shot  the camera's shot it was made of; 0: none.
  void Say(std::string_view line, double time_s, int shot = 0);
  // Of a replay: as it stood after so many lines, at most all of them.
  void StepTo(std::size_t lines);
  void Undo(double time_s) { Say("undo", time_s); }
  void Redo(double time_s) { Say("redo", time_s); }
  // A side's answer in a secret choice: kept, and shown to nobody, until every side that is asked
  // has chosen; then all are said, in the order of the sides. Choosing again replaces it.
  void Choose(int side, const std::string& line, double time_s);

  // The line that lets a measured shot fall, with what the players settled: the answer to kShot.
  // errors  kDegenerate while a call is too close and not settled: which, and what to do.
  Result<std::string> FallOf(const ShotShown& shot, const Scenario& scenario) const;
  // The same where no camera measures: where people say it lies and what they say it struck.
  std::string FallAt(Vec2 point, const std::vector<std::string>& struck) const;
  // The camera's shots up to this one have been used, or came before the game asked.
  int LastShotUsed() const { return last_shot_; }
  void PassShot(int shot) { last_shot_ = std::max(last_shot_, shot); }

 private:
  GameController(Setup setup, std::unique_ptr<RuleGame> game);
  Status GoOn(const std::vector<Record>& before);
  void Rewind();
  Status TellAnew(double time_s);
  void Note(double time_s, std::string what);
  void Put(const std::string& text, const LineOutcome& outcome, double time_s);
  void Show();
  // Not shown yet. False when it was refused or cannot be read.
  bool PlayOne(std::string_view line, double time_s, int shot);
  // The dice that come next are for this line, if they are for one that is forecast.
  // ahead  its sums before it was played.
  void NoteForecast(std::string_view line, const std::optional<Forecast>& ahead);
  void TakeBack(int count, double time_s);
  void PutAgain(double time_s);
  void CorrectOne(std::string_view words, bool remove, double time_s);

  Setup setup_;
  std::unique_ptr<RuleGame> game_;
  std::vector<GameLogEntry> log_;
  std::vector<std::string> undone_;  // the newest last
  std::vector<std::optional<std::string>> secrets_;
  int last_shot_ = 0;
  std::shared_ptr<const GameShown> now_;
  struct Notice {
    std::string words;
    bool refused = false;
    std::string clause;
  };
  Notice notice_;
  std::optional<std::string> options_of_;  // whose `options_` are
  std::vector<LineOption> options_;
  std::optional<std::string> forecast_of_;
  std::optional<Forecast> forecast_;
  std::optional<std::string> reach_of_;
  PieceReach reach_;
  std::optional<LineOption> thrown_for_;
  std::vector<std::string> replay_lines_;
  std::vector<int> replay_turns_;
};

// The ground a game's scenario describes, for the map: [[terrain]] by squares or by polygon. What
// cannot be read is left out: the rule set says what is wrong with its file.
std::vector<TerrainArea> TerrainOf(const std::filesystem::path& scenario, const TableFrame& board);
// The board a game's scenario describes: [board] columns, rows and square (4 in when not given), or
// [table] length and width in inches, which is then shown in squares of a foot.
// errors  as TomlFile's; kOutOfRange.
Result<TableFrame> BoardOf(const std::filesystem::path& scenario);

}  // namespace fos
