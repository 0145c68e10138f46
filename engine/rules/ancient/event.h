#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/rules/ancient/state.h"

// What happened, in the smallest pieces; the state is a fold of these.
namespace fos::ancient {

enum class LossCause : std::uint8_t {
  kShot,
  kMissiles,
  kRunDown,
  kMelee,
  kAnnihilated,
  kNoWayBack
};

struct StepBegan {
  int turn = 0;
  Step step = Step::kCatapults;
  std::int8_t attacker = 0;
};
struct Asked {
  Ask ask;
};
// generator is the one after the draw; typed dice leave it as it was.
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
struct ShotCalled {
  Shot shot;
};
struct ShotLanded {
  ShotFacts facts;
};
struct ShotOver {};
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
};
struct EquipmentTaken {
  PieceNo equipment = 0;
  std::int8_t owner = kNobody;
};
// A distance within the camera's doubt of the limit (DEF-14).
struct CloseCall {
  bool equipment = false;
  PieceNo piece = 0;
  std::int32_t milli_in = 0;
  std::int32_t limit_milli_in = 0;
};
struct ElephantDecided {
  PieceNo unit = 0;
  Will will = Will::kWilling;
};
// Path without the start; kNowhere at its end is off the board.
struct Moved {
  std::vector<PieceNo> stands;
  std::vector<PieceNo> equipment;
  std::vector<Cell> path;
  bool retreat = false;
};
// Put where it is seen to stand, or held where it is for this step.
struct StandPlaced {
  PieceNo stand = 0;
  Cell cell = kNowhere;
  Facing facing = Facing::kNorth;
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
};
struct MeleeStageReached {
  std::int16_t melee = 0;
  MeleeStage stage = MeleeStage::kDone;
};
struct SaidDone {
  std::int8_t side = 0;
};
struct TimeRanOut {
  int last_turn = 0;
};
struct Conceded {
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

using Event = std::variant<StepBegan, Asked, DiceThrown, CoinThrown, Turned, EquipmentTurned,
                           ShotCalled, ShotLanded, ShotOver, VolleyCalled, VolleyJudged,
                           VolleysOver, StandLost, EquipmentLost, EquipmentTaken, CloseCall,
                           ElephantDecided, Moved, StandPlaced, RetreatOrdered, RetreatOver,
                           OneStandRetreats, MeleeJoined, Supported, CardChosen, MeleeDecided,
                           MeleeStageReached, SaidDone, TimeRanOut, Conceded, Overruled, GameEnded>;

// Pure: the same state and event give the same state on every machine. Events of this engine only:
// one that names a piece the state has not is a programming error (FOS_CHECK).
State Apply(State before, const Event& event);
// The same in place, for long folds.
void ApplyTo(State& state, const Event& event);

}  // namespace fos::ancient
