// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "engine/table/shapes.h"

// The troops and army lists that a rule set offers.
namespace fos {

// What maps draw troops as.
enum class TroopSymbol {
  kNone,
  kFoot,
  kHorse,
  kCrew,
  kGun,
  kMachineGun,
  kWagon,
  kChariot,
  kElephant,
  kLeader
};

// One row of a rule set's own lists, for the set-up screen.
struct Troop {
  std::string id;            // the name of its [[kind]] in scenarios
  std::string name;          // for people
  double points = 0;         // per stand or piece; 0 if the rule set has no points
  int stands = 1;            // of a complete unit
  bool equipment = false;    // guns and wagons
  Box2 footprint;            // its usual base, inches
  double figures_height_in;  // how far models usually rise above the table
  double squares = 0;        // longest move, by road; 0 if moves are not counted in squares
  TroopSymbol symbol = TroopSymbol::kNone;
};

// An army from one of a rule set's lists, in full or for a number of points (NAP-ORG, ANC-L).
struct ArmyOffer {
  std::string list;         // as spelt in the tables
  int points = 0;           // sum
  int stated = 0;           // the total that the tables state for the whole list
  std::string text;         // pieces with points, one per line
  std::string notice;       // why the list does not add up; empty if it does
  std::size_t squares = 0;  // one for each unit and battery
                            // The stands in each square: rows of Troop::id with numbers.
  std::vector<std::vector<std::pair<std::string, int>>> blocks;
  std::string table;  // its table in a game scenario: [[army]], army = "Roman"
};

}  // namespace fos
