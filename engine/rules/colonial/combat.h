#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/rules/colonial/state.h"
#include "engine/table/clause.h"

// Sections 6 to 9: who may fight whom, the sums, and what the dice can make of them.
namespace fos::colonial {

// COL-7.1: the first thing that blocks the line between two squares' centres; nothing: it is clear.
struct Blocked {
  Cell cell = kNowhere;
  Cell other = kNowhere;  // the second of two that close a corner together
};
std::optional<Blocked> SightBlocked(const State& s, Cell from, Cell to);
// COL-7.2, section 0: is a square in the front arc of a stand's?
bool InFrontArc(const State& s, const Stand& stand, Cell to);
// COL-7.7 and 8.8: is the target's square covered against this line?
bool Covered(const State& s, Cell from, Cell to, const Cover& cover);
// COL-8.6: flat, open country between two neighbours.
bool FlatAndOpen(const State& s, Cell a, Cell b);

// COL-6.2: the stands in a square that an attacker may engage: one, or both where he chooses.
std::vector<PieceNo> TargetsIn(const State& s, PieceNo attacker, Cell cell);

// May this stand start a combat at all now (COL-4.1, 4.2, 6.1)? It need not be activated yet.
std::optional<Refusal> InitiationFault(const State& s, PieceNo stand);
// And this one with this target (COL-6.2, 7.1 to 7.3, 8.1)?
std::optional<Refusal> TargetFault(const State& s, bool close, PieceNo stand, PieceNo target);

// All that is added to the two dice (sections 7 and 8), in the order of the clauses.
Combat SumsOf(const State& s, bool close, PieceNo initiator, PieceNo target);

// What one throw of two dice comes to: numbers of the equally likely pairs.
struct Chances {
  int ineffective = 0, tie = 0, withdraw = 0, destroyed = 0;
  int total = 0;
  friend bool operator==(const Chances&, const Chances&) = default;
};
// Exact. bonus: what is added to the initiator's die and the enemy's.
Chances ChancesOf(const Tables& tables, const Settings& settings,
                  std::array<std::int16_t, 2> bonus);

// The whole combat, ties thrown off and withdrawals as they stand now: numbers out of `total`.
struct Forecast {
  Combat sums;
  Chances chances;
  int total = 0;
  int nothing = 0;
  int enemy_back = 0, enemy_lost = 0;          // lost: destroyed, or no way back
  int initiator_back = 0, initiator_lost = 0;  // by a lost tie
};
Forecast ForecastOf(const State& s, bool close, PieceNo initiator, PieceNo target);

// "regular infantry 3", "general C1 adjacent +2"
std::string DescribeItem(const State& s, const Combat& combat, const Item& item);
std::string_view ClauseOfMod(Mod mod);
// One sentence: the sums, what is needed, the chances.
std::string DescribeForecast(const State& s, const Forecast& forecast);

}  // namespace fos::colonial
