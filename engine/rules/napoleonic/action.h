// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/rules/napoleonic/event.h"
#include "engine/table/clause.h"

// What players declare, dice show or the camera saw. Each action is checked and becomes events or
// is refused.
namespace fos::napoleonic {

using squares::CallVolley, squares::ChooseRetreat, squares::Draw, squares::EndStep,
    squares::GiveCoin, squares::GiveDice, squares::OrderMelees, squares::PlayCard, squares::Support,
    squares::TurnEquipment, squares::TurnUnit;
using Land = sweet::LandOf<ShotFacts>;
using Surrender = sweet::GiveUp;

struct ChooseStands {
  std::vector<PieceNo> stands;
};
struct Regroup {
  PieceNo unit = 0;
  Cell cell = kNowhere;
  Facing facing = Facing::kNorth;
};

struct Limber {
  int side = 0;
  PieceNo equipment = 0;
  bool limbered = true;
};
struct Pool {
  int side = 0;
  PieceNo equipment = 0;
  int battery = 0;
};
struct CallShot {
  int side = 0;
  PieceNo gun = 0;
  ShotKind kind = ShotKind::kField;
  Cell target = kNowhere;
  bool canister = false;
};
struct HoldCanister {
  int side = 0;
  PieceNo gun = 0;
  ShotKind kind = ShotKind::kField;
};
struct FireHeld {
  int side = 0;
  PieceNo gun = 0;
  Cell target = kNowhere;
  PieceNo unit = -1;
};
struct Move {
  int side = 0;
  std::vector<PieceNo> stands;
  std::vector<PieceNo> equipment;
  std::vector<Cell> path;  // without the start
  std::optional<Facing> facing;
};
struct Placement {
  PieceNo stand = 0;
  Cell cell = kNowhere;
  Facing facing = Facing::kNorth;
};
struct FormSquare {
  int side = 0;
  Cell corner = kNowhere;
  int columns = 1, rows = 1;
  std::vector<PieceNo> units;
  std::vector<Placement> placements;
};
struct BreakSquare {
  int side = 0;
  PieceNo unit = 0;
  std::vector<Regroup> places;
};
struct DestroyEquipment {
  int side = 0;
  PieceNo equipment = 0;
};

using Declaration =
    std::variant<GiveDice, GiveCoin, Draw, Land, ChooseStands, ChooseRetreat, Regroup, TurnUnit,
                 TurnEquipment, Limber, Pool, CallShot, HoldCanister, FireHeld, CallVolley, Move,
                 FormSquare, BreakSquare, Support, PlayCard, DestroyEquipment, EndStep, Surrender,
                 OrderMelees>;

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

}  // namespace fos::napoleonic
