#pragma once

#include <string>
#include <vector>

#include "engine/rules/ancient/state.h"
#include "engine/squares/queries.h"

// Questions to a state that several clauses ask.
namespace fos::ancient {

using squares::AllowanceOf;
using squares::CellName;
using squares::CountStandsOf;
using squares::DistanceBetween;
using squares::EquipmentIn;
using squares::EquipmentName;
using squares::FormedUnitIn;
using squares::ForStandsIn;
using squares::Group;
using squares::GroupsOf;
using squares::IsFormed;
using squares::OnBoard;
using squares::PointsOf;
using squares::SideName;
using squares::Stacked;
using squares::StandName;
using squares::StandsIn;
using squares::StandsOf;
using squares::TroopRole;
using squares::TypeOfUnit;
using squares::UnitName;
using squares::UnitOf;

inline TroopRole RoleOf(const UnitType& type) {
  return type.arm == Arm::kCrew        ? TroopRole::kCrew
         : type.arm == Arm::kCommander ? TroopRole::kCommander
                                       : TroopRole::kFormed;
}
bool CommanderIn(const State& s, int side, Cell cell);

// What the game waits for, in one clause for people.
std::string DescribeAsk(const State& s);
std::string_view StepName(Step step);

// Passable and protected as agreed.
inline bool Impassable(const State& s, Cell cell) { return s.setup->At(cell).Closed(); }
inline bool Protected(const State& s, Cell cell) { return s.setup->At(cell).protection; }

// ANC-V6: is this facing open to a unit of this type?
bool MayFace(const State& s, const UnitType& type, Facing facing);

// ANC-M1: does the unit of this stand have to go home when it can?
bool MustRetreatAlone(const State& s, const Stand& stand);

// ANC-V2: would the square hold too much of this side, were these pieces in it as well? Those
// already there count unless `ignore_unmoved` and they have yet to move. Empty when it is legal.
std::string StackingFault(const State& s, int side, Cell cell, const Stacked& arriving,
                          bool ignore_unmoved);

}  // namespace fos::ancient
