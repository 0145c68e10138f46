// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/movement.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include "engine/game/refuse.h"
#include "engine/rules/colonial/query.h"

namespace fos::colonial {
namespace {

using MaybeRefusal = std::optional<Refusal>;

enum class Bar {
  kNone,
  kDiagonal,
  kEnemy,
  kImpassable,
  kSqueeze,
  kArtillery,
  kWood,
  kVertical,
  kObstacle  // withdrawals only
};

// The two squares orthogonally next to both ends of a diagonal step.
struct Corner {
  Cell p = kNowhere, q = kNowhere;
};
Corner CornerOf(const Board& board, Cell a, Cell b) {
  const SquareIndex from = board.IndexOf(a);
  const SquareIndex to = board.IndexOf(b);
  return {board.At({to.column, from.row}), board.At({from.column, to.row})};
}
bool IsDiagonalStep(const Board& board, Cell a, Cell b) {
  const squares::Offset d = board.Between(a, b);
  return d.dx != 0 && d.dy != 0;
}

// COL-5.6: which obstacles a step crosses; a diagonal one only where both ways round the corner
// cross one of the kind.
bool Crosses(const Setup& setup, Cell a, Cell b, std::uint8_t kinds) {
  if (!IsDiagonalStep(setup.board, a, b)) return (setup.Edge(a, b) & kinds) != 0;
  const auto [p, q] = CornerOf(setup.board, a, b);
  return ((setup.Edge(a, p) | setup.Edge(p, b)) & kinds) != 0 &&
         ((setup.Edge(a, q) | setup.Edge(q, b)) & kinds) != 0;
}

// COL-5.4.
bool Squeezes(const State& s, int side, Cell a, Cell b) {
  const Setup& setup = *s.setup;
  if (!IsDiagonalStep(setup.board, a, b)) return false;
  const auto [p, q] = CornerOf(setup.board, a, b);
  const bool enemy_p = HeldBy(s, 1 - side, p);
  const bool enemy_q = HeldBy(s, 1 - side, q);
  const auto obstructed = [&](Cell c) {
    const Ground& ground = setup.At(c);
    return ground.obstacle || ground.impassable ||
           ((setup.Edge(a, c) | setup.Edge(c, b)) & kAnyObstacle) != 0;
  };
  return (enemy_p && enemy_q) || (enemy_p && obstructed(q)) || (enemy_q && obstructed(p));
}

// Checks common to every step, forward or back.
Bar CommonBar(const State& s, int side, Cell a, Cell b) {
  if (!s.Rulings().king_distance && IsDiagonalStep(s.setup->board, a, b)) return Bar::kDiagonal;
  if (HeldBy(s, 1 - side, b)) return Bar::kEnemy;
  if (s.setup->At(b).impassable) return Bar::kImpassable;
  if (Squeezes(s, side, a, b)) return Bar::kSqueeze;
  return Bar::kNone;
}

bool NextToEnemy(const State& s, int side, Cell c) {
  for (int way = 0; way < 8; ++way) {
    const Cell next = s.setup->board.Step(c, static_cast<Facing>(way));
    if (next != kNowhere && HeldBy(s, 1 - side, next) && AreAdjacent(s, c, next)) return true;
  }
  return false;
}

// COL-5.3 to COL-5.6.
Bar BarOf(const State& s, const Stand& stand, Cell a, Cell b) {
  const Bar common = CommonBar(s, stand.side, a, b);
  if (common != Bar::kNone) return common;
  if (IsArtillery(s, stand) && NextToEnemy(s, stand.side, b)) return Bar::kArtillery;
  if (s.TypeOf(stand).foot || s.setup->RoadLink(a, b)) return Bar::kNone;
  if (s.setup->At(b).wood) return Bar::kWood;
  return Crosses(*s.setup, a, b, kVertical) ? Bar::kVertical : Bar::kNone;
}

// COL-5.11, 2: obstacles that a beaten stand cannot cross. A gate or a bridge opens its edge to the
// step that follows the road (COL-5.6).
Bar BackBarOf(const State& s, const Stand& stand, Cell a, Cell b) {
  const Bar common = CommonBar(s, stand.side, a, b);
  if (common != Bar::kNone) return common;
  const Setup& setup = *s.setup;
  if (setup.At(b).obstacle) return Bar::kObstacle;
  if (!setup.RoadLink(a, b) && Crosses(setup, a, b, kAnyObstacle)) return Bar::kObstacle;
  if (setup.At(b).wood && !s.TypeOf(stand).foot && !setup.RoadLink(a, b)) return Bar::kWood;
  return Bar::kNone;
}

MaybeRefusal Because(const State& s, PieceNo stand, Cell a, Cell b, Bar bar) {
  if (bar == Bar::kNone) return std::nullopt;
  const std::string step = fmt::format("from {} to {}", s.setup->CellName(a), s.setup->CellName(b));
  const std::string& what = s.TypeOf(stand).name;
  switch (bar) {
    case Bar::kNone:
      break;
    case Bar::kDiagonal:
      return Refuse(
          "COL-5.2",
          fmt::format("{} is a diagonal step, which this club's rules do not allow", step));
    case Bar::kEnemy:
      return Refuse("COL-5.3",
                    fmt::format("{} is held by the enemy: stands cannot pass through enemies",
                                s.setup->CellName(b)));
    case Bar::kImpassable:
      return Refuse("COL-5.10", s.setup->CellName(b) + " is impassable");
    case Bar::kSqueeze:
      return Refuse(
          "COL-5.4",
          fmt::format("{} passes between two enemy stands, or between one and an obstacle", step));
    case Bar::kArtillery:
      return Refuse("COL-5.5", fmt::format("{} is next to an enemy: {} may not move there",
                                           s.setup->CellName(b), what));
    case Bar::kWood:
      return Refuse("COL-5.6", fmt::format("{} is wood, which {} can enter only by road",
                                           s.setup->CellName(b), what));
    case Bar::kVertical:
      return Refuse(
          "COL-5.6",
          fmt::format("{} crosses a wall, hedge or fence, which {} cannot cross", step, what));
    case Bar::kObstacle:
      break;
  }
  return Refuse("COL-5.10", fmt::format("{} crosses an obstacle", step));
}

// The straight path from one square to another, diagonal steps first.
std::vector<Cell> StraightPath(const State& s, Cell from, Cell to) {
  std::vector<Cell> path;
  const Board& board = s.setup->board;
  while (from != to) {
    const squares::Offset d = board.Between(from, to);
    SquareIndex at = board.IndexOf(from);
    at.column += (d.dx > 0) - (d.dx < 0);
    if (s.Rulings().king_distance || d.dx == 0) at.row += (d.dy > 0) - (d.dy < 0);
    from = board.At(at);
    path.push_back(from);
  }
  return path;
}

// The lowest cost to every square within `allowance`, by road only or by any path.
void Spread(const State& s, PieceNo stand, int allowance, bool by_road, std::vector<int>& cost,
            std::vector<Cell>& came) {
  const Board& board = s.setup->board;
  constexpr int kFar = std::numeric_limits<int>::max();
  cost.assign(static_cast<std::size_t>(board.Cells()), kFar);
  came.assign(static_cast<std::size_t>(board.Cells()), kNowhere);
  const Stand& mover = s.At(stand);
  cost[static_cast<std::size_t>(mover.cell)] = 0;
  // No step costs less: what else there is on the way only adds to it.
  const int least_step = std::min(kWhole, s.Rulings().diagonal_step_cost);
  std::vector<Cell> waiting;
  waiting.reserve(32);
  waiting.push_back(mover.cell);
  while (!waiting.empty()) {
    const auto least = std::min_element(waiting.begin(), waiting.end(), [&](Cell a, Cell b) {
      return cost[static_cast<std::size_t>(a)] < cost[static_cast<std::size_t>(b)];
    });
    const Cell at = *least;
    waiting.erase(least);
    const int from_here = cost[static_cast<std::size_t>(at)] + least_step;
    if (from_here > allowance) continue;
    // Straight steps first, so that equally cheap paths look as people draw them.
    for (const int way : {0, 2, 4, 6, 1, 3, 5, 7}) {
      const Cell next = board.Step(at, static_cast<Facing>(way));
      if (next == kNowhere || from_here >= cost[static_cast<std::size_t>(next)] ||
          (by_road && !s.setup->RoadLink(at, next)))
        continue;
      const int there = cost[static_cast<std::size_t>(at)] + StepCost(s, at, next);
      if (there > allowance || there >= cost[static_cast<std::size_t>(next)]) continue;
      if (BarOf(s, mover, at, next) != Bar::kNone) continue;
      if (cost[static_cast<std::size_t>(next)] == kFar) waiting.push_back(next);
      cost[static_cast<std::size_t>(next)] = there;
      came[static_cast<std::size_t>(next)] = at;
    }
  }
}

bool OnRoad(const State& s, Cell at) {
  for (int way = 0; way < 8; ++way) {
    const Cell next = s.setup->board.Step(at, static_cast<Facing>(way));
    if (next != kNowhere && s.setup->RoadLink(at, next)) return true;
  }
  return false;
}

std::vector<Cell> PathBack(const std::vector<Cell>& came, Cell from, Cell to) {
  std::vector<Cell> path;
  for (Cell at = to; at != from; at = came[static_cast<std::size_t>(at)]) path.push_back(at);
  std::reverse(path.begin(), path.end());
  return path;
}

// COL-4.1.
StandBar TimeBarOf(const State& s, const Stand& stand) {
  if (stand.withdrew && !s.Rulings().move_after_own_withdrawal)
    return {"COL-4.1", " withdrew from a combat it started: its activation is over"};
  if (!stand.open) return {"COL-4.2", " has already ended its activation this turn"};
  if (stand.mounted && s.Rulings().mount == MountCost::kWholeMove)
    return {"COL-5.13", " has used its whole move to mount or dismount"};
  // A split move has one part before the combat and one after it.
  const bool second_part = s.Rulings().split_move && stand.initiated && !stand.moved_after;
  if (stand.moved && !second_part)
    return {"COL-4.1", " has already moved: a move cannot be split"};
  return {};
}

// COL-1.3: whether the square has room for these stands with this facing.
bool HasRoom(const State& s, std::span<const PieceNo> movers, Cell cell, Facing facing,
             PieceNo leaving = kNoPiece) {
  std::size_t together = movers.size();
  PieceNo other = movers.back();  // of the first mover
  for (const PieceNo i : s.In(cell)) {
    if (i == kNoPiece || i == leaving || std::find(movers.begin(), movers.end(), i) != movers.end())
      continue;
    if (s.At(i).side != s.At(movers.front()).side || s.At(i).facing != facing) return false;
    ++together;
    other = i;
  }
  return together < 2 || (together == 2 && FitTogether(s, movers.front(), other));
}

}  // namespace

std::optional<Refusal> StepFault(const State& s, PieceNo stand, Cell from, Cell to) {
  return Because(s, stand, from, to, BarOf(s, s.At(stand), from, to));
}

// COL-5.2, COL-5.8; COL-5.10 for the cost of streams and trenches in a club's settings. A road
// crosses them free by a bridge or ford.
int StepCost(const State& s, Cell from, Cell to) {
  const Setup& setup = *s.setup;
  const Settings& rulings = s.Rulings();
  int cost = IsDiagonalStep(setup.board, from, to) ? rulings.diagonal_step_cost : kWhole;
  cost += std::abs(setup.At(to).level - setup.At(from).level) * rulings.contour_cost;
  if (rulings.obstacle_cross_cost > 0 && !setup.RoadLink(from, to) &&
      (setup.At(to).obstacle || Crosses(setup, from, to, kHorizontal)))
    cost += rulings.obstacle_cross_cost;
  return cost;
}

int AllowanceLeft(const State& s, const Stand& stand) {
  if (stand.moved && !s.Rulings().split_move) return 0;
  return s.TypeOf(stand).move - stand.spent;
}

// COL-5.1, COL-5.7.
ReachMap::ReachMap(const State& s, PieceNo stand) : start_(s.At(stand).cell) {
  const Stand& mover = s.At(stand);
  const int allowance = AllowanceLeft(s, mover);
  std::vector<int> cost, road_cost;
  Spread(s, stand, allowance, false, cost, came_);
  if (mover.by_road && OnRoad(s, mover.cell))
    Spread(s, stand, allowance + s.Rulings().road_bonus, true, road_cost, road_came_);
  squares_.reserve(32);  // as many as most stands reach
  squares_.push_back({mover.cell, 0, mover.by_road});
  for (Cell c = 0; c < s.setup->board.Cells(); ++c) {
    const auto i = static_cast<std::size_t>(c);
    if (c == mover.cell) continue;
    // Of two paths with the same cost, prefer the one along the road: it keeps the road bonus.
    const bool road_leads =
        !road_cost.empty() && road_cost[i] <= allowance + s.Rulings().road_bonus;
    if (road_leads && road_cost[i] <= cost[i]) {
      squares_.push_back({c, road_cost[i], true});
    } else if (cost[i] <= allowance) {
      squares_.push_back({c, cost[i], false});
    }
  }
}

std::vector<Cell> ReachMap::PathTo(const ReachedSquare& square) const {
  return PathBack(square.by_road ? road_came_ : came_, start_, square.cell);
}

std::vector<Reached> Reach(const State& s, PieceNo stand) {
  const ReachMap map(s, stand);
  std::vector<Reached> out;
  out.reserve(map.Squares().size());
  for (const ReachedSquare& square : map.Squares()) out.push_back({square, map.PathTo(square)});
  return out;
}

bool FitTogether(const State& s, PieceNo a, PieceNo b) {
  return !s.Rulings().fit_by_depth ||
         s.TypeOf(a).depth_mm + s.TypeOf(b).depth_mm <= s.Book().square_mm;
}

bool MayArrive(const State& s, std::span<const PieceNo> movers, Cell cell, Facing facing,
               PieceNo leaving) {
  if (s.Rulings().facing_steps == 4 && squares::IsDiagonal(facing)) return false;
  return HasRoom(s, movers, cell, facing, leaving);
}

// COL-1.3, COL-1.6.
std::optional<Refusal> ArrivalFault(const State& s, const std::vector<PieceNo>& movers, Cell cell,
                                    Facing facing, PieceNo leaving) {
  if (MayArrive(s, movers, cell, facing, leaving)) return std::nullopt;
  const std::string where = s.setup->CellName(cell);
  // First what the game cannot carry out: the players may overrule the rest.
  std::vector<PieceNo> there;
  for (const PieceNo i : s.In(cell))
    if (i != kNoPiece && i != leaving && std::find(movers.begin(), movers.end(), i) == movers.end())
      there.push_back(i);
  for (const PieceNo i : there)
    if (s.At(i).side != s.At(movers.front()).side)
      return Impossible("COL-5.3", where + " is held by the enemy");
  if (there.size() + movers.size() > 2)
    return Impossible("COL-1.3", where + " would hold more than two stands");
  if (s.Rulings().facing_steps == 4 && squares::IsDiagonal(facing))
    return Refuse("COL-1.6", "a stand must face N, E, S or W");
  for (const PieceNo i : there)
    if (s.At(i).facing != facing)
      return Refuse("COL-1.3",
                    fmt::format("{} in {} faces {}: two stands in a square must face the same way",
                                StandAndKind(s, i), where, FacingName(s.At(i).facing)));
  std::vector<PieceNo> all = movers;
  all.insert(all.end(), there.begin(), there.end());
  if (all.size() == 2 && !FitTogether(s, all[0], all[1]))
    return Refuse("COL-1.3", fmt::format("{} and {} together are {} mm deep; the square is {} mm",
                                         StandAndKind(s, all[0]), StandAndKind(s, all[1]),
                                         s.TypeOf(all[0]).depth_mm + s.TypeOf(all[1]).depth_mm,
                                         s.Book().square_mm));
  return std::nullopt;
}

// COL-3.3, COL-3.4, COL-3.5, COL-4.2.
std::optional<Refusal> ActivationFault(const State& s, const std::vector<PieceNo>& stands) {
  if (stands.empty() || stands.size() > 2)
    return Impossible("COL-3.4", "activate one stand, or the two stands of one square, at a time");
  bool all_command = true;
  for (const PieceNo i : stands) {
    const Stand& stand = s.At(i);
    if (!OnTable(stand)) return Impossible("COL-9.4", StandAndKind(s, i) + " is not on the table");
    if (s.phase != Phase::kActing || stand.side != s.acting)
      return Impossible("COL-3.5",
                        fmt::format("it is not the turn of {} to act", SideName(s, stand.side)));
    if (stand.activated)
      return Refuse("COL-4.2", StandAndKind(s, i) + " has already been activated this turn");
    all_command &= IsCommand(s, stand);
  }
  if (stands.size() == 2 &&
      (stands[0] == stands[1] || s.At(stands[0]).cell != s.At(stands[1]).cell))
    return Impossible("COL-3.4", "only two stands in the same square can be activated together");
  if (s.left == 0 && (s.Rulings().command_needs_activation || !all_command))
    return Refuse("COL-3.3", fmt::format("{} has no activations left", SideName(s, s.acting)));
  return std::nullopt;
}

std::optional<Refusal> TimeToMove(const State& s, PieceNo i) {
  return InWords(s, i, TimeBarOf(s, s.At(i)));
}
bool MayMoveNow(const State& s, PieceNo i) { return TimeBarOf(s, s.At(i)).clause == nullptr; }

// COL-3.4.
bool MayLeavePartner(const State& s, PieceNo i) {
  const PieceNo partner = PartnerOf(s, i);
  return s.Rulings().pair_may_split || !s.At(i).paired || partner == kNoPiece ||
         !s.At(partner).open;
}

// COL-5.1, COL-5.7, COL-5.8, COL-5.9.
std::optional<Refusal> PathFault(const State& s, PieceNo i, const std::vector<Cell>& path,
                                 Facing facing, MoveCost& out) {
  const Stand& stand = s.At(i);
  const Setup& setup = *s.setup;
  Cell at = stand.cell;
  out = {facing == stand.facing ? 0 : s.Rulings().facing_change_cost, stand.by_road};
  int contours = 0;
  bool touches_road = false;
  for (const Cell next : path) {
    if (next < 0 || next >= setup.board.Cells() ||
        !squares::Adjacent(setup.board.Between(at, next)))
      return Impossible("COL-5.2", "each square of the path must be next to the one before");
    if (MaybeRefusal fault = StepFault(s, i, at, next)) return fault;
    out.cost += StepCost(s, at, next);
    contours += std::abs(setup.At(next).level - setup.At(at).level) * s.Rulings().contour_cost;
    const bool road = setup.RoadLink(at, next);
    out.by_road &= road;
    touches_road |= road;
    at = next;
  }
  const int allowance = AllowanceLeft(s, stand);
  const int bonus = s.Rulings().road_bonus;
  // Below zero the road bonus is used up, but moves that cost nothing are still allowed.
  if (out.cost <= std::max(0, allowance) ||
      (out.by_road && !path.empty() && out.cost <= allowance + bonus))
    return std::nullopt;
  const std::string sum = fmt::format("the move costs {}; {} has {} left", Squares(out.cost),
                                      StandAndKind(s, i), Squares(std::max(0, allowance)));
  if (touches_road && !out.by_road && out.cost <= allowance + bonus)
    return Refuse("COL-5.7", sum + ", and one more only if the whole move is along a road");
  if (out.cost - contours <= allowance)
    return Refuse("COL-5.8", sum + ": each contour costs one square");
  if (path.empty()) return Refuse("COL-5.9", sum);
  return Refuse("COL-5.1", sum);
}

std::vector<Cell> PathTo(const State& s, PieceNo stand, Cell to) {
  for (Reached& reached : Reach(s, stand))
    if (reached.cell == to) return std::move(reached.path);
  return StraightPath(s, s.At(stand).cell, to);
}

// COL-5.13.
std::optional<Refusal> RemountFault(const State& s, PieceNo i, bool mounted) {
  const Stand& stand = s.At(i);
  const StandType& type = s.TypeOf(stand);
  const bool is_mounted = type.arm == Arm::kCavalry;
  const int mounted_type = s.setup->stands[static_cast<std::size_t>(i)].mounted_type;
  if (mounted_type < 0) return Impossible("COL-5.13", StandAndKind(s, i) + " is not cavalry");
  if (is_mounted == mounted)
    return Impossible("COL-5.13", fmt::format("{} is already {}", StandAndKind(s, i),
                                              mounted ? "mounted" : "dismounted"));
  if (s.Rulings().mount == MountCost::kForbidden)
    return Refuse("COL-5.13", "this club's rules do not allow cavalry to mount or dismount");
  if (stand.mounted)
    return Refuse("COL-5.13",
                  StandAndKind(s, i) + " has already mounted or dismounted in this activation");
  if (s.Rulings().mount == MountCost::kWholeMove) {
    if (MaybeRefusal fault = TimeToMove(s, i)) return fault;
    if (stand.moved)
      return Refuse(
          "COL-5.13",
          StandAndKind(s, i) + " has already moved: mounting or dismounting takes the whole move");
  } else if (!stand.open) {
    return Refuse("COL-4.2", StandAndKind(s, i) + " has already ended its activation this turn");
  }
  const PieceNo partner = PartnerOf(s, i);
  const int after = mounted ? mounted_type : s.Book().TypeOf("dismounted_cavalry");
  if (partner != kNoPiece && s.Rulings().fit_by_depth &&
      s.setup->TypeAt(after).depth_mm + s.TypeOf(partner).depth_mm > s.Book().square_mm)
    return Refuse("COL-1.3",
                  fmt::format("{} and {} would not fit together in {}", StandAndKind(s, i),
                              StandAndKind(s, partner), s.setup->CellName(stand.cell)));
  return std::nullopt;
}

// COL-5.11, COL-5.12.
std::vector<std::vector<Cell>> Withdrawals(const State& s, PieceNo i) {
  const Stand& stand = s.At(i);
  const Board& board = s.setup->board;
  const Settings& rulings = s.Rulings();
  const Facing back = squares::Opposite(stand.facing);
  const Facing ends_facing = rulings.withdraw_keeps_facing ? stand.facing : back;
  const auto clear = [&](Cell c) {
    for (const Stand& other : s.stands)
      if (OnTable(other) && other.side != stand.side &&
          DistanceBetween(s, c, other.cell) <= rulings.withdraw_clear_gap)
        return false;
    return true;
  };
  const auto may_stand = [&](Cell c) { return HasRoom(s, std::array{i}, c, ends_facing); };
  // Straight back, then either side of it.
  std::vector<Facing> ways = {back};
  for (int turn = 1; turn <= s.Book().withdraw_turns; ++turn) {
    ways.push_back(squares::Turned(back, turn));
    ways.push_back(squares::Turned(back, -turn));
  }
  std::vector<std::vector<Cell>> level = {{}};  // a path to each square reached in so many steps
  std::vector<std::vector<Cell>> stops, edge_stops;
  const auto end_of = [&](const std::vector<Cell>& path) {
    return path.empty() ? stand.cell : path.back();
  };
  for (int k = 0; k <= s.Book().withdraw_most && stops.empty(); ++k) {
    if (k > 0) {
      std::vector<std::vector<Cell>> next_level;
      for (const auto& path : level)
        for (const Facing way : ways) {
          const Cell from = end_of(path);
          const Cell to = board.Step(from, way);
          if (to == kNowhere || BackBarOf(s, stand, from, to) != Bar::kNone) continue;
          if (std::any_of(next_level.begin(), next_level.end(),
                          [&](const auto& known) { return known.back() == to; }))
            continue;
          next_level.push_back(path);
          next_level.back().push_back(to);
        }
      level = std::move(next_level);
    }
    for (const auto& path : level) {
      const Cell at = end_of(path);
      if (k >= rulings.withdraw_least && clear(at) && may_stand(at)) stops.push_back(path);
      const bool at_edge = board.Step(at, back) == kNowhere;
      if (at_edge && may_stand(at) &&
          (edge_stops.empty() || edge_stops.front().size() == path.size()))
        edge_stops.push_back(path);
    }
  }
  if (stops.empty() && !rulings.withdraw_off_table_destroys) stops = std::move(edge_stops);
  // COL-5.11, 4: the least sideways offset, then the stand's right.
  const squares::Offset right = squares::StepOf(squares::Turned(stand.facing, 2));
  const auto sideways = [&](const std::vector<Cell>& path) {
    const squares::Offset d = board.Between(stand.cell, end_of(path));
    return d.dx * right.dx + d.dy * right.dy;
  };
  std::stable_sort(stops.begin(), stops.end(), [&](const auto& a, const auto& b) {
    const int to_right_a = sideways(a);
    const int to_right_b = sideways(b);
    if (std::abs(to_right_a) != std::abs(to_right_b))
      return std::abs(to_right_a) < std::abs(to_right_b);
    return to_right_a > to_right_b;
  });
  return stops;
}

}  // namespace fos::colonial
