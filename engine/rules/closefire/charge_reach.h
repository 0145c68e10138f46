// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/rules/closefire/field.h"
#include "engine/rules/closefire/moving.h"
#include "engine/rules/closefire/sums.h"

// CF-18.2, 18.4: the reach of a charge, used by the ruling and the forecast. Yards.
namespace fos::closefire {

// The yards that a roll gives a charger straight ahead, before obstacles, and its fatigue DPs
// (CF-13).
struct Charged {
  Roll roll;
  double yards = 0;
  int dp = 0;
};
// gap_yd  distance to contact: ground beyond it does not matter.
Charged ChargeOf(const Field& field, int unit, const DiceSet& set, const std::vector<int>& faces,
                 double gap_yd);
// CF-14.6: the first obstacle costs half the roll. The charge stops at it if that is not enough,
// and always at a second one.
double OverHurdles(const std::vector<Hurdle>& hurdles, double yards);
// Distance straight ahead to the target; negative if it never meets it.
double GapAhead(const Field& field, int unit, int target);
// CF-2.1: whether the unit may charge a l'outrance.
bool MayChargeOutrance(const State& s, int unit);
// CF-20.4: whether the charger's front starts behind the line of the target's front edge.
bool BehindFlank(const Field& field, int unit, int target);
// The reading of a charge before its dice: "70 yd reach, in flank or rear". Records compare it.
std::string ChargeReading(const Field& field, int unit, int target);

}  // namespace fos::closefire
