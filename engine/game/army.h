#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "engine/table/shapes.h"

// What armies are built from, as every rule set offers it.
namespace fos {

// One row of a rule set's own lists, as the set-up shows it.
struct Troop {
  std::string id;            // as scenarios call it: the name of a [[kind]]
  std::string name;          // for people
  double points = 0;         // of one stand or piece; 0 where the rule set counts none
  int stands = 1;            // of a complete unit
  bool equipment = false;    // guns and wagons
  Box2 footprint;            // its usual base, inches
  double figures_height_in;  // how far models usually rise above the table
  double squares = 0;        // it goes in one move at most, by road; 0: not by squares
};

// An army of one of a rule set's lists, whole or for a number of points (NAP-ORG, ANC-L).
struct ArmyOffer {
  std::string list;         // as the tables spell it
  int points = 0;           // added up
  int stated = 0;           // what the tables say of the whole list
  std::string text;         // piece by piece with points, lines
  std::string notice;       // where the list does not add up; empty when it does
  std::size_t squares = 0;  // one for each unit and battery
  // What stands in each of them: rows of Troop::id with stands.
  std::vector<std::vector<std::pair<std::string, int>>> blocks;
  std::string table;  // what a game's scenario calls it: [[army]], army = "Roman"
};

}  // namespace fos
