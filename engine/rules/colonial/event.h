// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/rules/colonial/state.h"
#include "engine/squares/game_words.h"

// Events, the smallest changes of a game. The state is a fold of them.
namespace fos::colonial {

using squares::Overruled;

// A remark to the players that stops no game (COL-1.2, 2.2, 2.3).
struct Noted {
  Note note;
};
struct NotesTold {};
struct PhaseBegan {
  Phase phase = Phase::kInitiative;
  std::int8_t acting = 0;
};
struct Asked {
  Ask ask;
};
// generator  its state after drawn dice; typed dice do not change it.
struct DiceThrown {
  std::vector<std::int16_t> dice;
  std::uint64_t generator = 0;
};
struct ArmyPointsThrown {
  std::int8_t side = 0;
  std::int16_t points = 0;
};
struct LeftOut {
  PieceNo stand = 0;
};
struct Mustered {
  std::int8_t side = 0;
};
struct GeneralRated {
  PieceNo stand = 0;
  Rating rating = Rating::kPoor;
};
struct TurnBegan {
  std::int16_t turn = 0;
};
struct InitiativeWon {
  std::int8_t side = -1;  // -1: equal dice, throw again
};
struct ActivationsThrown {
  std::int8_t side = 0;
  std::int16_t count = 0;
};
struct Activated {
  std::vector<PieceNo> stands;  // one stand or a pair
  std::int8_t cost = 1;
};
// A stand's move; without squares if it only turns. `rear` is its place in the last square.
struct Moved {
  PieceNo stand = 0;
  std::vector<Cell> path;  // without the start
  Facing facing = Facing::kNorth;
  bool rear = false;
  bool by_road = false;
  std::int16_t cost = 0;
};
struct Remounted {
  PieceNo stand = 0;
  std::int8_t type = 0;
};
struct CombatBegan {
  Combat combat;
};
struct CombatScored {
  std::array<std::int16_t, 2> dice{};
  std::array<std::int16_t, 2> scores{};
  Outcome outcome = Outcome::kIneffective;
};
struct TieThrown {
  PieceNo loser = kNoPiece;  // none: equal dice, throw again
};
struct Withdrew {
  PieceNo stand = 0;
  std::vector<Cell> path;
  Facing facing = Facing::kNorth;
  bool rear = false;
};
enum class LossCause : std::uint8_t { kFire, kCloseCombat, kNoWayBack };
struct StandLost {
  PieceNo stand = 0;
  LossCause cause = LossCause::kFire;
};
struct CombatOver {};
struct SideDone {
  std::int8_t side = 0;
  std::int16_t unused = 0;
};
struct GameEnded {
  Ending ending;
};

using Event =
    std::variant<Noted, NotesTold, PhaseBegan, Asked, DiceThrown, ArmyPointsThrown, LeftOut,
                 Mustered, GeneralRated, TurnBegan, InitiativeWon, ActivationsThrown, Activated,
                 Moved, Remounted, CombatBegan, CombatScored, TieThrown, Withdrew, StandLost,
                 CombatOver, SideDone, Overruled, GameEnded>;

// Deterministic: the same state and event give the same state on every machine. An event with an
// unknown stand is a programming error (FOS_CHECK).
State Apply(State before, const Event& event);
// The same in place, for long sequences of events.
void ApplyTo(State& state, const Event& event);

}  // namespace fos::colonial
