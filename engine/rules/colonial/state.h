#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/game/chance.h"
#include "engine/rules/colonial/setup.h"

// The game as it stands. Plain values; only ApplyTo (event.h) changes one.
namespace fos::colonial {

// COL-3.5, and what comes before turn 1.
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
  std::int8_t value = 0;  // its own, the general's for a Command stand
  std::int8_t weapon = 0;
  Cell cell = kNowhere;  // where it was last, once gone
  Facing facing = Facing::kNorth;
  bool rear = false;  // the second of two in its square
  Fate fate = Fate::kOnTable;
  // This turn: COL-3.3, 4.1, 4.2, 6.1.
  bool activated = false;
  bool open = false;       // its activation goes on
  bool initiated = false;  // has started a combat
  bool moved = false;
  bool moved_after = false;  // the second part of a split move
  bool mounted = false;      // changed between mounted and dismounted
  bool withdrew = false;     // in a combat of its own
  bool was_rear = false;     // when it was activated
  bool paired = false;       // activated together with another
  bool by_road = true;       // every step of its move so far
  std::int16_t spent = 0;    // of its move, hundredths of a square
  friend bool operator==(const Stand&, const Stand&) = default;
};

// What a score is made of, beside the die: who has it, and whose doing it is.
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
  PieceNo from = kNoPiece;  // the general or supporter
  friend bool operator==(const Item&, const Item&) = default;
};

// The combat being resolved.
struct Combat {
  bool close = false;
  PieceNo initiator = kNoPiece;
  PieceNo target = kNoPiece;
  std::vector<Item> items;
  std::array<std::int16_t, 2> bonus{};  // the items' sums
  std::array<std::int16_t, 2> dice{};   // once thrown
  PieceNo loser = kNoPiece;             // must withdraw
  friend bool operator==(const Combat&, const Combat&) = default;
};

// What the game waits for.
enum class Want : std::uint8_t {
  kNothing,
  kArmyDice,
  kGeneralDie,
  kInitiativeDice,  // one for each side, in the sides' order
  kActivationDie,
  kCombatDice,  // the initiator's, then the enemy's
  kTieDice,     // likewise
  kWithdrawal   // which of several squares
};
struct Ask {
  Want what = Want::kNothing;
  std::int8_t side = 0;  // 2: both
  std::int8_t count = 0;
  std::int16_t faces = 0;
  PieceNo about = kNoPiece;
  friend bool operator==(const Ask&, const Ask&) = default;
};
constexpr std::int8_t kBothSides = 2;

struct Ending {
  std::int8_t winner = -1;  // -1: none, or none to be named
  bool wiped_out = false;
  std::array<std::int16_t, 2> points{};
  friend bool operator==(const Ending&, const Ending&) = default;
};

struct State {
  std::shared_ptr<const Setup> setup;
  std::int16_t turn = 0;
  Phase phase = Phase::kInitiative;
  std::int8_t first = 0;   // has the initiative
  std::int8_t acting = 0;  // whose activations these are
  std::int16_t left = 0;   // activations
  std::array<bool, 2> mustered{};
  std::array<std::int16_t, 2> army_points{-1, -1};  // thrown (COL-2.3)
  bool notes_told = false;
  Ask ask;
  Generator generator;
  std::vector<Stand> stands;
  std::optional<Combat> combat;
  std::optional<Ending> ending;
  // By cell: the front stand and the rear one. What the stands say, kept for speed.
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

// The game set up; seed starts its own generator.
State NewGame(std::shared_ptr<const Setup> setup, std::uint64_t seed);

}  // namespace fos::colonial
