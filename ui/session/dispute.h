#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/shots/fall_of_shot.h"
#include "ui/session/shot_archive.h"

// A shot looked at again from what was kept of it.
namespace fos {

struct Remeasured {
  ProjectileFinding finding;
  ShotVerdict verdict;  // by the rules; without stands when the point cannot be had
};
// Measures the kept pictures as on the day.
// click  where people say the point lies, inches: what can be measured there counts, else the
// click.
Remeasured MeasureAgain(const ArchivedShot& kept, std::optional<Vec2> click = std::nullopt);

// The verdict were the point there, its doubt as measured: for moving it by hand.
ShotVerdict JudgeWithPointAt(const ArchivedShot& kept, const ShotObservation& shot, Vec2 point);

// What it takes to turn one stand's call.
struct TurningPoint {
  std::string stand;
  double room_in = 0;  // the distance less the limit: below zero is a hit by that much
  Vec2 by;             // the shortest way to move the point so that it lies on the limit
  double sigmas = 0;   // that way in stated sigmas
};
std::vector<TurningPoint> TurningPoints(const ShotVerdict& verdict, const ShotObservation& shot);

// What is said of it, lines for people.
std::string DisputeText(const ArchivedShot& kept, const Remeasured& again);

}  // namespace fos
