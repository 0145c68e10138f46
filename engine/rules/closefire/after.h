// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "engine/rules/closefire/play.h"

// Section 22: actions after a combat, and retirements, routs and pursuits in later turns.
namespace fos::closefire {

// The outcome of a fast move away from or after an enemy.
struct Flight {
  double yards = 0;  // as rolled
  double gone = 0;   // as moved
  bool blocked = false;
  std::optional<int> held;  // the unit formed by its blocked bases, if it split
};
Flight Retire(Play& play, int unit, std::optional<UnitId> from_enemy);
Flight Rout(Play& play, int unit, std::optional<UnitId> from_enemy);
// The same in later Movement phases (CF-22.4, 22.5, 22.6).
void RetireOn(Play& play, int unit);
void RunOn(Play& play, int unit);
// Pursues a quarry that started gap_yd away and moved quarry_yd. Returns a new enemy met.
std::optional<int> Pursue(Play& play, int unit, int quarry, double gap_yd, double quarry_yd);
// CF-22.3. Returns false if there is no room.
bool RideThrough(Play& play, int unit, int enemy);
// CF-18.5: how many of these yards it can evade along the bearing. EvadeAlong also moves it and
// returns the yards moved; a unit that crosses the table edge is lost.
double EvadeRoom(const Field& field, int unit, double bearing_deg, double yards);
double EvadeAlong(Play& play, int unit, double bearing_deg, double yards);
// CF-13.2: the DPs of a fast move that led `yards` over rough ground. `before` was measured before
// the move.
void TireInRough(Play& play, const Field& before, int unit, double bearing_deg, double yards,
                 const std::vector<int>& faces);
void TakePosition(Play& play, int unit, Field::Front position);  // CF-22.2
void Abandon(Play& play, int gun, bool crew_dead, const char* clause);
void BreakUp(Play& play, int unit, Conduct status);  // makes it unformed, in this state

// Also used in the Movement phase.
void TurnAbout(Play& play, int unit);
// CF-14.11: DPs for friends that a body passed through when it moved from `from`.
void PassFriends(Play& play, int unit, const std::vector<Base>& from, double bearing, double yards);
// CF-14.6: DPs for crossing an obstacle.
void PayObstacle(Play& play, int unit, bool hard_for_cavalry);
// CF-22.4 to 22.6: splits these bases off as a unit of their own. Returns the unit; nothing if
// either part would not hang together or no spare unit is left.
std::optional<int> SplitHeld(Play& play, int unit, const std::vector<bool>& held);
void CompleteMerge(Play& play, int unit);
void GoOnMerging(Play& play, int unit);

}  // namespace fos::closefire
