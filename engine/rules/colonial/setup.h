// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/colonial/tables.h"
#include "engine/squares/terrain.h"

// What is fixed before the first turn: board, terrain, armies, tables and settings.
namespace fos::colonial {

using squares::Board;
using squares::Cell;
using squares::kNowhere;

// Index into State::stands and Setup::stands.
using PieceNo = std::int16_t;
constexpr PieceNo kNoPiece = -1;

// COL-1.4: a square's terrain. Edges are stored separately.
struct Ground {
  bool wood = false;
  bool built_up = false;
  bool impassable = false;  // unfordable water, a building without an entrance
  bool obstacle = false;    // the square is a fordable river, stream or trench
  bool other = false;       // other terrain that is not flat, open country (COL-8.6)
  std::int8_t level = 0;
  std::uint8_t road = 0;  // bit d: a road to the neighbour in direction d
  // COL-8.6: no terrain except road.
  bool Open() const { return !wood && !built_up && !impassable && !obstacle && !other; }
};

// Sets a square's terrain by its type name. An unknown type only makes it not open country.
Ground UsualGround(std::string_view type);
void Merge(Ground& into, const Ground& more);
void Bridge(Ground& ground);  // makes the square passable
// COL-5.6, COL-5.10: the edge bit of a terrain type; nothing if it does not lie along edges.
std::optional<EdgeBit> EdgeTypeOf(std::string_view type);
std::vector<std::string> EdgeTypeNames();

struct StandInfo {
  std::string id;
  int side = 0;
  int type = 0;                  // index into Tables::types
  int mounted_type = -1;         // for dismounted cavalry; -1 for others
  int weapon = 0;                // index into Tables::weapons
  std::optional<Rating> rating;  // of a Command stand; without it a D6 decides (COL-2.6)
  Cell cell = kNowhere;
  Facing facing = Facing::kNorth;
};
enum class ArmyBy : std::uint8_t { kAgreed, kDice, kCampaign };

struct Setup {
  std::string name;
  Tables tables;
  Settings settings;
  Board board;
  std::vector<Ground> ground;  // by cell
  // EdgeBits at 2 * cell for its north edge and 2 * cell + 1 for its east edge.
  std::vector<std::uint8_t> edges;
  std::array<squares::SideInfo, 2> sides;
  std::array<int, 2> entrenchment_hundredths{};  // points spent on entrenchments (COL-2.5)
  std::vector<StandInfo> stands;                 // of two in a square, the first is in front
  ArmyBy army = ArmyBy::kCampaign;
  int agreed_points = 0;
  int turns = 12;
  // The scenario decides who wins (COL-3.1): whether points count, and whether the battle ends when
  // an army has no stands left.
  bool count_points = false;
  bool end_when_wiped_out = true;
  std::vector<squares::Objective> objectives;

  const Ground& At(Cell c) const { return ground[static_cast<std::size_t>(c)]; }
  // What lies on the edge between two squares that share an edge.
  std::uint8_t Edge(Cell a, Cell b) const;
  void AddEdge(Cell a, Cell b, std::uint8_t bits);
  void LinkRoad(Cell a, Cell b);
  bool RoadLink(Cell a, Cell b) const;
  // Everything along the four edges of a square.
  std::uint8_t EdgesAround(Cell c) const;
  const StandType& TypeAt(int type) const { return tables.types[static_cast<std::size_t>(type)]; }
  std::string CellName(Cell c) const {
    return c == kNowhere ? "off the table" : SquareName(board.IndexOf(c));
  }
  // An empty table of this size; the caller sets tables and settings.
  void MakeBoard(int columns, int rows);
};

// A remark to the players with its clause.
struct Note {
  std::string clause;
  std::string text;
  friend bool operator==(const Note&, const Note&) = default;
};

// Why this game cannot start: the grid (COL-1.2), a square that cannot hold its stands (COL-1.3),
// the number of Command stands (COL-2.4), points if they are enforced (COL-2.2).
std::optional<Note> WhyNoStart(const Setup& setup);
// Remarks at the start that do not stop the game.
std::vector<Note> NotesAtStart(const Setup& setup);

// COL-2.1: the points an army pays for a stand; 0 for a Command stand (COL-2.4).
int PointsOf(const Setup& setup, const StandInfo& stand);
// COL-2.5, hundredths of a point.
int EntrenchmentPoints(const Tables& tables, const Settings& settings, int length_mm);

// The cost of an army. taken  by stand, whether it counts; empty: all count.
struct ArmyCount {
  int hundredths = 0;   // of a point, entrenchments included
  int four_points = 0;  // points spent on four-point stands
};
ArmyCount CountArmy(const Setup& setup, int side, const std::vector<bool>& taken = {});
// Limits exceeded under COL-2.2 (agreed points) or, with thrown = true, COL-2.3 (points by dice).
std::vector<Note> ArmyFaults(const Setup& setup, int side, const ArmyCount& count, int points,
                             bool thrown);
// COL-2.6; nothing if the die must be thrown again.
std::optional<Rating> RatingOf(const Tables& tables, const Settings& settings, int die);

}  // namespace fos::colonial
