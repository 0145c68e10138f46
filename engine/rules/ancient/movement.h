// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "engine/rules/ancient/action.h"

// ANC-V1 to ANC-V6, ANC-H6 and H7 on entering a square, ANC-M3.
namespace fos::ancient {

// The stands that a move runs down on its way, in order (ANC-M3).
struct MovePlan {
  std::vector<PieceNo> run_down;
};
std::optional<Refusal> CheckMove(const State& s, const Move& a, MovePlan* plan);
// Checks the end of the path only: enemies, stacking. `strict` treats units that have yet to move
// as staying.
std::optional<Refusal> CheckArrival(const State& s, const Move& a, bool strict);

// ANC-V1: the path's cost in hundredths of a square, terrain included. `from` is its start.
int CostOf(const State& s, Cell from, const std::vector<Cell>& path);
// ANC-V1: true if every square is on the road and joined to the next.
bool OnRoad(const State& s, Cell from, const std::vector<Cell>& path);

// ANC-M3: whether these stands may run down others at all.
bool MayRunDown(const State& s, const std::vector<PieceNo>& stands);
// ANC-M3: may these stands run down the stand that holds the square, and which is it?
std::optional<Refusal> CheckRunDown(const State& s, int side, const std::vector<PieceNo>& stands,
                                    Cell cell);
PieceNo LoneStandIn(const State& s, int side, Cell cell);

// Every square in reach of these pieces, each with a cheapest path. Does not check the end squares.
// riding  the path may lead over single stands that they may run down.
std::vector<std::vector<Cell>> Reach(const State& s, const std::vector<PieceNo>& stands,
                                     const std::vector<PieceNo>& equipment, bool riding);

// A cheapest path to the square, around single stands if possible, else over them. Out of reach,
// the direct path, so that the refusal can say by how much.
std::vector<Cell> WayTo(const State& s, const std::vector<PieceNo>& stands,
                        const std::vector<PieceNo>& equipment, Cell to);

std::optional<Refusal> CheckTurn(const State& s, const TurnUnit& a);
std::optional<Refusal> CheckTurn(const State& s, const TurnEquipment& a);
std::optional<Refusal> CheckRouse(const State& s, const Rouse& a);

}  // namespace fos::ancient
