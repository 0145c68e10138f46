// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/rules/closefire/field.h"
#include "engine/rules/closefire/sums.h"
#include "engine/table/clause.h"

// Sections 15 to 17: who may fire, at which targets, with how many dice.
namespace fos::closefire {

// A target that a unit may fire at.
struct Target {
  int unit = -1;
  double gap_yd = 0;
  int stands = 0;          // stands with range, wedge and sight to it
  int command_stands = 0;  // command stands with range, wedge and sight to it
  bool all_stands = false;
  bool indirect = false;
};

// CF-15.1: why the unit may not fire in this phase; nothing if it may.
std::optional<Refusal> MayNotFire(const State& s, int unit);
// CF-15.5: its maximum range, yards.
double RangeYd(const State& s, int unit);
// CF-15.2, 15.3, 15.5: the eligible targets, the nearest first.
std::vector<Target> TargetsOf(const Field& field, int unit);
// Whether it may fire at this target although another may be nearer (CF-15.2).
bool MayFireAt(const Field& field, int unit, const Target& target, const Target& nearest);

GunShot ShotAt(const Field& field, int gun, const Target& target);
Volley VolleyAt(const Field& field, int unit, const Target& target);

// The reading of a shot before its dice (doubt.h), as records keep it. wanted  none: the nearest.
std::string FireReading(const Field& field, int unit, std::optional<UnitId> wanted);

// CF-6.4: why the unit may not shoot at this leader or messenger; nothing if it may.
std::optional<Refusal> MayNotSnipe(const Field& field, int unit, int leader);

}  // namespace fos::closefire
