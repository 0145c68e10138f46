// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/game/chance.h"
#include "engine/rules/ancient/setup.h"
#include "engine/squares/game_words.h"
#include "engine/squares/grid_state.h"

// The state of the game. Plain values; only Apply (event.h) changes them.
namespace fos::ancient {

// ANC-T. The attacker's supports belong to his step 3.
enum class Step : std::uint8_t {
  kFirstAttacker,  // before turn 1 (ANC-G2)
  kCatapults,
  kMissiles,
  kMovement,
  kAttackerSupport,
  kDefenderSupport,
  kMelee,
  kEnd,
  kOver,
};
using squares::CoinSide, squares::Fate, squares::kNoCard, squares::MeleeStage;

// ANC-H6: the result of an elephant's die.
enum class Will : std::uint8_t { kNotAsked, kWilling, kStays };

struct Stand {
  PieceNo unit = 0;
  std::int8_t type = 0;
  std::int8_t side = 0;
  Cell cell = kNowhere;  // its last square, once destroyed
  Facing facing = Facing::kNorth;
  Fate fate = Fate::kOnBoard;
  std::int8_t melee = -1;     // index into State::melees: involved there
  Cell turn_cell = kNowhere;  // at the start of the turn; kNowhere if it was lost by then
  Facing turn_facing = Facing::kNorth;
  Cell came_from = kNowhere;  // the previous square of its move this turn
  Sixteenths value = 0;       // at the start of its melee (ANC-P5)
  Will will = Will::kNotAsked;
  bool moved = false;    // moved in this step 3, or may not move in it
  bool fired = false;    // missiles, in this step 2
  bool busy = false;     // mans a catapult in this turn (ANC-C1)
  bool charged = false;  // moved into the contact square in this turn (ANC-H5)
  friend bool operator==(const Stand&, const Stand&) = default;
};

struct Equipment {
  std::int8_t type = 0;
  std::int8_t side = 0;                // its side at the start
  std::int8_t owner = 0;               // side, or kNobody
  std::int8_t may_fire_for = kNobody;  // the side that owned it at the start of step 1
  Cell cell = kNowhere;
  Facing facing = Facing::kNorth;
  bool fired = false;  // in this turn
  bool moved = false;
  Fate fate = Fate::kOnBoard;
  friend bool operator==(const Equipment&, const Equipment&) = default;
};

// Where one shot came to rest: measured, quantised facts (thousandths of an inch). The distance is
// to the footprint, axle or leg, as the kind requires (ANC-C4).
struct Near {
  PieceNo piece = 0;
  std::int32_t milli_in = 0;
  friend bool operator==(const Near&, const Near&) = default;
};
struct ShotFacts {
  bool off_board = false;
  std::int32_t x_milli_in = 0, y_milli_in = 0;
  std::vector<Near> stands;
  std::vector<Near> equipment;
  friend bool operator==(const ShotFacts&, const ShotFacts&) = default;
};
// The shot being resolved.
struct Shot {
  std::int8_t side = 0;
  PieceNo catapult = 0;
  PieceNo man = 0;  // the stand that mans it
  Cell from = kNowhere;
  Facing facing = Facing::kNorth;
  Cell target = kNowhere;
  bool landed = false;
  ShotFacts facts;
  friend bool operator==(const Shot&, const Shot&) = default;
};

struct Volley {
  std::int8_t side = 0;
  PieceNo unit = 0;
  Cell from = kNowhere;
  Cell target = kNowhere;
  bool later_unit = false;
  bool against_protection = false;
  std::int8_t dice = 0;
  FireColumn column = FireColumn::kNear;
  std::vector<std::int8_t> rolled;
  bool judged = false;
  std::vector<PieceNo> losses;
  friend bool operator==(const Volley&, const Volley&) = default;
};

struct Melee {
  Cell contact = kNowhere;
  Cell entry = kNowhere;  // the neighbouring square the attacker came from
  MeleeStage stage = MeleeStage::kCards;
  std::array<std::int8_t, 2> card{kNoCard, kNoCard};  // by side
  std::array<CoinSide, 2> coin{};                     // by side
  std::array<std::int8_t, 2> retreat{};               // steps by side once decided; 0 for none
  friend bool operator==(const Melee&, const Melee&) = default;
};

enum class RetreatReason : std::uint8_t { kMelee, kWithdrawal, kOneStand };
using Retreat = squares::RetreatOf<RetreatReason>;

// The input that the game waits for; nothing else may happen before it comes.
enum class PendingInput : std::uint8_t {
  kNothing,
  kFirstAttackerDice,
  kFallOfShot,
  kShotPiece,  // the stand or catapult within the circle that is lost
  kVolleyDice,
  kVolleyStands,
  kElephantDie,
  kMeleeCoin,
  kRetreatSquare,
};
using Ask = squares::AskOf<PendingInput>;

enum class EndReason : std::uint8_t { kNotOver, kConceded, kDestroyed, kTurnLimit, kTime };
using Ending = squares::EndingOf<EndReason>;

struct State : squares::GridState<State> {
  std::shared_ptr<const Setup> setup;

  int turn = 0;
  Step step = Step::kFirstAttacker;
  std::int8_t attacker = 0;
  std::array<bool, 2> done{};   // by side: has ended its declarations in this step
  bool volleys_over = false;    // this step 2's losses are taken
  bool one_stand_done = false;  // ANC-M1's retreats of this step 3 have begun
  bool moving = false;          // a unit has moved in this step 3 (ANC-H6)
  int last_turn = 0;            // 0 for none; set when time is called (ANC-M4)
  Ask ask;
  Generator generator;
  std::vector<Stand> stands;
  std::vector<Equipment> equipment;

  std::optional<Shot> shot;
  std::vector<Volley> volleys;
  std::vector<Cell> contacts;  // in the order the attacker entered them
  std::vector<Melee> melees;
  std::vector<Retreat> retreats;  // front first
  std::array<bool, 2> conceded{};
  Ending ending;

  // How many stands of each side a square holds. Derived from `stands`, cached for speed.
  std::array<std::vector<std::uint8_t>, 2> held_by;
  friend bool operator==(const State&, const State&) = default;
};

// The position before the first die. `seed` seeds the generator that stands in for dice.
State NewGame(std::shared_ptr<const Setup> setup, std::uint64_t seed);

}  // namespace fos::ancient
