// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/rules/ancient/state.h"
#include "engine/rules/sweet/events.h"

// The smallest steps of what happened. The state is the result of applying them in order.
namespace fos::ancient {

using squares::CardChosen, squares::CoinThrown, squares::DiceThrown, squares::EquipmentTaken,
    squares::EquipmentTurned, squares::MeleesOrdered, squares::MeleeStageReached, squares::Moved,
    squares::OneStandRetreats, squares::Overruled, squares::RetreatOver, squares::SaidDone,
    squares::StandPlaced, squares::Supported, squares::VolleyJudged, squares::VolleysOver;
using Turned = squares::StandsTurned;

enum class LossCause : std::uint8_t {
  kShot,
  kMissiles,
  kRunDown,
  kMelee,
  kAnnihilated,
  kNoWayBack
};

using StepBegan = sweet::StepBeganOf<Step>;
using Asked = sweet::AskedOf<Ask>;
using ShotLanded = sweet::ShotLandedOf<ShotFacts>;
using VolleyCalled = sweet::VolleyCalledOf<Volley>;
using StandLost = sweet::StandLostOf<LossCause>;
using RetreatOrdered = sweet::RetreatOrderedOf<Retreat>;
using MeleeJoined = sweet::MeleeJoinedOf<Melee>;
using Conceded = sweet::GaveUp;
using GameEnded = sweet::GameEndedOf<Ending>;

struct ShotCalled {
  Shot shot;
};
struct ShotOver {};
struct EquipmentLost {
  PieceNo equipment = 0;
};
// A distance that differs from the limit by less than the camera's uncertainty (DEF-14).
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
// Losses are done: how far each side must fall back.
struct MeleeDecided {
  std::int16_t melee = 0;
  CardResult result = CardResult::kEqual;  // of the attacker's card
  std::array<std::int8_t, 2> retreat{};
};
struct TimeRanOut {
  int last_turn = 0;
};

using Event =
    std::variant<StepBegan, Asked, DiceThrown, CoinThrown, Turned, EquipmentTurned, ShotCalled,
                 ShotLanded, ShotOver, VolleyCalled, VolleyJudged, VolleysOver, StandLost,
                 EquipmentLost, EquipmentTaken, CloseCall, ElephantDecided, Moved, StandPlaced,
                 RetreatOrdered, RetreatOver, OneStandRetreats, MeleeJoined, Supported, CardChosen,
                 MeleeDecided, MeleeStageReached, SaidDone, TimeRanOut, Conceded, Overruled,
                 GameEnded, MeleesOrdered>;

// Pure: the same state and event give the same state on every machine. Takes only events of this
// engine; one that names a piece the state lacks is a programming error (FOS_CHECK).
State Apply(State before, const Event& event);
// The same in place, for many events.
void ApplyTo(State& state, const Event& event);

}  // namespace fos::ancient
