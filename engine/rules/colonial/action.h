#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/rules/colonial/event.h"
#include "engine/table/clause.h"

// What players declare, dice show, or the camera saw; checked, and turned into events or refused.
namespace fos::colonial {

using squares::Draw;

struct GiveDice {
  std::vector<std::int16_t> dice;
  // Dice drawn earlier and thrown again when an old event was corrected: the generator after them.
  std::optional<std::uint64_t> generator = std::nullopt;
};
// COL-2.3: a stand the thrown points do not pay for stays at home.
struct LeaveOut {
  PieceNo stand = 0;
};
struct Activate {
  std::vector<PieceNo> stands;
};
// One stand, or a pair that moves together (the first named is in front where they end). Stands
// that are not yet activated are, first.
struct Move {
  std::vector<PieceNo> stands;
  std::vector<std::vector<Cell>> paths;  // by stand, the start left out; empty: stays
  std::optional<Facing> facing;          // kept, when none is said
  bool in_front = false;                 // of a friend who is there
};
struct Remount {
  PieceNo stand = 0;
  bool mounted = true;
};
struct Fight {
  bool close = false;
  PieceNo stand = 0;
  Cell cell = kNowhere;       // the target's square,
  PieceNo target = kNoPiece;  // or the target itself
};
// Where a beaten stand goes; kNowhere: the engine's own choice.
struct Back {
  Cell cell = kNowhere;
  bool in_front = false;
};
// What the camera saw of one stand: a move, a withdrawal, or a fault (COL-3.3, 5.9, 9.6).
struct Seen {
  PieceNo stand = 0;
  Cell cell = kNowhere;
  Facing facing = Facing::kNorth;
  bool in_front = false;  // of a friend who is there
};
// The same as it was measured: the footprint's centre, thousandths of an inch from the south-west
// corner, its bearing in thousandths of a degree, and its size, where that was measured too.
struct Measured {
  PieceNo stand = 0;
  std::int32_t x_milli_in = 0, y_milli_in = 0;
  std::int32_t bearing_milli_deg = 0;
  std::int32_t width_milli_in = 0, depth_milli_in = 0;  // 0: not measured
};
struct Done {
  int side = 0;
};

using Declaration = std::variant<GiveDice, Draw, LeaveOut, Activate, Move, Remount, Fight, Back,
                                 Seen, Measured, Done>;

struct Action {
  Declaration what;
  bool overrule = false;  // the players let it stand against a rule
};

// Checks the action, folds its events into `state` and appends them to `events`. A refused action
// changes nothing.
std::optional<Refusal> Play(State& state, const Action& action, std::vector<Event>& events);

}  // namespace fos::colonial
