// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/rules/closefire/base_list.h"
#include "engine/rules/closefire/tables.h"

// The state of a game of Close Fire. Places are thousandths of a yard and headings thousandths of a
// degree, so that all machines agree.
namespace fos::closefire {

enum class Arm : std::int8_t { kFoot, kHorse, kDragoons, kHussars, kGun, kCivilians };
enum class GunClass : std::int8_t { kBattalion, kField, kHeavy, kHowitzer };
enum class Formation : std::int8_t { kLine, kMarch, kAssault, kUnformed, kLimbered, kUnlimbered };
enum class Conduct : std::int8_t { kReady, kEvading, kRetiring, kRouting, kPursuing, kLooting };
enum class Presence : std::int8_t {
  kOnTable,
  kHidden,   // CF-3.3: at a declared place that no enemy has seen
  kReserve,  // CF-3.6: has not arrived yet
  kDestroyed,
  kSurrendered,
  kLeftTable,
  kSpiked,     // CF-23.1: on the table but useless
  kDrivenOff,  // CF-23.3
  kMerged      // CF-14.16: its bases belong to another unit
};
enum class Crew : std::int8_t { kServing, kAway, kDead, kSheltering };
// CF-5: what a unit may do this turn.
enum class Control : std::int8_t {
  kUnknown,
  kControlled,
  kConforming,
  kFree,
  kHalted,
  kRepeats,
  kContinues
};
enum class Phase : std::int8_t {
  kInitiative,
  kArtillery,
  kMusketry,
  kCommand,
  kMovement,
  kCharges,    // phase 5, declarations
  kResponses,  // phase 5, counter-charges and evasions
  kMorale,
  kOver
};

// CF-5.7: the kind of move a unit made in a Movement phase. A control test may force it to repeat
// the move.
enum class LastMove : std::int8_t {
  kStood,
  kAhead,
  kInclineLeft,
  kInclineRight,
  kStepLeft,
  kStepRight,
  kStepBack,
  kRoad,
  kByHand,  // CF-12.8: unlimbered guns
  kRetired,
  kManoeuvre  // a manoeuvre on the spot cannot be repeated
};

// An index into Setup::units, and one into Setup::leaders.
using UnitId = std::int32_t;
using LeaderId = std::int32_t;

// A place, thousandths of a yard.
struct MilliPoint {
  std::int32_t x = 0, y = 0;
  bool Known() const { return x != 0 || y != 0; }
  friend bool operator==(const MilliPoint&, const MilliPoint&) = default;
};

// CF-11.5: groups of units that throw different dice.
enum class DiceArm : std::int8_t { kFoot, kCavalry, kDismounted, kLimbered, kUnlimbered, kOther };

// What a unit is like.
struct UnitBody {
  Formation formation = Formation::kLine;
  Conduct conduct = Conduct::kReady;
  Presence presence = Presence::kOnTable;
  bool mounted = false;  // dragoons
  std::int32_t dp = 0, casualties = 0;
  bool fascines = false;
  bool bayonets_fixed = false;  // plug bayonets
  Crew crew = Crew::kServing;
  std::optional<UnitId> spikers;    // CF-23.1: the enemy in contact since the last Morale phase
  std::int32_t doubt_milli_yd = 0;  // one sigma of its place as seen by the camera
  std::int32_t arrival_tries = 0;   // CF-3.6
  friend bool operator==(const UnitBody&, const UnitBody&) = default;
};

// CF-5.2, 5.3: the unit it copies, in line with it or behind it.
struct Conforming {
  UnitId lead = 0;
  bool rear_line = false;
  friend bool operator==(const Conforming&, const Conforming&) = default;
};

// CF-4, 5: whom it obeys and what its control test allows.
struct Obedience {
  Control control = Control::kUnknown;
  std::optional<Conforming> conforms;
  std::optional<LeaderId> assigned;  // CF-4.8: its new leader; else as in Setup
  MilliPoint order_at;               // CF-4.9: its place when the order was given
  // Turn flags
  std::optional<LeaderId> controlled_by;  // CF-11.5: its leader, or that of the unit it copies
  bool wants_stop = false;                // CF-5.8
  std::int32_t inspired = 0;
  bool steadied = false;
  friend bool operator==(const Obedience&, const Obedience&) = default;
};

// CF-5.7, 12.9: last turn's move, and this turn's for the next. A set of dice is a SetIndex, 0
// without dice.
struct Pace {
  std::int32_t dice = 0, dice_now = 0;
  std::int32_t set = 0, set_now = 0;
  LastMove kind = LastMove::kStood, kind_now = LastMove::kStood;
  friend bool operator==(const Pace&, const Pace&) = default;
};

// CF-12.6, 22.5.
struct Running {
  bool fast_before = false;  // has already made its first fast move
  bool pursued = false;
  friend bool operator==(const Running&, const Running&) = default;
};

// CF-15 to 17.
struct Firing {
  std::optional<UnitId> target;  // CF-16.3: that of a gun's last shot
  std::int32_t target_milli_yd = 0;
  bool fired_last = false;
  // Turn flags
  bool fired = false, shot_at = false, took_dp = false;
  friend bool operator==(const Firing&, const Firing&) = default;
};

// CF-14.10: the marker of dismounted dragoons.
struct HorseHolder {
  bool there = false, has_moved = false;
  MilliPoint at;
  friend bool operator==(const HorseHolder&, const HorseHolder&) = default;
};

// CF-14.16.
struct Merging {
  std::int32_t turns = 0;  // until the merge is complete
  std::optional<UnitId> into;
  friend bool operator==(const Merging&, const Merging&) = default;
};

// CF-11 to 14: this turn's move. Everything is cleared when a turn begins.
struct Marching {
  bool moved = false;
  std::int32_t set = 0;              // SetIndex of its dice; 0 not thrown
  std::optional<DiceArm> thrown_as;  // CF-11.5
  bool doubled = false, to_objective = false, rough = false, wheeled = false, done = false,
       by_road = false;
  std::int32_t left_milli_yd = 0, full_milli_yd = 0;  // of its roll
  std::int32_t ahead_milli_yd = 0;                    // moved straight ahead
  MilliPoint from;                      // CF-20.4: its centre before its first move this turn
  std::optional<std::int32_t> bearing;  // of its last leg, thousandths of a degree
  std::int32_t halves = 0;              // half-move manoeuvres made
  std::int32_t faces = 0;               // of its dice, one decimal digit each
  std::int32_t obstacles_paid = 0, obstacles_crossed = 0;  // CF-14.6
  std::int32_t gap_milli_yd = 0;                           // CF-14.12: it passes; 0 none
  friend bool operator==(const Marching&, const Marching&) = default;
};

enum class Evasion : std::int8_t { kNone, kDeclared, kRan };

// CF-18 to 22.
struct Charging {
  std::int32_t missed_set = 0;  // SetIndex of last turn's charge that fell short; 0 none
  bool must = false;            // CF-5.8: charge again
  // Turn flags
  std::optional<UnitId> target;
  std::int32_t set = 0;         // SetIndex of its dice
  std::optional<UnitId> group;  // CF-18.9: the first unit of its body
  bool reached = false;         // its charge or counter-charge made contact
  bool outrance = false, counter = false;
  Evasion evasion = Evasion::kNone;
  bool contacted = false, contacted_by_cavalry = false;  // by a charge this turn
  bool flanked = false;
  bool received = false;  // CF-18.6: has turned about or stepped back an end stand
  bool fought = false, after_move = false;
  friend bool operator==(const Charging&, const Charging&) = default;
};

// The fields of a unit as events and records have them: name, name in records, member. An optional
// id is stored as id + 1, a conforming rear line as -(lead + 1), nothing as 0: records written
// before the members had types read alike. From `moved` on, fields are cleared when a turn begins.
#define FOS_CLOSEFIRE_UNIT_FIELDS(X)                                          \
  X(kFormation, "formation", body.formation)                                  \
  X(kStatus, "status", body.conduct)                                          \
  X(kPresence, "presence", body.presence)                                     \
  X(kMounted, "mounted", body.mounted)                                        \
  X(kDp, "dp", body.dp)                                                       \
  X(kCasualties, "casualties", body.casualties)                               \
  X(kFascines, "fascines", body.fascines)                                     \
  X(kFixed, "fixed", body.bayonets_fixed)                                     \
  X(kCrew, "crew", body.crew)                                                 \
  X(kControl, "control", obeys.control)                                       \
  X(kConformsTo, "conforms_to", obeys.conforms)                               \
  X(kMissed, "missed", charge.missed_set)                                     \
  X(kMustCharge, "must_charge", charge.must)                                  \
  X(kPace, "pace", pace.dice)                                                 \
  X(kPaceNow, "pace_now", pace.dice_now)                                      \
  X(kLastSet, "last_set", pace.set)                                           \
  X(kSetNow, "set_now", pace.set_now)                                         \
  X(kLastKind, "last_kind", pace.kind)                                        \
  X(kKindNow, "kind_now", pace.kind_now)                                      \
  X(kFastBefore, "fast_before", flight.fast_before)                           \
  X(kPursued, "pursued", flight.pursued)                                      \
  X(kTarget, "target", fire.target)                                           \
  X(kTargetMilliYd, "target_milli_yd", fire.target_milli_yd)                  \
  X(kFiredLast, "fired_last", fire.fired_last)                                \
  X(kSpikers, "spikers", body.spikers)                                        \
  X(kHolder, "holder", holder.there)                                          \
  X(kHolderUsed, "holder_used", holder.has_moved)                             \
  X(kHolderX, "holder_x", holder.at.x)                                        \
  X(kHolderY, "holder_y", holder.at.y)                                        \
  X(kMergeTurns, "merge_turns", merge.turns)                                  \
  X(kMergeInto, "merge_into", merge.into)                                     \
  X(kOrderX, "order_x", obeys.order_at.x)                                     \
  X(kOrderY, "order_y", obeys.order_at.y)                                     \
  X(kArrivalTry, "arrival_try", body.arrival_tries)                           \
  X(kAssigned, "assigned", obeys.assigned)                                    \
  X(kDoubtMilliYd, "doubt_milli_yd", body.doubt_milli_yd)                     \
  X(kMoved, "moved", march.moved)                                             \
  X(kFired, "fired", fire.fired)                                              \
  X(kShotAt, "shot_at", fire.shot_at)                                         \
  X(kFireDp, "fire_dp", fire.took_dp)                                         \
  X(kFought, "fought", charge.fought)                                         \
  X(kAfterMove, "after_move", charge.after_move)                              \
  X(kInspired, "inspired", obeys.inspired)                                    \
  X(kSteadied, "steadied", obeys.steadied)                                    \
  X(kControlledBy, "controlled_by", obeys.controlled_by)                      \
  X(kRolled, "rolled", march.set)                                             \
  X(kRolledAs, "rolled_as", march.thrown_as)                                  \
  X(kDoubled, "doubled", march.doubled)                                       \
  X(kObjective, "objective", march.to_objective)                              \
  X(kAllowanceMilliYd, "allowance_milli_yd", march.left_milli_yd)             \
  X(kFullMilliYd, "full_milli_yd", march.full_milli_yd)                       \
  X(kDistanceMilliYd, "distance_milli_yd", march.ahead_milli_yd)              \
  X(kFromX, "from_x", march.from.x)                                           \
  X(kFromY, "from_y", march.from.y)                                           \
  X(kBearing, "bearing", march.bearing)                                       \
  X(kHalves, "halves", march.halves)                                          \
  X(kWheeled, "wheeled", march.wheeled)                                       \
  X(kDoneMoving, "done_moving", march.done)                                   \
  X(kRough, "rough", march.rough)                                             \
  X(kFaces, "faces", march.faces)                                             \
  X(kCrossing, "crossing", march.obstacles_paid)                              \
  X(kCrossed, "crossed", march.obstacles_crossed)                             \
  X(kCharging, "charging", charge.target)                                     \
  X(kChargeSet, "charge_set", charge.set)                                     \
  X(kChargeGroup, "charge_group", charge.group)                               \
  X(kReached, "reached", charge.reached)                                      \
  X(kOutrance, "outrance", charge.outrance)                                   \
  X(kCounter, "counter", charge.counter)                                      \
  X(kEvading, "evading", charge.evasion)                                      \
  X(kContacted, "contacted", charge.contacted)                                \
  X(kContactedByCavalry, "contacted_by_cavalry", charge.contacted_by_cavalry) \
  X(kFlanked, "flanked", charge.flanked)                                      \
  X(kRoadMove, "road_move", march.by_road)                                    \
  X(kReceived, "received", charge.received)                                   \
  X(kWantsStop, "wants_stop", obeys.wants_stop)                               \
  X(kGapMilliYd, "gap_milli_yd", march.gap_milli_yd)

// A unit, or a leader: with all he commands (CF-4.8), or by himself (CF-8.4).
struct UnitOrLeader {
  bool leader = false;
  std::int32_t id = 0;  // a LeaderId or a UnitId
  friend bool operator==(const UnitOrLeader&, const UnitOrLeader&) = default;
};

// What became of a leader or messenger.
enum class LeaderFate : std::int8_t { kOnTable, kKilled, kCaptured, kWaiting };

// The same for leaders. `moves` is stored as unit + 1 or -1 - leader. From `used` on, fields are
// cleared when a turn begins.
#define FOS_CLOSEFIRE_LEADER_FIELDS(X)    \
  X(kX, "x", at.x)                        \
  X(kY, "y", at.y)                        \
  X(kAttached, "attached", attached)      \
  X(kWounds, "wounds", wounds)            \
  X(kGone, "gone", fate)                  \
  X(kOrder, "order", order)               \
  X(kCarries, "carries", carries)         \
  X(kBound, "bound", bound)               \
  X(kOffer, "offer", offer)               \
  X(kOfferFrom, "offer_from", offer_from) \
  X(kSuperior, "superior", superior)      \
  X(kMoves, "moves", troops)              \
  X(kUsed, "used", actions_used)          \
  X(kRode, "rode", rode)                  \
  X(kRodeLater, "rode_later", rode_later) \
  X(kFireRisk, "fire_risk", fire_risk)    \
  X(kCombatRisk, "combat_risk", combat_risk)

enum class Of : std::int8_t {
#define FOS_FIELD(name, record, member) name,
  FOS_CLOSEFIRE_UNIT_FIELDS(FOS_FIELD) kCount
};
enum class By : std::int8_t {
  FOS_CLOSEFIRE_LEADER_FIELDS(FOS_FIELD) kCount
#undef FOS_FIELD
};
constexpr int kFields = static_cast<int>(Of::kCount);
constexpr int kFirstTurnFlag = static_cast<int>(Of::kMoved);
constexpr int kLeaderFields = static_cast<int>(By::kCount);
constexpr int kFirstLeaderTurnFlag = static_cast<int>(By::kUsed);

// A member as events and records store it, and back.
template <typename T>
constexpr std::int32_t Stored(const T& value) {
  return static_cast<std::int32_t>(value);
}
// By itself, a unit is stored as its index, a leader as -1 - his.
constexpr std::int32_t Stored(const UnitOrLeader& value) {
  return value.leader ? -1 - value.id : value.id;
}
template <typename T>
constexpr std::int32_t Stored(const std::optional<T>& value) {
  return value ? static_cast<std::int32_t>(*value) + 1 : 0;
}
constexpr std::int32_t Stored(const std::optional<Conforming>& value) {
  return !value ? 0 : value->rear_line ? -(value->lead + 1) : value->lead + 1;
}
constexpr std::int32_t Stored(const std::optional<UnitOrLeader>& value) {
  return !value ? 0 : value->leader ? -1 - value->id : value->id + 1;
}
template <typename T>
void Restore(T& member, std::int32_t value) {
  if constexpr (std::is_same_v<T, bool>)
    member = value != 0;
  else
    member = static_cast<T>(value);
}
template <typename T>
void Restore(std::optional<T>& member, std::int32_t value) {
  if (value == 0)
    member.reset();
  else
    member = static_cast<T>(value - 1);
}
inline void Restore(std::optional<Conforming>& member, std::int32_t value) {
  if (value == 0)
    member.reset();
  else
    member = Conforming{std::abs(value) - 1, value < 0};
}
inline void Restore(std::optional<UnitOrLeader>& member, std::int32_t value) {
  if (value == 0)
    member.reset();
  else
    member = UnitOrLeader{value < 0, value < 0 ? -1 - value : value - 1};
}

// The fields of a record by number, for events: operator[] reads one, Put writes it.
#define FOS_CLOSEFIRE_READ(name, record, member) \
  case Name::name:                               \
    return Stored(member);
#define FOS_CLOSEFIRE_WRITE(name, record, member) \
  case Name::name:                                \
    return Restore(member, value);
#define FOS_CLOSEFIRE_ACCESS(Field, FIELDS)    \
  std::int32_t operator[](Field field) const { \
    using Name = Field;                        \
    switch (field) {                           \
      FIELDS(FOS_CLOSEFIRE_READ)               \
      case Name::kCount:                       \
        break;                                 \
    }                                          \
    return 0;                                  \
  }                                            \
  void Put(Field field, std::int32_t value) {  \
    using Name = Field;                        \
    switch (field) {                           \
      FIELDS(FOS_CLOSEFIRE_WRITE)              \
      case Name::kCount:                       \
        break;                                 \
    }                                          \
  }

struct Unit {
  UnitBody body;
  Obedience obeys;
  Pace pace;
  Running flight;
  Firing fire;
  HorseHolder holder;
  Merging merge;
  Marching march;
  Charging charge;
  BaseList bases;

  FOS_CLOSEFIRE_ACCESS(Of, FOS_CLOSEFIRE_UNIT_FIELDS)
  template <typename E>
  E As(Of field) const {
    return static_cast<E>((*this)[field]);
  }
  bool OnTable() const { return body.presence == Presence::kOnTable; }
  friend bool operator==(const Unit&, const Unit&) = default;
};

// CF-5.2, 5.3: the unit it copies, and whether it stands in line with it.
inline std::optional<UnitId> LeadOf(const Unit& unit) {
  if (!unit.obeys.conforms) return std::nullopt;
  return unit.obeys.conforms->lead;
}
inline bool CopiesInLine(const Unit& unit) {
  return unit.obeys.conforms && !unit.obeys.conforms->rear_line;
}

// Messengers are leaders too (LeaderInfo::messenger).
struct Leader {
  MilliPoint at;
  std::optional<UnitId> attached;
  std::int32_t wounds = 0;
  LeaderFate fate = LeaderFate::kOnTable;
  std::int32_t order = 0;              // CF-4.9: order 1, 2 or 3; 0 none
  std::int32_t carries = 0;            // a messenger's order
  std::optional<LeaderId> bound;       // whom a messenger rides to
  std::int32_t offer = 0;              // an order he has not taken over yet
  std::optional<LeaderId> offer_from;  // who gave it
  std::optional<LeaderId> superior;    // CF-4.8: his new one; else as in Setup
  // CF-4.8: what a messenger reassigns, or what was put under this leader and he has not listened
  // to yet.
  std::optional<UnitOrLeader> troops;
  // Turn flags
  std::int32_t actions_used = 0;
  bool rode = false;        // has taken his Move action, which includes attaching to another unit
  bool rode_later = false;  // has ridden in the Movement phase
  bool fire_risk = false, combat_risk = false;  // CF-6.1: has tested this turn

  FOS_CLOSEFIRE_ACCESS(By, FOS_CLOSEFIRE_LEADER_FIELDS)
  LeaderFate Fate() const { return fate; }
  bool Present() const { return fate == LeaderFate::kOnTable; }
  friend bool operator==(const Leader&, const Leader&) = default;
};
#undef FOS_CLOSEFIRE_ACCESS
#undef FOS_CLOSEFIRE_WRITE
#undef FOS_CLOSEFIRE_READ

struct UnitInfo {
  std::string id;
  int side = 0;
  std::optional<LeaderId> commander;  // its brigadier; for guns, the leader who commands them
  Arm arm = Arm::kFoot;
  bool new_style = false;
  Grade grade = Grade::kC;
  GunClass gun = GunClass::kField;
  std::vector<int> parts;  // bases by battalion or squadron
  bool half_base = false;  // CF-2.3: only marks the extra die
  bool plug_bayonets = false;
  bool hand_weapons = false;
  bool swedish = false;
  bool mixed = false;                 // CF-2.8
  double width_yd = 0, depth_yd = 0;  // of one base
};

struct LeaderInfo {
  std::string id;
  int side = 0;
  Rank rank = Rank::kBrigadier;
  bool messenger = false;
  std::optional<LeaderId> superior;
  bool exceptional = false;  // CF-9.1
  // CF-1.3: half the width of his base. No leader has a facing, so the base counts as round.
  double radius_yd = 0;
};

struct Terrain {
  std::string name;
  Polygon outline_yd;
  int level = 0;  // CF-7.1: the level of a hill and of everything on it
  bool wood = false, town = false;
  bool rough = false, no_guns_no_cavalry = false, road = false;
  bool impassable = false;
  bool obstacle = false, hard_for_cavalry = false, linear = false;
  int works = 0;            // 1 fieldworks, 2 fortifications
  bool hard_cover = false;  // CF-17.3: a wall
  bool suspect = false;     // CF-11.7: declared as cover that may hide an enemy
};

enum class Battle : std::int8_t { kMeeting, kAttack };

struct Setup {
  std::string name;
  Tables tables;
  Settings settings;
  std::array<std::string, 2> sides;
  Battle battle = Battle::kMeeting;
  // The players set up as they like: no distance of CF-3.4 and 3.5 is checked.
  bool agreed_positions = true;
  int attacker = 0;
  int south = 0;  // CF-3.5: the side whose half is the southern one
  bool assault_objective = false;
  double length_yd = 0, width_yd = 0;  // of the table, east and north
  std::vector<UnitInfo> units;
  std::vector<LeaderInfo> leaders;
  std::vector<Terrain> terrain;
  std::vector<std::string> notes;  // remarks of the roster's checks (CF-2, 3)
};

// What the game waits for: dice, or one of several choices.
struct Ask {
  std::optional<int> side;  // without one, either side may throw
  DiceSet dice;
  std::vector<std::string> choices;  // empty: dice are needed
  std::string sentence;
  std::string clause;
  std::optional<UnitId> about;  // the unit to forecast for
  friend bool operator==(const Ask&, const Ask&) = default;
};

// An answer: dice, or the index of a choice.
struct Answer {
  std::vector<std::int8_t> dice;
  int choice = -1;
  std::uint64_t generator = 0;  // the generator's state after the dice
  friend bool operator==(const Answer&, const Answer&) = default;
};

struct State;
struct Kept;  // play.h

// A declaration that waits for answers. Each answer runs it again from `start`, which repeats the
// same events and adds new ones. So the rules are straight-line code without hidden state.
struct Waiting {
  std::string line;  // the declaration
  std::vector<Answer> answers;
  std::shared_ptr<const State> start;  // before the declaration
  Ask ask;
  std::size_t told = 0;                        // how many of its events are already in the game
  std::shared_ptr<const Kept> kept = nullptr;  // where it can go on instead; a cache
};

// What befell a unit, and what a general or marshal.
enum class Blow : std::int8_t { kRoutedOrLost, kRetired, kLeaderKilled, kLeaderRouting };

// A morale event of this turn that other units may see (CF-8.4). In State::felt, `x` is the unit
// that has counted it.
struct Shock {
  UnitOrLeader who;
  Blow blow = Blow::kRoutedOrLost;
  std::int32_t x = 0, y = 0;
  std::vector<BaseState> stood = {};  // the unit's bases when it happened; none for a leader
  friend bool operator==(const Shock&, const Shock&) = default;
};

// CF-14.6: fascines laid where their carriers crossed an obstacle, from one end of their front to
// the other. Thousandths of a yard.
struct Fascines {
  int side = 0;
  std::optional<int>
      over;  // index into Setup::terrain; none for an obstacle that is not on the map
  std::int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  friend bool operator==(const Fascines&, const Fascines&) = default;
};

// Two units that fight each other now.
struct Engaged {
  int a = 0, b = 0;
  friend bool operator==(const Engaged&, const Engaged&) = default;
};

struct State {
  std::shared_ptr<const Setup> setup;
  std::vector<Unit> units;
  std::vector<Leader> leaders;
  int turn = 0;
  Phase phase = Phase::kInitiative;
  int first = 0;       // side that moves first this turn
  int initiative = 0;  // CF-9.1
  int to_act = 0;      // side whose declarations are open
  std::uint64_t generator = 0;
  std::vector<Engaged> engaged;
  std::vector<Shock> shocks;
  std::vector<Shock> felt;  // CF-8.4: routs and retirements already counted
  std::vector<Fascines> fascines;
  std::optional<Waiting> waiting;

  const Tables& Book() const { return setup->tables; }
  const Settings& Rulings() const { return setup->settings; }
};
bool SameGame(const State& a, const State& b);

inline double Yd(std::int32_t milli) { return milli / 1000.0; }
std::int32_t Milli(double yd);
Base ToBase(const State& s, int unit, const BaseState& base);
BaseState ToState(const Base& base, const BaseState& like);
std::vector<Base> BasesOf(const State& s, int unit);
inline const UnitInfo& Info(const State& s, int unit) {
  return s.setup->units[static_cast<std::size_t>(unit)];
}
inline const LeaderInfo& LeaderInfoOf(const State& s, int leader) {
  return s.setup->leaders[static_cast<std::size_t>(leader)];
}
inline const Unit& At(const State& s, int unit) { return s.units[static_cast<std::size_t>(unit)]; }
inline const Leader& LeaderAt(const State& s, int leader) {
  return s.leaders[static_cast<std::size_t>(leader)];
}

// Lists of units.
inline bool Any(const std::vector<int>& units, auto holds) {
  return std::any_of(units.begin(), units.end(), holds);
}
inline bool Has(const std::vector<int>& units, int unit) {
  return std::find(units.begin(), units.end(), unit) != units.end();
}

// Terms of section 0.
bool IsCavalry(const State& s, int unit);  // horse, mounted dragoons, hussars
bool IsFoot(const State& s, int unit);     // without dismounted dragoons
bool IsDismounted(const State& s, int unit);
bool IsGun(const State& s, int unit);
bool IsFormed(const State& s, int unit);  // line, march column, assault column
bool IsUnformed(const State& s, int unit);
bool InCombat(const State& s, int unit);
bool UnderFire(const State& s, int unit);
// Bases left; a gun counts as one (CF-2.6).
int BasesLeft(const State& s, int unit);
int PartsLeft(const State& s, int unit);  // battalions or squadrons that have bases left
int DpLimit(const State& s, int unit);    // CF-8.1
std::optional<LeaderId> SuperiorOf(const State& s, int leader);  // CF-2.10, 4.8
std::optional<LeaderId> BrigadierOf(const State& s, int unit);   // of guns: who commands them
bool InChain(const State& s, int leader, int unit);              // CF-5.1
std::optional<UnitId> FindUnit(const State& s, std::string_view id);
std::optional<LeaderId> FindLeader(const State& s, std::string_view id);
// CF-22.4 to 22.6: the spare unit that receives a unit's blocked bases; empty until needed.
std::string SpareName(std::string_view id);
void AddSpares(Setup& setup, State& s);  // adds one for each unit of several bases
std::string_view FormationName(Formation f);
std::string_view PhaseName(Phase p);   // the name in records
std::string_view PhaseTitle(Phase p);  // for players: the phases of CF-9.2
std::string_view StatusName(Conduct s);
std::string KindName(const UnitInfo& unit);          // "foot", "field gun"
std::string UnitName(const State& s, int unit);      // for players: "foot B1"
std::string LeaderName(const State& s, int leader);  // "brigadier L2"
const DiceSet& FastDice(const State& s, int unit);   // CF-12.6
DiceArm DiceArmOf(const State& s, int unit);
// The dice sets that CF-12 allows the unit on this ground.
const std::vector<DiceSet>& DiceSetsOf(const State& s, int unit, bool rough);

}  // namespace fos::closefire
