// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/cite.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/rules/ancient/melee.h"
#include "engine/rules/ancient/movement.h"
#include "engine/rules/ancient/query.h"
#include "engine/rules/sweet/citer.h"
#include "engine/rules/sweet/melee.h"

namespace fos::ancient {
namespace {

class Citer : public sweet::CommonCiter<State> {
 public:
  using CommonCiter::CommonCiter;
  using CommonCiter::operator();

  Cited operator()(const Land&) const { return OfAsk("Record where the shot came to rest"); }
  Cited operator()(const Choose& a) const {
    std::string names = StandNames(s_, a.stands);
    for (const PieceNo i : a.equipment)
      names += (names.empty() ? "" : ", ") + EquipmentAndKind(s_, i);
    Cited out = OfAsk("Remove " + (names.empty() ? "nothing" : names));
    out.stands = a.stands;
    out.equipment = a.equipment;
    return out;
  }
  Cited operator()(const TurnUnit& a) const { return Turning(a, "ANC-V6"); }
  Cited operator()(const TurnEquipment& a) const { return Turning(a, "ANC-V6"); }
  Cited operator()(const CallShot& a) const {
    Cited out = Of(
        fmt::format("Shoot at {}, manned by {}", CellName(s_, a.target), StandAndKind(s_, a.man)),
        "ANC-C1", a.side);
    out.stands = {a.man};
    out.equipment = {a.catapult};
    if (a.target != kNowhere) out.cells = {a.target};
    return out;
  }
  Cited operator()(const CallVolley& a) const { return Shooting(a, "Shoot", "ANC-F1"); }
  Cited operator()(const Rouse& a) const {
    Cited out = Of("Roll to charge", "ANC-H6", a.side);
    out.units = {a.unit};
    return out;
  }
  Cited operator()(const Move& a) const {
    const Cell from = s_.StandAt(a.stands.front()).cell;
    return Going(a, a.run_down ? "Run down the stand in" : "Move to", CostOf(s_, from, a.path),
                 a.run_down ? "ANC-M3" : "ANC-V1");
  }
  Cited operator()(const Support& a) const { return Supporting(a, "ANC-H2"); }
  Cited operator()(const PlayCard& a) const { return Deploying(a, "ANC-P1"); }
  Cited operator()(const EndStep& a) const { return Of("End this step", "ANC-T", a.side); }
  Cited operator()(const OrderMelees& a) const { return Ordering(a, "ANC-T"); }
  Cited operator()(const TimeUp&) const {
    Cited out = Of("Call time", "ANC-M4", -1);
    out.for_good = "the game ends after the agreed turns";
    return out;
  }
  Cited operator()(const Concede& a) const { return GivingUp(a.side, "Concede", "ANC-M4"); }
};

std::string_view ClauseOfRetreat(RetreatReason reason) {
  switch (reason) {
    case RetreatReason::kMelee:
      return "ANC-P6";
    case RetreatReason::kWithdrawal:
      return "ANC-P4";
    case RetreatReason::kOneStand:
      return "ANC-M1";
  }
  return {};
}

struct EventClause {
  const State& s;
  std::string_view operator()(const StepBegan& e) const {
    return e.turn == 1 && e.step == Step::kCatapults ? "ANC-G2" : "ANC-T";
  }
  std::string_view operator()(const Asked& e) const { return ClauseOfAsk(e.ask.kind); }
  std::string_view operator()(const Turned&) const {
    const bool melee = s.step == Step::kEnd || s.step == Step::kMelee;
    const bool support = s.step == Step::kAttackerSupport || s.step == Step::kDefenderSupport;
    return melee ? "ANC-P8" : support ? "ANC-H2" : "ANC-V6";
  }
  std::string_view operator()(const EquipmentTurned&) const { return "ANC-V6"; }
  std::string_view operator()(const ShotCalled&) const { return "ANC-C1"; }
  std::string_view operator()(const ShotLanded&) const { return "ANC-C4"; }
  std::string_view operator()(const VolleyCalled&) const { return "ANC-F3"; }
  std::string_view operator()(const VolleyJudged&) const { return "ANC-F5"; }
  std::string_view operator()(const CoinThrown&) const { return "ANC-P5"; }
  std::string_view operator()(const StandLost& e) const {
    if (e.cause == LossCause::kAnnihilated)
      return sweet::AccountOf(s, s.StandAt(e.stand).melee).result == CardResult::kEqual ? "ANC-P2"
                                                                                        : "ANC-P3";
    constexpr std::array<std::string_view, 6> kClauses = {"ANC-C4", "ANC-F6", "ANC-M3",
                                                          "ANC-P5", "ANC-P3", "ANC-P6"};
    return kClauses[static_cast<std::size_t>(e.cause)];
  }
  std::string_view operator()(const EquipmentLost&) const { return "ANC-C4"; }
  std::string_view operator()(const EquipmentTaken&) const { return "ANC-P7"; }
  std::string_view operator()(const ElephantDecided&) const { return "ANC-H6"; }
  std::string_view operator()(const Moved& e) const {
    return !e.path.empty() && e.path.back() == kNowhere ? "ANC-M2"
           : e.retreat && !s.retreats.empty()           ? ClauseOfRetreat(s.retreats.front().reason)
           : e.retreat                                  ? "ANC-P6"
           : !e.equipment.empty()                       ? "ANC-V5"
                                                        : "ANC-V1";
  }
  std::string_view operator()(const RetreatOrdered& e) const {
    return ClauseOfRetreat(e.retreat.reason);
  }
  std::string_view operator()(const MeleeJoined&) const { return "ANC-H1"; }
  std::string_view operator()(const Supported&) const { return "ANC-H3"; }
  std::string_view operator()(const CardChosen&) const { return "ANC-P1"; }
  std::string_view operator()(const MeleeDecided& e) const {
    return e.result == CardResult::kEqual                                           ? "ANC-P2"
           : e.result == CardResult::kSuperior || e.result == CardResult::kInferior ? "ANC-P3"
                                                                                    : "ANC-P4";
  }
  std::string_view operator()(const MeleesOrdered&) const { return "ANC-T"; }
  std::string_view operator()(const TimeRanOut&) const { return "ANC-M4"; }
  std::string_view operator()(const Conceded&) const { return "ANC-M4"; }
  std::string_view operator()(const Overruled& e) const { return e.clause; }
  std::string_view operator()(const GameEnded&) const { return "ANC-M4"; }
  template <typename T>
  std::string_view operator()(const T&) const {
    return {};
  }
};

}  // namespace

std::string_view ClauseOfAsk(PendingInput kind) {
  switch (kind) {
    case PendingInput::kFirstAttackerDice:
      return "ANC-G2";
    case PendingInput::kFallOfShot:
    case PendingInput::kShotPiece:
      return "ANC-C4";
    case PendingInput::kVolleyDice:
      return "ANC-F5";
    case PendingInput::kVolleyStands:
      return "ANC-F6";
    case PendingInput::kElephantDie:
      return "ANC-H6";
    case PendingInput::kMeleeCoin:
      return "ANC-P5";
    case PendingInput::kRetreatSquare:
      return "ANC-P6";
    case PendingInput::kNothing:
      break;
  }
  return "ANC-T";
}

Cited CiteOf(const State& s, const Declaration& what) { return std::visit(Citer(s), what); }

std::string ClauseOf(const State& s, const Event& event) {
  return std::string(std::visit(EventClause{s}, event));
}

}  // namespace fos::ancient
