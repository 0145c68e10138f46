// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/squares/queries.h"
#include "engine/squares/retreat.h"

// The direction in which a group falls back from a melee, and the board as the search for its way
// sees it (DEF-13). State as in queries.h, with attacker; its stands with turn_cell, came_from and
// facing.
namespace fos::sweet {

using namespace squares;

// The club rulings used here.
struct RetreatRuling {
  bool rear_is_home_edge = true;     // false: opposite to the facing
  bool origin_is_turn_start = true;  // false: the last step
  int max_turns = 2;                 // eighths of a circle
  bool extends = true;
};

template <typename Settings>
RetreatRuling RetreatRulingOf(const Settings& ruling) {
  return {ruling.rear_is_home_edge, ruling.origin_is_turn_start, ruling.retreat_max_turns,
          ruling.retreat_extends};
}

// The square that most of these stands started from; kNowhere if two are equal.
template <typename State>
Cell CommonOrigin(const State& s, const RetreatRuling& ruling, const std::vector<PieceNo>& stands) {
  std::vector<std::pair<Cell, int>> counts;
  for (const PieceNo i : stands) {
    const auto& stand = s.StandAt(i);
    const Cell origin = ruling.origin_is_turn_start ? stand.turn_cell : stand.came_from;
    const auto known = std::find_if(counts.begin(), counts.end(),
                                    [&](const auto& c) { return c.first == origin; });
    if (known == counts.end()) {
      counts.push_back({origin, 1});
    } else {
      ++known->second;
    }
  }
  std::sort(counts.begin(), counts.end(),
            [](const auto& a, const auto& b) { return a.second > b.second; });
  if (counts.size() > 1 && counts[0].second == counts[1].second) return kNowhere;
  return counts.front().first;
}

// NAP-5G, ANC-P6: the attacker goes back the way he came, or towards his home edge if he has not
// moved; the defender goes to his rear.
template <typename State>
Facing RetreatDirection(const State& s, const RetreatRuling& ruling, int side,
                        const std::vector<PieceNo>& stands) {
  const Facing home = s.setup->sides[static_cast<std::size_t>(side)].home;
  if (side == s.attacker) {
    const Cell origin = CommonOrigin(s, ruling, stands);
    const Cell at = s.StandAt(stands.front()).cell;
    if (origin == kNowhere || origin == at) return home;
    return NearestDirection(s.setup->board.Between(at, origin));
  }
  return ruling.rear_is_home_edge ? home : Opposite(s.StandAt(stands.front()).facing);
}

// The stands of a retreat that can still go: on the board and in one square.
template <typename State, typename Retreat>
std::vector<PieceNo> StandsTogether(const State& s, const Retreat& retreat) {
  std::vector<PieceNo> out;
  for (const PieceNo i : retreat.stands)
    if (OnBoard(s.StandAt(i)) && (out.empty() || s.StandAt(out.front()).cell == s.StandAt(i).cell))
      out.push_back(i);
  return out;
}
// NAP-9, ANC-M1: the last stand of a unit goes home, as far as the rule set says.
template <typename Retreat, typename State>
Retreat GoingHome(const State& s, PieceNo i) {
  Retreat retreat;
  retreat.side = s.StandAt(i).side;
  retreat.reason = decltype(retreat.reason)::kOneStand;
  retreat.direction = s.setup->sides[static_cast<std::size_t>(retreat.side)].home;
  retreat.stands = {i};
  return retreat;
}

// The equipment of a rule set's retreat that goes with its RetreatingStands, which are in one
// square.
template <typename State, typename Retreat>
std::vector<PieceNo> RetreatingEquipment(const State& s, const Retreat& retreat) {
  std::vector<PieceNo> out;
  const std::vector<PieceNo> stands = RetreatingStands(s, retreat);
  for (const PieceNo i : retreat.equipment) {
    const auto& e = s.EquipmentAt(i);
    if (OnBoard(e) && e.owner == retreat.side && !stands.empty() &&
        e.cell == s.StandAt(stands.front()).cell)
      out.push_back(i);
  }
  return out;
}

// The paths open to a rule set's retreat, all its RetreatingStands being in one square. Needed
// beside the State: Impassable(s, Cell), RetreatingStands(s, Retreat) and StackingFault(s, side,
// Cell, Stacked arriving, ignore_unmoved): no room at the end.
template <typename State, typename Retreat>
RetreatAnswer RetreatWays(const State& s, const Retreat& retreat) {
  const RetreatRuling ruling = RetreatRulingOf(s.Ruling());
  const Stacked group{RetreatingStands(s, retreat), RetreatingEquipment(s, retreat)};
  const int side = retreat.side;
  const auto full = [&](Cell cell) { return !StackingFault(s, side, cell, group, false).empty(); };
  const auto cells = static_cast<std::size_t>(s.setup->board.Cells());
  RetreatProblem problem;
  problem.board = s.setup->board;
  problem.from = s.StandAt(group.stands.front()).cell;
  problem.direction = retreat.direction;
  problem.steps = retreat.steps;
  problem.max_turns = ruling.max_turns;
  problem.extend = ruling.extends;
  problem.enemy.resize(cells);
  problem.barred.resize(cells);
  problem.occupied.resize(cells);
  for (std::size_t c = 0; c < cells; ++c) {
    const Cell cell = static_cast<Cell>(c);
    problem.enemy[c] = s.CountIn(1 - side, cell) > 0;
    problem.barred[c] = Impassable(s, cell);
    problem.occupied[c] = s.CountIn(side, cell) > 0 && full(cell);
  }
  for (const auto& e : s.equipment)
    if (OnBoard(e) && e.owner == side)
      problem.occupied[static_cast<std::size_t>(e.cell)] = full(e.cell);
  return FindRetreat(problem);
}

}  // namespace fos::sweet
