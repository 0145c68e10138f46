// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/rules/ancient/event.h"
#include "engine/table/clause.h"

// What players declare, dice show or the camera saw. Each action is checked and becomes events or
// is refused.
namespace fos::ancient {

using squares::CallVolley, squares::ChooseRetreat, squares::Draw, squares::EndStep,
    squares::GiveCoin, squares::GiveDice, squares::OrderMelees, squares::PlayCard, squares::Support,
    squares::TurnEquipment, squares::TurnUnit;
using Land = sweet::LandOf<ShotFacts>;
using Concede = sweet::GiveUp;

struct Choose {
  std::vector<PieceNo> stands;
  std::vector<PieceNo> equipment;
};

struct CallShot {
  int side = 0;
  PieceNo catapult = 0;
  PieceNo man = 0;  // stand
  Cell target = kNowhere;
};
// An elephant is to charge, so its die is rolled (ANC-H6).
struct Rouse {
  int side = 0;
  PieceNo unit = 0;
};
struct Move {
  int side = 0;
  std::vector<PieceNo> stands;
  std::vector<PieceNo> equipment;
  std::vector<Cell> path;  // without the start; single stands on the way are run down
  bool run_down = false;   // also the stand on the last square, instead of a melee
  std::optional<Facing> facing;
};
struct TimeUp {};  // the agreed time is over (ANC-M4)

using Declaration = std::variant<GiveDice, GiveCoin, Draw, Land, Choose, ChooseRetreat, TurnUnit,
                                 TurnEquipment, CallShot, CallVolley, Rouse, Move, Support,
                                 PlayCard, EndStep, TimeUp, Concede, OrderMelees>;

struct Action {
  Declaration what;
  bool overrule = false;  // the players overrule a refusal
};

// Does every number in the declaration name a side, unit, stand, piece or square of this game?
// Declarations come from scripts, files and windows; later code relies on this check.
std::optional<Refusal> CheckNames(const State& s, const Declaration& what);

// Checks the action, applies its events to `state` and appends them to `events`. A refused action
// changes nothing.
std::optional<Refusal> Play(State& state, const Action& action, std::vector<Event>& events);

}  // namespace fos::ancient
