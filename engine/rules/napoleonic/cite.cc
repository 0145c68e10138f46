// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/cite.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/rules/napoleonic/movement.h"
#include "engine/rules/napoleonic/musketry.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/rules/sweet/citer.h"

namespace fos::napoleonic {
namespace {

class Citer : public sweet::CommonCiter<State> {
 public:
  using CommonCiter::CommonCiter;
  using CommonCiter::operator();

  Cited operator()(const Land&) const { return OfAsk("Record where the shot came to rest"); }
  Cited operator()(const ChooseStands& a) const {
    Cited out = OfAsk("Remove " + Names(a.stands));
    out.stands = a.stands;
    return out;
  }
  Cited operator()(const Regroup& a) const {
    Cited out =
        OfAsk(fmt::format("Gather in {} facing {}", CellName(s_, a.cell), FacingName(a.facing)));
    out.units = {a.unit};
    out.cells = {a.cell};
    return out;
  }
  Cited operator()(const TurnUnit& a) const { return Turning(a, "NAP-2G"); }
  Cited operator()(const TurnEquipment& a) const { return Turning(a, "NAP-2G"); }
  Cited operator()(const Limber& a) const {
    Cited out = Of(a.limbered ? "Limber" : "Unlimber", "NAP-2G", a.side);
    out.equipment = {a.equipment};
    return out;
  }
  Cited operator()(const Pool& a) const {
    Cited out = Of(fmt::format("Join battery {}",
                               s_.setup->batteries[static_cast<std::size_t>(a.battery)].name),
                   "NAP-3C", a.side);
    out.equipment = {a.equipment};
    return out;
  }
  Cited operator()(const CallShot& a) const {
    const std::string at = a.target == kNowhere ? "" : " at " + CellName(s_, a.target);
    Cited out =
        Of(a.canister ? "Canister" + at : fmt::format("Fire as {}{}", ShotKindName(a.kind), at),
           a.canister                      ? "NAP-3H"
           : a.kind == ShotKind::kHorse    ? "NAP-3D"
           : a.kind == ShotKind::kHowitzer ? "NAP-3G"
                                           : "NAP-3F",
           a.side);
    out.equipment = {a.gun};
    if (a.target != kNowhere) out.cells = {a.target};
    return out;
  }
  Cited operator()(const HoldCanister& a) const {
    Cited out = Of("Hold canister", "NAP-3H", a.side);
    out.equipment = {a.gun};
    return out;
  }
  Cited operator()(const FireHeld& a) const {
    Cited out = Of(fmt::format("Fire held canister into {} at {}", CellName(s_, a.target),
                               UnitAndKind(s_, a.unit)),
                   "NAP-3H", a.side);
    out.units = {a.unit};
    out.equipment = {a.gun};
    out.cells = {a.target};
    return out;
  }
  Cited operator()(const CallVolley& a) const { return Shooting(a, "Fire", "NAP-4B"); }
  Cited operator()(const Move& a) const {
    const Cell from = s_.StandAt(a.stands.front()).cell;
    return Going(a, "Move to", CostOf(s_, from, a.path), "NAP-1");
  }
  Cited operator()(const FormSquare& a) const {
    Cited out = Of("Form a Square in " + CellName(s_, a.corner), "NAP-8A", a.side);
    out.units = a.units;
    out.cells = {a.corner};
    return out;
  }
  Cited operator()(const BreakSquare& a) const {
    Cited out = Of("Break the Square", "NAP-8A", a.side);
    for (const napoleonic::Regroup& p : a.places) {
      out.units.push_back(p.unit);
      out.cells.push_back(p.cell);
    }
    return out;
  }
  Cited operator()(const Support& a) const { return Supporting(a, "NAP-5A"); }
  Cited operator()(const PlayCard& a) const { return Deploying(a, "NAP-MDI"); }
  Cited operator()(const DestroyEquipment& a) const {
    Cited out = Of("Destroy the piece", "NAP-11", a.side);
    out.equipment = {a.equipment};
    out.for_good = EquipmentAndKind(s_, a.equipment) + " is destroyed";
    return out;
  }
  Cited operator()(const EndStep& a) const { return Of("End this step", "NAP-2A", a.side); }
  Cited operator()(const Surrender& a) const { return GivingUp(a.side, "Surrender", "NAP-12"); }
  Cited operator()(const OrderMelees& a) const { return Ordering(a, "NAP-2A"); }

 private:
  std::string Names(const std::vector<PieceNo>& stands) const {
    return stands.empty() ? "no stand" : StandNames(s_, stands);
  }
};

std::string_view ClauseOfLoss(LossCause cause) {
  constexpr std::array<std::string_view, 10> kClauses = {"NAP-3F", "NAP-3F", "NAP-3H", "NAP-4E",
                                                         "NAP-5E", "NAP-5C", "NAP-5G", "NAP-6D",
                                                         "NAP-11", "NAP-6D"};
  return kClauses[static_cast<std::size_t>(cause)];
}

std::string_view ClauseOfRetreat(RetreatReason reason) {
  switch (reason) {
    case RetreatReason::kMelee:
      return "NAP-5G";
    case RetreatReason::kWithdrawal:
      return "NAP-5D";
    case RetreatReason::kBurning:
      return "NAP-6D";
    case RetreatReason::kOneStand:
      return "NAP-9";
  }
  return {};
}

struct EventClause {
  const State& s;
  std::string_view operator()(const StepBegan&) const { return "NAP-2A"; }
  std::string_view operator()(const Asked& e) const { return ClauseOfAsk(e.ask.kind); }
  std::string_view operator()(const Turned& e) const {
    const int melee = e.stands.empty() ? -1 : s.StandAt(e.stands.front()).melee;
    if (melee < 0) return "NAP-2G";
    return s.melees[static_cast<std::size_t>(melee)].stage == MeleeStage::kDone ? "NAP-5I"
                                                                                : "NAP-5A";
  }
  std::string_view operator()(const EquipmentTurned&) const { return "NAP-2G"; }
  std::string_view operator()(const Limbered&) const { return "NAP-2G"; }
  std::string_view operator()(const Pooled&) const { return "NAP-3C"; }
  std::string_view operator()(const ShotCalled& e) const {
    if (e.shot.canister) return "NAP-3H";
    if (!OnBoard(s.EquipmentAt(e.shot.gun))) return "NAP-3A";  // lost in this step
    return e.shot.kind == ShotKind::kHowitzer ? "NAP-3G"
           : e.shot.kind == ShotKind::kHorse  ? "NAP-3D"
                                              : "NAP-3F";
  }
  std::string_view operator()(const CanisterHeld&) const { return "NAP-3H"; }
  std::string_view operator()(const ShotLanded&) const { return "NAP-3F"; }
  std::string_view operator()(const VolleyCalled&) const { return "NAP-4C"; }
  std::string_view operator()(const VolleyJudged&) const { return "NAP-4D"; }
  std::string_view operator()(const squares::VolleysOver&) const { return "NAP-4A"; }
  std::string_view operator()(const CoinThrown&) const { return "NAP-5F"; }
  std::string_view operator()(const Overruled& e) const { return e.clause; }
  std::string_view operator()(const StandLost& e) const {
    const bool cut_off = e.cause == LossCause::kNoWayBack && !s.retreats.empty();
    const RetreatReason why = cut_off ? s.retreats.front().reason : RetreatReason::kMelee;
    const bool own_clause = why == RetreatReason::kBurning || why == RetreatReason::kOneStand;
    return own_clause ? ClauseOfRetreat(why) : ClauseOfLoss(e.cause);
  }
  std::string_view operator()(const EquipmentLost& e) const { return ClauseOfLoss(e.cause); }
  std::string_view operator()(const EquipmentTaken&) const { return "NAP-5H"; }
  std::string_view operator()(const Moved& e) const {
    return !e.path.empty() && e.path.back() == kNowhere ? "NAP-10"
           : e.retreat && !s.retreats.empty()           ? ClauseOfRetreat(s.retreats.front().reason)
           : e.retreat                                  ? "NAP-5G"
           : !e.equipment.empty()                       ? "NAP-2F"
           : ByRoad(e)                                  ? "NAP-2D"
                                                        : "NAP-1";
  }
  // A bridge can burn (NAP-6C).
  std::string_view OfFire(Cell cell) const {
    return s.setup->At(cell).bridge ? "NAP-6C" : "NAP-6D";
  }
  // Did the move need the bonus of its road? A stand moves once in a turn; one that fire drove out
  // before did not start from its square of then.
  bool ByRoad(const Moved& e) const {
    const Stand& stand = s.StandAt(e.stands.front());
    if (!squares::Adjacent(s.setup->board.Between(stand.turn_cell, e.path.front()))) return false;
    return OnRoad(s, stand.turn_cell, e.path) &&
           CostOf(s, stand.turn_cell, e.path) > AllowanceOf(s, e.stands, e.equipment);
  }
  std::string_view operator()(const SquareFormed&) const { return "NAP-8A"; }
  std::string_view operator()(const SquareBroken& e) const {
    return e.by_choice ? "NAP-8A" : "NAP-8C";
  }
  std::string_view operator()(const Regrouped&) const { return "NAP-8C"; }
  std::string_view operator()(const Burns& e) const { return OfFire(e.cell); }
  std::string_view operator()(const BurntUp& e) const { return OfFire(e.cell); }
  std::string_view operator()(const RetreatOrdered& e) const {
    return ClauseOfRetreat(e.retreat.reason);
  }
  std::string_view operator()(const MeleeJoined&) const { return "NAP-5A"; }
  std::string_view operator()(const Supported& e) const {
    const bool commander =
        !e.stands.empty() && s.TypeOf(s.StandAt(e.stands.front())).arm == Arm::kCommander;
    return commander ? "NAP-7" : "NAP-5A";
  }
  std::string_view operator()(const CardChosen&) const { return "NAP-MDI"; }
  std::string_view operator()(const MeleeDecided& e) const {
    const bool fought = e.result == CardResult::kEqual || e.result == CardResult::kSuperior ||
                        e.result == CardResult::kInferior;
    return fought ? "NAP-5C" : "NAP-5D";
  }
  std::string_view operator()(const Surrendered&) const { return "NAP-12"; }
  std::string_view operator()(const GameEnded&) const { return "NAP-12"; }
  std::string_view operator()(const MeleesOrdered&) const { return "NAP-2A"; }
  template <typename T>
  std::string_view operator()(const T&) const {
    return {};
  }
};

}  // namespace

std::string_view ClauseOfAsk(PendingInput kind) {
  switch (kind) {
    case PendingInput::kFirstAttackerDice:
      return "NAP-2A";
    case PendingInput::kFallOfShot:
    case PendingInput::kShotStand:
      return "NAP-3F";
    case PendingInput::kCanisterDice:
    case PendingInput::kCanisterStands:
      return "NAP-3H";
    case PendingInput::kFireDice:
      return "NAP-6D";
    case PendingInput::kVolleyDice:
      return "NAP-4D";
    case PendingInput::kVolleyStands:
      return "NAP-4E";
    case PendingInput::kMeleeCoin:
      return "NAP-5F";
    case PendingInput::kRetreatSquare:
      return "NAP-5G";
    case PendingInput::kRegroup:
      return "NAP-8C";
    case PendingInput::kNothing:
      break;
  }
  return "NAP-2A";
}

Cited CiteOf(const State& s, const Declaration& what) { return std::visit(Citer(s), what); }

std::string ClauseOf(const State& s, const Event& event) {
  return std::string(std::visit(EventClause{s}, event));
}

}  // namespace fos::napoleonic
