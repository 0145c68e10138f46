#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/open_table/base.h"
#include "engine/rules/closefire/tables.h"

// The state of a game of Close Fire. Places are thousandths of a yard and headings thousandths of a
// degree, so that all machines agree; everything else about a unit is a named integer.
namespace fos::closefire {

using open_table::Base;

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

// The fields of a unit. Turn flags are cleared when a turn begins. "unit + 1" means 0 for no unit.
enum class Of : std::int8_t {
  kFormation,
  kStatus,
  kPresence,
  kMounted,  // dragoons
  kDp,
  kCasualties,
  kFascines,
  kFixed,  // plug bayonets
  kCrew,
  kControl,
  kConformsTo,  // unit + 1; negative: as its rear line (CF-5.3)
  kMissed,      // SetIndex of last turn's charge that fell short; 0 none
  kMustCharge,
  kPace,  // CF-12.9: number of dice of last turn's voluntary move
  kPaceNow,
  kLastSet,  // CF-5.7: SetIndex of last turn's Movement phase; 0 without dice
  kSetNow,
  kLastKind,  // CF-5.7: LastMove of last turn's Movement phase
  kKindNow,
  kFastBefore,  // CF-12.6: has already made its first fast move
  kPursued,     // CF-22.5: an enemy pursues it
  kTarget,      // CF-16.3: unit + 1
  kTargetMilliYd,
  kFiredLast,
  kSpikers,  // CF-23.1: unit + 1 of the enemy in contact since the last Morale phase
  kHolder,   // CF-14.10: a horse-holder stands on the table
  kHolderUsed,
  kHolderX,
  kHolderY,
  kMergeTurns,  // CF-14.16: turns until the merge is complete
  kMergeInto,   // unit + 1
  kOrderX,      // CF-4.9: its place when the order was given
  kOrderY,
  kArrivalTry,
  kAssigned,      // CF-4.8: leader + 1 it was reassigned to; 0 as in Setup
  kDoubtMilliYd,  // one sigma of its place as seen by the camera
  // Turn flags
  kMoved,
  kFired,
  kShotAt,
  kFireDp,
  kFought,     // fought a combat this turn
  kAfterMove,  // made an after-combat move this turn
  kInspired,
  kSteadied,
  kControlledBy,  // CF-11.5: leader + 1 who controls it or the unit it conforms to
  kRolled,        // SetIndex of this turn's move
  kRolledAs,      // CF-11.5: the arm it was thrown for, DiceArm + 1
  kDoubled,
  kObjective,
  kAllowanceMilliYd,  // yards left
  kFullMilliYd,       // yards as rolled
  kDistanceMilliYd,   // yards moved straight ahead
  kFromX,             // CF-20.4: its centre before its first move this turn
  kFromY,
  kBearing,  // of its last leg, thousandths of a degree + 1; 0 none
  kHalves,   // half-move manoeuvres made
  kWheeled,
  kDoneMoving,
  kRough,
  kFaces,     // this turn's move dice, one decimal digit each
  kCrossing,  // CF-14.6: obstacles it has paid for
  kCrossed,   // CF-14.6: obstacles it has crossed
  kCharging,  // unit + 1 of its target
  kChargeSet,
  kChargeGroup,  // CF-18.9: unit + 1 of the first unit in its body
  kReached,      // its charge or counter-charge made contact
  kOutrance,
  kCounter,
  kEvading,
  kContacted,  // by a charge this turn
  kContactedByCavalry,
  kFlanked,
  kRoadMove,
  kReceived,    // CF-18.6: has turned about or stepped back an end stand
  kGapMilliYd,  // CF-14.12: the width of the gap it passes; 0 none
  kWantsStop,   // CF-5.8
  kCount
};
constexpr int kFields = static_cast<int>(Of::kCount);
constexpr int kFirstTurnFlag = static_cast<int>(Of::kMoved);

struct BaseState {
  std::int32_t x = 0, y = 0;  // thousandths of a yard
  std::int32_t facing = 0;    // thousandths of a degree, [0, 360000)
  std::int8_t part = 0;       // index of its battalion or squadron
  bool command = false;       // CF-17.2: the battalion's command stand
  bool pike = false;
  friend bool operator==(const BaseState&, const BaseState&) = default;
};

struct Unit {
  std::array<std::int32_t, kFields> is{};
  std::vector<BaseState> bases;

  std::int32_t operator[](Of field) const { return is[static_cast<std::size_t>(field)]; }
  template <typename E>
  E As(Of field) const {
    return static_cast<E>((*this)[field]);
  }
  bool OnTable() const { return As<Presence>(Of::kPresence) == Presence::kOnTable; }
  friend bool operator==(const Unit&, const Unit&) = default;
};

// The fields of a leader. Messengers are leaders too (LeaderInfo::messenger).
enum class By : std::int8_t {
  kX,
  kY,
  kAttached,  // unit + 1
  kWounds,
  kGone,       // LeaderFate
  kOrder,      // CF-4.9: order 1, 2 or 3; 0 none
  kCarries,    // a messenger's order
  kBound,      // leader + 1 a messenger rides to
  kOffer,      // an order given to this leader that he has not taken over yet
  kOfferFrom,  // leader + 1 who gave it
  kSuperior,   // CF-4.8: leader + 1 he was reassigned to; 0 as in Setup
  // CF-4.8: what a messenger reassigns, or what was put under this leader and he has not listened
  // to yet: unit + 1, or -1 - leader; 0 nothing.
  kMoves,
  // Turn flags
  kUsed,       // actions used
  kRode,       // has taken his Move action, which includes attaching to another unit
  kRodeLater,  // has ridden in the Movement phase
  kFireRisk,   // CF-6.1: has tested this turn
  kCombatRisk,
  kCount
};
constexpr int kLeaderFields = static_cast<int>(By::kCount);
constexpr int kFirstLeaderTurnFlag = static_cast<int>(By::kUsed);

// What became of a leader or messenger.
enum class LeaderFate : std::int8_t { kOnTable, kKilled, kCaptured, kWaiting };

struct Leader {
  std::array<std::int32_t, kLeaderFields> is{};
  std::int32_t operator[](By field) const { return is[static_cast<std::size_t>(field)]; }
  LeaderFate Fate() const { return static_cast<LeaderFate>((*this)[By::kGone]); }
  bool Present() const { return Fate() == LeaderFate::kOnTable; }
  friend bool operator==(const Leader&, const Leader&) = default;
};

struct UnitInfo {
  std::string id;
  int side = 0;
  int brigade = -1;  // its brigadier, an index into Setup::leaders; -1 none
  int chief = -1;    // for guns: the leader who commands them; -1 none
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
  int superior = -1;
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

// kAgreed: the players set up as they like; no distance is checked.
enum class Battle : std::int8_t { kMeeting, kAttack, kAgreed };

struct Setup {
  std::string name;
  Tables tables;
  Settings settings;
  std::array<std::string, 2> sides;
  Battle battle = Battle::kAgreed;
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
  int side = -1;  // -1: either side may throw
  DiceSet dice;
  std::vector<std::string> choices;  // empty: dice are needed
  std::string sentence;
  std::string clause;
  int about = -1;  // the unit to forecast for; -1 none
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
// A declaration that waits for answers. Each answer runs it again from `start`, which repeats the
// same events and adds new ones. So the rules are straight-line code without hidden state.
struct Waiting {
  std::string line;  // the declaration
  std::vector<Answer> answers;
  std::shared_ptr<const State> start;  // before the declaration
  Ask ask;
  std::size_t told = 0;  // how many of its events are already in the game
};

// A morale event of this turn that other units may see (CF-8.4).
struct Shock {
  int unit = 0;
  int kind = 0;  // 0 routed or destroyed, 1 retired; a general or marshal 2 killed, 3 routing
  std::int32_t x = 0, y = 0;
  std::vector<BaseState> stood = {};  // the unit's bases when it happened; none for a leader
  friend bool operator==(const Shock&, const Shock&) = default;
};

// CF-14.6: fascines laid where their carriers crossed an obstacle, from one end of their front to
// the other. Thousandths of a yard.
struct Fascines {
  int side = 0;
  int over = -1;  // index into Setup::terrain; -1: an obstacle that is not on the map
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
int DpLimit(const State& s, int unit);                // CF-8.1
int SuperiorOf(const State& s, int leader);           // CF-2.10, 4.8; -1 if none
int FindUnit(const State& s, std::string_view id);    // -1
int FindLeader(const State& s, std::string_view id);  // -1
// CF-22.4 to 22.6: the spare unit that receives a unit's blocked bases; empty until needed.
std::string SpareName(std::string_view id);
void AddSpares(Setup& setup, State& s);  // adds one for each unit of several bases
std::string_view FormationName(Formation f);
std::string_view PhaseName(Phase p);   // the name in records
std::string_view PhaseTitle(Phase p);  // for players: the phases of CF-9.2
std::string_view StatusName(Conduct s);
std::string KindName(const UnitInfo& unit);         // "foot", "field gun"
const DiceSet& FastDice(const State& s, int unit);  // CF-12.6
// CF-11.5: groups of units that throw different dice.
enum class DiceArm : std::int8_t { kFoot, kCavalry, kDismounted, kLimbered, kUnlimbered, kOther };
DiceArm DiceArmOf(const State& s, int unit);
// The dice sets that CF-12 allows the unit on this ground.
const std::vector<DiceSet>& DiceSetsOf(const State& s, int unit, bool rough);

}  // namespace fos::closefire
