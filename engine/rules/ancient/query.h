// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/rules/ancient/state.h"
#include "engine/squares/queries.h"

// Queries to the state that several clauses need.
namespace fos::ancient {

using squares::AllowanceOf, squares::CellName, squares::CountStandsOf, squares::DistanceBetween,
    squares::EquipmentAndKind, squares::EquipmentIn, squares::EquipmentName, squares::FormedUnitIn,
    squares::ForStandsIn, squares::Group, squares::GroupsOf, squares::IsFormed, squares::OnBoard,
    squares::PointsOf, squares::SideName, squares::Stacked, squares::StandName, squares::StandsIn,
    squares::StandsOf, squares::TroopRole, squares::TypeOfUnit, squares::UnitName, squares::UnitOf;

inline TroopRole RoleOf(const UnitType& type) {
  return type.arm == Arm::kCrew        ? TroopRole::kCrew
         : type.arm == Arm::kCommander ? TroopRole::kCommander
                                       : TroopRole::kFormed;
}
inline bool CommanderIn(const State& s, int side, Cell cell) {
  return squares::HasRole(s, side, cell, TroopRole::kCommander);
}

// The pending input as a request to the players: "throw 3 dice for F-1L1 at C4".
std::string DescribeAsk(const State& s);
std::string_view StepName(Step step);
bool IsDiceAsk(PendingInput kind);
// ANC-T: the sides that may declare while no input is pending.
std::vector<int> SidesToAct(const State& s);

// As agreed for the terrain.
inline bool Impassable(const State& s, Cell cell) { return s.setup->At(cell).Closed(); }
inline bool Protected(const State& s, Cell cell) { return s.setup->At(cell).protection; }

// ANC-V6: may a unit of this type have this facing?
bool MayFace(const State& s, const UnitType& type, Facing facing);

// ANC-M1: must the unit of this stand go home if it can?
bool MustRetreatAlone(const State& s, const Stand& stand);

// ANC-V2: would the square hold too much of this side if these pieces entered it? Pieces already
// there count, except with `ignore_unmoved` those that have yet to move. Empty if legal.
std::string StackingFault(const State& s, int side, Cell cell, const Stacked& arriving,
                          bool ignore_unmoved);

}  // namespace fos::ancient
