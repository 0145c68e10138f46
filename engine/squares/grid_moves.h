// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "engine/game/refuse.h"
#include "engine/squares/geometry.h"
#include "engine/squares/queries.h"

// Movement on the grid: path costs, roads, gaps between enemies, and every square in reach.
// Ground describes the board as one side's movers see it:
//   board, diagonal_cost, road_bonus, pass_through_friends
//   Enemy(Cell)   holds enemy stands      Stops(Cell)   a path may end there and not go on
//   Friend(Cell)  holds friendly stands   Closed(Cell)  impassable
//   Extra(Cell)   added cost of a step into it, hundredths of a square
//   Roads(Cell)   bit d: joined by road to the neighbour in direction d
namespace fos::squares {

// NAP-1, ANC-V1: the path's cost in hundredths of a square, terrain included. `from` is its start.
template <typename Ground>
int PathCost(const Ground& ground, Cell from, const std::vector<Cell>& path) {
  int cost = 0;
  Cell at = from;
  for (const Cell next : path) {
    cost += Distance(ground.board.Between(at, next), ground.diagonal_cost) + ground.Extra(next);
    at = next;
  }
  return cost;
}

// "; it gets to E5": how far along the path the allowance carries, for a refusal.
template <typename State, typename Ground>
std::string AsFarAs(const State& s, const Ground& ground, Cell from, const std::vector<Cell>& path,
                    int allowance) {
  std::vector<Cell> part = path;
  while (!part.empty() && PathCost(ground, from, part) > allowance) part.pop_back();
  return part.empty() ? std::string() : fmt::format("; it gets to {}", CellName(s, part.back()));
}

// NAP-2D, ANC-V1: true if every square is on the road and joined to the next.
template <typename Ground>
bool OnRoad(const Ground& ground, Cell from, const std::vector<Cell>& path) {
  Cell at = from;
  for (const Cell next : path) {
    const Facing way = NearestDirection(ground.board.Between(at, next));
    if (!(ground.Roads(at) >> static_cast<int>(way) & 1)) return false;
    at = next;
  }
  return !path.empty();
}

// NAP-2E, ANC-V4: true for a diagonal step between two squares that both hold enemies.
template <typename Ground>
bool ThroughGap(const Ground& ground, Cell from, Cell to) {
  const Offset d = ground.board.Between(from, to);
  if (d.dx == 0 || d.dy == 0) return false;
  const SquareIndex at = ground.board.IndexOf(from);
  return ground.Enemy(ground.board.At({at.column + d.dx, at.row})) &&
         ground.Enemy(ground.board.At({at.column, at.row + d.dy}));
}

// The parts of Ground that most rule sets share; each rule set adds Enemy, Stops, Closed and Extra.
template <typename State>
struct GridGround {
  GridGround(const State& state, int mover)
      : s(state),
        side(mover),
        board(state.setup->board),
        diagonal_cost(state.Book().diagonal_cost),
        road_bonus(state.Book().road_bonus),
        pass_through_friends(state.Ruling().pass_through_friends) {}
  bool Enemy(Cell c) const { return s.CountIn(1 - side, c) > 0; }
  bool Friend(Cell c) const { return s.CountIn(side, c) > 0; }
  bool Closed(Cell c) const { return Impassable(s, c); }
  std::uint8_t Roads(Cell c) const { return s.setup->At(c).road; }

  const State& s;
  int side;
  const Board& board;
  int diagonal_cost;
  int road_bonus;
  bool pass_through_friends;
};

// Every square in reach except the start, each with a cheapest path. Does not check the end
// squares.
template <typename Ground>
std::vector<std::vector<Cell>> Reach(const Ground& ground, Cell from, int allowance) {
  std::vector<std::vector<Cell>> out;
  if (allowance <= 0) return out;
  const Board& board = ground.board;
  const auto cells = static_cast<std::size_t>(board.Cells());
  constexpr int kFar = std::numeric_limits<int>::max();

  // Two passes: across country, and along the road with its bonus.
  std::vector<int> cost(cells, kFar);
  std::vector<Cell> before(cells, kNowhere);
  std::vector<bool> reached(cells, false);
  std::vector<Cell> open;
  const int passes = ground.Roads(from) != 0 ? 2 : 1;
  for (int pass = 0; pass < passes; ++pass) {
    const bool by_road = pass == 1;
    const int most = allowance + (by_road ? ground.road_bonus : 0);
    std::fill(cost.begin(), cost.end(), kFar);
    cost[static_cast<std::size_t>(from)] = 0;
    open.assign(1, from);
    for (std::size_t n = 0; n < open.size(); ++n) {
      const Cell at = open[n];
      const int so_far = cost[static_cast<std::size_t>(at)];
      if (at != from && ground.Stops(at)) continue;
      if (at != from && !ground.pass_through_friends && ground.Friend(at)) continue;
      for (int d = 0; d < 8; ++d) {
        if (by_road && !(ground.Roads(at) >> d & 1)) continue;
        const Cell next = board.Step(at, static_cast<Facing>(d));
        if (next == kNowhere) continue;
        const auto c = static_cast<std::size_t>(next);
        const int total = so_far + (d % 2 ? ground.diagonal_cost : kWhole) + ground.Extra(next);
        if (total > most || total >= cost[c] || ground.Closed(next) || ThroughGap(ground, at, next))
          continue;
        cost[c] = total;
        before[c] = at;
        open.push_back(next);
      }
    }
    for (std::size_t c = 0; c < cells; ++c) {
      if (cost[c] == kFar || reached[c] || static_cast<Cell>(c) == from) continue;
      reached[c] = true;
      std::vector<Cell> path;
      for (Cell at = static_cast<Cell>(c); at != from; at = before[static_cast<std::size_t>(at)])
        path.push_back(at);
      std::reverse(path.begin(), path.end());
      out.push_back(std::move(path));
    }
  }
  return out;
}

// The shortest path that ignores obstacles, without the start. Both squares are on the board.
inline std::vector<Cell> StraightWay(const Board& board, Cell from, Cell to) {
  std::vector<Cell> path;
  for (Cell at = from; at != to;) {
    at = board.Step(at, NearestDirection(board.Between(at, to)));
    path.push_back(at);
  }
  return path;
}

// The index of the first square that is not next to the one before it, or the path's length.
inline std::size_t FirstJump(const Board& board, Cell from, const std::vector<Cell>& path) {
  Cell at = from;
  for (std::size_t n = 0; n < path.size(); ++n) {
    if (path[n] == kNowhere || path[n] >= board.Cells() || !Adjacent(board.Between(at, path[n])))
      return n;
    at = path[n];
  }
  return path.size();
}

// ---- faults of a declared move that do not depend on the rule set ----
// The clauses to cite.
struct MoveClauses {
  const char* turn;      // the order of the turn
  const char* movers;    // equipment moves with a stand
  const char* together;  // all stands of one move start in one square
  const char* path;
};

// NAP-2A, ANC-T: may this side move now? Needed beside the State: StepName.
template <typename State>
std::optional<Refusal> WhyNotNow(const State& s, int side, const MoveClauses& clause) {
  if (s.step != decltype(s.step)::kMovement)
    return Impossible(clause.turn, fmt::format("units move in the movement step; this is the {} "
                                               "step",
                                               StepName(s.step)));
  if (side != s.attacker)
    return Impossible(clause.turn, fmt::format("{} is the defender and does not move this turn",
                                               SideName(s, side)));
  if (s.done[static_cast<std::size_t>(side)])
    return Impossible(clause.turn, fmt::format("{} has ended its movement", SideName(s, side)));
  return std::nullopt;
}

// NAP-2B, ANC-V3: a stand of a unit that may not separate moves with all the others.
template <typename State, typename Move, typename Stand>
std::optional<Refusal> WhyNotApart(const State& s, const Move& a, const Stand& stand,
                                   const MoveClauses& clause) {
  if (s.TypeOf(stand).may_separate) return std::nullopt;
  const auto together = std::count_if(a.stands.begin(), a.stands.end(), [&](PieceNo other) {
    return s.StandAt(other).unit == stand.unit;
  });
  const int all = CountStandsOf(s, stand.unit);
  if (together == all) return std::nullopt;
  return Refuse(clause.together, fmt::format("{} may not separate: {} of its {} stands would move",
                                             UnitAndKind(s, stand.unit), together, all));
}

// NAP-1, NAP-2B, NAP-2F, ANC-V1, ANC-V3, ANC-V5: faults that no overruling can allow, such as
// pieces that are not there or a broken path.
// also(stand)  a further check by the rule set for each stand.
template <typename State, typename Move, typename Also>
std::optional<Refusal> WhyNoMove(const State& s, const Move& a, const MoveClauses& clause,
                                 Also also) {
  constexpr std::size_t kLongestPath = 64;  // far beyond every table's allowance
  if (a.stands.empty()) return Impossible(clause.movers, "a move needs at least one stand");
  const Cell from = s.StandAt(a.stands.front()).cell;
  const auto twice = [](const std::vector<PieceNo>& list, std::size_t n) {
    const auto here = list.begin() + static_cast<std::ptrdiff_t>(n);
    return std::find(list.begin(), here, list[n]) != here;
  };
  for (std::size_t n = 0; n < a.stands.size(); ++n) {
    const auto& stand = s.StandAt(a.stands[n]);
    if (!OnBoard(stand) || stand.side != a.side || stand.cell != from)
      return Impossible(clause.together,
                        fmt::format("{} is not in {} with the others", StandAndKind(s, a.stands[n]),
                                    CellName(s, from)));
    if (twice(a.stands, n))
      return Impossible(clause.together,
                        fmt::format("{} is named twice", StandAndKind(s, a.stands[n])));
    if (auto refusal = also(stand)) return refusal;
  }
  for (std::size_t n = 0; n < a.equipment.size(); ++n) {
    const auto& e = s.EquipmentAt(a.equipment[n]);
    if (!OnBoard(e) || e.owner != a.side || e.cell != from || twice(a.equipment, n))
      return Impossible(clause.movers,
                        fmt::format("{} has no {} in {}", SideName(s, a.side),
                                    EquipmentAndKind(s, a.equipment[n]), CellName(s, from)));
  }
  if (a.path.empty() || a.path.size() > kLongestPath || a.path.back() == from)
    return Impossible(clause.path, "the path is empty, too long or ends where it starts");
  const std::size_t jump = FirstJump(s.setup->board, from, a.path);
  if (jump < a.path.size())
    return Impossible(clause.path, fmt::format("{} is not next to {}", CellName(s, a.path[jump]),
                                               CellName(s, jump == 0 ? from : a.path[jump - 1])));
  return std::nullopt;
}

}  // namespace fos::squares
