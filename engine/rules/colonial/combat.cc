// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/combat.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "engine/game/refuse.h"
#include "engine/rules/colonial/movement.h"
#include "engine/rules/colonial/query.h"
#include "engine/squares/queries.h"
#include "engine/table/counted.h"

namespace fos::colonial {
namespace {

// Adds up the modifiers of both scores.
class Adder {
 public:
  Adder(const State& s, Combat& combat) : s_(s), combat_(combat) {}

  void Add(int who, Mod what, int amount, PieceNo from = kNoPiece) {
    if (amount == 0) return;
    combat_.items.push_back(
        {static_cast<std::int8_t>(who), what, static_cast<std::int16_t>(amount), from});
    auto& bonus = combat_.bonus[static_cast<std::size_t>(who)];
    bonus = static_cast<std::int16_t>(bonus + amount);
  }
  // COL-7.5, COL-8.3: another friendly Command stand, adjacent or in the same square.
  void AddCommand(int who, PieceNo stand, Mod what) {
    ForFriends(stand, [&](PieceNo i, const Stand& other, bool same_square) {
      if (IsCommand(s_, other) && (!same_square || s_.Rulings().command_same_square))
        Add(who, what, other.value, i);
    });
  }
  // COL-8.4: a Command stand has no type, so it neither gives nor gets support.
  void AddSupport(int who, PieceNo stand) {
    const StandType& type = s_.TypeOf(stand);
    if (type.arm == Arm::kCommand) return;
    ForFriends(stand, [&](PieceNo i, const Stand& other, bool same_square) {
      const bool alike = s_.Rulings().exact_type ? other.type == s_.At(stand).type
                                                 : s_.TypeOf(other).arm == type.arm;
      if (!alike) return;
      same_square ? Add(who, Mod::kSupportSame, s_.Book().support_same_square, i)
                  : Add(who, Mod::kSupportAdjacent, s_.Book().support_adjacent, i);
    });
  }

 private:
  template <typename F>
  void ForFriends(PieceNo stand, F f) const {
    const Stand& of = s_.At(stand);
    for (std::size_t n = 0; n < s_.stands.size(); ++n) {
      const auto i = static_cast<PieceNo>(n);
      const Stand& other = s_.stands[n];
      if (i == stand || !OnTable(other) || other.side != of.side) continue;
      const bool same_square = other.cell == of.cell;
      if (same_square || AreAdjacent(s_, of.cell, other.cell)) f(i, other, same_square);
    }
  }
  const State& s_;
  Combat& combat_;
};

// COL-7.4 to COL-7.7.
void AddFire(const State& s, Adder& sum, PieceNo initiator, PieceNo target) {
  const Tables& book = s.Book();
  const Stand& firer = s.At(initiator);
  const Stand& enemy = s.At(target);
  for (int who = 0; who < 2; ++who) {
    const PieceNo own = who == 0 ? initiator : target;
    sum.Add(who, Mod::kFireValue, book.fire_own_value * s.At(own).value, own);
    if (book.fire_command) sum.AddCommand(who, own, Mod::kFireCommand);
  }
  if (IsArtillery(s, firer) && AreAdjacent(s, firer.cell, enemy.cell))
    sum.Add(0, Mod::kArtilleryAdjacent, book.fire_artillery_adjacent);
  if (Covered(s, firer.cell, enemy.cell, s.Rulings().fire_cover))
    sum.Add(0, Mod::kFireCover, book.fire_cover);
}

// COL-8.2 to COL-8.9.
void AddClose(const State& s, Adder& sum, PieceNo initiator, PieceNo target) {
  const Tables& book = s.Book();
  const Stand& attacker = s.At(initiator);
  const Stand& enemy = s.At(target);
  for (int who = 0; who < 2; ++who) {
    const PieceNo own = who == 0 ? initiator : target;
    sum.Add(who, Mod::kCloseValue, book.close_own_value * s.At(own).value, own);
    if (book.close_command) sum.AddCommand(who, own, Mod::kCloseCommand);
    sum.AddSupport(who, own);
  }
  if (!InFrontArc(s, enemy, attacker.cell))  // COL-8.5
    sum.Add(0, Mod::kFlankOrRear, book.flank_or_rear);
  if (s.TypeOf(attacker).arm == Arm::kCavalry && s.TypeOf(enemy).open_to_cavalry &&
      FlatAndOpen(s, attacker.cell, enemy.cell))  // COL-8.6
    sum.Add(0, Mod::kCavalryInOpen, book.cavalry_in_open);
  if (s.setup->At(attacker.cell).level < s.setup->At(enemy.cell).level)  // COL-8.7
    sum.Add(0, Mod::kDownhill, book.downhill);
  if (Covered(s, attacker.cell, enemy.cell, s.Rulings().close_cover))  // COL-8.8
    sum.Add(0, Mod::kCloseCover, book.close_cover);
}

std::string Percent(int part, int total) {
  return fmt::format("{:.1f} %", 100.0 * part / std::max(1, total));
}

// COL-4.2, COL-6.1.
StandBar InitiationBarOf(const State& s, const Stand& stand) {
  if (!OnTable(stand)) return {"COL-9.4", " is not on the table", true};
  if (stand.initiated) return {"COL-4.2", " has already started a combat this turn"};
  if (stand.activated && !stand.open)
    return {"COL-4.2", " has already ended its activation this turn"};
  if (stand.rear)
    return {"COL-6.1", " is the rear stand of a pair: only the front stand can start a combat"};
  if (!s.Rulings().initiation_at_the_moment && stand.activated && stand.was_rear)
    return {"COL-6.1", " was a rear stand when it was activated"};
  return {};
}

}  // namespace

// COL-7.1.
std::optional<Blocked> SightBlocked(const State& s, Cell from, Cell to) {
  const Setup& setup = *s.setup;
  const int most = std::max(setup.At(from).level, setup.At(to).level);
  const auto blocks = [&](Cell c) {
    const Ground& ground = setup.At(c);
    if (ground.level > most) return true;
    if ((ground.wood || ground.built_up) && ground.level + 1 > most) return true;
    return s.Rulings().stands_block_sight && !Empty(s, c) && ground.level >= most;
  };
  for (const Cell c : squares::CellsInTheWay(setup.board, from, to))
    if (blocks(c)) return Blocked{c, kNowhere};
  for (const auto& [one, other] : squares::CornersInTheWay(setup.board, from, to))
    if (blocks(one) && blocks(other)) return Blocked{one, other};
  return std::nullopt;
}

// COL-7.2.
bool InFrontArc(const State& s, const Stand& stand, Cell to) {
  return squares::Within45(stand.facing, s.setup->board.Between(stand.cell, to));
}

// COL-7.7, COL-8.8: the line enters by the edge it crosses; at a corner, by either edge there.
bool Covered(const State& s, Cell from, Cell to, const Cover& cover) {
  const Setup& setup = *s.setup;
  const Ground& ground = setup.At(to);
  if ((cover.wood && ground.wood) || (cover.built_up && ground.built_up)) return true;
  if (!s.Rulings().entrenchment_by_edge && (cover.edges & kEntrenchment) != 0 &&
      (setup.EdgesAround(to) & kEntrenchment) != 0)
    return true;
  const squares::Offset d = setup.board.Between(to, from);
  const SquareIndex at = setup.board.IndexOf(to);
  std::uint8_t edges = 0;
  if (d.dx != 0 && std::abs(d.dx) >= std::abs(d.dy))
    edges |= setup.Edge(to, setup.board.At({at.column + (d.dx > 0 ? 1 : -1), at.row}));
  if (d.dy != 0 && std::abs(d.dy) >= std::abs(d.dx))
    edges |= setup.Edge(to, setup.board.At({at.column, at.row + (d.dy > 0 ? 1 : -1)}));
  return (edges & cover.edges) != 0;
}

// COL-8.6: our definition of "flat, open country".
bool FlatAndOpen(const State& s, Cell a, Cell b) {
  const Setup& setup = *s.setup;
  if (setup.At(a).level != setup.At(b).level || !setup.At(a).Open() || !setup.At(b).Open())
    return false;
  const SquareIndex from = setup.board.IndexOf(a);
  const SquareIndex to = setup.board.IndexOf(b);
  if (from.column == to.column || from.row == to.row) return setup.Edge(a, b) == 0;
  const Cell p = setup.board.At({to.column, from.row});
  const Cell q = setup.board.At({from.column, to.row});
  return (setup.Edge(a, p) | setup.Edge(p, b) | setup.Edge(a, q) | setup.Edge(q, b)) == 0;
}

// COL-6.2, COL-6.3.
std::vector<PieceNo> TargetsIn(const State& s, PieceNo attacker, Cell cell) {
  const auto& [front, rear] = s.In(cell);
  if (front == kNoPiece || s.At(front).side == s.At(attacker).side) return {};
  if (rear == kNoPiece) return {front};
  if (!s.Rulings().pair_target_by_side) return {front, rear};
  const squares::Offset d = s.setup->board.Between(cell, s.At(attacker).cell);
  const squares::Offset f = squares::StepOf(s.At(front).facing);
  const int forward = d.dx * f.dx + d.dy * f.dy;
  if (forward == 0) return {front, rear};
  return {forward > 0 ? front : rear};
}

std::optional<Refusal> InitiationFault(const State& s, PieceNo i) {
  return InWords(s, i, InitiationBarOf(s, s.At(i)));
}
bool MayInitiate(const State& s, PieceNo i) {
  return InitiationBarOf(s, s.At(i)).clause == nullptr;
}

std::optional<Refusal> TargetFault(const State& s, bool close, PieceNo i, PieceNo target) {
  const Stand& stand = s.At(i);
  const Stand& enemy = s.At(target);
  const auto whom = [&] { return StandAndKind(s, target); };
  if (!OnTable(enemy)) return Impossible("COL-9.4", whom() + " is not on the table");
  if (enemy.side == stand.side) return Impossible("COL-6.1", whom() + " is on the same side");
  const std::vector<PieceNo> targets = TargetsIn(s, i, enemy.cell);
  if (std::find(targets.begin(), targets.end(), target) == targets.end())
    return Refuse("COL-6.2",
                  fmt::format("from {} only the {} stand in {} can be engaged, not {}",
                              s.setup->CellName(stand.cell), enemy.rear ? "front" : "rear",
                              s.setup->CellName(enemy.cell), whom()));
  const int distance = DistanceBetween(s, stand.cell, enemy.cell);
  if (close) {
    if (!AreAdjacent(s, stand.cell, enemy.cell))
      return Refuse("COL-8.1", fmt::format("{} is {} away: close combat needs an adjacent square",
                                           whom(), Counted(distance, "square")));
    if (s.Rulings().close_needs_front_arc && !InFrontArc(s, stand, enemy.cell))
      return Refuse("COL-8.1",
                    fmt::format("{} is not in the front arc of {}", whom(), StandAndKind(s, i)));
    return std::nullopt;
  }
  if (!InFrontArc(s, stand, enemy.cell))
    return Refuse(
        "COL-7.2",
        fmt::format("{} in {} is outside the front arc of {}, which faces {}{}", whom(),
                    s.setup->CellName(enemy.cell), StandAndKind(s, i), FacingName(stand.facing),
                    squares::FacingThatWouldDo(stand.facing, [&](Facing facing) {
                      Stand turned = stand;
                      turned.facing = facing;
                      return (s.Rulings().facing_steps == 8 || !squares::IsDiagonal(facing)) &&
                             InFrontArc(s, turned, enemy.cell);
                    })));
  const int range = RangeOf(s, stand);
  if (distance > range)
    return Refuse("COL-7.3", fmt::format("{} is {} away; the range of {} is {} ({})", whom(),
                                         Counted(distance, "square"), StandAndKind(s, i), range,
                                         WeaponWords(s, stand)));
  if (const auto blocked = SightBlocked(s, stand.cell, enemy.cell))
    return Refuse(
        "COL-7.1",
        fmt::format("{} cannot see {}: {} is in the way", StandAndKind(s, i), whom(),
                    blocked->other == kNowhere
                        ? s.setup->CellName(blocked->cell)
                        : fmt::format("the corner of {} and {}", s.setup->CellName(blocked->cell),
                                      s.setup->CellName(blocked->other))));
  return std::nullopt;
}

Combat SumsOf(const State& s, bool close, PieceNo initiator, PieceNo target) {
  Combat combat;
  combat.close = close;
  combat.initiator = initiator;
  combat.target = target;
  Adder sum(s, combat);
  close ? AddClose(s, sum, initiator, target) : AddFire(s, sum, initiator, target);
  return combat;
}

Chances ChancesOf(const Tables& tables, const Settings& settings,
                  std::array<std::int16_t, 2> bonus) {
  const int faces = tables.combat_faces;
  Chances out;
  out.total = faces * faces;
  for (int enemy = 1; enemy <= faces; ++enemy)
    for (int initiator = 1; initiator <= faces; ++initiator)
      switch (OutcomeOf(tables, settings, initiator + bonus[0], enemy + bonus[1])) {
        case Outcome::kIneffective:
          ++out.ineffective;
          break;
        case Outcome::kTie:
          ++out.tie;
          break;
        case Outcome::kWithdraw:
          ++out.withdraw;
          break;
        case Outcome::kDestroyed:
          ++out.destroyed;
          break;
      }
  return out;
}

Forecast ForecastOf(const State& s, bool close, PieceNo initiator, PieceNo target) {
  Forecast out;
  out.sums = SumsOf(s, close, initiator, target);
  out.chances = ChancesOf(s.Book(), s.Rulings(), out.sums.bonus);
  const Chances& c = out.chances;
  // COL-9.2: a tie is decided by new dice, and both stands are equally likely to lose it.
  out.total = 2 * c.total;
  out.nothing = 2 * c.ineffective;
  const int enemy_withdraws = 2 * c.withdraw + c.tie;
  (Withdrawals(s, target).empty() ? out.enemy_lost : out.enemy_back) += enemy_withdraws;
  out.enemy_lost += 2 * c.destroyed;
  (Withdrawals(s, initiator).empty() ? out.initiator_lost : out.initiator_back) += c.tie;
  return out;
}

std::string_view ClauseOfMod(Mod mod) {
  switch (mod) {
    case Mod::kFireValue:
      return "COL-7.4";
    case Mod::kFireCommand:
      return "COL-7.5";
    case Mod::kArtilleryAdjacent:
      return "COL-7.6";
    case Mod::kFireCover:
      return "COL-7.7";
    case Mod::kCloseValue:
      return "COL-8.2";
    case Mod::kCloseCommand:
      return "COL-8.3";
    case Mod::kSupportAdjacent:
    case Mod::kSupportSame:
      return "COL-8.4";
    case Mod::kFlankOrRear:
      return "COL-8.5";
    case Mod::kCavalryInOpen:
      return "COL-8.6";
    case Mod::kDownhill:
      return "COL-8.7";
    case Mod::kCloseCover:
      break;
  }
  return "COL-8.8";
}

std::string DescribeItem(const State& s, const Combat& combat, const Item& item) {
  const std::string from = item.from == kNoPiece ? "" : NameOf(s, item.from);
  const auto cover = [&] {
    const bool wood = s.Rulings().fire_cover.wood && s.setup->At(s.At(combat.target).cell).wood;
    return wood ? "wood" : "cover";
  };
  const auto what = [&]() -> std::string {
    switch (item.what) {
      case Mod::kFireValue:
      case Mod::kCloseValue:
        return "value";
      case Mod::kFireCommand:
      case Mod::kCloseCommand:
        return "General " + from;
      case Mod::kArtilleryAdjacent:
        return "artillery next to its target";
      case Mod::kFireCover:
        return cover();
      case Mod::kSupportAdjacent:
        return "support of " + from;
      case Mod::kSupportSame:
        return fmt::format("support of {} in the same square", from);
      case Mod::kFlankOrRear:
        return "flank or rear";
      case Mod::kCavalryInOpen:
        return "cavalry in the open";
      case Mod::kDownhill:
        return "uphill";
      case Mod::kCloseCover:
        return "wall or entrenchment";
    }
    return "";
  };
  return fmt::format("{:+} {}", item.amount, what());
}

std::string DescribeForecast(const State& s, const Forecast& f) {
  const auto sum = [&](int who) {
    std::string out;
    for (const Item& item : f.sums.items)
      if (item.who == who) out += (out.empty() ? "" : ", ") + DescribeItem(s, f.sums, item);
    return out;
  };
  const PieceNo initiator = f.sums.initiator;
  const PieceNo target = f.sums.target;
  const int distance = DistanceBetween(s, s.At(initiator).cell, s.At(target).cell);
  // I > E: how much the initiator's die must beat the enemy's by.
  const int beat = f.sums.bonus[1] - f.sums.bonus[0];
  std::string out =
      fmt::format("{}, {} away: {} = D12 {:+}; {}: {} = D12 {:+}; ", StandAndKind(s, initiator),
                  distance == 1 ? "1 square" : fmt::format("{} squares", distance), sum(0),
                  f.sums.bonus[0], StandAndKind(s, target), sum(1), f.sums.bonus[1]);
  if (beat >= 0) {
    out += fmt::format("its die must be at least {} higher than the enemy's; ", beat + 1);
  } else {
    out += fmt::format("its die may be at most {} lower than the enemy's; ", -beat - 1);
  }
  out += fmt::format("chance of success {}: drives the enemy back {}, destroys it {}",
                     Percent(f.enemy_back + f.enemy_lost, f.total), Percent(f.enemy_back, f.total),
                     Percent(f.enemy_lost, f.total));
  if (f.initiator_back > 0)
    out += fmt::format("; must withdraw itself {}", Percent(f.initiator_back, f.total));
  if (f.initiator_lost > 0)
    out += fmt::format("; is destroyed itself {}", Percent(f.initiator_lost, f.total));
  return out + ".";
}

}  // namespace fos::colonial
