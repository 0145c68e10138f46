// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "engine/game/refuse.h"
#include "engine/rules/napoleonic/action.h"
#include "engine/rules/napoleonic/artillery.h"
#include "engine/rules/napoleonic/cite.h"
#include "engine/rules/napoleonic/melee.h"
#include "engine/rules/napoleonic/movement.h"
#include "engine/rules/napoleonic/musketry.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/rules/napoleonic/retreat.h"
#include "engine/rules/sweet/referee.h"

// The turn order (NAP-2A): applies one declaration, then advances until the players must act.
namespace fos::napoleonic {
namespace {

using sweet::MaybeRefusal;

struct Words {
  using State = napoleonic::State;
  using Event = napoleonic::Event;
  using LossCause = napoleonic::LossCause;
  using MeleeDecided = napoleonic::MeleeDecided;
  using VolleyPlan = napoleonic::VolleyPlan;
  static constexpr std::string_view kTurnClause = "NAP-2A";
  static constexpr std::string_view kEndClause = "NAP-12";
  static constexpr std::string_view kGunClause = "NAP-GUN";
  static constexpr std::string_view kBackClause = "NAP-5G";
  static constexpr std::string_view kVolleyClause = "NAP-4E";
  static constexpr LossCause kVolleyLoss = LossCause::kMusketry;
  static constexpr EndReason kGivenUp = EndReason::kSurrender;
};

class Referee : public sweet::CommonReferee<Referee, Words> {
 public:
  using CommonReferee::CommonReferee;
  void Continue();

 private:
  friend CommonReferee;
  using CommonReferee::On;

  void OnDice(const Ask& ask, const std::vector<std::int8_t>& dice);
  MaybeRefusal On(const Land& a);
  MaybeRefusal On(const ChooseStands& a);
  MaybeRefusal On(const Regroup& a);
  MaybeRefusal On(const Limber& a);
  MaybeRefusal On(const Pool& a);
  MaybeRefusal On(const CallShot& a);
  MaybeRefusal On(const HoldCanister& a);
  MaybeRefusal On(const FireHeld& a);
  MaybeRefusal On(const Move& a);
  MaybeRefusal On(const FormSquare& a);
  MaybeRefusal On(const BreakSquare& a);
  MaybeRefusal On(const Support& a);
  MaybeRefusal On(const DestroyEquipment& a);
  MaybeRefusal On(const EndStep& a);

  void PlaceUnit(PieceNo unit, Cell cell, Facing facing);
  bool MoreAtTheSameTime() const;
  // NAP-2A: until the attacker's supports are declared.
  bool OrdersOpen() const {
    return s_.step == Step::kMelee && !s_.supports_done[static_cast<std::size_t>(s_.attacker)];
  }
  bool BreakIncompleteSquares();
  void AskRegroup();
  void CarryOut(const Retreat& retreat, const squares::RetreatPath& path);
  void NoWayBack(const Retreat& retreat);
  void AdvanceShot();
  void FinishShot(const ShotVerdict& verdict, PieceNo chosen);
  void AdvanceFire();
  void BurnSquare(Cell cell, bool burnt_up);
  void JudgeCanister();
  void FinishCanister(const FireProblem& problem, const squares::Distribution& losses,
                      const std::vector<PieceNo>& stands);
  bool AdvanceStep();
  void GiveEquipment(MeleeDecided& decided, const MeleeOutcome& outcome, const BySide& before);
  bool OrderRetreats(int melee);
  // NAP-5H: it won, but only its supporters are left and the square is empty.
  bool KeepsEquipment(int melee, int owner) const {
    return StrengthOf(s_, melee, owner) > 0 &&
           s_.melees[static_cast<std::size_t>(melee)].retreat[static_cast<std::size_t>(owner)] == 0;
  }
};

void Referee::OnDice(const Ask& ask, const std::vector<std::int8_t>& dice) {
  if (ask.kind == PendingInput::kFirstAttackerDice) RollForFirst(dice, Step::kArtillery);
}

// NAP-GUN: a shot is measured on the table; the engine never simulates one.
MaybeRefusal Referee::On(const Land& a) {
  if (s_.ask.kind != PendingInput::kFallOfShot) return NotAsked("the fall of a shot");
  const auto in_range = [](const Near& near, std::size_t count) {
    return near.piece >= 0 && static_cast<std::size_t>(near.piece) < count && near.milli_in >= 0;
  };
  for (const Near& near : a.facts.stands)
    if (!in_range(near, s_.stands.size()))
      return Impossible("NAP-3F", "the shot names a stand that is not on the board");
  for (const Near& near : a.facts.equipment)
    if (!in_range(near, s_.equipment.size()))
      return Impossible("NAP-3F", "the shot names equipment that is not on the board");
  for (const NearModel& model : a.facts.models)
    if (model.cell < 0 || model.cell >= s_.setup->board.Cells())
      return Impossible("NAP-6D", "the shot names a model off the board");
  Emit(ShotLanded{a.facts});
  for (const CloseCall& close : JudgeShot(s_, *s_.shot).close_calls) Emit(close);
  Emit(ShotStageReached{ShotStage::kStands});
  return std::nullopt;
}

MaybeRefusal Referee::On(const ChooseStands& a) {
  switch (s_.ask.kind) {
    case PendingInput::kShotStand: {
      const ShotVerdict verdict = JudgeShot(s_, *s_.shot);
      if (a.stands.size() != 1 || std::find(verdict.eligible.begin(), verdict.eligible.end(),
                                            a.stands.front()) == verdict.eligible.end())
        return Impossible("NAP-3F", "choose exactly one of the stands within the circle");
      FinishShot(verdict, a.stands.front());
      return std::nullopt;
    }
    case PendingInput::kCanisterStands: {
      const bool detachments = CanisterSquares(s_).size() > 1 && !a.stands.empty();
      const FireProblem problem =
          CanisterProblem(s_, detachments ? s_.StandAt(a.stands.front()).cell : kNowhere);
      const auto losses = DistributionOf(s_, problem, a.stands);
      if (!losses) return Impossible("NAP-4E", "the dice do not allow exactly these losses");
      FinishCanister(problem, *losses, a.stands);
      return std::nullopt;
    }
    case PendingInput::kVolleyStands:
      return ChooseVolleyLosses(a.stands);
    default:
      return NotAsked("a choice of stands");
  }
}

MaybeRefusal Referee::On(const Regroup& a) {
  if (s_.ask.kind != PendingInput::kRegroup) return NotAsked("a unit of a broken Square");
  if (auto refusal = CheckRegroup(s_, a)) return refusal;
  PlaceUnit(a.unit, a.cell, a.facing);
  Emit(Regrouped{a.unit});
  return std::nullopt;
}

void Referee::PlaceUnit(PieceNo unit, Cell cell, Facing facing) {
  for (const PieceNo i : StandsOf(s_, unit)) Emit(StandPlaced{i, cell, facing});
}

MaybeRefusal Referee::On(const Limber& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = Settle(CheckLimber(s_, a))) return refusal;
  Emit(Limbered{a.equipment, a.limbered});
  return std::nullopt;
}

MaybeRefusal Referee::On(const Pool& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = CheckPool(s_, a)) return refusal;
  Emit(Pooled{a.equipment, static_cast<std::int8_t>(a.battery)});
  return std::nullopt;
}

MaybeRefusal Referee::On(const CallShot& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = Settle(CheckShot(s_, a))) return refusal;
  const Equipment& gun = s_.EquipmentAt(a.gun);
  Shot shot;
  shot.side = static_cast<std::int8_t>(a.side);
  shot.gun = a.gun;
  shot.kind = a.kind;
  shot.canister = a.canister;
  shot.from = gun.cell;
  shot.facing = gun.facing;
  shot.target = a.target;
  if (a.canister)
    shot.dice = static_cast<std::int8_t>(CanisterDiceAt(s_, a.side, a.kind, a.target));
  Emit(ShotCalled{shot, false});
  return std::nullopt;
}

MaybeRefusal Referee::On(const HoldCanister& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = Settle(CheckHold(s_, a))) return refusal;
  Emit(CanisterHeld{{static_cast<std::int8_t>(a.side), a.gun, a.kind}});
  return std::nullopt;
}

MaybeRefusal Referee::On(const FireHeld& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = Settle(CheckHeldShot(s_, a))) return refusal;
  const Equipment& gun = s_.EquipmentAt(a.gun);
  const auto held =
      std::find_if(s_.held.begin(), s_.held.end(), [&](const Held& h) { return h.gun == a.gun; });
  Shot shot;
  shot.side = static_cast<std::int8_t>(a.side);
  shot.gun = a.gun;
  shot.kind = held->kind;
  shot.canister = true;
  shot.from = gun.cell;
  shot.facing = gun.facing;
  shot.target = a.target;
  shot.victim = a.unit;
  shot.dice = static_cast<std::int8_t>(CanisterDiceAt(s_, a.side, shot.kind, a.target));
  Emit(ShotCalled{shot, true});
  return std::nullopt;
}

MaybeRefusal Referee::On(const Move& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = Settle(CheckMove(s_, a))) return refusal;
  MakeMove(a);  // NAP-5A: entering a square takes its unguarded equipment
  return std::nullopt;
}

MaybeRefusal Referee::On(const FormSquare& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = Settle(CheckFormSquare(s_, a))) return refusal;
  std::vector<PieceNo> stands;
  for (const Placement& p : a.placements) {
    stands.push_back(p.stand);
    Emit(StandPlaced{p.stand, p.cell, p.facing});
  }
  Emit(SquareFormed{{static_cast<std::int8_t>(a.side), a.corner,
                     static_cast<std::int8_t>(a.columns), true, false},
                    stands});
  for (const Placement& p : a.placements) TakeUnguarded(a.side, p.cell);
  return std::nullopt;
}

MaybeRefusal Referee::On(const BreakSquare& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = Settle(CheckBreakSquare(s_, a))) return refusal;
  const int formation = s_.StandAt(StandsOf(s_, a.unit).front()).formation;
  std::vector<PieceNo> units;
  for (const Stand& stand : s_.stands)
    if (stand.formation == formation && OnBoard(stand) &&
        std::find(units.begin(), units.end(), stand.unit) == units.end())
      units.push_back(stand.unit);
  Emit(SquareBroken{static_cast<std::int16_t>(formation), true});
  for (const Regroup& place : a.places)
    if (std::find(units.begin(), units.end(), place.unit) != units.end())
      PlaceUnit(place.unit, place.cell, place.facing);
  return std::nullopt;
}

MaybeRefusal Referee::On(const Support& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = Settle(CheckSupport(s_, a))) return refusal;
  const std::vector<PieceNo> stands = StandsOf(s_, a.unit, a.from);
  const std::optional<Facing> wheel = WheelOf(s_, a);
  Emit(Supported{static_cast<std::int16_t>(MeleeAt(s_, a.contact)), stands});
  if (wheel) Emit(Turned{stands, *wheel});
  return std::nullopt;
}

// NAP-11.
MaybeRefusal Referee::On(const DestroyEquipment& a) {
  if (auto refusal = Ready()) return refusal;
  const Equipment& e = s_.EquipmentAt(a.equipment);
  if (s_.step != Step::kEnd || s_.done[static_cast<std::size_t>(a.side)])
    return Impossible("NAP-11", "a side may destroy its own equipment only at the end of a turn");
  if (!OnBoard(e) || e.owner != a.side)
    return Impossible("NAP-11",
                      fmt::format("{} does not belong to {}", EquipmentAndKind(s_, a.equipment),
                                  SideName(s_, a.side)));
  Emit(EquipmentLost{a.equipment, LossCause::kSpiked});
  return std::nullopt;
}

MaybeRefusal Referee::On(const EndStep& a) {
  if (auto refusal = Ready()) return refusal;
  const auto side = static_cast<std::size_t>(a.side);
  const bool attackers = a.side == s_.attacker;
  if (s_.step == Step::kMelee) {
    if (s_.supports_done[side])
      return Impossible("NAP-5A",
                        fmt::format("{} has already ended its supports", SideName(s_, a.side)));
    if (!attackers && !s_.supports_done[static_cast<std::size_t>(s_.attacker)])
      return Impossible("NAP-5A", "the attacker declares his supports first");
    Emit(SupportsDeclared{static_cast<std::int8_t>(a.side)});
    return std::nullopt;
  }
  const bool not_his =
      (s_.step == Step::kMovement && !attackers) || (s_.step == Step::kHeldCanister && attackers);
  if (not_his || s_.done[side]) return NotWaitingFor(a.side);
  if (s_.step == Step::kMovement)
    if (auto refusal = CheckSquares(a.side, "NAP-2C")) return refusal;
  Emit(SaidDone{static_cast<std::int8_t>(a.side)});
  return std::nullopt;
}

// ---- advancing the game ------------------------------------------------------------------------

void Referee::Continue() {
  while (s_.step != Step::kOver && s_.step != Step::kFirstAttacker && !s_.Waiting()) {
    if (EndIfDestroyed() || BreakIncompleteSquares()) continue;
    if (UnitToGather(s_)) {
      AskRegroup();
    } else if (!s_.retreats.empty()) {
      AdvanceRetreat();
    } else if (s_.shot) {
      AdvanceShot();
    } else if (!AdvanceStep()) {
      return;
    }
  }
}

// NAP-3A, NAP-2A: guns destroyed in the step still fire, and melees are simultaneous.
bool Referee::MoreAtTheSameTime() const {
  if (s_.shot || MeleesOpen()) return true;
  if (s_.step != Step::kArtillery) return false;
  State ready = s_;  // the attacker may still unlimber (NAP-2G)
  for (Equipment& e : ready.equipment)
    if (e.owner == s_.attacker) e.limbered = false;
  constexpr std::array kKinds = {ShotKind::kField, ShotKind::kHowitzer, ShotKind::kHorse};
  return std::any_of(s_.gun_rights.begin(), s_.gun_rights.end(), [&](const GunRight& right) {
    const int side = s_.battery_rights[static_cast<std::size_t>(right.battery_right)].side;
    return !s_.done[static_cast<std::size_t>(side)] &&
           std::any_of(kKinds.begin(), kKinds.end(), [&](ShotKind kind) {
             return !CheckGun(ready, side, right.gun, kind).has_value();
           });
  });
}

// NAP-8C: after every loss; those of all melees are taken together (NAP-2A).
bool Referee::BreakIncompleteSquares() {
  if (s_.step == Step::kMelee &&
      std::any_of(s_.melees.begin(), s_.melees.end(),
                  [](const Melee& m) { return m.stage == MeleeStage::kCards; }))
    return false;
  for (std::size_t i = 0; i < s_.formations.size(); ++i) {
    if (!s_.formations[i].formed || SquareComplete(s_, static_cast<int>(i))) continue;
    Emit(SquareBroken{static_cast<std::int16_t>(i), false});
    return true;
  }
  return false;
}

void Referee::AskRegroup() {
  const PieceNo unit = *UnitToGather(s_);
  bool possible = false;
  for (Cell cell = 0; cell < s_.setup->board.Cells() && !possible; ++cell)
    possible =
        !StandsOf(s_, unit).empty() && !CheckRegroup(s_, {unit, cell, Facing::kNorth}).has_value();
  if (possible) {
    AskFor(PendingInput::kRegroup, UnitOf(s_, unit).side, 0, unit);
    return;
  }
  // Others hold every square of the block, so treat it like an impossible retreat.
  for (const PieceNo i : StandsOf(s_, unit)) Emit(StandLost{i, LossCause::kNoWayBack});
  Emit(Regrouped{unit});
}

void Referee::CarryOut(const Retreat& retreat, const squares::RetreatPath& path) {
  if (retreat.reason == RetreatReason::kOneStand)
    for (const PieceNo i : RetreatingEquipment(s_, retreat))
      if (!s_.EquipmentAt(i).limbered) Emit(Limbered{i, true});
  FallBack(retreat, path);
}

// NAP-5G, 6D, 9: a unit that cannot retreat is destroyed.
void Referee::NoWayBack(const Retreat& retreat) {
  const std::vector<PieceNo> stands = RetreatingStands(s_, retreat);
  if (retreat.reason == RetreatReason::kOneStand && !s_.Ruling().cut_off_destroyed) {
    // It stays and has used its move.
    for (const PieceNo i : stands) Emit(StandPlaced{i, s_.StandAt(i).cell, s_.StandAt(i).facing});
    Emit(RetreatOver{});
    return;
  }
  const std::vector<PieceNo> equipment = RetreatingEquipment(s_, retreat);
  for (const PieceNo i : stands) Emit(StandLost{i, LossCause::kNoWayBack});
  if (retreat.reason == RetreatReason::kBurning && s_.Ruling().burning_unmanned_lost)
    for (const PieceNo i : equipment) Emit(EquipmentLost{i, LossCause::kBurntUnmanned});
  Emit(RetreatOver{});
}

// ---- artillery --------------------------------------------------------------------------------

void Referee::AdvanceShot() {
  const Shot& shot = *s_.shot;
  switch (shot.stage) {
    case ShotStage::kFlying:
      if (!shot.canister) {
        AskFor(PendingInput::kFallOfShot, shot.side, 0, shot.gun);
      } else if (shot.dice == 0) {
        Emit(ShotStageReached{ShotStage::kOver});
      } else if (shot.rolled.empty()) {
        AskFor(PendingInput::kCanisterDice, shot.side, shot.dice, shot.gun);
      } else {
        JudgeCanister();
      }
      break;
    case ShotStage::kStands: {
      const ShotVerdict verdict = JudgeShot(s_, shot);
      if (verdict.eligible.size() > 1) {
        AskFor(PendingInput::kShotStand, shot.side, 0, shot.gun);
      } else {
        FinishShot(verdict, verdict.eligible.empty() ? PieceNo{-1} : verdict.eligible.front());
      }
      break;
    }
    case ShotStage::kFire:
      AdvanceFire();
      break;
    case ShotStage::kOver:
      Emit(ShotStageReached{ShotStage::kOver});
      break;
  }
}

void Referee::FinishShot(const ShotVerdict& verdict, PieceNo chosen) {
  if (verdict.equipment >= 0) Emit(EquipmentLost{verdict.equipment, LossCause::kShot});
  if (verdict.crew >= 0) Emit(StandLost{verdict.crew, LossCause::kWithGun});
  if (chosen >= 0) Emit(StandLost{chosen, LossCause::kShot});
  const bool fire = verdict.fire != kNowhere;
  Emit(ShotStageReached{fire ? ShotStage::kFire : ShotStage::kOver});
}

// NAP-6D.
void Referee::AdvanceFire() {
  const auto& book = s_.Book().burning;
  const Shot shot = *s_.shot;
  if (shot.rolled.empty()) {
    AskFor(PendingInput::kFireDice, shot.side, book.dice, shot.gun);
    return;
  }
  const Cell cell = JudgeShot(s_, shot).fire;
  const auto ones = std::count(shot.rolled.begin(), shot.rolled.end(), book.face);
  Emit(ShotStageReached{ShotStage::kOver});
  if (cell != kNowhere && ones > 0) BurnSquare(cell, ones >= book.dice);
}

void Referee::BurnSquare(Cell cell, bool burnt_up) {
  if (burnt_up) {
    Emit(BurntUp{cell});
    for (int side = 0; side < 2; ++side)
      for (const PieceNo i : StandsIn(s_, side, cell)) Emit(StandLost{i, LossCause::kBurntUp});
    for (const PieceNo i : EquipmentIn(s_, cell)) Emit(EquipmentLost{i, LossCause::kBurntUp});
    return;
  }
  Emit(Burns{cell});
  for (const std::size_t role : {kAttackers, kDefenders}) {
    const int side = SideOf(role);
    const std::vector<PieceNo> stands = StandsIn(s_, side, cell);
    if (stands.empty()) continue;
    std::vector<PieceNo> whole;  // units of a Square, which go as a whole (NAP-2B), one by one (2C)
    for (const PieceNo i : stands) {
      const Stand stand = s_.StandAt(i);
      if (stand.formation >= 0) Emit(SquareBroken{stand.formation, false});
      const bool in_square =
          std::find(s_.regroup.begin(), s_.regroup.end(), stand.unit) != s_.regroup.end();
      if (in_square && std::find(whole.begin(), whole.end(), stand.unit) == whole.end())
        whole.push_back(stand.unit);
    }
    Retreat retreat;
    retreat.side = static_cast<std::int8_t>(side);
    retreat.reason = RetreatReason::kBurning;
    retreat.direction = s_.setup->sides[static_cast<std::size_t>(side)].home;
    retreat.steps = static_cast<std::int8_t>(s_.Book().burning.retreat);
    for (const PieceNo i : stands)
      if (whole.size() < 2 ||
          std::find(whole.begin() + 1, whole.end(), s_.StandAt(i).unit) == whole.end())
        retreat.stands.push_back(i);
    retreat.equipment = EquipmentIn(s_, side, cell);
    for (std::size_t n = 0; n < std::max<std::size_t>(1, whole.size()); ++n) {
      if (n > 0) retreat.stands.clear(), retreat.equipment.clear();
      if (n < whole.size())
        for (const PieceNo i : StandsOf(s_, whole[n]))
          if (n > 0 || s_.StandAt(i).cell != cell) retreat.stands.push_back(i);
      Emit(RetreatOrdered{retreat});
    }
  }
  if (!s_.Ruling().burning_unmanned_lost) return;
  for (const PieceNo i : EquipmentIn(s_, cell)) {
    const int owner = s_.EquipmentAt(i).owner;
    if (owner == kNobody || s_.CountIn(owner, cell) == 0)
      Emit(EquipmentLost{i, LossCause::kBurntUnmanned});
  }
}

void Referee::JudgeCanister() {
  const FireProblem problem = CanisterProblem(s_);
  const auto ways = squares::CompleteDistributions(problem.dice, problem.targets);
  const bool detachments =
      CanisterSquares(s_).size() > 1 && !StandsFor(s_, problem, ways.front()).empty();
  if (ways.size() > 1 || detachments) {
    AskFor(PendingInput::kCanisterStands, s_.shot->side, 0, s_.shot->gun);
  } else {
    FinishCanister(problem, ways.front(), StandsFor(s_, problem, ways.front()));
  }
}

// stands  that the firer chose, or the ones the dice leave no choice about.
void Referee::FinishCanister(const FireProblem& problem, const squares::Distribution& losses,
                             const std::vector<PieceNo>& stands) {
  const Shot shot = *s_.shot;
  CanisterDice left{shot.side,
                    shot.target,
                    1,
                    s_.Book().ColumnAt(DistanceBetween(s_, shot.from, shot.target)),
                    {}};
  squares::CanDistribute(problem.dice, problem.targets, losses, &left.unused);
  for (const PieceNo i : stands) Emit(StandLost{i, LossCause::kCanister});
  if (s_.Ruling().pool_dice || s_.Ruling().canister_later_unit_bonus) Emit(CanisterJudged{left});
  Emit(ShotStageReached{ShotStage::kOver});
}

// ---- steps ------------------------------------------------------------------------------------

// NAP-2A. False when players must declare.
bool Referee::AdvanceStep() {
  const bool both_done = s_.done[0] && s_.done[1];
  switch (s_.step) {
    case Step::kArtillery:
      if (!both_done) return false;
      Begin(Step::kMusketry);
      return true;
    case Step::kMusketry:
      if (!both_done) return false;
      if (!AdvanceVolleys()) Begin(Step::kMovement);
      return true;
    case Step::kMovement:
      if (!s_.one_stand_done) {
        Emit(OneStandRetreats{});
        for (const Retreat& retreat : OneStandRetreatsDue(s_)) Emit(RetreatOrdered{retreat});
        return true;
      }
      if (!s_.done[static_cast<std::size_t>(s_.attacker)]) return false;
      Begin(Step::kHeldCanister);
      return true;
    case Step::kHeldCanister:
      if (!s_.held.empty() && !s_.done[static_cast<std::size_t>(s_.Defender())]) return false;
      Begin(Step::kMelee);
      JoinMelees();
      return true;
    case Step::kMelee:
      if (s_.melees.empty()) {
        Begin(Step::kEnd);
        return true;
      }
      return s_.supports_done[0] && s_.supports_done[1] && AdvanceMelees();
    case Step::kEnd:
      if (!both_done) return false;
      if (s_.Ruling().turn_limit > 0 && s_.turn >= s_.Ruling().turn_limit) {
        End(EndReason::kTurnLimit, -1);
      } else {
        Emit(StepBegan{s_.turn + 1, Step::kArtillery, static_cast<std::int8_t>(s_.Defender())});
      }
      return true;
    case Step::kFirstAttacker:
    case Step::kOver:
      return false;
  }
  return false;
}

// ---- melee ------------------------------------------------------------------------------------

// NAP-5H: who gets the guns and wagons in the contact square.
void Referee::GiveEquipment(MeleeDecided& decided, const MeleeOutcome& outcome,
                            const BySide& before) {
  const int melee = decided.melee;
  const bool equal = decided.result == CardResult::kEqual;
  if (!equal) {
    const std::size_t superior = decided.result == CardResult::kSuperior ? kAttackers : kDefenders;
    decided.leave_equipment = outcome.retreats[superior] && !s_.Ruling().superior_carries;
  }
  const bool even = equal && before[0] == before[1];
  if (even && s_.Ruling().equal_keeps_own) return;
  int owner = kNobody;
  if (!even) {
    const bool attacker_first =
        equal ? before[0] > before[1] : decided.result == CardResult::kSuperior;
    const int first = SideOf(attacker_first ? kAttackers : kDefenders);
    if (StrengthOf(s_, melee, first) > 0) {
      owner = first;
    } else if (StrengthOf(s_, melee, 1 - first) > 0) {
      owner = 1 - first;
    }
  }
  for (const PieceNo i : EquipmentIn(s_, s_.melees[static_cast<std::size_t>(melee)].contact))
    if (s_.EquipmentAt(i).owner != owner) Emit(EquipmentTaken{i, static_cast<std::int8_t>(owner)});
}

// True if the retreats are ordered; false if a Square had to be broken first (NAP-8C).
bool Referee::OrderRetreats(int index) {
  const Melee m = s_.melees[static_cast<std::size_t>(index)];
  for (const Stand& stand : s_.stands) {
    if (stand.melee != index || !OnBoard(stand) || stand.formation < 0 ||
        m.retreat[static_cast<std::size_t>(stand.side)] == 0)
      continue;
    Emit(SquareBroken{stand.formation, false});
    return false;
  }
  OrderMeleeRetreats(index);
  return true;
}

}  // namespace

std::optional<Refusal> Play(State& state, const Action& action, std::vector<Event>& events) {
  if (auto refusal = CheckNames(state, action.what)) return refusal;
  return Referee(state, events).Take(action);
}

State NewGame(std::shared_ptr<const Setup> setup, std::uint64_t seed) {
  State s;
  s.setup = std::move(setup);
  s.generator.state = seed;
  const auto cells = static_cast<std::size_t>(s.setup->board.Cells());
  s.burning.resize(cells);
  s.burnt.resize(cells);
  sweet::PlaceStands<State, Stand>(s);
  for (const EquipmentInfo& info : s.setup->equipment) {
    Equipment e;
    e.type = static_cast<std::int8_t>(info.type);
    e.side = e.owner = static_cast<std::int8_t>(info.side);
    e.battery = static_cast<std::int8_t>(info.battery);
    e.cell = info.cell;
    e.facing = e.turn_facing = info.facing;
    e.limbered = info.limbered;
    s.equipment.push_back(e);
  }
  std::vector<Event> events;
  if (s.setup->settings.first_attacker == FirstAttacker::kDieRoll) {
    ApplyTo(s, Asked{{PendingInput::kFirstAttackerDice, kNobody, 2, 0}});
  } else {
    ApplyTo(s, StepBegan{1, Step::kArtillery, static_cast<std::int8_t>(s.setup->first_attacker)});
    Referee(s, events).Continue();
  }
  return s;
}

}  // namespace fos::napoleonic
