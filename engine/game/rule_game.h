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
#include "engine/table/clause.h"
#include "engine/table/observation.h"
#include "engine/table/result.h"
#include "engine/table/vec2.h"

// One game under any rule set, as the window, the log, the report and the scripts see it.
// Declarations, dice and choices come in as the lines of docs/scripts.md: the one form in which
// every action of every rule set can be typed, picked from a list, logged and played again.
namespace fos {

// What one line came to.
struct LineOutcome {
  // As it must be played again: in full (the path of a move to a square), with drawn dice and coins
  // in it. Empty when the line was refused.
  std::string line;
  std::optional<Refusal> refused;    // then nothing changed
  std::vector<std::string> events;   // one JSON object each
  std::vector<std::string> told;     // a sentence for each event that means something to people
  std::vector<std::string> clauses;  // ids of the clauses that applied, in order, each once
};

enum class PromptKind { kDeclare, kDice, kCoin, kSecret, kChoice, kShot, kOver };

// What the game waits for. Nothing else goes on before it is answered, except in kDeclare.
struct Prompt {
  PromptKind kind = PromptKind::kDeclare;
  std::vector<int> sides;  // who may answer or declare; both in a secret choice
  int turn = 0;
  std::string phase;                 // "Artillery"
  std::string sentence;              // plain English: what is wanted, of whom
  std::string clause;                // the clause that wants it; empty where none is to be named
  int dice = 0, faces = 6;           // of kDice
  std::vector<std::string> pieces;   // ids it is about: the gun whose shot is to fall
  std::vector<std::string> squares;  // and where: its target
};

// What counts in a fight, item by item, and what it can come to, before dice are thrown or cards
// chosen.
struct SumItem {
  int who = 0;       // 0: the side whose line it is, 1: its enemy
  std::string what;  // with its amount: "+2 General C1", "-1 wood"
  double amount = 0;
  std::string clause;
};
struct Forecast {
  std::vector<SumItem> items;
  std::array<double, 2> totals{};                       // by SumItem::who, the dice left out
  std::vector<std::pair<std::string, double>> chances;  // "drives it back", exact, in [0, 1]
  std::string sentence;                                 // all of it, for people
  std::string unit = {};                   // of the totals: "dice", "points"; empty: added to a die
  std::vector<std::string> outcomes = {};  // what follows from what is chosen: sentences
  std::array<std::string, 2> sides = {};   // whose sums they are, by SumItem::who
};

// One legal line, for a menu or a map.
struct LineOption {
  std::string line;   // what Play takes
  std::string label;  // a few words: "Move to C4 (1.5 squares)"
  std::string clause;
  int side = -1;
  std::vector<std::string> pieces;   // ids it is about
  std::vector<std::string> squares;  // where it goes or fires (gridded sets), in order
  std::vector<Vec2> path_in;         // tables without a grid: inches
  std::optional<Forecast> forecast = std::nullopt;  // of combats decided by sums
  // What it does for good: "the game is over". Whoever offers it asks once more before it is
  // played. Empty: an ordinary line.
  std::string for_good = {};
};

// A line of sight from a piece to an enemy.
struct SightLine {
  std::string target;                // piece
  std::string from, to;              // squares
  bool clear = false;                // seen, within arc and range
  std::string because;               // why not
  std::string clause;                // that says so
  std::vector<std::string> blocked;  // squares in the way
};
// What the table's picture may show of one piece: its arc, its range, how far it can go and whom it
// sees.
struct PieceReach {
  double allowance = 0;                               // left of its move
  double range = 0;                                   // of its weapon
  std::string unit = "squares";                       // in which both are told
  std::vector<std::string> arc;                       // squares within its arc and range
  std::vector<std::vector<Vec2>> arc_in;              // tables without a grid: outlines, inches
  std::vector<SightLine> sights;                      // to every enemy within range
  std::vector<std::pair<std::string, double>> moves;  // where it may stop, and the cost
};

struct PieceView {
  std::string id, unit, kind;
  int side = -1;
  bool on_table = true;
  std::string fate;    // "lost by a shot, turn 3"; empty while on the table
  std::string square;  // empty on tables without a grid
  Vec2 at_in;          // footprint's centre; in gridded sets a place in its square
  double bearing_deg = 0;
  std::vector<std::string> marks;  // "limbered", "burning", "2 disorder"
  Vec2 size_in{};                  // width and depth of its base; 0 where the rules do not say
};

struct GameView {
  std::vector<std::string> sides;
  std::vector<PieceView> pieces;
  // Square and what it is: "burning", "burnt", "contact".
  std::vector<std::pair<std::string, std::string>> square_marks;
  std::vector<double> points;  // by side, where the rule set counts them
  std::string result;          // one sentence once it is over
};

// A shot at rest: what a camera measured or people pointed at.
struct FallenShot {
  Vec2 at_in;
  std::optional<bool> water;  // what it lies on, where that is known
  struct Near {
    std::string piece;
    bool equipment = false;  // hit by touch
    double distance_in = 0;  // from the point that counts
  };
  std::vector<Near> near;
  std::string burns;  // the square whose model it lies on and may set alight; empty: none
};

// What putting another line in the place of an old one made of the game.
struct Corrected {
  std::optional<Refusal> refused;    // of the new line: then nothing changed
  std::vector<std::string> changed;  // in sentences
};

class RuleGame {
 public:
  virtual ~RuleGame() = default;
  virtual std::string_view Ruleset() const = 0;
  // errors  kBadFormat: the line cannot be read; nothing changed.
  virtual Result<LineOutcome> Play(std::string_view line) = 0;
  virtual std::size_t Played() const = 0;  // accepted lines
  // As accepted, dice written in: played again they give the same game bit for bit.
  virtual std::vector<std::string> Lines() const = 0;
  virtual bool Undo() = 0;  // false when nothing was played
  // Puts `line` in the place of the index-th accepted line (nullopt: takes that out) and
  // adjudicates all after it again; dice that lay on the table stay as they fell wherever they
  // still fit. errors  kOutOfRange: no such line; kBadFormat: the new one cannot be read.
  virtual Result<Corrected> Correct(std::size_t index, std::optional<std::string_view> line) = 0;
  virtual Prompt Next() const = 0;
  // Every legal line of a side now; OptionsOf: those about one piece, by the id of a stand, a unit
  // or a piece of equipment.
  virtual std::vector<LineOption> Options(int side) const = 0;
  virtual std::vector<LineOption> OptionsOf(std::string_view piece) const = 0;
  // A legal line as a player who knows the rules and nothing else might say it, falls of shot
  // included; for a game that is not over.
  virtual std::string RandomLine(Generator& chance) const = 0;
  virtual GameView View() const = 0;
  // The sums of a line that could be said now, and of what the game asks for: dice, cards. Empty
  // where sums decide nothing.
  virtual std::optional<Forecast> ForecastOf(std::string_view /*line*/) const {
    return std::nullopt;
  }
  virtual std::optional<Forecast> Awaited() const { return std::nullopt; }
  // Empty where a rule set has nothing of the kind.
  virtual PieceReach ReachOf(std::string_view /*piece*/) const { return {}; }
  // The lines that put everything down where the camera saw it, before anything has happened; none
  // where the scenario's squares say it all.
  virtual std::vector<std::string> PlacementLines(
      const std::vector<StandObservation>& /*stands*/) const {
    return {};
  }
  // The line that lets such a shot fall; empty where a rule set knows none.
  virtual std::string FallLine(const FallenShot& /*shot*/) const { return {}; }
  virtual std::string StateJson() const = 0;  // the whole state, canonical
  virtual std::string DescribeTable() const = 0;
};

// Reads a game's scenario, of whatever rule set its `ruleset` names, and sets it up.
// seed    starts the game's own generator, from which `draw` takes dice and coins; 0 when not
// given. errors  as TomlFile's; kBadFormat: no such rule set (the nearest is named); the rule set's
// own.
Result<std::unique_ptr<RuleGame>> OpenGame(const std::filesystem::path& scenario,
                                           std::optional<std::uint64_t> seed);

}  // namespace fos
