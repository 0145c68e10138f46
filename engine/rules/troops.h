#pragma once

#include <string>
#include <vector>

#include "engine/table/result.h"
#include "engine/table/scenario.h"
#include "engine/table/shapes.h"

// What may be put into an army: the rows of a rule set's own lists, as the set-up shows them.
namespace fos {

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

// In the order of the club's own tables, or of those that ship with each rule set (data_path.h).
// Bases are the tables' own where they have any (COL-1.5, CF-2.2); for the gridded sets, which name
// none, those of the figures the squares are for. errors  those of the tables.
namespace napoleonic {
Result<std::vector<Troop>> Troops(const ClubFiles& club);
}
namespace ancient {
Result<std::vector<Troop>> Troops(const ClubFiles& club);
}
namespace colonial {
Result<std::vector<Troop>> Troops(const ClubFiles& club);
}
namespace closefire {
Result<std::vector<Troop>> Troops(const ClubFiles& club);
}

}  // namespace fos
