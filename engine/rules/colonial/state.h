// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/game/chance.h"
#include "engine/rules/colonial/setup.h"

// The state of the game. Plain values; only ApplyTo (event.h) changes it.
namespace fos::colonial {

// COL-3.5, and the phases before turn 1.
enum class Phase : std::uint8_t {
  kArmyDice,
  kMuster,
  kGenerals,
  kInitiative,
  kActivationDie,
  kActing,
  kOver
};
enum class Fate : std::uint8_t { kOnTable, kDestroyed, kLeftOut };

struct Stand {
  std::int8_t side = 0;
  std::int8_t type = 0;
  std::int8_t value = 0;  // its own value; for a Command stand, its General's
  std::int8_t weapon = 0;
  Cell cell = kNowhere;  // the last square once it is gone
  Facing facing = Facing::kNorth;
  bool rear = false;  // the rear stand of two in its square
  Fate fate = Fate::kOnTable;
  // In this turn: COL-3.3, 4.1, 4.2, 6.1.
  bool activated = false;
  bool open = false;       // its activation is not over
  bool initiated = false;  // has started a combat
  bool moved = false;
  bool moved_after = false;  // the second part of a split move
  bool mounted = false;      // has mounted or dismounted
  bool withdrew = false;     // withdrew from a combat it started
  bool was_rear = false;     // it was the rear stand when activated
  bool paired = false;       // activated together with another
  bool by_road = true;       // every step of its move so far was by road
  std::int16_t spent = 0;    // move used, hundredths of a square
  friend bool operator==(const Stand&, const Stand&) = default;
};

// A modifier of a score: whose score it is, and which stand causes it.
enum class Mod : std::uint8_t {
  kFireValue,
  kFireCommand,
  kArtilleryAdjacent,
  kFireCover,
  kCloseValue,
  kCloseCommand,
  kSupportAdjacent,
  kSupportSame,
  kFlankOrRear,
  kCavalryInOpen,
  kDownhill,
  kCloseCover
};
struct Item {
  std::int8_t who = 0;  // 0 the initiator, 1 the enemy
  Mod what = Mod::kFireValue;
  std::int16_t amount = 0;
  PieceNo from = kNoPiece;  // the General or supporting stand
  friend bool operator==(const Item&, const Item&) = default;
};

// The combat in progress.
struct Combat {
  bool close = false;
  PieceNo initiator = kNoPiece;
  PieceNo target = kNoPiece;
  std::vector<Item> items;
  std::array<std::int16_t, 2> bonus{};  // sums of the items
  std::array<std::int16_t, 2> dice{};   // after the throw
  PieceNo loser = kNoPiece;             // must withdraw
  friend bool operator==(const Combat&, const Combat&) = default;
};

// What the game waits for.
enum class Want : std::uint8_t {
  kNothing,
  kArmyDice,
  kGeneralDie,
  kInitiativeDice,  // one for each side, in the order of the sides
  kActivationDie,
  kCombatDice,  // the initiator's, then the enemy's
  kTieDice,     // the same order
  kWithdrawal   // the choice of a square
};
struct Ask {
  Want what = Want::kNothing;
  std::int8_t side = 0;  // kBothSides: both
  std::int8_t count = 0;
  std::int16_t faces = 0;
  PieceNo about = kNoPiece;
  friend bool operator==(const Ask&, const Ask&) = default;
};
constexpr std::int8_t kBothSides = 2;

struct Ending {
  std::int8_t winner = -1;  // -1: no winner
  bool wiped_out = false;
  std::array<std::int16_t, 2> points{};
  friend bool operator==(const Ending&, const Ending&) = default;
};

struct State {
  std::shared_ptr<const Setup> setup;
  std::int16_t turn = 0;
  Phase phase = Phase::kInitiative;
  std::int8_t first = 0;   // has the initiative
  std::int8_t acting = 0;  // the side that activates stands
  std::int16_t left = 0;   // activations left
  std::array<bool, 2> mustered{};
  std::array<std::int16_t, 2> army_points{-1, -1};  // by dice (COL-2.3)
  bool notes_told = false;
  Ask ask;
  Generator generator;
  std::vector<Stand> stands;
  std::optional<Combat> combat;
  std::optional<Ending> ending;
  // By cell: the front and the rear stand. Redundant with `stands`, kept for speed.
  std::vector<std::array<PieceNo, 2>> in_cell;

  const Tables& Book() const { return setup->tables; }
  const Settings& Rulings() const { return setup->settings; }
  const Stand& At(PieceNo i) const { return stands[static_cast<std::size_t>(i)]; }
  const StandType& TypeOf(const Stand& stand) const { return setup->TypeAt(stand.type); }
  const StandType& TypeOf(PieceNo i) const { return TypeOf(At(i)); }
  const std::array<PieceNo, 2>& In(Cell c) const { return in_cell[static_cast<std::size_t>(c)]; }
  bool Waiting() const { return ask.what != Want::kNothing; }
  friend bool operator==(const State&, const State&) = default;
};

// A new game of this setup. seed  for its random generator.
State NewGame(std::shared_ptr<const Setup> setup, std::uint64_t seed);

}  // namespace fos::colonial
