// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/game/rule_game.h"
#include "engine/journal/record.h"
#include "engine/table/result.h"
#include "engine/table/table_frame.h"
#include "ui/play/dice_answer.h"
#include "ui/session/dice_record.h"
#include "ui/session/snapshot.h"

namespace fos {

// A line that was entered, and its result.
struct GameLogEntry {
  int number = 0;  // of the accepted line, from 1; 0 for a refused line or a remark
  double time_s = 0;
  std::string line;
  std::string said;  // the line in a player's words; empty where what is told repeats it
  std::vector<std::string> told;
  std::vector<std::string> clauses;
  std::string refused;  // why; empty when it was accepted
  int shot = 0;         // the camera's shot that this line is about; 0: none
  bool undone = false;  // taken back
  std::string dice_read = {};  // whose word the dice are, where the camera had read some
};

// Everything the window shows of a game. A new one is made after each line; it never changes.
struct GameShown {
  std::string ruleset;
  std::string name;
  TableFrame board;
  std::vector<TerrainArea> terrain;
  Prompt prompt;
  GameView view;
  // The kinds of the view's pieces, by name, and what each is (TroopsOf).
  std::vector<KindSpec> kinds;
  std::vector<std::optional<Troop>> troops;
  std::vector<std::vector<LineOption>> options;  // by side
  std::vector<GameLogEntry> log;
  std::size_t played = 0;
  std::size_t to_redo = 0;
  std::vector<bool> chosen;  // by side: a secret choice is made, but not shown yet
  std::string notice;        // the answer to the last line; a refusal names the nearest legal one
  bool refused = false;      // the notice is a refusal
  std::string clause;        // the clause the notice cites
  // In a replay: the turn number after 0, 1, 2, ... lines; `played` is the current line. Empty when
  // the game is played.
  std::vector<int> replay_turns;
  // While dice are awaited: the line they are thrown for, with its forecast; else empty.
  std::optional<LineOption> thrown_for;
  std::optional<Forecast> awaited;  // the sums of the dice or cards that are awaited
};

// Dice that were thrown, and what they came to.
struct ThrownDice {
  std::vector<int> faces;
  std::vector<std::string> came_to;  // sentences
  std::vector<std::string> clauses;
};
// The newest dice of the game.
// line  of this line or an earlier one; 0: of all.
std::optional<ThrownDice> LastDice(const GameShown& game, int line);

// Plays a game of any rule set in the window: its prompts, legal answers, lines and results. Knows
// no rule itself: the rule set accepts or refuses every line. For one thread only.
class GameController {
 public:
  // Opens the game at its start. Called again after a correction, to replay the game.
  using Opener = std::function<Result<std::unique_ptr<RuleGame>>()>;
  // Records every line before it is shown. Its error is shown to the players.
  using Recorder = std::function<Status(Record)>;
  struct Setup {
    Opener open;
    std::string name;
    TableFrame board;
    std::vector<TerrainArea> terrain;  // for the map; the rules have their own
    ClubFiles club;                    // for what the troops are called and drawn as
    // The records of an unfinished game: played again, but not recorded again.
    std::vector<Record> before;
    Recorder record;      // may be empty
    bool replay = false;  // step through `before`; new lines are refused
  };
  // errors  the opener's; kBadFormat: a record no longer fits the game; the message has its number.
  static Result<std::unique_ptr<GameController>> Open(Setup setup);

  const std::shared_ptr<const GameShown>& Now() const { return now_; }
  // The legal lines for one unit or piece, those about the whole unit first, then those about more
  // of its stands. Cached until the next line.
  const std::vector<LineOption>& OptionsOf(const std::string& piece);
  // Why the piece cannot go to that square, or fire at who stands there: one sentence with its
  // clause, and on a line of its own the nearest legal move. Empty where it can.
  std::string WhyNot(const std::string& piece, const std::string& square);
  // What one unit or piece could do. Cached likewise.
  const PieceReach& ReachOf(const std::string& piece);
  // The sums of one legal line, cached likewise; empty where no dice decide.
  const std::optional<Forecast>& ForecastOf(const LineOption& option);
  // The tables and formulas of a clause, with the rows of its newest case. Cached likewise.
  // line  looks for cases up to this line of the log; 0: up to now, with what the game waits for.
  const std::vector<RuleTable>& TablesOf(const std::string& clause, int line);
  // The pieces on the table as stands, for boards without a camera.
  std::vector<StandObservation> Stands() const;

  // Puts every stand where the camera found it, for rule sets that measure. Only before the first
  // line; false when it is too late.
  bool PlaceAsSeen(const std::vector<StandObservation>& stands, double time_s);

  // Plays a line of the rule set, or `undo [N]`, `redo`, `correct N LINE`, `remove N`.
  // shot  the camera's shot that it is about; 0: none.
  void Say(std::string_view line, double time_s, int shot = 0);
  // In a replay: goes to the state after this many lines, at most all of them.
  void StepTo(std::size_t lines);
  void Undo(double time_s) { Say("undo", time_s); }
  void Redo(double time_s) { Say("redo", time_s); }
  // A side's answer in a secret choice. Answers are hidden until every side has chosen, then played
  // in the order of the sides. Choosing again replaces the answer.
  void Choose(int side, const std::string& line, double time_s);

  // The line that reports a measured shot to the game, with the players' decisions: the answer to
  // kShot.
  // errors  kDegenerate: a call is too close and not settled yet, the message says which; or the
  //         players took the shot back.
  Result<std::string> FallOf(const ShotShown& shot, const Scenario& scenario) const;
  // The same without a camera: the players say where the shot lies and what it struck.
  std::string FallAt(Vec2 point, const std::vector<std::string>& struck) const;
  // Follows the dice on the table: call it for every snapshot that is shown. Plays what they show
  // when the game asks for dice and nothing contradicts them for a while.
  // by_itself  false: the players accept every throw
  // held       as in DiceAnswer::Look
  void SeeDice(const Snapshot& shown, bool by_itself, bool held);
  const DiceOffer& OfferedDice() const { return dice_.Offer(); }
  // The players' answers to the offer: take it, or these dice are none.
  void TakeDice();
  void DismissDice() { dice_.Dismiss(); }
  // The last of the camera's shots that was used, or that fell before the game asked for one.
  int LastShotUsed() const { return last_shot_; }
  void PassShot(int shot) { last_shot_ = std::max(last_shot_, shot); }

 private:
  GameController(Setup setup, std::unique_ptr<RuleGame> game);
  Status Restore(const std::vector<Record>& before);
  void Rewind();
  Status RebuildLog(double time_s, const std::vector<std::size_t>& serials_before);
  void AddRemark(double time_s, std::string text);
  void RecordLine(const std::string& text, const LineOutcome& outcome, double time_s);
  void RecordDiceRead(GameLogEntry& entry);
  void NoteKinds(const std::string& ruleset, const GameView& view);
  void Show();
  // Plays a line without Show(). False when it was refused or cannot be parsed.
  bool PlayOne(std::string_view line, double time_s, int shot);
  // "French: End this step" for an offered line that is about no piece; else empty.
  std::string InWords(std::string_view line) const;
  // Remembers the line that the next dice are thrown for, if it has a forecast.
  // ahead  its forecast before it was played.
  void NoteForecast(std::string_view line, const std::optional<Forecast>& ahead);
  void UndoLines(int count, double time_s);
  void RedoLine(double time_s);
  void CorrectLine(std::string_view words, bool remove, double time_s);

  Setup setup_;
  std::unique_ptr<RuleGame> game_;
  std::vector<GameLogEntry> log_;
  struct Undone {
    std::string line;
    int shot = 0;  // the camera's shot that it is about; 0: none
  };
  std::vector<Undone> undone_;  // the next to be redone last
  std::vector<std::optional<std::string>> secrets_;
  int last_shot_ = 0;
  DiceAnswer dice_;
  // How the dice line that is being played was answered where the camera had read dice.
  std::optional<DiceRead> dice_read_;
  std::shared_ptr<const GameShown> now_;
  struct Notice {
    std::string text;
    bool refused = false;
    std::string clause;
  };
  Notice notice_;
  std::optional<std::string> options_of_;  // the piece that `options_` are for
  std::vector<LineOption> options_;
  std::optional<std::string> forecast_of_;
  std::optional<Forecast> forecast_;
  std::vector<KindSpec> kinds_;
  std::vector<std::optional<Troop>> troops_;
  std::optional<std::string> reach_of_;
  PieceReach reach_;
  std::optional<std::pair<std::string, int>> tables_of_;
  std::vector<RuleTable> tables_;
  std::optional<LineOption> thrown_for_;
  std::vector<std::string> replay_lines_;
  std::vector<int> replay_turns_;
};

}  // namespace fos
