// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/rules/colonial/event.h"
#include "engine/table/clause.h"

// Actions: declarations, dice and what the camera saw. The referee turns an action into events or
// refuses it.
namespace fos::colonial {

using squares::Draw;

struct GiveDice {
  std::vector<std::int16_t> dice;
  // For dice that were drawn earlier and are replayed after a correction: the generator's state
  // after them.
  std::optional<std::uint64_t> generator = std::nullopt;
};
// COL-2.3: leaves out a stand that the thrown points do not pay for.
struct LeaveOut {
  PieceNo stand = 0;
};
struct Activate {
  std::vector<PieceNo> stands;
};
// Moves one stand, or a pair together (the first named ends in front). Activates the stands first
// if needed.
struct Move {
  std::vector<PieceNo> stands;
  std::vector<std::vector<Cell>> paths;  // by stand, without the start; empty: it stays
  std::optional<Facing> facing;          // unchanged if not given
  bool in_front = false;                 // in front of a friend who is already there
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
// The square a beaten stand withdraws to; kNowhere: the engine chooses.
struct Back {
  Cell cell = kNowhere;
  bool in_front = false;
};
// What the camera saw of a stand, or of a pair that moved together (COL-3.4): a move, a withdrawal
// or a fault (COL-3.3, 5.9, 9.6).
struct Seen {
  PieceNo stand = 0;
  Cell cell = kNowhere;
  Facing facing = Facing::kNorth;
  bool in_front = false;     // in front of a friend who is already there
  PieceNo rear = kNoPiece;   // the rear stand of the pair; none: a single stand
};
// The same as raw measurements: the footprint's centre in thousandths of an inch from the
// south-west corner, its bearing in thousandths of a degree, and its size if measured.
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
  bool overrule = false;  // the players overrule the clause against it
};

// Checks the action, applies its events to `state` and appends them to `events`. A refused action
// changes nothing.
std::optional<Refusal> Play(State& state, const Action& action, std::vector<Event>& events);

}  // namespace fos::colonial
