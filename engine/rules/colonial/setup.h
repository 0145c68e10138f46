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

// What is agreed before the first turn and never changes: board, terrain, armies, tables, settings.
namespace fos::colonial {

using squares::Board;
using squares::Cell;
using squares::kNowhere;

// Index into State::stands and Setup::stands.
using PieceNo = std::int16_t;
constexpr PieceNo kNoPiece = -1;

// COL-1.4: a square's terrain. Edges are kept apart.
struct Ground {
  bool wood = false;
  bool built_up = false;
  bool impassable = false;  // unfordable water, a building without an entrance
  bool obstacle = false;    // a fordable river, a stream or a trench all over the square
  bool other = false;       // anything else that is no flat, open country (COL-8.6)
  std::int8_t level = 0;
  std::uint8_t road = 0;  // bit d: a road link to the neighbour in direction d
  // COL-8.6: no terrain but road.
  bool Open() const { return !wood && !built_up && !impassable && !obstacle && !other; }
};

// What a square's terrain does by its usual name; anything else is no open country and no more.
Ground UsualGround(std::string_view type);
void Merge(Ground& into, const Ground& more);
void Bridge(Ground& ground);  // passable, whatever it crosses
// COL-5.6, COL-5.10: what lies along an edge, by its name; none: it lies along no edge.
std::optional<EdgeBit> EdgeTypeOf(std::string_view type);
std::vector<std::string> EdgeTypeNames();

struct StandInfo {
  std::string id;
  int side = 0;
  int type = 0;                  // index into Tables::types
  int mounted_type = -1;         // of dismounted cavalry
  int weapon = 0;                // index into Tables::weapons
  std::optional<Rating> rating;  // of a Command stand; without it the D6 decides (COL-2.6)
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
  // EdgeBits: 2 * cell for its north edge, 2 * cell + 1 for its east edge.
  std::vector<std::uint8_t> edges;
  std::array<squares::SideInfo, 2> sides;
  std::array<int, 2> entrenchment_hundredths{};  // points spent on entrenchments (COL-2.5)
  std::vector<StandInfo> stands;                 // of two in a square the first listed is in front
  ArmyBy army = ArmyBy::kCampaign;
  int agreed_points = 0;
  int turns = 12;
  // Who has won is the scenario's to say (COL-3.1): does it count points, and does an army without
  // a stand end the battle?
  bool count_points = false;
  bool end_when_wiped_out = true;
  std::vector<squares::Objective> objectives;

  const Ground& At(Cell c) const { return ground[static_cast<std::size_t>(c)]; }
  // What lies on the edge between two squares that share one.
  std::uint8_t Edge(Cell a, Cell b) const;
  void AddEdge(Cell a, Cell b, std::uint8_t bits);
  void LinkRoad(Cell a, Cell b);
  bool RoadLink(Cell a, Cell b) const;
  // Anything along any of a square's four edges.
  std::uint8_t EdgesAround(Cell c) const;
  const StandType& TypeAt(int type) const { return tables.types[static_cast<std::size_t>(type)]; }
  std::string CellName(Cell c) const {
    return c == kNowhere ? "off the table" : SquareName(board.IndexOf(c));
  }
  // An empty table of this size with the shipped tables and settings left to the caller.
  void MakeBoard(int columns, int rows);
};

// Something to tell the players that stops nobody.
struct Note {
  std::string clause;
  std::string text;
  friend bool operator==(const Note&, const Note&) = default;
};

// Why this game cannot start: the grid (COL-1.2), a square that does not hold its stands (COL-1.3),
// the number of Command stands (COL-2.4), points where they are enforced (COL-2.2).
std::optional<Note> WhyNoStart(const Setup& setup);
// What is reported at the start and stops nobody.
std::vector<Note> NotesAtStart(const Setup& setup);

// COL-2.1: the value an army pays for a stand; 0 for a Command stand (COL-2.4).
int PointsOf(const Setup& setup, const StandInfo& stand);
// COL-2.5, in hundredths of a point.
int EntrenchmentPoints(const Tables& tables, const Settings& settings, int length_mm);

// What an army comes to; `taken` by stand, empty for all of them.
struct ArmyCount {
  int hundredths = 0;   // of a point, entrenchments included
  int four_points = 0;  // points on four-point stands
};
ArmyCount CountArmy(const Setup& setup, int side, const std::vector<bool>& taken = {});
// COL-2.2 (points agreed) or, with thrown = true, COL-2.3 (points thrown): what is over its limit.
std::vector<Note> ArmyFaults(const Setup& setup, int side, const ArmyCount& count, int points,
                             bool thrown);
// COL-2.6; nothing when the die is thrown again.
std::optional<Rating> RatingOf(const Tables& tables, const Settings& settings, int die);

}  // namespace fos::colonial
