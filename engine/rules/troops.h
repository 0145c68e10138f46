#pragma once

#include <vector>

#include "engine/game/army.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"

// What may be put into an army: the rows of a rule set's own lists, as the set-up shows them.
namespace fos {

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
