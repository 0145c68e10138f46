#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/rules/closefire/state.h"
#include "engine/shots/seen.h"

// What the camera saw, under Close Fire: bases of one unit are a body, its new place a manoeuvre.
namespace fos::closefire {

// A game of what a clip's scenario sets out: every unit in line about the middle of its square, a
// leader of kind `leader` a general, commanded by whoever stands nearest.
// errors  kBadFormat: a kind that is no troops of these rules, no two sides; those of the tables.
Result<State> SeenGame(const Scenario& scenario, const TableFrame& frame, std::uint64_t seed);

// The lines that put everybody down where the camera saw him, and say its doubt: for a game that
// SeenGame set up and in which nothing has happened. Units of which not every base is in sight, or
// that stand in no formation, stay where the scenario has them.
std::vector<std::string> PlacementLines(const State& s,
                                        const std::vector<StandObservation>& stands);

// move.after  the stands of one unit that lie elsewhere now; the unit's others stay. The camera
// knows neither dice, orders nor fire: the unit is taken as free to move, guns as limbered or not
// as suits them better; a leader's is a ride. Nothing where the body did not stand whole before.
// errors  kBadFormat: a kind that is no troops of these rules, no two sides; those of the tables.
Result<std::optional<MoveRuling>> JudgeSeenMove(const SeenMove& move,
                                                const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame);

// CF-2.2, 2.4, 2.5, section 10: bases of another size, units of too many or too few bases, bodies
// in no formation.
// errors  as JudgeSeenMove's.
Result<std::vector<std::string>> CheckSeenSetup(const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame);

}  // namespace fos::closefire
