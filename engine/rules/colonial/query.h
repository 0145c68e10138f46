// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/rules/colonial/state.h"

// Queries on a state.
namespace fos::colonial {

inline bool OnTable(const Stand& stand) { return stand.fate == Fate::kOnTable; }
inline bool ValidStand(const State& s, PieceNo i) {
  return i >= 0 && static_cast<std::size_t>(i) < s.stands.size();
}

// Section 0: distances as the settings count them.
int DistanceBetween(const State& s, Cell a, Cell b);
bool AreAdjacent(const State& s, Cell a, Cell b);
// All squares next to a square, by the adjacency of the settings.
std::vector<Cell> NeighboursOf(const State& s, Cell c);

bool HeldBy(const State& s, int side, Cell c);
inline bool Empty(const State& s, Cell c) { return s.In(c)[0] == kNoPiece; }
// The other stand of a pair; kNoPiece if the stand is alone.
PieceNo PartnerOf(const State& s, PieceNo i);

// Whether the stand counts as artillery for COL-5.5 and 7.6.
inline bool IsArtillery(const State& s, const Stand& stand) {
  return s.TypeOf(stand).keeps_distance;
}
inline bool IsCommand(const State& s, const Stand& stand) {
  return s.TypeOf(stand).arm == Arm::kCommand;
}
int RangeOf(const State& s, const Stand& stand);
std::string WeaponWords(const State& s, const Stand& stand);  // "rifled field"

// Why a stand may not do something, after its name: worded only where it is told.
struct StandBar {
  const char* clause = nullptr;  // none: it may
  const char* says = "";
  bool impossible = false;  // nobody can allow it
};
std::optional<Refusal> InWords(const State& s, PieceNo i, const StandBar& bar);

// Names for players.
const std::string& NameOf(const State& s, PieceNo i);
// For sentences: "Regular infantry I-Foot1".
std::string StandAndKind(const State& s, PieceNo i);
const std::string& SideName(const State& s, int side);
std::string Squares(int hundredths);          // "1.5 squares"
std::string_view PhaseName(Phase phase);
// What the game waits for: "Blue throws a D12 for its activations".
std::string DescribeAsk(const State& s);
std::string_view ClauseOfAsk(Want what);

// The stands that an army has lost and the points they are worth.
struct Losses {
  int stands = 0;
  int points = 0;
};
Losses LossesOf(const State& s, int side);
// The only side with stands in an objective's squares; -1 if there is none.
int HolderOf(const State& s, const squares::Objective& objective);
// COL-3.1: points for enemy stands destroyed and objectives held, if the scenario counts them.
std::array<std::int16_t, 2> PointsNow(const State& s);

}  // namespace fos::colonial
