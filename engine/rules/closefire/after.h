#pragma once

#include <vector>

#include "engine/rules/closefire/play.h"

// Section 22: what units do once a combat is decided, and in later turns.
namespace fos::closefire {

// A fast move away or after somebody, and what came of it.
struct Flight {
  double yards = 0;  // as thrown
  double gone = 0;   // as moved
  bool blocked = false;
  int held = -1;  // the bases of it that were blocked where the others were not
};
Flight Retire(Play& play, int unit, int from_enemy);
Flight Rout(Play& play, int unit, int from_enemy);
// In later Movement phases (CF-22.4, 22.5, 22.6).
void RetireOn(Play& play, int unit);
void RunOn(Play& play, int unit);
// After the quarry, which has gone `quarry_yd` from `gap_yd` away. Returns a new enemy met, or -1.
int Pursue(Play& play, int unit, int quarry, double gap_yd, double quarry_yd);
// CF-22.3; false when there is no room.
bool RideThrough(Play& play, int unit, int enemy);
// CF-18.5: how far it can evade of so many yards, and away along a bearing; how far it went. Over
// the edge it is gone.
double EvadeRoom(const Field& field, int unit, double bearing_deg, double yards);
double EvadeAlong(Play& play, int unit, double bearing_deg, double yards);
void TakePosition(Play& play, int unit, Field::Front position);  // CF-22.2
void Abandon(Play& play, int gun, bool crew_dead, const char* clause);
void BreakUp(Play& play, int unit, Conduct status);  // unformed, and in that state

// Shared with the Movement phase.
void TurnAbout(Play& play, int unit);
// CF-14.11: what a body that went so far from `from` did to friends it passed through.
void PassFriends(Play& play, int unit, const std::vector<Base>& from, double bearing, double yards);
// CF-14.6: the DPs of a body that crosses an obstacle.
void PayObstacle(Play& play, int unit, bool hard_for_cavalry);
// CF-22.4 to 22.6: these bases part from the others as a unit of their own; -1 where either would
// be no body, or the roster keeps no place for it.
int SplitHeld(Play& play, int unit, const std::vector<bool>& held);
void CompleteMerge(Play& play, int unit);
void GoOnMerging(Play& play, int unit);

}  // namespace fos::closefire
