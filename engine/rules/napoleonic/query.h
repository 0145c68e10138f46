#pragma once

#include <string>
#include <vector>

#include "engine/rules/napoleonic/state.h"

// Questions to a state that several clauses ask.
namespace fos::napoleonic {

inline bool OnBoard(const Stand& s) { return s.fate == Fate::kOnBoard; }
inline bool OnBoard(const Equipment& e) { return e.fate == Fate::kOnBoard; }

// Calls f(PieceNo, const Stand&) for every stand of `side` in the square, in order of number.
template <typename F>
void ForStandsIn(const State& s, int side, Cell cell, F f) {
  int left = s.CountIn(side, cell);
  for (std::size_t i = 0; left > 0 && i < s.stands.size(); ++i) {
    const Stand& stand = s.stands[i];
    if (stand.cell != cell || stand.side != side || !OnBoard(stand)) continue;
    f(static_cast<PieceNo>(i), stand);
    --left;
  }
}
std::vector<PieceNo> StandsIn(const State& s, int side, Cell cell);
// A unit's stands on the board, in one square or (kNowhere) anywhere.
std::vector<PieceNo> StandsOf(const State& s, PieceNo unit, Cell cell = kNowhere);
int CountStandsOf(const State& s, PieceNo unit);
std::vector<PieceNo> EquipmentIn(const State& s, Cell cell);
std::vector<PieceNo> EquipmentIn(const State& s, int owner, Cell cell);

inline const UnitInfo& UnitOf(const State& s, PieceNo unit) {
  return s.setup->units[static_cast<std::size_t>(unit)];
}
inline const UnitType& TypeOfUnit(const State& s, PieceNo unit) {
  return s.Book().types[static_cast<std::size_t>(UnitOf(s, unit).type)];
}
// A formed unit: infantry or cavalry, not crew, not a commander.
inline bool IsFormed(const UnitType& type) {
  return type.arm == Arm::kInfantry || type.arm == Arm::kCavalry;
}
// The formed unit of a side in a square; -1 when there is none. In a Square of several units the
// first.
PieceNo FormedUnitIn(const State& s, int side, Cell cell);
bool CrewIn(const State& s, int side, Cell cell);

// Names as people and files write them: "F-1L1#3", "F-1A1g#2", "E5".
std::string StandName(const State& s, PieceNo stand);
std::string EquipmentName(const State& s, PieceNo equipment);
std::string UnitName(const State& s, PieceNo unit);
std::string CellName(const State& s, Cell cell);
const std::string& SideName(const State& s, int side);
std::string_view StepName(Step step);

// What the game waits for, in one clause for people.
std::string DescribeAsk(const State& s);

// DEF-3 on this board.
int DistanceBetween(const State& s, Cell a, Cell b);
// In the contact square's neighbourhood of any contact square.
bool NextToContact(const State& s, Cell cell);
// An unbroken Square of `side` holds the square (NAP-8B).
bool HeldByUnbrokenSquare(const State& s, int side, Cell cell);
// NAP-8A: does every square of frontage still have a stand facing outward?
bool SquareComplete(const State& s, int formation);
// NAP-6D: passable, protected and water as they are now.
bool Impassable(const State& s, Cell cell);
bool Protected(const State& s, Cell cell);
bool Inflammable(const State& s, Cell cell);

// NAP-2C: would the square hold too much of this side, were these pieces in it as well? Those
// already there count unless `ignoring` says so. Empty when it is legal.
struct Stacked {
  std::vector<PieceNo> stands;
  std::vector<PieceNo> equipment;
};
std::string StackingFault(const State& s, int side, Cell cell, const Stacked& arriving,
                          bool ignore_unmoved);

// NAP-12.
int PointsOf(const State& s, int side);
int TroopPointsOf(const State& s, int side);  // without objectives

}  // namespace fos::napoleonic
