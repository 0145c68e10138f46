#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/rules/closefire/field.h"
#include "engine/rules/closefire/sums.h"
#include "engine/table/clause.h"

// Sections 15 to 17: who may fire, at what, with how much.
namespace fos::closefire {

// One target a unit may fire at.
struct Target {
  int unit = -1;
  double gap_yd = 0;
  int stands = 0;          // that have range, wedge and sight
  int command_stands = 0;  // battalions whose command stand has
  bool all_stands = false;
  bool indirect = false;
};

// CF-15.1: why the unit may not fire in this phase; nothing when it may.
std::optional<Refusal> MayNotFire(const State& s, int unit);
// CF-15.5: how far it fires, yards.
double RangeYd(const State& s, int unit);
// CF-15.2, 15.3, 15.5: eligible targets, the nearest first.
std::vector<Target> TargetsOf(const Field& field, int unit);
// May it pass over the nearest (CF-15.2)?
bool MayChooseTarget(const Field& field, int unit);

GunShot ShotAt(const Field& field, int gun, const Target& target);
Volley VolleyAt(const Field& field, int unit, const Target& target);

// What firing comes to before the dice, in a few words; -1: at the nearest (doubt.h).
std::string FireReading(const State& s, int unit, int wanted);

// CF-6.4: may the unit shoot at this leader or messenger?
std::optional<Refusal> MayNotSnipe(const Field& field, int unit, int leader);

}  // namespace fos::closefire
