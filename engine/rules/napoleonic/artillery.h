// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/rules/napoleonic/action.h"

// NAP-3A to NAP-3H: which guns may fire which shots, and the effect of a shot.
namespace fos::napoleonic {

// NAP-3A to 3D: what every battery may fire in this step, fixed at its start. Called when events
// are applied.
void FixFireRights(State& state);
// Uses up one shot of this kind from the gun's battery. Called when events are applied.
void UseRight(State& state, PieceNo gun, ShotKind kind, bool held);

// May this gun fire this kind of shot now, at any target?
std::optional<Refusal> CheckGun(const State& s, int side, PieceNo gun, ShotKind kind);
std::optional<Refusal> CheckShot(const State& s, const CallShot& a);
std::optional<Refusal> CheckHold(const State& s, const HoldCanister& a);
std::optional<Refusal> CheckPool(const State& s, const Pool& a);
std::optional<Refusal> CheckHeldShot(const State& s, const FireHeld& a);

// NAP-3E: may a gun at `from` facing `facing` aim this shot there?
std::optional<Refusal> CheckAim(const State& s, int side, ShotKind kind, Cell from, Facing facing,
                                Cell target);
// NAP-3H: dice of one canister shot at a square; 0 or more.
int CanisterDiceAt(const State& s, int side, ShotKind kind, Cell target);

// NAP-3F, 3G, 6A: the effect of a shot at rest on stands and equipment, before any choice.
struct ShotVerdict {
  bool no_effect = false;         // over water, off the board, or excluded by a setting
  std::string why;                // one sentence for players
  PieceNo equipment = -1;         // destroyed by touch
  PieceNo crew = -1;              // lost with it
  std::vector<PieceNo> eligible;  // one of these is lost; the firer chooses
  Cell fire = kNowhere;           // NAP-6D: throw the fire dice for this square
  std::vector<CloseCall> close_calls;
};
ShotVerdict JudgeShot(const State& s, const Shot& shot);

// The stands a canister shot may hit, with the hit rules of their types.
std::vector<PieceNo> CanisterTargets(const State& s, const Shot& shot);

}  // namespace fos::napoleonic
