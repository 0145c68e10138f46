#pragma once

#include <optional>
#include <vector>

#include "engine/rules/napoleonic/action.h"

// NAP-1, NAP-2B to 2G, NAP-5B at the moment of entering, NAP-8A and 8B where they concern moves.
namespace fos::napoleonic {

std::optional<Refusal> CheckMove(const State& s, const Move& a);
// The end of the path only: enemies, Squares, stacking. `strict` counts units that have yet to move
// as staying.
std::optional<Refusal> CheckArrival(const State& s, const Move& a, bool strict);

// NAP-1: hundredths of a square, terrain included. `from` is where the path starts.
int CostOf(const State& s, Cell from, const std::vector<Cell>& path);
// NAP-2D: every square on the road and each joined to the next.
bool OnRoad(const State& s, Cell from, const std::vector<Cell>& path);

// Every square these pieces can get to, each with a cheapest path; the ends are not yet checked.
std::vector<std::vector<Cell>> Reach(const State& s, const std::vector<PieceNo>& stands,
                                     const std::vector<PieceNo>& equipment);

std::optional<Refusal> CheckTurn(const State& s, const TurnUnit& a);
std::optional<Refusal> CheckTurn(const State& s, const TurnEquipment& a);
std::optional<Refusal> CheckLimber(const State& s, const Limber& a);
std::optional<Refusal> CheckFormSquare(const State& s, const FormSquare& a);
std::optional<Refusal> CheckBreakSquare(const State& s, const BreakSquare& a);
// NAP-8C: a unit of a broken Square gathers in one of its block's squares.
std::optional<Refusal> CheckRegroup(const State& s, const Regroup& a);

}  // namespace fos::napoleonic
