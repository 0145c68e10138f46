// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/game/chance.h"
#include "engine/game/rule_table.h"
#include "engine/table/clause.h"
#include "engine/table/die_faces.h"
#include "engine/table/observation.h"
#include "engine/table/result.h"
#include "engine/table/vec2.h"

// One game under any rule set, as the window, the log, the report and the scripts use it.
// Declarations, dice and choices are passed as lines of docs/scripts.md, the one form in which
// every action of every rule set can be typed, chosen from a list, logged and replayed.
namespace fos {

// The result of one line.
struct LineOutcome {
  // The line in full, for replay: with the path of a move and with drawn dice and coins. Empty if
  // the line was refused.
  std::string line;
  std::optional<Refusal> refused;    // if set, nothing changed
  std::vector<std::string> events;   // one JSON object each
  std::vector<std::string> told;     // one sentence per event that matters to players
  std::vector<std::string> clauses;  // ids of the applied clauses, in order, each once
};

enum class PromptKind { kDeclare, kDice, kCoin, kSecret, kChoice, kShot, kOver };

// The input that the game waits for. Except in kDeclare, nothing else may happen before it is
// given.
struct Prompt {
  PromptKind kind = PromptKind::kDeclare;
  std::vector<int> sides;  // who may answer or declare; both in a secret choice
  int turn = 0;
  std::string phase;                // "Artillery"
  std::string sentence;             // plain English: who must do what
  std::string clause;               // the clause that requires it; may be empty
  int dice = 0, faces = 6;          // for kDice
  bool one_each = false;            // the dice are of different sides or pieces, in that order
  std::vector<DieFaces> kinds;       // one a die; empty: all are ordinary
  std::vector<std::string> pieces;  // ids it is about, such as the gun whose shot is to be recorded
  std::vector<std::string> squares;  // squares it is about, such as that shot's target
};

// The items that count in a fight and its possible results, before dice are thrown or cards chosen.
struct SumItem {
  int who = 0;       // 0: the side whose line it is; 1: its enemy
  std::string what;  // with its amount: "+2 General C1", "-1 wood"
  double amount = 0;
  std::string clause;
};
struct Forecast {
  std::vector<SumItem> items;
  std::array<double, 2> totals{};                       // by SumItem::who, without the dice
  std::vector<std::pair<std::string, double>> chances;  // "drives it back", exact, in [0, 1]
  std::string sentence;                                 // all of it, for players
  std::string unit = {};  // of the totals: "dice", "points"; empty: they are added to a die
  std::vector<std::string> outcomes = {};  // the results of each choice, as sentences
  std::array<std::string, 2> sides = {};   // names of the sides, by SumItem::who
};

// One legal line, for a menu or a map.
struct LineOption {
  std::string line;   // the line to pass to Play
  std::string label;  // short: "Move to C4 (1.5 squares)"
  std::string clause;
  int side = -1;
  std::vector<std::string> pieces;   // ids it is about
  std::vector<std::string> squares;  // squares it enters or fires at (grid games), in order
  std::vector<Vec2> path_in;         // path on tables without a grid: inches
  std::optional<Forecast> forecast = std::nullopt;  // for combats decided by sums
  // An irreversible effect, such as "the game is over": ask the player to confirm. Empty for
  // ordinary lines.
  std::string for_good = {};
};

// A line of sight from a piece to an enemy.
struct SightLine {
  std::string target;                // piece
  std::string from, to;              // squares
  bool clear = false;                // seen, within arc and range
  std::string because;               // why not
  std::string clause;                // the clause that says so
  std::vector<std::string> blocked;  // squares in the way
};
// What the table view may show of a piece: its arc, its range, its possible moves and its lines of
// sight.
struct PieceReach {
  double allowance = 0;                               // what is left of its move
  double range = 0;                                   // of its weapon
  std::string unit = "squares";                       // of both
  std::vector<std::string> arc;                       // squares within its arc and range
  std::vector<std::vector<Vec2>> arc_in;              // tables without a grid: outlines, inches
  std::vector<SightLine> sights;                      // to every enemy within range
  std::vector<std::pair<std::string, double>> moves;  // squares where it may stop, with the cost
};

struct PieceView {
  std::string id, unit, kind;
  int side = -1;
  bool on_table = true;
  std::string fate;    // "lost by a shot, turn 3"; empty while on the table
  std::string square;  // empty on tables without a grid
  Vec2 at_in;          // footprint's centre; in grid games a place in its square
  double bearing_deg = 0;
  std::vector<std::string> marks;  // "limbered", "burning", "2 disorder"
  Vec2 size_in{};                  // width and depth of its base; 0 if the rules do not give it
};
// Null: no piece has this id.
inline const PieceView* FindPiece(const std::vector<PieceView>& pieces, std::string_view id) {
  for (const PieceView& piece : pieces)
    if (piece.id == id) return &piece;
  return nullptr;
}

struct GameView {
  std::vector<std::string> sides;
  std::vector<PieceView> pieces;
  // Square and mark: "burning", "burnt", "contact".
  std::vector<std::pair<std::string, std::string>> square_marks;
  std::vector<double> points;  // by side, if the rule set has points
  std::string result;          // one sentence once the game is over
};

// A shot at rest, measured by a camera or marked by players.
struct FallenShot {
  Vec2 at_in;
  std::optional<bool> water;  // true if it lies over water; empty if unknown
  struct Near {
    std::string piece;
    bool equipment = false;  // equipment is hit by touch
    double distance_in = 0;  // from the shot's point
  };
  std::vector<Near> near;
  std::string burns;  // the square whose model it touches and may set alight; empty for none
};

// The effect of replacing an old line.
struct Corrected {
  std::optional<Refusal> refused;    // the new line was refused and nothing changed
  std::vector<std::string> changed;  // what changed, as sentences
};

class RuleGame {
 public:
  virtual ~RuleGame() = default;
  virtual std::string_view Ruleset() const = 0;
  // errors  kBadFormat: the line cannot be read; nothing changed.
  virtual Result<LineOutcome> Play(std::string_view line) = 0;
  virtual std::size_t Played() const = 0;  // number of accepted lines
  // The accepted lines with dice written in: replaying them gives the same game bit for bit.
  virtual std::vector<std::string> Lines() const = 0;
  // For each of them, which accepted line it was, from 1, those since taken back among them. It keeps
  // that number when others before it are removed.
  virtual std::vector<std::size_t> Serials() const = 0;
  virtual bool Undo() = 0;  // false if nothing was played
  // Replaces the index-th accepted line with `line` (nullopt: removes it) and adjudicates all later
  // ones again. Dice that were thrown stay as they are wherever they still fit.
  // errors  kOutOfRange: no such line; kBadFormat: the new line cannot be read.
  virtual Result<Corrected> Correct(std::size_t index, std::optional<std::string_view> line) = 0;
  virtual Prompt Next() const = 0;
  // Every legal line of a side now. OptionsOf: those about one piece, by the id of a stand, a unit
  // or a piece of equipment.
  virtual std::vector<LineOption> Options(int side) const = 0;
  virtual std::vector<LineOption> OptionsOf(std::string_view piece) const = 0;
  // A random legal line, falls of shot included. The game must not be over.
  virtual std::string RandomLine(Generator& chance) const = 0;
  virtual GameView View() const = 0;
  // The sums of a line that is legal now, and of pending dice or cards. Empty where sums decide
  // nothing.
  virtual std::optional<Forecast> ForecastOf(std::string_view /*line*/) const {
    return std::nullopt;
  }
  virtual std::optional<Forecast> Awaited() const { return std::nullopt; }
  // The tables and formulas of a clause, each with the rows of its newest case: what the game waits
  // for, else what one of the last lines decided by it.
  // played  the number of lines to look back from; a table's case is not later than these.
  virtual std::vector<RuleTable> TablesOf(std::string_view /*clause*/,
                                          std::size_t /*played*/) const {
    return {};
  }
  // Empty if the rule set has nothing to show.
  virtual PieceReach ReachOf(std::string_view /*piece*/) const { return {}; }
  // The lines that place every piece where the camera saw it, before the first action; none if the
  // scenario's squares are enough.
  virtual std::vector<std::string> PlacementLines(
      const std::vector<StandObservation>& /*stands*/) const {
    return {};
  }
  // The line that records such a shot; empty if the rule set has none.
  virtual std::string FallLine(const FallenShot& /*shot*/) const { return {}; }
  virtual std::string StateJson() const = 0;  // the whole state, canonical
  virtual std::string DescribeTable() const = 0;
};

// Reads a game's scenario, of the rule set named by its `ruleset`, and sets it up.
// seed    seeds the game's own generator, from which `draw` takes dice and coins; 0 if not given.
// errors  as TomlFile's; kBadFormat: no such rule set (the nearest is named); the rule set's own.
Result<std::unique_ptr<RuleGame>> OpenGame(const std::filesystem::path& scenario,
                                           std::optional<std::uint64_t> seed);

}  // namespace fos
