#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/clause.h"
#include "engine/rules/napoleonic/event.h"

// What players declare, dice show, or the camera saw; checked, and turned into events or refused.
namespace fos::napoleonic {

// Answers to what the game asked.
struct GiveDice {
  std::vector<std::int8_t> dice;
  // Dice drawn earlier and thrown again when an old event was corrected: the generator after them.
  std::optional<std::uint64_t> generator = std::nullopt;
};
struct GiveCoin {
  bool heads = false;
  std::optional<std::uint64_t> generator = std::nullopt;
};
struct Draw {};  // dice or coin from the game's own generator
struct Land {
  ShotFacts facts;
};
struct ChooseStands {
  std::vector<PieceNo> stands;
};
struct ChooseRetreat {
  Cell cell = kNowhere;
};
struct Regroup {
  PieceNo unit = 0;
  Cell cell = kNowhere;
  Facing facing = Facing::kNorth;
};

// Declarations. A group is a unit's stands in one square.
struct TurnUnit {
  int side = 0;
  PieceNo unit = 0;
  Cell cell = kNowhere;
  Facing facing = Facing::kNorth;
};
struct TurnEquipment {
  int side = 0;
  PieceNo equipment = 0;
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
struct CallVolley {
  int side = 0;
  PieceNo unit = 0;
  Cell from = kNowhere;
  Cell target = kNowhere;
};
struct Move {
  int side = 0;
  std::vector<PieceNo> stands;
  std::vector<PieceNo> equipment;
  std::vector<Cell> path;  // the start left out
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
struct Support {
  int side = 0;
  PieceNo unit = 0;
  Cell from = kNowhere;
  Cell contact = kNowhere;
};
struct PlayCard {
  int side = 0;
  Cell contact = kNowhere;
  Card card = Card::kLine;
};
struct DestroyEquipment {
  int side = 0;
  PieceNo equipment = 0;
};
struct EndStep {
  int side = 0;
};
struct Surrender {
  int side = 0;
};

using Declaration =
    std::variant<GiveDice, GiveCoin, Draw, Land, ChooseStands, ChooseRetreat, Regroup, TurnUnit,
                 TurnEquipment, Limber, Pool, CallShot, HoldCanister, FireHeld, CallVolley, Move,
                 FormSquare, BreakSquare, Support, PlayCard, DestroyEquipment, EndStep, Surrender>;

struct Action {
  Declaration what;
  bool overrule = false;  // the players let it stand against a rule
};

// Checks the action, folds its events into `state` and appends them to `events`. A refused action
// changes nothing.
std::optional<Refusal> Play(State& state, const Action& action, std::vector<Event>& events);

}  // namespace fos::napoleonic
