// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/musketry.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/game/refuse.h"
#include "engine/rules/napoleonic/artillery.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/rules/sweet/forecast.h"
#include "engine/table/counted.h"

namespace fos::napoleonic {
namespace {

// NAP-4B: is the target in the arc of a stand of this type?
bool InArc(const State& s, const UnitType& type, Facing facing, squares::Offset to) {
  switch (type.arc) {
    case Arc::kNone:
      return false;
    case Arc::kAhead:
      return squares::StraightAhead(facing, to);
    case Arc::kCone45:
      return s.Ruling().cone_arcs ? squares::Within45(facing, to) : squares::OnRays45(facing, to);
  }
  return false;
}

// NAP-4B: the square that screens the target; kNowhere for none.
Cell ScreenedBy(const State& s, Cell from, Cell target) {
  for (const Cell cell : squares::CellsInTheWay(s.setup->board, from, target))
    if (s.CountIn(0, cell) > 0 || s.CountIn(1, cell) > 0 ||
        s.burning[static_cast<std::size_t>(cell)])
      return cell;
  return kNowhere;
}

}  // namespace

std::optional<Refusal> CheckStandFire(const State& s, const Stand& stand, Cell target,
                                      bool any_facing) {
  const UnitType& type = s.TypeOf(stand);
  if (stand.cell == target) return Impossible("NAP-4B", "a unit does not fire into its own square");
  const squares::Offset to = s.setup->board.Between(stand.cell, target);
  const int distance = DistanceBetween(s, stand.cell, target);
  if (distance > type.range)
    return Refuse("NAP-4B",
                  fmt::format("{} is {} away; the range of {} is {:g}", CellName(s, target),
                              Counted(distance / 100.0, "square"), type.name, type.range / 100.0));
  if (!any_facing && !InArc(s, type, stand.facing, to))
    return Refuse("NAP-4B",
                  fmt::format("{} is not {} of {} from {}{}", CellName(s, target),
                              type.arc == Arc::kAhead ? "straight ahead" : "within 45 degrees",
                              FacingName(stand.facing), CellName(s, stand.cell),
                              squares::FacingThatWouldDo(stand.facing, [&](Facing facing) {
                                return InArc(s, type, facing, to);
                              })));
  if (const Cell screen = ScreenedBy(s, stand.cell, target); screen != kNowhere)
    return Refuse(s.burning[static_cast<std::size_t>(screen)] ? "NAP-6D" : "NAP-4B",
                  fmt::format("{} screens {}", CellName(s, screen), CellName(s, target)));
  return std::nullopt;
}

namespace {

// NAP-8B: the stands of a unit in Square that may fire there, from their own squares and facings.
// Of several squares the nearest fire first; stands at the distance of another table column
// (NAP-4D) fire in a separate volley.
std::optional<Refusal> SquareFire(const State& s, const CallVolley& a, std::vector<PieceNo>& out) {
  std::optional<Refusal> nearest_miss =
      Refuse("NAP-8B", "every stand of the Square has already fired");
  // Of the stands that may not fire the one that lacks only the facing, then the nearest.
  std::optional<std::pair<bool, int>> least;
  for (const PieceNo i : StandsOf(s, a.unit)) {
    const Stand& stand = s.StandAt(i);
    if (stand.fired) continue;
    auto refusal = CheckStandFire(s, stand, a.target, !s.Ruling().square_facing_stands);
    if (!refusal) {
      out.push_back(i);
      continue;
    }
    const std::pair lacks{CheckStandFire(s, stand, a.target, true).has_value(),
                          DistanceBetween(s, stand.cell, a.target)};
    if (least && *least <= lacks) continue;
    least = lacks;
    refusal->because = fmt::format("{} comes nearest: {}", StandAndKind(s, i), refusal->because);
    nearest_miss = std::move(refusal);
  }
  if (out.empty()) return nearest_miss;
  const auto column = [&](PieceNo i) {
    return s.Book().ColumnAt(DistanceBetween(s, s.StandAt(i).cell, a.target));
  };
  FireColumn nearest = column(out.front());
  for (const PieceNo i : out) nearest = std::min(nearest, column(i));
  std::erase_if(out, [&](PieceNo i) { return column(i) != nearest; });
  return std::nullopt;
}

// NAP-4C. Each bonus goes to a unit once a turn (a Square fires in several directions).
std::uint8_t BonusesFor(const State& s, const CallVolley& a, const std::vector<PieceNo>& stands) {
  std::uint8_t bonuses = 0;
  if (TypeOfUnit(s, a.unit).guards) bonuses |= kGuardsBonus;
  for (const PieceNo i : stands)
    ForStandsIn(s, a.side, s.StandAt(i).cell, [&](PieceNo, const Stand& other) {
      if (s.TypeOf(other).arm == Arm::kCommander) bonuses |= kCommanderBonus;
    });
  for (const Volley& earlier : s.volleys) {
    if (earlier.side != a.side) continue;
    const bool other_unit = earlier.unit != a.unit || s.Ruling().detachment_bonus;
    if (earlier.target == a.target && other_unit) bonuses |= kLaterUnitBonus;
  }
  const bool in_square = s.StandAt(stands.front()).formation >= 0;
  bool counted = false;
  if (in_square)
    for (const Volley& earlier : s.volleys) {
      if (earlier.unit != a.unit) continue;
      bonuses = static_cast<std::uint8_t>(bonuses & ~earlier.bonuses);
      counted = counted || earlier.target == a.target;
    }
  if (counted) bonuses |= kProtectionCounted;  // NAP-6A: a die for the unit
  return bonuses;
}

}  // namespace

std::vector<SumItem> VolleyDice(const State& s, PieceNo unit, std::uint8_t bonuses, int stands,
                                Cell target) {
  const auto& book = s.Book().musketry;
  std::vector<SumItem> out;
  const auto add = [&](const std::string& why, int dice, const char* clause) {
    sweet::AddDice(out, why, dice, clause);
  };
  add(Counted(stands, "stand") + " of " + UnitAndKind(s, unit), book.per_stand * stands, "NAP-4C");
  if (bonuses & kGuardsBonus) add("guards", book.guards, "NAP-4C");
  if (bonuses & kCommanderBonus) add("commander with the unit", book.commander, "NAP-4C");
  if (bonuses & kLaterUnitBonus)
    add("another unit fires at the same square", book.later_unit, "NAP-4C");
  if (Protected(s, target) && !(bonuses & kProtectionCounted))
    add("protected square", book.protection, "NAP-6A");
  add("terrain of " + CellName(s, target), ExtraDiceAt(s, target), "NAP-6B");
  return out;
}

std::optional<Refusal> CheckVolley(const State& s, const CallVolley& a, VolleyPlan* plan) {
  if (s.step != Step::kMusketry)
    return Impossible(
        "NAP-2A",
        fmt::format("muskets fire in the musketry step; this is the {} step", StepName(s.step)));
  if (s.done[static_cast<std::size_t>(a.side)])
    return Impossible("NAP-2A", fmt::format("{} has ended its musketry step", SideName(s, a.side)));
  const UnitType& type = TypeOfUnit(s, a.unit);
  if (type.arc == Arc::kNone || type.range == 0)
    return Impossible("NAP-4B", fmt::format("{} does not fire muskets", type.name));
  std::vector<PieceNo> stands = StandsOf(s, a.unit, a.from);
  if (stands.empty() || a.target == kNowhere)
    return Impossible("NAP-4B", fmt::format("{} has no stand in {}", UnitAndKind(s, a.unit),
                                            CellName(s, a.from)));
  // If the players overrule this refusal, the volley is thrown as usual.
  std::optional<Refusal> doubtful;
  if (s.StandAt(stands.front()).formation >= 0) {
    std::vector<PieceNo> firing;
    doubtful = SquareFire(s, a, firing);
    if (!doubtful) stands = std::move(firing);
    std::erase_if(stands, [&](PieceNo i) { return s.StandAt(i).fired; });
    if (stands.empty()) return sweet::NotWaived(doubtful);
  } else {
    if (s.StandAt(stands.front()).fired)
      return Impossible(
          "NAP-4B",
          fmt::format("{} in {} has already fired; a unit fires at one target square a turn",
                      UnitAndKind(s, a.unit), CellName(s, a.from)));
    doubtful = CheckStandFire(s, s.StandAt(stands.front()), a.target, false);
  }
  if (doubtful && !plan) return doubtful;
  if (s.CountIn(1 - a.side, a.target) == 0)
    return doubtful ? sweet::NotWaived(doubtful)
                    : Impossible("NAP-4B", fmt::format("there is no enemy stand in {}",
                                                       CellName(s, a.target)));

  const std::uint8_t bonuses = BonusesFor(s, a, stands);
  const int dice =
      sweet::DiceOf(VolleyDice(s, a.unit, bonuses, static_cast<int>(stands.size()), a.target));
  if (dice <= 0)
    return doubtful ? sweet::NotWaived(doubtful)
                    : Impossible("NAP-4C",
                                 fmt::format("{} has no dice left against the protected square {}",
                                             UnitAndKind(s, a.unit), CellName(s, a.target)));
  if (plan) {
    const Cell nearest = s.StandAt(stands.front()).cell;
    plan->volley = {static_cast<std::int8_t>(a.side),
                    a.unit,
                    nearest,
                    a.target,
                    bonuses,
                    static_cast<std::int8_t>(std::min(dice, 100)),
                    s.Book().ColumnAt(DistanceBetween(s, nearest, a.target)),
                    {},
                    false,
                    {}};
    plan->stands = std::move(stands);
  }
  return doubtful;
}

namespace {

// NAP-8C: would the Square still face all sides without this stand and those already chosen?
bool SpareInSquare(const State& s, PieceNo i, const std::vector<PieceNo>& chosen) {
  const Stand& stand = s.StandAt(i);
  if (stand.formation < 0) return false;
  int others = 0;
  for (std::size_t n = 0; n < s.stands.size(); ++n) {
    const Stand& other = s.stands[n];
    others += static_cast<PieceNo>(n) != i && OnBoard(other) &&
              other.formation == stand.formation && other.cell == stand.cell &&
              other.facing == stand.facing &&
              std::find(chosen.begin(), chosen.end(), static_cast<PieceNo>(n)) == chosen.end();
  }
  return others >= s.Book().square_stands_per_side;
}

}  // namespace

std::vector<PieceNo> StandsFor(const State& s, const FireProblem& problem,
                               const squares::Distribution& losses) {
  // The owner chooses among stands of one type: prefer those that leave the Square whole.
  return sweet::StandsFor(s, problem, losses, [&](PieceNo i, const auto& chosen) {
    return SpareInSquare(s, i, chosen);
  });
}

std::vector<Cell> CanisterSquares(const State& s) {
  std::vector<Cell> cells;
  for (const PieceNo i : CanisterTargets(s, *s.shot))
    if (s.TypeOf(s.StandAt(i)).may_separate &&
        std::find(cells.begin(), cells.end(), s.StandAt(i).cell) == cells.end())
      cells.push_back(s.StandAt(i).cell);
  return s.shot->victim >= 0 && cells.size() > 1 ? cells : std::vector<Cell>{kNowhere};
}

FireProblem CanisterProblem(const State& s, Cell only) {
  const Shot& shot = *s.shot;
  const FireColumn column = s.Book().ColumnAt(DistanceBetween(s, shot.from, shot.target));
  std::vector<PieceNo> stands = CanisterTargets(s, shot);
  if (only != kNowhere) std::erase_if(stands, [&](PieceNo i) { return s.StandAt(i).cell != only; });
  FireProblem problem = sweet::MakeFireProblem(s, shot.rolled, column, stands);
  if (!s.Ruling().pool_dice) return problem;
  for (const CanisterDice& left : s.canister_dice)
    if (left.side == shot.side && left.target == shot.target && left.column == column)
      for (std::size_t face = 0; face < left.unused.size(); ++face)
        problem.dice[face] += left.unused[face];
  return problem;
}

}  // namespace fos::napoleonic
