// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "engine/rules/napoleonic/action.h"

// NAP-1, NAP-2B to 2G, NAP-5B on entering a square, and NAP-8A and 8B as far as they concern moves.
namespace fos::napoleonic {

std::optional<Refusal> CheckMove(const State& s, const Move& a);
// Checks the end of the path only: enemies, Squares, stacking. `strict` treats units that have yet
// to move as staying.
std::optional<Refusal> CheckArrival(const State& s, const Move& a, bool strict);

// NAP-1: the path's cost in hundredths of a square, terrain included. `from` is its start.
int CostOf(const State& s, Cell from, const std::vector<Cell>& path);
// NAP-2D: true if every square is on the road and joined to the next.
bool OnRoad(const State& s, Cell from, const std::vector<Cell>& path);

// Every square in reach of these pieces, each with a cheapest path. Does not check the end squares.
std::vector<std::vector<Cell>> Reach(const State& s, const std::vector<PieceNo>& stands,
                                     const std::vector<PieceNo>& equipment);

std::optional<Refusal> CheckTurn(const State& s, const TurnUnit& a);
std::optional<Refusal> CheckTurn(const State& s, const TurnEquipment& a);
std::optional<Refusal> CheckLimber(const State& s, const Limber& a);
// NAP-8A: places for the stands of the units that form the Square at its corner: first one stand
// facing outward for each square of each side, then the rest. Empty if its squares of frontage
// cannot all be filled.
std::vector<Placement> StandardPlaces(const State& s, const FormSquare& form);
// `strict` treats friends who have yet to move as staying where they are.
std::optional<Refusal> CheckFormSquare(const State& s, const FormSquare& a, bool strict = false);
std::optional<Refusal> CheckBreakSquare(const State& s, const BreakSquare& a);
// NAP-8C: a unit of a broken Square gathers in one square of its block.
std::optional<Refusal> CheckRegroup(const State& s, const Regroup& a);

}  // namespace fos::napoleonic
