// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/rules/colonial/setup.h"
#include "engine/shots/seen.h"
#include "engine/table/observation.h"
#include "engine/table/scenario.h"

// Positions and moves that the camera saw, judged by the rules. These rules have no fired
// projectiles.
namespace fos::colonial {

// The setup of a clip's scenario (contract, section 2.2) with the shipped tables and settings.
// Armies are taken as given (COL-2.2); Generals are rated by dice (COL-2.6). A terrain polygon
// counts for the squares it covers by half (COL-1.4). Walls, hedges, fences, trenches,
// entrenchments, streams and rivers that cover no square count for the edges they run along. Each
// hill over a square is one contour. Roads join the squares they cover, as under the other rules.
// errors  kBadFormat: a kind unknown to the tables, or not two sides; kOutOfRange: a game that
//         cannot be represented (COL-1.2, COL-1.3).
Result<std::shared_ptr<const Setup>> SetupOf(const Scenario& scenario, const TableFrame& frame);

// COL-5.1 to COL-5.10, COL-1.3: judges a move as if its side were acting and its stands were not
// yet activated. A move that only a beaten stand may make is reported as a withdrawal (COL-5.11).
// stands  the position before the move.
// errors  as SetupOf's.
Result<std::optional<MoveRuling>> JudgeSeenMove(const SeenMove& move,
                                                const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame);

// Faults and doubts in the position before the first turn: the grid, two stands in a square,
// Command stands, stands near a grid line or between two facings, and footprints of unusual size.
// errors  as SetupOf's.
Result<std::vector<std::string>> CheckSeenSetup(const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame);

// Section 0: a projectile at rest is logged and has no effect. errors  none.
Result<ShotRuling> JudgeSeenShot(const ShotObservation& shot,
                                 const std::vector<StandObservation>& stands,
                                 const Scenario& scenario, const TableFrame& frame,
                                 const DecisionPolicy& policy);

}  // namespace fos::colonial
