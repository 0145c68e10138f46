#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/rules/napoleonic/state.h"

// What happened, in the smallest pieces; the state is a fold of these.
namespace fos::napoleonic {

enum class LossCause : std::uint8_t {
  kShot,
  kWithGun,
  kCanister,
  kMusketry,
  kMelee,
  kAnnihilated,
  kNoWayBack,
  kBurntUp,
  kSpiked,
  kBurntUnmanned
};

struct StepBegan {
  int turn = 0;
  Step step = Step::kArtillery;
  std::int8_t attacker = 0;
};
struct Asked {
  Ask ask;
};
// rng is the generator after the draw; typed dice leave it as it was.
struct DiceThrown {
  std::vector<std::int8_t> dice;
  std::uint64_t generator = 0;
};
struct CoinThrown {
  bool heads = false;
  std::uint64_t generator = 0;
};
struct Turned {
  std::vector<PieceNo> stands;
  Facing facing = Facing::kNorth;
};
struct EquipmentTurned {
  PieceNo equipment = 0;
  Facing facing = Facing::kNorth;
};
struct Limbered {
  PieceNo equipment = 0;
  bool limbered = false;
};
struct Pooled {
  PieceNo equipment = 0;
  std::int8_t battery = -1;
};
struct ShotCalled {
  Shot shot;
  bool held_before = false;
};
struct CanisterHeld {
  Held held;
};
struct ShotLanded {
  ShotFacts facts;
};
struct ShotStageReached {
  ShotStage stage = ShotStage::kStands;
};
struct CanisterJudged {
  CanisterDice left;
};
struct VolleyCalled {
  Volley volley;
  std::vector<PieceNo> stands;
};
struct VolleyJudged {
  std::int16_t volley = 0;
  std::vector<PieceNo> losses;
};
struct VolleysOver {};
struct StandLost {
  PieceNo stand = 0;
  LossCause cause = LossCause::kShot;
};
struct EquipmentLost {
  PieceNo equipment = 0;
  LossCause cause = LossCause::kShot;
};
struct EquipmentTaken {
  PieceNo equipment = 0;
  std::int8_t owner = kNobody;
};
// DEF-14. What lies so near a limit that people may see it otherwise: one of the three is named.
struct CloseCall {
  PieceNo stand = -1;
  PieceNo equipment = -1;
  Cell model = kNowhere;
  std::int32_t milli_in = 0;
  std::int32_t limit_milli_in = 0;
};
// Path without the start; kNowhere at its end is off the board.
struct Moved {
  std::vector<PieceNo> stands;
  std::vector<PieceNo> equipment;
  std::vector<Cell> path;
  bool retreat = false;
};
struct StandPlaced {
  PieceNo stand = 0;
  Cell cell = kNowhere;
  Facing facing = Facing::kNorth;
};
struct SquareFormed {
  Formation formation;
  std::vector<PieceNo> stands;
};
// By choice in the owner's move, or because a side fell below the limit or it must retreat.
struct SquareBroken {
  std::int16_t formation = 0;
  bool by_choice = false;
};
struct Regrouped {
  PieceNo unit = 0;
};
struct Burns {
  Cell cell = kNowhere;
};
struct BurntUp {
  Cell cell = kNowhere;
};
struct RetreatOrdered {
  Retreat retreat;
};
struct RetreatOver {};
struct OneStandRetreats {};
struct MeleeJoined {
  Melee melee;
  std::vector<PieceNo> stands;
};
struct Supported {
  std::int16_t melee = 0;
  std::vector<PieceNo> stands;
};
struct SupportsDeclared {
  std::int8_t side = 0;
};
struct CardChosen {
  std::int16_t melee = 0;
  std::int8_t side = 0;
  Card card = Card::kLine;
};
// Losses are over: who must go back how far (by side).
struct MeleeDecided {
  std::int16_t melee = 0;
  CardResult result = CardResult::kEqual;  // of the attacker's card
  std::array<std::int8_t, 2> retreat{};
  bool leave_equipment = false;
};
struct MeleeStageReached {
  std::int16_t melee = 0;
  MeleeStage stage = MeleeStage::kDone;
};
struct SaidDone {
  std::int8_t side = 0;
};
struct Surrendered {
  std::int8_t side = 0;
};
// The players let something stand that the rules refuse.
struct Overruled {
  std::string clause;
  std::string because;
};
struct GameEnded {
  Ending ending;
};

using Event =
    std::variant<StepBegan, Asked, DiceThrown, CoinThrown, Turned, EquipmentTurned, Limbered,
                 Pooled, ShotCalled, CanisterHeld, ShotLanded, ShotStageReached, CanisterJudged,
                 VolleyCalled, VolleyJudged, VolleysOver, StandLost, EquipmentLost, EquipmentTaken,
                 CloseCall, Moved, StandPlaced, SquareFormed, SquareBroken, Regrouped, Burns,
                 BurntUp, RetreatOrdered, RetreatOver, OneStandRetreats, MeleeJoined, Supported,
                 SupportsDeclared, CardChosen, MeleeDecided, MeleeStageReached, SaidDone,
                 Surrendered, Overruled, GameEnded>;

// Pure: the same state and event give the same state on every machine. Events of this engine only:
// one that names a piece the state has not is a programming error (FOS_CHECK).
State Apply(State before, const Event& event);
// The same in place, for long folds.
void ApplyTo(State& state, const Event& event);

}  // namespace fos::napoleonic
