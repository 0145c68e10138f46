// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/rules/closefire/state.h"
#include "engine/shots/seen.h"

// What the camera saw, under Close Fire: the bases of one unit form a body, and its new place is a
// manoeuvre.
namespace fos::closefire {

// The game of a clip's scenario. Every unit stands in line about the middle of its square and
// answers to the nearest leader; a leader of kind `leader` is a general.
// errors  kBadFormat: a kind unknown to these rules, or not two sides; those of the tables.
Result<State> SeenGame(const Scenario& scenario, const TableFrame& frame, std::uint64_t seed);

// The script lines that place every unit and leader where the camera saw it, with the doubt: for a
// game from SeenGame before anything has happened. Units with a base out of sight, or in no
// formation, stay where the scenario has them.
std::vector<std::string> PlacementLines(const State& s,
                                        const std::vector<StandObservation>& stands);

// move.after lists the stands of one unit that have moved; its others stay. The camera knows no
// dice, orders or fire: the unit is assumed free to move, and a gun limbered or not, whichever
// explains the move better. A leader's move is a ride. Returns nothing if the body was not whole
// before.
// errors  kBadFormat: a kind unknown to these rules, or not two sides; those of the tables.
Result<std::optional<MoveRuling>> JudgeSeenMove(const SeenMove& move,
                                                const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame);

// CF-2.2, 2.4, 2.5, section 10: bases of unusual size, units with too many or too few bases, bodies
// in no formation.
// errors  as JudgeSeenMove's.
Result<std::vector<std::string>> CheckSeenSetup(const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame);

}  // namespace fos::closefire
