// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/rules/napoleonic/state.h"
#include "engine/rules/sweet/events.h"

// The smallest steps of what happened. The state is the result of applying them in order.
namespace fos::napoleonic {

using squares::CardChosen, squares::CoinThrown, squares::DiceThrown, squares::EquipmentTaken,
    squares::EquipmentTurned, squares::MeleesOrdered, squares::MeleeStageReached, squares::Moved,
    squares::OneStandRetreats, squares::Overruled, squares::RetreatOver, squares::SaidDone,
    squares::StandPlaced, squares::Supported, squares::VolleyJudged, squares::VolleysOver;
using Turned = squares::StandsTurned;

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

using StepBegan = sweet::StepBeganOf<Step>;
using Asked = sweet::AskedOf<Ask>;
using ShotLanded = sweet::ShotLandedOf<ShotFacts>;
using VolleyCalled = sweet::VolleyCalledOf<Volley>;
using StandLost = sweet::StandLostOf<LossCause>;
using RetreatOrdered = sweet::RetreatOrderedOf<Retreat>;
using MeleeJoined = sweet::MeleeJoinedOf<Melee>;
using Surrendered = sweet::GaveUp;
using GameEnded = sweet::GameEndedOf<Ending>;

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
struct ShotStageReached {
  ShotStage stage = ShotStage::kStands;
};
struct CanisterJudged {
  CanisterDice left;
};
struct EquipmentLost {
  PieceNo equipment = 0;
  LossCause cause = LossCause::kShot;
};
// DEF-14. A distance so close to the limit that players may disagree. Names one stand, piece or
// model.
struct CloseCall {
  PieceNo stand = -1;
  PieceNo equipment = -1;
  Cell model = kNowhere;
  std::int32_t milli_in = 0;
  std::int32_t limit_milli_in = 0;
};
struct SquareFormed {
  Formation formation;
  std::vector<PieceNo> stands;
};
// Broken by its owner in his move, or because a side of it is too weak or it must retreat.
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
struct SupportsDeclared {
  std::int8_t side = 0;
};
// Losses are done: how far each side must fall back.
struct MeleeDecided {
  std::int16_t melee = 0;
  CardResult result = CardResult::kEqual;  // of the attacker's card
  std::array<std::int8_t, 2> retreat{};
  bool leave_equipment = false;
};

using Event =
    std::variant<StepBegan, Asked, DiceThrown, CoinThrown, Turned, EquipmentTurned, Limbered,
                 Pooled, ShotCalled, CanisterHeld, ShotLanded, ShotStageReached, CanisterJudged,
                 VolleyCalled, VolleyJudged, VolleysOver, StandLost, EquipmentLost, EquipmentTaken,
                 CloseCall, Moved, StandPlaced, SquareFormed, SquareBroken, Regrouped, Burns,
                 BurntUp, RetreatOrdered, RetreatOver, OneStandRetreats, MeleeJoined, Supported,
                 SupportsDeclared, CardChosen, MeleeDecided, MeleeStageReached, SaidDone,
                 Surrendered, Overruled, GameEnded, MeleesOrdered>;

// Pure: the same state and event give the same state on every machine. Takes only events of this
// engine; one that names a piece the state lacks is a programming error (FOS_CHECK).
State Apply(State before, const Event& event);
// The same in place, for many events.
void ApplyTo(State& state, const Event& event);

}  // namespace fos::napoleonic
