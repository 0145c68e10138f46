#pragma once

#include <string>
#include <string_view>

#include "engine/rules/colonial/state.h"

// Plain questions about a state.
namespace fos::colonial {

inline bool OnTable(const Stand& stand) { return stand.fate == Fate::kOnTable; }
inline bool ValidStand(const State& s, PieceNo i) {
  return i >= 0 && static_cast<std::size_t>(i) < s.stands.size();
}

// Section 0: as the settings count.
int DistanceBetween(const State& s, Cell a, Cell b);
bool AreAdjacent(const State& s, Cell a, Cell b);
// All neighbours at distance 1 of a square, by the adjacency of the settings.
std::vector<Cell> NeighboursOf(const State& s, Cell c);

bool HeldBy(const State& s, int side, Cell c);
inline bool Empty(const State& s, Cell c) { return s.In(c)[0] == kNoPiece; }
// The other stand of a pair; kNoPiece when it stands alone.
PieceNo PartnerOf(const State& s, PieceNo i);

// Is the stand artillery for COL-5.5 and 7.6?
inline bool IsArtillery(const State& s, const Stand& stand) {
  return s.TypeOf(stand).keeps_distance;
}
inline bool IsCommand(const State& s, const Stand& stand) {
  return s.TypeOf(stand).arm == Arm::kCommand;
}
int RangeOf(const State& s, const Stand& stand);
std::string_view WeaponName(const State& s, const Stand& stand);

// Names for people.
const std::string& NameOf(const State& s, PieceNo i);
const std::string& SideName(const State& s, int side);
std::string TypeName(const StandType& type);  // "field artillery"
std::string Squares(int hundredths);          // "1.5 squares"
std::string_view PhaseName(Phase phase);
// "Blue to throw one D12 for its activations"
std::string DescribeAsk(const State& s);
std::string_view ClauseOfAsk(Want what);

// What each army has lost: stands and the points they are worth.
struct Losses {
  int stands = 0;
  int points = 0;
};
Losses LossesOf(const State& s, int side);
// Who alone stands in an objective's squares; -1 for nobody.
int HolderOf(const State& s, const squares::Objective& objective);
// COL-3.1: enemy stands destroyed, and objectives held, where the scenario counts them.
std::array<std::int16_t, 2> PointsNow(const State& s);

}  // namespace fos::colonial
