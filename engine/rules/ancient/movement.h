#pragma once

#include <optional>
#include <vector>

#include "engine/rules/ancient/action.h"

// ANC-V1 to ANC-V6, ANC-H6 and H7 at the moment of entering, ANC-M3.
namespace fos::ancient {

// The stands a move runs down on its way, in order (ANC-M3).
struct MovePlan {
  std::vector<PieceNo> run_down;
};
std::optional<Refusal> CheckMove(const State& s, const Move& a, MovePlan* plan);
// The end of the path only: enemies, stacking. `strict` counts units that have yet to move as
// staying.
std::optional<Refusal> CheckArrival(const State& s, const Move& a, bool strict);

// ANC-V1: hundredths of a square, terrain included. `from` is where the path starts.
int CostOf(const State& s, Cell from, const std::vector<Cell>& path);
// ANC-V1: every square on the road and each joined to the next.
bool OnRoad(const State& s, Cell from, const std::vector<Cell>& path);

// ANC-M3: may these stands run down whoever holds the square, and who is it?
std::optional<Refusal> CheckRunDown(const State& s, int side, const std::vector<PieceNo>& stands,
                                    Cell cell);
PieceNo LoneStandIn(const State& s, int side, Cell cell);

// Every square these pieces can get to, each with a cheapest path; the ends are not yet checked.
// riding  over single stands that they may run down.
std::vector<std::vector<Cell>> Reach(const State& s, const std::vector<PieceNo>& stands,
                                     const std::vector<PieceNo>& equipment, bool riding);

// A cheapest path to the square: round single stands where that is possible, else over them; where
// it is out of reach, the straight way, for the refusal to say by how much.
std::vector<Cell> WayTo(const State& s, const std::vector<PieceNo>& stands,
                        const std::vector<PieceNo>& equipment, Cell to);

std::optional<Refusal> CheckTurn(const State& s, const TurnUnit& a);
std::optional<Refusal> CheckTurn(const State& s, const TurnEquipment& a);
std::optional<Refusal> CheckRouse(const State& s, const Rouse& a);

}  // namespace fos::ancient
