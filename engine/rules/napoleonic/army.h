// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/napoleonic/setup.h"

// The army builder: the pieces of an organisation of the tables (NAP-ORG), with points.
namespace fos::napoleonic {

struct MusterUnit {
  int type = 0;  // index into Tables::types
  int stands = 0;
};
// Crew and equipment that start in one square.
struct MusterBattery {
  std::string name;
  std::vector<MusterUnit> crews;
  std::vector<int> equipment;  // indices into Tables::equipment, one each
};
struct Muster {
  std::vector<MusterUnit> units;
  std::vector<MusterBattery> batteries;
  int points = 0;  // sum over stands and pieces
  // Squares it takes up: one per unit and one per battery.
  std::size_t Squares() const { return units.size() + batteries.size(); }
};

// errors  kBadFormat: no such organisation (the nearest is named), a type that the tables lack, or
//         points that differ from the table's total.
Result<Muster> MusterOf(const Tables& tables, std::string_view organisation);

// An army of an organisation's troops for any number of points: the organisation scaled to them,
// then filled up with its own units and batteries as close to `points` as possible, never over; a
// commander for each whole organisation, at least one.
// errors  as MusterOf's; kOutOfRange: too few points for its cheapest unit.
Result<Muster> BuildArmy(const Tables& tables, std::string_view organisation, int points);

// "Division, 180 points" and a line for each unit and battery with its points.
std::string Describe(const Tables& tables, std::string_view organisation, const Muster& muster);

}  // namespace fos::napoleonic
