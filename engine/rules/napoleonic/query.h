#pragma once

#include <string>
#include <vector>

#include "engine/rules/napoleonic/state.h"
#include "engine/squares/queries.h"

// Questions to a state that several clauses ask.
namespace fos::napoleonic {

using squares::AllowanceOf;
using squares::CellName;
using squares::CountStandsOf;
using squares::DistanceBetween;
using squares::EquipmentIn;
using squares::EquipmentName;
using squares::FormedUnitIn;
using squares::ForStandsIn;
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
  return type.arm == Arm::kArtillery   ? TroopRole::kCrew
         : type.arm == Arm::kCommander ? TroopRole::kCommander
                                       : TroopRole::kFormed;
}
bool CrewIn(const State& s, int side, Cell cell);

std::string_view StepName(Step step);

// What the game waits for, in one clause for people.
std::string DescribeAsk(const State& s);

// In the contact square's neighbourhood of any contact square.
bool NextToContact(const State& s, Cell cell);
// An unbroken Square of `side` holds the square (NAP-8B).
bool HeldByUnbrokenSquare(const State& s, int side, Cell cell);
// NAP-8A: does every square of frontage still have a stand facing outward?
bool SquareComplete(const State& s, int formation);
// NAP-6D: passable, protected and water as they are now.
bool Impassable(const State& s, Cell cell);
bool Protected(const State& s, Cell cell);
// NAP-6B: what was agreed for muskets and canister at it; nothing once it is burnt up.
int ExtraDiceAt(const State& s, Cell cell);
bool Inflammable(const State& s, Cell cell);

// NAP-2C: would the square hold too much of this side, were these pieces in it as well? Those
// already there count unless `ignoring` says so. Empty when it is legal.
std::string StackingFault(const State& s, int side, Cell cell, const Stacked& arriving,
                          bool ignore_unmoved);

}  // namespace fos::napoleonic
