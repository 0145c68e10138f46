#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/napoleonic/setup.h"

// The army builder: what an organisation of the tables (NAP-ORG) holds, piece by piece, with
// points.
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
  int points = 0;  // added up from stands and pieces
  // How many squares it takes: one for each unit, one for each battery.
  std::size_t Squares() const { return units.size() + batteries.size(); }
};

// errors  kBadFormat: no such organisation (with the nearest name), a type the tables have not, or
//         points that do not add up to what the table says.
Result<Muster> MusterOf(const Tables& tables, std::string_view organisation);

// An army of an organisation's troops for any number of points: scaled to them, then filled up with
// its own units and batteries to as near `points` as they come, never over; a commander for each
// whole organisation, one at least.
// errors  as MusterOf's; kOutOfRange: not even its cheapest unit can be had.
Result<Muster> BuildArmy(const Tables& tables, std::string_view organisation, int points);

// "Division, 180 points" and a line for each unit and battery with its points.
std::string Describe(const Tables& tables, std::string_view organisation, const Muster& muster);

}  // namespace fos::napoleonic
