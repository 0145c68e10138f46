// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/rules/colonial/state.h"
#include "engine/table/clause.h"

// Sections 6 to 9: who may fight whom, the sums, and the chances of the dice.
namespace fos::colonial {

// COL-7.1: the first obstacle on the line between two squares' centres; nothing if the line is
// clear.
struct Blocked {
  Cell cell = kNowhere;
  Cell other = kNowhere;  // the second of two squares that block a corner together
};
std::optional<Blocked> SightBlocked(const State& s, Cell from, Cell to);
// COL-7.2, section 0: whether a square is in a stand's front arc.
bool InFrontArc(const State& s, const Stand& stand, Cell to);
// COL-7.7, 8.8: whether the target's square has cover against this line.
bool Covered(const State& s, Cell from, Cell to, const Cover& cover);
// COL-8.6: whether there is flat, open country between two adjacent squares.
bool FlatAndOpen(const State& s, Cell a, Cell b);

// COL-6.2: the stands in a square that an attacker may engage; both if he may choose.
std::vector<PieceNo> TargetsIn(const State& s, PieceNo attacker, Cell cell);

// Why the stand may not start a combat now (COL-4.1, 4.2, 6.1). It need not be active yet.
std::optional<Refusal> InitiationFault(const State& s, PieceNo stand);
bool MayInitiate(const State& s, PieceNo stand);  // the same without words
// Why it may not engage this target (COL-6.2, 7.1 to 7.3, 8.1).
std::optional<Refusal> TargetFault(const State& s, bool close, PieceNo stand, PieceNo target);

// All modifiers of the two dice (sections 7 and 8), in the order of the clauses.
Combat SumsOf(const State& s, bool close, PieceNo initiator, PieceNo target);

// The outcomes of one throw of two dice, as numbers of equally likely pairs.
struct Chances {
  int ineffective = 0, tie = 0, withdraw = 0, destroyed = 0;
  int total = 0;
  friend bool operator==(const Chances&, const Chances&) = default;
};
// Exact counts. bonus  the modifiers of the initiator's die and of the enemy's.
Chances ChancesOf(const Tables& tables, const Settings& settings,
                  std::array<std::int16_t, 2> bonus);

// The whole combat with ties resolved and withdrawals as they are possible now: numbers out of
// `total`.
struct Forecast {
  Combat sums;
  Chances chances;
  int total = 0;
  int nothing = 0;
  int enemy_back = 0, enemy_lost = 0;          // lost: destroyed, or without a way back
  int initiator_back = 0, initiator_lost = 0;  // after a lost tie
};
Forecast ForecastOf(const State& s, bool close, PieceNo initiator, PieceNo target);

// "regular infantry 3", "general C1 adjacent +2"
std::string DescribeItem(const State& s, const Combat& combat, const Item& item);
std::string_view ClauseOfMod(Mod mod);
// One sentence with the sums, the die needed and the chances.
std::string DescribeForecast(const State& s, const Forecast& forecast);

}  // namespace fos::colonial
