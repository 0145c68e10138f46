// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/rules/napoleonic/state.h"
#include "engine/squares/queries.h"

// Queries to the state that several clauses need.
namespace fos::napoleonic {

using squares::AllowanceOf, squares::CellName, squares::CountStandsOf, squares::DistanceBetween,
    squares::EquipmentAndKind, squares::EquipmentIn, squares::EquipmentName, squares::FormedUnitIn,
    squares::ForStandsIn, squares::IsFormed, squares::OnBoard, squares::PointsOf, squares::SideName,
    squares::Stacked, squares::StandName, squares::StandsIn, squares::StandsOf, squares::TroopRole,
    squares::TypeOfUnit, squares::UnitName, squares::UnitOf;

inline TroopRole RoleOf(const UnitType& type) {
  return type.arm == Arm::kArtillery   ? TroopRole::kCrew
         : type.arm == Arm::kCommander ? TroopRole::kCommander
                                       : TroopRole::kFormed;
}
inline bool CrewIn(const State& s, int side, Cell cell) {
  return squares::HasRole(s, side, cell, TroopRole::kCrew);
}

std::string_view StepName(Step step);
bool IsDiceAsk(PendingInput kind);
// NAP-2A: the sides that may declare while no input is pending.
std::vector<int> SidesToAct(const State& s);

// The pending input as a request to the players: "throw 3 dice for F-1L1 at C4".
std::string DescribeAsk(const State& s);

// Is the cell a contact square or next to one?
bool NextToContact(const State& s, Cell cell);
// Does an unbroken Square of `side` hold the square (NAP-8B)?
bool HeldByUnbrokenSquare(const State& s, int side, Cell cell);
// NAP-8A: does every square of frontage still have a stand facing outward?
bool SquareComplete(const State& s, int formation);
// NAP-8C: the unit of a broken Square to place next. Units driven out of a burning square fall back
// first (NAP-6D).
std::optional<PieceNo> UnitToGather(const State& s);
// NAP-6D: the current terrain: passable, protected, water.
bool Impassable(const State& s, Cell cell);
bool Protected(const State& s, Cell cell);
// NAP-6B: the agreed extra dice for muskets and canister against it; 0 once it is burnt up.
int ExtraDiceAt(const State& s, Cell cell);
bool Inflammable(const State& s, Cell cell);
// NAP-3F: water without a bridge; where a bridge has burnt up, a setting decides (NAP-6D).
bool OverWater(const State& s, Cell cell);

// NAP-2C: would the square hold too much of this side if these pieces entered it? Pieces already
// there count unless `ignoring` accepts them. Empty if legal.
std::string StackingFault(const State& s, int side, Cell cell, const Stacked& arriving,
                          bool ignore_unmoved);

}  // namespace fos::napoleonic
