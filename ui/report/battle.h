#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/game/rule_game.h"
#include "engine/journal/journal.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"
#include "engine/table/table_frame.h"

// A logged game as its report tells it: turns, who stood where, what moved, what was fired, what
// was lost, what was argued about. Inches, x east, y north; bearings in degrees.
namespace fos {

// What lies on the table, as far as a map shows it.
struct Ground {
  std::string type;
  std::vector<SquareIndex> squares;                        // or
  Polygon polygon;                                         // or
  std::vector<std::pair<SquareIndex, SquareIndex>> edges;  // between two squares: a wall, a stream
};
struct Objective {
  std::string name;
  double points = 0;
  std::vector<SquareIndex> squares;
};

struct BattleSide {
  std::string name;
  Colour colour;
  std::vector<std::string> players;
};

// One shot, volley or throw.
struct BattleShot {
  int turn = 0;
  int side = -1;
  std::string piece;  // who fired; empty when nobody declared it
  std::string how;    // "shoot", "canister", "fire"
  std::string kind;   // "field", "howitzer"
  std::optional<Vec2> from;
  std::string aimed;           // square; empty when none was named
  std::optional<Vec2> target;  // its middle
  std::optional<Vec2> landed;  // where it came to rest
  bool off_board = false;
  bool thrown = false;            // a projectile fell: there is something to measure
  std::vector<std::string> lost;  // pieces that fell to it
};

struct BattleMove {
  std::string unit;
  int side = -1;
  std::vector<Vec2> path;
};

struct BattlePhase {
  std::string name;
  std::vector<std::string> sentences;
};

struct BattleTurn {
  int number = 0;
  std::string title;
  std::vector<PieceView> before, after;
  std::vector<std::pair<std::string, std::string>> square_marks;
  std::vector<BattleMove> moves;
  std::vector<BattleShot> shots;
  std::vector<PieceView> lost;  // where they last stood
  std::vector<BattlePhase> phases;
};

// A call that people argued about, or that the camera left to them.
struct Dispute {
  int turn = 0;
  int shot = 0;
  std::string what;                // one sentence
  std::vector<std::string> words;  // what was said and settled
  std::string picture;             // JPEG bytes; empty when none was kept
};

struct Strength {
  int turn = 0;
  std::vector<int> lost;       // by side, since the start
  std::vector<double> points;  // by side
};

struct UnitLine {
  std::string unit, kind;
  int side = -1;
  int start = 0, left = 0;
  std::vector<std::string> fates;
};

struct Battle {
  std::string name, ruleset, day, program;
  TableFrame board;
  bool gridded = true;
  std::vector<Ground> ground;
  std::vector<Objective> objectives;
  std::map<std::string, KindSpec> kinds;  // footprints, where the scenario gives them
  std::vector<BattleSide> sides;
  std::vector<BattleTurn> turns;
  std::vector<UnitLine> order;
  std::vector<Strength> strength;
  std::vector<Dispute> disputes;
  std::vector<std::string> corrections;  // what was taken back, in sentences
  std::vector<double> points;
  std::string result;
  std::string signature;
  bool same = true;  // it was computed again and came out as it was logged
  std::int64_t records = 0;
};

// errors  those of ReplayLog.
Result<Battle> BattleOf(const GameLog& log, const Journal& journal);

// "2026-11-21" as "21 November 2026".
std::string LongDay(const std::string& day);
// A few sentences that open the report.
std::vector<std::string> Summary(const Battle& battle);
// A side's units for a table: in a large army single pieces of a kind share one line without a
// name.
std::vector<UnitLine> ShortOrder(const Battle& battle, int side);
bool AnyLosses(const Battle& battle);
// "line_infantry" as people write it: "line infantry".
std::string InWords(std::string name);

}  // namespace fos
