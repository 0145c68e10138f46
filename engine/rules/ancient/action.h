#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/clause.h"
#include "engine/rules/ancient/event.h"

// What players declare, dice show, or the camera saw; checked, and turned into events or refused.
namespace fos::ancient {

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
struct Choose {
  std::vector<PieceNo> stands;
  std::vector<PieceNo> equipment;
};
struct ChooseRetreat {
  Cell cell = kNowhere;
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
struct CallShot {
  int side = 0;
  PieceNo catapult = 0;
  PieceNo man = 0;  // stand
  Cell target = kNowhere;
};
struct CallVolley {
  int side = 0;
  PieceNo unit = 0;
  Cell from = kNowhere;
  Cell target = kNowhere;
};
// An elephant is meant to charge: its die is to be rolled (ANC-H6).
struct Rouse {
  int side = 0;
  PieceNo unit = 0;
};
struct Move {
  int side = 0;
  std::vector<PieceNo> stands;
  std::vector<PieceNo> equipment;
  std::vector<Cell> path;  // the start left out; single stands on the way are run down
  bool run_down = false;   // the one at the end too, instead of a melee
  std::optional<Facing> facing;
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
struct EndStep {
  int side = 0;
};
struct TimeUp {};  // the agreed time is over (ANC-M4)
struct Concede {
  int side = 0;
};

using Declaration =
    std::variant<GiveDice, GiveCoin, Draw, Land, Choose, ChooseRetreat, TurnUnit, TurnEquipment,
                 CallShot, CallVolley, Rouse, Move, Support, PlayCard, EndStep, TimeUp, Concede>;

struct Action {
  Declaration what;
  bool overrule = false;  // the players let it stand against a rule
};

// Checks the action, folds its events into `state` and appends them to `events`. A refused action
// changes nothing.
std::optional<Refusal> Play(State& state, const Action& action, std::vector<Event>& events);

}  // namespace fos::ancient
