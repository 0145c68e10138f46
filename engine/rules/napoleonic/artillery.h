#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/rules/napoleonic/action.h"

// NAP-3A to NAP-3H: who may fire what, and what a shot does.
namespace fos::napoleonic {

// NAP-3A to 3D: what every battery may fire in this step, fixed at its start. Part of the fold.
void FixFireRights(State& state);
// Takes one shot of this kind from the gun's battery. Part of the fold.
void UseRight(State& state, PieceNo gun, ShotKind kind, bool held);

// May this gun take this kind of shot now, whatever the target?
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

// NAP-3F, 3G, 6A: what a shot at rest does to stands and equipment, before any choice.
struct ShotVerdict {
  bool no_effect = false;         // over water, off the board, or barred by a setting
  std::string why;                // one sentence for people
  PieceNo equipment = -1;         // destroyed by touch
  PieceNo crew = -1;              // goes with it
  std::vector<PieceNo> eligible;  // one of these falls; the firer chooses
  Cell fire = kNowhere;           // NAP-6D: this square takes the two dice
  std::vector<CloseCall> close_calls;
};
ShotVerdict JudgeShot(const State& s, const Shot& shot);

// The stands a canister shot may hit, with their types' hit rules.
std::vector<PieceNo> CanisterTargets(const State& s, const Shot& shot);

}  // namespace fos::napoleonic
