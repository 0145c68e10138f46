#include "engine/rules/ancient/cite.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/rules/ancient/movement.h"
#include "engine/rules/ancient/query.h"

namespace fos::ancient {
namespace {

class Citer {
 public:
  explicit Citer(const State& s) : s_(s) {}

  Cited operator()(const GiveDice&) const { return OfAsk("Dice as they fell"); }
  Cited operator()(const GiveCoin& a) const { return OfAsk(a.heads ? "Heads" : "Tails"); }
  Cited operator()(const Draw&) const { return OfAsk("Throw for it"); }
  Cited operator()(const Land&) const { return OfAsk("Where the shot came to rest"); }
  Cited operator()(const Choose& a) const {
    std::string names;
    for (const PieceNo i : a.stands) names += (names.empty() ? "" : ", ") + StandName(s_, i);
    for (const PieceNo i : a.equipment) names += (names.empty() ? "" : ", ") + EquipmentName(s_, i);
    Cited out = OfAsk("Take " + (names.empty() ? "none" : names));
    out.stands = a.stands;
    out.equipment = a.equipment;
    return out;
  }
  Cited operator()(const ChooseRetreat& a) const {
    Cited out = OfAsk("Fall back to " + CellName(s_, a.cell));
    if (a.cell != kNowhere) out.cells = {a.cell};
    return out;
  }
  Cited operator()(const TurnUnit& a) const {
    Cited out = Of(fmt::format("Turn to {}", FacingName(a.facing)), "ANC-V6", a.side);
    out.units = {a.unit};
    return out;
  }
  Cited operator()(const TurnEquipment& a) const {
    Cited out = Of(fmt::format("Turn to {}", FacingName(a.facing)), "ANC-V6", a.side);
    out.equipment = {a.equipment};
    return out;
  }
  Cited operator()(const CallShot& a) const {
    Cited out =
        Of(fmt::format("Shoot at {}, manned by {}", CellName(s_, a.target), StandName(s_, a.man)),
           "ANC-C1", a.side);
    out.stands = {a.man};
    out.equipment = {a.catapult};
    if (a.target != kNowhere) out.cells = {a.target};
    return out;
  }
  Cited operator()(const CallVolley& a) const {
    Cited out = Of("Shoot at " + CellName(s_, a.target), "ANC-F1", a.side);
    out.units = {a.unit};
    out.cells = {a.target};
    return out;
  }
  Cited operator()(const Rouse& a) const {
    Cited out = Of("Roll for its charge", "ANC-H6", a.side);
    out.units = {a.unit};
    return out;
  }
  Cited operator()(const Move& a) const {
    const Cell from = s_.StandAt(a.stands.front()).cell;
    Cited out = Of(fmt::format("{} {} ({:g} squares)", a.run_down ? "Run down in" : "Move to",
                               CellName(s_, a.path.back()),
                               CostOf(s_, from, a.path) / static_cast<double>(squares::kWhole)),
                   a.run_down ? "ANC-M3" : "ANC-V1", a.side);
    for (const PieceNo i : a.stands) {
      const PieceNo unit = s_.StandAt(i).unit;
      if (std::find(out.units.begin(), out.units.end(), unit) == out.units.end())
        out.units.push_back(unit);
    }
    for (const PieceNo unit : out.units) {
      const auto go = std::count_if(a.stands.begin(), a.stands.end(),
                                    [&](PieceNo i) { return s_.StandAt(i).unit == unit; });
      if (go != CountStandsOf(s_, unit))
        out.label += fmt::format(", {} of {}", go, UnitName(s_, unit));
    }
    for (const PieceNo i : a.equipment) out.label += " with " + EquipmentName(s_, i);
    out.equipment = a.equipment;
    out.cells = a.path;
    return out;
  }
  Cited operator()(const Support& a) const {
    Cited out = Of("Support in " + CellName(s_, a.contact), "ANC-H2", a.side);
    out.units = {a.unit};
    out.cells = {a.contact};
    return out;
  }
  Cited operator()(const PlayCard& a) const {
    Cited out = Of(std::string(CardName(a.card)), "ANC-P1", a.side);
    out.cells = {a.contact};
    return out;
  }
  Cited operator()(const EndStep& a) const {
    return Of("Nothing more in this step", "ANC-T", a.side);
  }
  Cited operator()(const TimeUp&) const {
    Cited out = Of("The time is up", "ANC-M4", -1);
    out.for_good = "the game ends soon";
    return out;
  }
  Cited operator()(const Concede& a) const {
    Cited out = Of("Concede", "ANC-M4", a.side);
    out.for_good = fmt::format("the game is over and {} wins", SideName(s_, 1 - a.side));
    return out;
  }

 private:
  static Cited Of(std::string label, std::string_view clause, int side) {
    Cited out;
    out.label = std::move(label);
    out.clause = clause;
    out.side = side;
    return out;
  }
  Cited OfAsk(std::string label) const {
    return Of(std::move(label), ClauseOfAsk(s_.ask.kind),
              s_.ask.side == kNobody ? -1 : s_.ask.side);
  }
  const State& s_;
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
  std::string_view operator()(const StandLost& e) const {
    constexpr std::array<std::string_view, 6> kClauses = {"ANC-C4", "ANC-F6", "ANC-M3",
                                                          "ANC-P5", "ANC-P3", "ANC-P6"};
    return kClauses[static_cast<std::size_t>(e.cause)];
  }
  std::string_view operator()(const EquipmentLost&) const { return "ANC-C4"; }
  std::string_view operator()(const EquipmentTaken&) const { return "ANC-P7"; }
  std::string_view operator()(const ElephantDecided&) const { return "ANC-H6"; }
  std::string_view operator()(const Moved& e) const {
    return e.retreat && !s.retreats.empty() ? ClauseOfRetreat(s.retreats.front().reason)
           : e.retreat                      ? "ANC-P6"
           : !e.equipment.empty()           ? "ANC-V5"
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

std::string_view ClauseOfAsk(AskKind kind) {
  switch (kind) {
    case AskKind::kFirstAttackerDice:
      return "ANC-G2";
    case AskKind::kFallOfShot:
    case AskKind::kShotPiece:
      return "ANC-C4";
    case AskKind::kVolleyDice:
      return "ANC-F5";
    case AskKind::kVolleyStands:
      return "ANC-F6";
    case AskKind::kElephantDie:
      return "ANC-H6";
    case AskKind::kMeleeCoin:
      return "ANC-P5";
    case AskKind::kRetreatSquare:
      return "ANC-P6";
    case AskKind::kNothing:
      break;
  }
  return "ANC-T";
}

Cited CiteOf(const State& s, const Declaration& what) { return std::visit(Citer(s), what); }

std::string ClauseOf(const State& s, const Event& event) {
  return std::string(std::visit(EventClause{s}, event));
}

}  // namespace fos::ancient
