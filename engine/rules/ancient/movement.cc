// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/movement.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/game/refuse.h"
#include "engine/rules/ancient/query.h"
#include "engine/squares/grid_moves.h"
#include "engine/table/counted.h"

namespace fos::ancient {
namespace {

double Squares(int hundredths) { return hundredths / 100.0; }

// The board as one side's movers see it. `ridden`: squares whose single stand they run down.
struct Ground : squares::GridGround<State> {
  using GridGround::GridGround;
  bool Ridden(Cell c) const { return std::find(ridden.begin(), ridden.end(), c) != ridden.end(); }
  bool Stops(Cell c) const { return Enemy(c) && !Ridden(c); }
  int Extra(Cell c) const { return s.setup->At(c).move_cost; }

  std::vector<Cell> ridden;
};
// The same, with stands that were run down no longer closing gaps.
struct RiddenGround : Ground {
  using Ground::Ground;
  bool Enemy(Cell c) const { return Ground::Enemy(c) && !Ridden(c); }
};

constexpr squares::MoveClauses kMoveClauses{"ANC-T", "ANC-V5", "ANC-V3", "ANC-V1"};

// ANC-V3: a unit that may not separate moves as a whole.
std::optional<Refusal> CheckTogether(const State& s, const Move& a) {
  for (const PieceNo i : a.stands) {
    const Stand& stand = s.StandAt(i);
    if (stand.will == Will::kStays)
      return Refuse("ANC-H6", fmt::format("{} refused to charge and does not move this turn",
                                          UnitAndKind(s, stand.unit)));
    if (stand.moved && MustRetreatAlone(s, stand))
      return Refuse("ANC-M1", fmt::format("{} is down to one stand and may only go home",
                                          UnitAndKind(s, stand.unit)));
    if (stand.moved)
      return Refuse("ANC-V1", fmt::format("{} has already moved this turn", StandAndKind(s, i)));
    if (auto refusal = WhyNotApart(s, a, stand, kMoveClauses)) return refusal;
  }
  return std::nullopt;
}

// ANC-V4, and ANC-M3 for riders who run stands down.
std::optional<Refusal> CheckPath(const State& s, const Move& a, Cell from, MovePlan* plan) {
  RiddenGround ground(s, a.side);
  Cell at = from;
  for (std::size_t n = 0; n < a.path.size(); ++n) {
    const Cell next = a.path[n];
    const bool last = n + 1 == a.path.size();
    if (Impassable(s, next))
      return Refuse("ANC-P6", fmt::format("{} is impassable", CellName(s, next)));
    if (n > 0 && !s.Ruling().pass_through_friends && s.CountIn(a.side, at) > 0)
      return Refuse("ANC-V2", fmt::format("friends in {} are in the way", CellName(s, at)));
    if (squares::ThroughGap(ground, at, next))
      return Refuse("ANC-V4", fmt::format("enemies block the diagonal from {} to {}",
                                          CellName(s, at), CellName(s, next)));
    if (ground.Enemy(next) && (!last || a.run_down)) {
      if (auto refusal = CheckRunDown(s, a.side, a.stands, next)) {
        if (last) return refusal;
        return Refuse("ANC-V4", fmt::format("enemies in {} are in the way: {}", CellName(s, next),
                                            refusal->because));
      }
      ground.ridden.push_back(next);
      if (s.Ruling().run_down_max > 0 &&
          static_cast<int>(ground.ridden.size()) > s.Ruling().run_down_max)
        return Refuse("ANC-M3", fmt::format("a move may run down at most {}",
                                            Counted(s.Ruling().run_down_max, "stand")));
      if (plan) plan->run_down.push_back(LoneStandIn(s, 1 - a.side, next));
    } else if (last && a.run_down) {
      return Impossible("ANC-M3",
                        fmt::format("there is no stand to run down in {}", CellName(s, next)));
    }
    at = next;
  }
  return std::nullopt;
}

std::optional<Refusal> CheckDistance(const State& s, const Move& a, Cell from) {
  const Ground ground(s, a.side);
  const int cost = squares::PathCost(ground, from, a.path);
  const int bonus = squares::OnRoad(ground, from, a.path) ? s.Book().road_bonus : 0;
  const char* by_road = bonus > 0 ? " by road" : "";
  for (const PieceNo i : a.stands) {
    const UnitType& type = s.TypeOf(s.StandAt(i));
    if (cost > type.move + bonus)
      return Refuse(
          "ANC-V1",
          fmt::format("{} may move {}{}; this move takes {:g}{}", UnitAndKind(s, s.StandAt(i).unit),
                      Counted(Squares(type.move + bonus), "square"), by_road, Squares(cost),
                      squares::AsFarAs(s, ground, from, a.path, type.move + bonus)));
  }
  for (const PieceNo i : a.equipment) {
    const Equipment& e = s.EquipmentAt(i);
    if (e.moved)
      return Refuse("ANC-V5",
                    fmt::format("{} has already moved this turn", EquipmentAndKind(s, i)));
    if (cost > s.TypeOf(e).move + bonus)
      return Refuse("ANC-V5",
                    fmt::format("{} may move {}{}; this move takes {:g}", EquipmentAndKind(s, i),
                                Counted(Squares(s.TypeOf(e).move + bonus), "square"), by_road,
                                Squares(cost)));
  }
  return std::nullopt;
}

// Checks for stands that may not enter an enemy's square at all.
std::optional<Refusal> CheckCharge(const State& s, const std::vector<PieceNo>& stands, Cell to) {
  for (const PieceNo i : stands) {
    const Stand& stand = s.StandAt(i);
    const std::string name = UnitAndKind(s, stand.unit);
    if (stand.busy)
      return Refuse("ANC-C1", fmt::format("{} mans a catapult this turn and may not charge",
                                          StandAndKind(s, i)));
    if (MustRetreatAlone(s, stand))
      return Refuse("ANC-M1", fmt::format("{} is down to one stand and may not enter {}", name,
                                          CellName(s, to)));
    if (s.TypeOf(stand).arm == Arm::kElephant && stand.will != Will::kWilling)
      return Refuse("ANC-H6", stand.will == Will::kStays
                                  ? fmt::format("{} refuses to charge this turn", name)
                                  : fmt::format("roll for {} before any unit moves: `charge {}`",
                                                name, UnitName(s, stand.unit)));
  }
  return std::nullopt;
}

// ANC-H1, ANC-H7: may these stands start a melee in the square?
std::optional<Refusal> CheckContact(const State& s, const Move& a, Cell to) {
  if (auto refusal = CheckCharge(s, a.stands, to)) return refusal;
  const PieceNo enemy = FormedUnitIn(s, 1 - a.side, to);
  if (enemy < 0 || !TypeOfUnit(s, enemy).bars_cavalry) return std::nullopt;
  const int strength = static_cast<int>(StandsOf(s, enemy, to).size());
  if (strength < s.Book().bars_cavalry_stands) return std::nullopt;
  for (const PieceNo i : a.stands)
    if (s.TypeOf(s.StandAt(i)).arm == Arm::kCavalry)
      return Refuse("ANC-H7", fmt::format("cavalry may not charge {} stands of {} in {}", strength,
                                          TypeOfUnit(s, enemy).name, CellName(s, to)));
  return std::nullopt;
}

}  // namespace

int CostOf(const State& s, Cell from, const std::vector<Cell>& path) {
  return squares::PathCost(Ground(s, s.attacker), from, path);
}

bool OnRoad(const State& s, Cell from, const std::vector<Cell>& path) {
  return squares::OnRoad(Ground(s, s.attacker), from, path);
}

PieceNo LoneStandIn(const State& s, int side, Cell cell) {
  PieceNo lone = -1;
  if (s.CountIn(side, cell) == 1)
    ForStandsIn(s, side, cell, [&](PieceNo i, const Stand&) { lone = i; });
  return lone;
}

// A unit of cavalry, chariots or elephants; a commander may ride along.
bool MayRunDown(const State& s, const std::vector<PieceNo>& stands) {
  bool mounted = false;
  for (const PieceNo i : stands) {
    const Arm arm = s.TypeOf(s.StandAt(i)).arm;
    mounted = mounted || IsMounted(arm);
    if (!IsMounted(arm) && arm != Arm::kCommander) return false;
  }
  return mounted;
}

std::optional<Refusal> CheckRunDown(const State& s, int side, const std::vector<PieceNo>& stands,
                                    Cell cell) {
  if (!MayRunDown(s, stands)) {
    for (const PieceNo i : stands) {
      const Arm arm = s.TypeOf(s.StandAt(i)).arm;
      if (!IsMounted(arm) && arm != Arm::kCommander)
        return Refuse("ANC-M3", fmt::format("{} cannot run down stands", StandAndKind(s, i)));
    }
    return Refuse("ANC-M3", "only cavalry, chariots and elephants can run down stands");
  }
  const PieceNo lone = LoneStandIn(s, 1 - side, cell);
  if (lone < 0)
    return Refuse("ANC-M3", fmt::format("{} is not held by a single stand", CellName(s, cell)));
  const UnitType& type = s.TypeOf(s.StandAt(lone));
  if (type.arm != Arm::kInfantry && type.family != "foot_crew")
    return Refuse("ANC-M3",
                  fmt::format("{} is neither infantry nor foot crew", StandAndKind(s, lone)));
  if (Protected(s, cell))
    return Refuse("ANC-M3", fmt::format("{} is protected", CellName(s, cell)));
  return CheckCharge(s, stands, cell);
}

std::optional<Refusal> CheckArrival(const State& s, const Move& a, bool strict) {
  const Cell to = a.path.back();
  if (s.CountIn(1 - a.side, to) > 0 && !a.run_down)
    if (auto refusal = CheckContact(s, a, to)) return refusal;
  const std::string fault = StackingFault(s, a.side, to, {a.stands, a.equipment}, !strict);
  if (!fault.empty()) return Refuse("ANC-V2", fault);
  return std::nullopt;
}

std::optional<Refusal> CheckMove(const State& s, const Move& a, MovePlan* plan) {
  if (auto refusal = WhyNotNow(s, a.side, kMoveClauses)) return refusal;
  const auto nothing_else = [](const Stand&) { return std::optional<Refusal>(); };
  if (auto refusal = WhyNoMove(s, a, kMoveClauses, nothing_else)) return refusal;
  const Cell from = s.StandAt(a.stands.front()).cell;
  if (auto refusal = CheckTogether(s, a)) return refusal;
  if (auto refusal = CheckPath(s, a, from, plan)) return refusal;
  if (auto refusal = CheckDistance(s, a, from)) return refusal;
  if (a.facing)
    for (const PieceNo i : a.stands)
      if (!MayFace(s, s.TypeOf(s.StandAt(i)), *a.facing))
        return Refuse("ANC-V6", fmt::format("{} may face a side of its square only, not {}",
                                            StandAndKind(s, i), FacingName(*a.facing)));
  return CheckArrival(s, a, /*strict=*/false);
}

std::vector<std::vector<Cell>> Reach(const State& s, const std::vector<PieceNo>& stands,
                                     const std::vector<PieceNo>& equipment, bool riding) {
  if (stands.empty()) return {};
  const Stand& first = s.StandAt(stands.front());
  Ground ground(s, first.side);
  if (riding)
    for (Cell cell = 0; cell < s.setup->board.Cells(); ++cell)
      if (ground.Enemy(cell) && !CheckRunDown(s, first.side, stands, cell))
        ground.ridden.push_back(cell);
  if (riding && ground.ridden.empty()) return {};
  return squares::Reach(ground, first.cell, AllowanceOf(s, stands, equipment));
}

std::vector<Cell> WayTo(const State& s, const std::vector<PieceNo>& stands,
                        const std::vector<PieceNo>& equipment, Cell to) {
  for (const bool riding : {false, true})
    for (std::vector<Cell>& path : Reach(s, stands, equipment, riding))
      if (path.back() == to) return std::move(path);
  return squares::StraightWay(s.setup->board, s.StandAt(stands.front()).cell, to);
}

namespace {

bool TurnsArePlayed(const State& s) { return s.step >= Step::kCatapults && s.step <= Step::kEnd; }

}  // namespace

std::optional<Refusal> CheckTurn(const State& s, const TurnUnit& a) {
  const std::vector<PieceNo> stands = StandsOf(s, a.unit, a.cell);
  if (stands.empty() || UnitOf(s, a.unit).side != a.side)
    return Impossible("ANC-V6", fmt::format("{} has no stand of {} in {}", SideName(s, a.side),
                                            UnitAndKind(s, a.unit), CellName(s, a.cell)));
  if (!TurnsArePlayed(s)) return Impossible("ANC-T", "no turn is being played");
  if (!MayFace(s, TypeOfUnit(s, a.unit), a.facing))
    return Refuse("ANC-V6", fmt::format("{} may face a side of its square only, not {}",
                                        UnitAndKind(s, a.unit), FacingName(a.facing)));
  if (a.side == s.attacker && s.step == Step::kMovement) return std::nullopt;
  for (const PieceNo i : stands) {
    const int melee = s.StandAt(i).melee;
    if (melee >= 0 && s.melees[static_cast<std::size_t>(melee)].stage == MeleeStage::kDone)
      return std::nullopt;  // ANC-P8
  }
  return Refuse(
      "ANC-V6",
      fmt::format(
          "{} may turn in its own move, to support and after a melee, but not in the {} step",
          UnitAndKind(s, a.unit), StepName(s.step)));
}

std::optional<Refusal> CheckTurn(const State& s, const TurnEquipment& a) {
  const Equipment& e = s.EquipmentAt(a.equipment);
  const std::string name = EquipmentAndKind(s, a.equipment);
  if (!OnBoard(e) || e.owner != a.side)
    return Impossible("ANC-V6", fmt::format("{} does not belong to {}", name, SideName(s, a.side)));
  if (!TurnsArePlayed(s)) return Impossible("ANC-T", "no turn is being played");
  if (a.side == s.attacker && s.step == Step::kMovement) return std::nullopt;
  return Refuse("ANC-V6", fmt::format("{} may turn only in its owner's move", name));
}

// ANC-H6: before any movement of the step.
std::optional<Refusal> CheckRouse(const State& s, const Rouse& a) {
  if (auto refusal = WhyNotNow(s, a.side, kMoveClauses)) return refusal;
  const std::vector<PieceNo> stands = StandsOf(s, a.unit);
  const std::string name = UnitAndKind(s, a.unit);
  if (stands.empty() || UnitOf(s, a.unit).side != a.side)
    return Impossible("ANC-H6",
                      fmt::format("{} has no {} on the board", SideName(s, a.side), name));
  if (TypeOfUnit(s, a.unit).arm != Arm::kElephant)
    return Impossible("ANC-H6", fmt::format("{} is not an elephant and needs no die", name));
  if (s.StandAt(stands.front()).will != Will::kNotAsked)
    return Impossible("ANC-H6", fmt::format("{} has already had its die this turn", name));
  if (s.moving) return Refuse("ANC-H6", "elephants roll before any unit moves in this step");
  return std::nullopt;
}

}  // namespace fos::ancient
