// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/game/chance.h"
#include "engine/rules/napoleonic/setup.h"
#include "engine/squares/game_words.h"
#include "engine/squares/grid_state.h"

// The state of the game. Plain values; only Apply (event.h) changes them.
namespace fos::napoleonic {

// NAP-2A.
enum class Step : std::uint8_t {
  kFirstAttacker,  // before turn 1
  kArtillery,
  kMusketry,
  kMovement,
  kHeldCanister,
  kMelee,
  kEnd,
  kOver,
};
using squares::CoinSide, squares::Fate, squares::kNoCard, squares::MeleeStage;

struct Stand {
  PieceNo unit = 0;
  std::int8_t type = 0;
  std::int8_t side = 0;
  Cell cell = kNowhere;  // its last square, once destroyed
  Facing facing = Facing::kNorth;
  Fate fate = Fate::kOnBoard;
  std::int16_t formation = -1;  // index into State::formations
  std::int8_t melee = -1;       // index into State::melees: involved there
  Cell turn_cell = kNowhere;    // at the start of the turn (NAP-5G)
  Facing turn_facing = Facing::kNorth;
  Cell came_from = kNowhere;  // the previous square of its move this turn
  bool moved = false;         // moved in this step 3, or may not move in it
  bool fired = false;         // muskets, in this step 2
  bool free_turn = false;     // driven out by fire: may face any way until step 3
  friend bool operator==(const Stand&, const Stand&) = default;
};

struct Equipment {
  std::int8_t type = 0;
  std::int8_t side = 0;   // its side at the start
  std::int8_t owner = 0;  // side, or kNobody
  std::int8_t battery = -1;
  Cell cell = kNowhere;
  Facing facing = Facing::kNorth;
  Facing turn_facing = Facing::kNorth;
  bool limbered = false;
  bool moved = false;
  Fate fate = Fate::kOnBoard;
  friend bool operator==(const Equipment&, const Equipment&) = default;
};

// A Square (NAP-8A): n x n cells from its south-west corner.
struct Formation {
  std::int8_t side = 0;
  Cell corner = kNowhere;
  std::int8_t n = 1;
  bool formed = true;
  bool unbroken_at_move = false;  // NAP-8B: unbroken at the end of step 2
  friend bool operator==(const Formation&, const Formation&) = default;
};

// NAP-3A: the shots allowed in this step 1, fixed at its start.
struct BatteryRight {
  std::int8_t side = 0;
  std::int8_t field = 0, howitzer = 0, either = 0, horse = 0;
  friend bool operator==(const BatteryRight&, const BatteryRight&) = default;
};
struct GunRight {
  PieceNo gun = 0;
  std::int8_t battery_right = 0;
  std::int8_t slots = 0;     // index into State::crew_slots
  bool manned = false;       // uses a crew stand of its square
  bool normal_used = false;  // has fired its own field or horse gun shot
  bool fired = false;
  bool held = false;
  friend bool operator==(const GunRight&, const GunRight&) = default;
};
struct CrewSlots {
  std::int8_t side = 0;
  Cell cell = kNowhere;
  std::int8_t left = 0;
  friend bool operator==(const CrewSlots&, const CrewSlots&) = default;
};

// Where one shot came to rest: measured, quantised facts (thousandths of an inch).
struct Near {
  PieceNo piece = 0;
  std::int32_t milli_in = 0;         // from the point to its footprint
  std::int32_t centre_milli_in = 0;  // to its centre; breaks ties
  friend bool operator==(const Near&, const Near&) = default;
};
struct NearModel {
  Cell cell = kNowhere;  // the square that holds most of it
  std::int32_t milli_in = 0;
  friend bool operator==(const NearModel&, const NearModel&) = default;
};
struct ShotFacts {
  bool off_board = false;
  std::int32_t x_milli_in = 0, y_milli_in = 0;
  bool over_water = false;  // and not over a bridge
  std::vector<Near> stands;
  std::vector<Near> equipment;
  std::vector<NearModel> models;  // models that can burn
  friend bool operator==(const ShotFacts&, const ShotFacts&) = default;
};

enum class ShotStage : std::uint8_t { kFlying, kStands, kFire, kOver };
// The shot being resolved.
struct Shot {
  std::int8_t side = 0;
  PieceNo gun = 0;
  ShotKind kind = ShotKind::kField;
  bool canister = false;
  Cell from = kNowhere;
  Facing facing = Facing::kNorth;
  Cell target = kNowhere;  // kNowhere when no aim was declared
  PieceNo victim = -1;     // held canister: the unit that passed
  std::int8_t dice = 0;    // canister
  ShotStage stage = ShotStage::kFlying;
  ShotFacts facts;
  std::vector<std::int8_t> rolled;
  friend bool operator==(const Shot&, const Shot&) = default;
};
struct Held {
  std::int8_t side = 0;
  PieceNo gun = 0;
  ShotKind kind = ShotKind::kField;
  friend bool operator==(const Held&, const Held&) = default;
};
// A stand of the mover was in this square at some time in step 3.
struct Passage {
  Cell cell = kNowhere;
  PieceNo stand = 0;
  friend bool operator==(const Passage&, const Passage&) = default;
};
// Canister dice left over for the next shot (musketry.pool_dice).
struct CanisterDice {
  std::int8_t side = 0;
  Cell target = kNowhere;
  std::int8_t shots = 0;
  FireColumn column = FireColumn::kNear;
  squares::FaceCounts unused{};
  friend bool operator==(const CanisterDice&, const CanisterDice&) = default;
};

enum VolleyBonus : std::uint8_t {
  kGuardsBonus = 1,
  kCommanderBonus = 2,
  kLaterUnitBonus = 4,
  kProtectionCounted = 8,  // off an earlier volley of this unit at the same square
};
struct Volley {
  std::int8_t side = 0;
  PieceNo unit = 0;
  Cell from = kNowhere;
  Cell target = kNowhere;
  std::uint8_t bonuses = 0;
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
  bool leave_equipment = false;  // the retreating superior side leaves the equipment it took
  friend bool operator==(const Melee&, const Melee&) = default;
};

enum class RetreatReason : std::uint8_t { kMelee, kWithdrawal, kBurning, kOneStand };
using Retreat = squares::RetreatOf<RetreatReason>;

// The input that the game waits for; nothing else may happen before it comes.
enum class PendingInput : std::uint8_t {
  kNothing,
  kFirstAttackerDice,
  kFallOfShot,
  kShotStand,  // the eligible stand that is lost
  kCanisterDice,
  kCanisterStands,
  kFireDice,
  kVolleyDice,
  kVolleyStands,
  kMeleeCoin,
  kRetreatSquare,
  kRegroup,  // the square and facing of a unit of a broken Square
};
using Ask = squares::AskOf<PendingInput>;

enum class EndReason : std::uint8_t { kNotOver, kSurrender, kDestroyed, kTurnLimit };
using Ending = squares::EndingOf<EndReason>;

struct State : squares::GridState<State> {
  std::shared_ptr<const Setup> setup;

  int turn = 0;
  Step step = Step::kFirstAttacker;
  std::int8_t attacker = 0;
  std::array<bool, 2> done{};  // by side: has ended its declarations in this step
  std::array<bool, 2> supports_done{};
  bool volleys_over = false;    // this step 2's losses are taken
  bool one_stand_done = false;  // NAP-9's retreats of this step 3 have begun
  Ask ask;
  Generator generator;
  std::vector<Stand> stands;
  std::vector<Equipment> equipment;
  std::vector<Formation> formations;
  std::vector<bool> burning;  // by cell
  std::vector<bool> burnt;    // by cell: burnt up, open ground now

  std::vector<BatteryRight> battery_rights;
  std::vector<GunRight> gun_rights;
  std::vector<CrewSlots> crew_slots;
  std::optional<Shot> shot;
  std::vector<Held> held;
  std::vector<Held> held_fired;  // in this step 4
  std::vector<CanisterDice> canister_dice;
  std::vector<Volley> volleys;
  std::vector<Passage> passages;
  std::vector<Cell> contacts;  // in the order the attacker entered them
  std::vector<Melee> melees;
  std::vector<Retreat> retreats;  // front first
  std::vector<PieceNo> regroup;   // units of broken Squares that are not placed yet
  std::array<bool, 2> surrendered{};
  Ending ending;

  // How many stands of each side a square holds. Derived from `stands`, cached for speed.
  std::array<std::vector<std::uint8_t>, 2> held_by;
  friend bool operator==(const State&, const State&) = default;
};

// The position before the first die. `seed` seeds the generator that stands in for dice.
State NewGame(std::shared_ptr<const Setup> setup, std::uint64_t seed);

}  // namespace fos::napoleonic
