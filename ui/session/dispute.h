// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/shots/fall_of_shot.h"
#include "ui/session/shot_archive.h"
#include "ui/session/snapshot.h"

// Measures a shot again from its archive.
namespace fos {

struct Remeasured {
  ProjectileFinding finding;
  ShotVerdict verdict;  // by the rules; without stands when the point cannot be measured
};
// Measures the archived pictures as the match did.
// click  where people see the point, inches. The point is measured near there; where that fails the
//        click itself counts.
Remeasured MeasureAgain(const ArchivedShot& archived, std::optional<Vec2> click = std::nullopt);

// True for a click that may be a point of this shot: at most a foot off the board, and before the
// camera with all that is drawn around it.
bool MayLieAt(const ArchivedShot& archived, Vec2 click);

// The shot with its point where the players put it, with the uncertainty of the measurement. A
// point that could not be measured is measured close by if the pictures show it there.
Remeasured PutByPlayers(const ArchivedShot& archived, Vec2 place);

// The verdict if the point were there, with the measured uncertainty.
ShotVerdict JudgeWithPointAt(const ArchivedShot& archived, const ShotObservation& shot, Vec2 point);

// The shot as it would be shown with its point there, to see the call while the point is moved.
// Empty where the shot was not kept.
std::optional<ShotShown> WithPointAt(const ShotShown& shot, Vec2 point);

// The rules' ruling with the calls that the players settled; empty where they settled none, where
// the rule set does not rule on shots, or where the shot was not kept.
std::optional<ShotRuling> RulingWithCalls(const ShotShown& shot);

// How far the point would have to move to change one stand's call.
struct TurningPoint {
  std::string stand;
  double room_in = 0;  // distance minus limit; negative: a hit by that much
  Vec2 by;             // the shortest move of the point onto the limit
  double sigmas = 0;   // the length of that move in stated sigmas
};
std::vector<TurningPoint> TurningPoints(const ShotVerdict& verdict, const ShotObservation& shot);

// The report for players: several lines.
std::string DisputeText(const ArchivedShot& archived, const Remeasured& again);

}  // namespace fos
