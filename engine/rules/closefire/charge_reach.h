#pragma once

#include <string>
#include <vector>

#include "engine/rules/closefire/field.h"
#include "engine/rules/closefire/moving.h"
#include "engine/rules/closefire/sums.h"

// CF-18.2, 18.4: how far a charge comes, for its ruling and for its forecast. Yards.
namespace fos::closefire {

// What a roll lets a charger go straight ahead, before any obstacle, and the DPs of its fatigue
// (CF-13).
struct Charged {
  Roll roll;
  double yards = 0;
  int dp = 0;
};
// gap_yd  to contact: beyond it the charge goes over no ground.
Charged ChargeOf(const Field& field, int unit, const DiceSet& set, const std::vector<int>& faces,
                 double gap_yd);
// CF-14.6: half of it goes on the first obstacle; where that is not enough, or a second follows,
// it stops there.
double OverHurdles(const std::vector<Hurdle>& hurdles, double yards);
// Straight ahead to the target; below zero: never.
double GapAhead(const Field& field, int unit, int target);
// CF-20.4: the charger's front began behind the line of the target's front edge.
bool BehindFlank(const Field& field, int unit, int target);
// What there is to say of a charge before its dice: "70 yd reach, in flank or rear".
std::string ChargeReading(const Field& field, int unit, int target);

}  // namespace fos::closefire
