#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/rules/colonial/setup.h"
#include "engine/shots/seen.h"
#include "engine/table/observation.h"
#include "engine/table/scenario.h"

// Where vision meets the rules: positions and moves that the camera saw. There are no fired
// projectiles in these rules.
namespace fos::colonial {

// The setup of a clip's scenario (contract, section 2.2) under the shipped tables and settings; an
// army is taken as given (COL-2.2), Generals are thrown for (COL-2.6). A terrain polygon counts for
// the squares it covers by half (COL-1.4); walls, hedges, fences, trenches, entrenchments, streams
// and rivers that cover no square for the edges they run along; each hill that covers a square is
// one contour. Roads join the squares they cover, as under the other rules.
// errors  kBadFormat: a kind the tables have not, fewer or more than two sides; kOutOfRange: a game
//         that cannot be represented (COL-1.2, COL-1.3).
Result<std::shared_ptr<const Setup>> SetupOf(const Scenario& scenario, const TableFrame& frame);

// COL-5.1 to COL-5.10, COL-1.3: the move as if its side were acting and its stands had yet to be
// activated; one that only a beaten stand may make is told as a withdrawal (COL-5.11). stands  the
// position before the move. errors  as SetupOf's.
Result<std::optional<MoveRuling>> JudgeSeenMove(const SeenMove& move,
                                                const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame);

// What is wrong or doubtful with the position the camera sees before the first turn: the grid, two
// stands of a square, Command stands, stands near a grid line or between two facings, and
// footprints of the scenario that are no stand of these rules'. errors  as SetupOf's.
Result<std::vector<std::string>> CheckSeenSetup(const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame);

// Section 0: a projectile at rest is logged and ignored. errors  none.
Result<ShotRuling> JudgeSeenShot(const ShotObservation& shot,
                                 const std::vector<StandObservation>& stands,
                                 const Scenario& scenario, const TableFrame& frame,
                                 const DecisionPolicy& policy);

}  // namespace fos::colonial
