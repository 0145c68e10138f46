// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/game/rule_game.h"
#include "engine/journal/game_source.h"
#include "engine/table/die_faces.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"
#include "engine/table/table_frame.h"
#include "ui/session/game_map.h"

// A recorded game as its battle report shows it: turns, positions, moves, shots, losses, disputes.
// Inches, x east, y north; bearings in degrees.
namespace fos {

struct BattleSide {
  std::string name;
  Colour colour;
  std::vector<std::string> players;
};

// One shot, volley or throw.
struct BattleShot {
  int turn = 0;
  int side = -1;
  std::string piece;  // what fired; empty when nobody declared the shot
  std::string how;    // "shoot", "canister", "fire"
  std::string kind;   // "field", "howitzer"
  std::optional<Vec2> from;
  std::string aimed;           // square; empty when none was named
  std::optional<Vec2> target;  // the centre of what was aimed at
  std::optional<Vec2> landed;  // where it came to rest
  bool off_board = false;
  bool thrown = false;            // a projectile was thrown (volleys use dice)
  std::vector<std::string> lost;  // the pieces it destroyed
  // And one of these, which the firer picked: the camera does not tell which.
  std::vector<std::string> one_of = {};
  int Hits() const { return static_cast<int>(lost.size()) + (one_of.empty() ? 0 : 1); }
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

// A call that the players disputed, or that the camera left to them.
struct Dispute {
  int turn = 0;
  int shot = 0;
  std::string what;                    // one sentence
  std::vector<std::string> decisions;  // what the players said and settled
  std::string picture;                 // JPEG bytes; empty when there is none
};

struct Strength {
  int turn = 0;
  std::vector<int> lost;       // by side, since the start
  std::vector<double> points;  // by side
};

// Dice that answered a request of the rules.
struct BattleThrow {
  // Which accepted line of the log it was, from 1, those since taken back among them.
  std::size_t line = 0;
  int sides = 6;
  std::vector<int> faces;
  std::vector<DieFaces> kinds;  // one a die; empty: all are ordinary
  bool drawn = false;           // by the program
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
  std::vector<MapTerrain> terrain;
  std::vector<MapObjective> objectives;
  std::map<std::string, KindSpec> kinds;  // footprints, where the scenario gives them
  std::vector<BattleSide> sides;
  std::vector<BattleTurn> turns;
  std::vector<UnitLine> order;
  std::vector<Strength> strength;
  std::vector<Dispute> disputes;
  std::vector<BattleThrow> throws;
  std::vector<std::string> corrections;  // what was undone or corrected, in sentences
  std::vector<double> points;
  std::string result;
  std::string signature;
  bool same = true;  // computed again, the game came out as it was recorded
  std::int64_t records = 0;
};

// errors  those of ReplayLog.
Result<Battle> BattleOf(const GameLog& log, const GameSource& games);

// "2026-11-21" as "21 November 2026".
std::string LongDay(const std::string& day);
// The report's opening sentences.
std::vector<std::string> Summary(const Battle& battle);
// A side's units for the order of battle. In a large army the single pieces of a kind share one
// line without a name.
std::vector<UnitLine> ShortOrder(const Battle& battle, int side);
bool AnyLosses(const Battle& battle);

}  // namespace fos
