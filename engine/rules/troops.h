#pragma once

#include <vector>

#include "engine/game/army.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"

// The troops an army can be built from: the rows of a rule set's own lists, for the set-up screen.
namespace fos {

// In the order of the club's own tables, or of the shipped ones (data_path.h). Bases come from the
// tables where they give any (COL-1.5, CF-2.2); for grid rule sets, whose tables give none, the
// usual bases for the square size.
// errors  those of the tables.
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
