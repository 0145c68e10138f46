// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/ancient/tables.h"

// ANC-L: army lists piece by piece with points, and the army builder.
namespace fos::ancient {

struct MusterUnit {
  int type = 0;  // index into Tables::types
  int stands = 0;
};
// A catapult with its crew unit.
struct MusterCatapult {
  int type = 0;  // index into Tables::equipment
  MusterUnit crew;
};
struct Muster {
  std::vector<MusterUnit> units;
  std::vector<MusterCatapult> catapults;
  int points = 0;  // sum over stands and pieces
  // Squares it takes up: one per unit and one per catapult with its crew.
  std::size_t Squares() const { return units.size() + catapults.size(); }
};

// In the order of the tables: units by [unit] row, catapults by [equipment] row.
// errors  kBadFormat: no such list (with the nearest name).
Result<Muster> MusterOf(const Tables& tables, std::string_view army);

// An army of a list's troops for any number of points: the list scaled to them, then filled up with
// its own units as close to `points` as possible, never over. One commander, as in the lists.
// errors  kBadFormat: no such list; kOutOfRange: too few points for its cheapest unit.
Result<Muster> BuildArmy(const Tables& tables, std::string_view army, int points);

// "army list `Roman` adds up to 184 points, 200 are stated: 16 fewer"; empty if it adds up.
std::string NoticeOf(const Tables& tables, const ArmyList& list);

// "Roman, 184 points" and a line for each unit and catapult with its points.
std::string Describe(const Tables& tables, std::string_view army, const Muster& muster);

}  // namespace fos::ancient
