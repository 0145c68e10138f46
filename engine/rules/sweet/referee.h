// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/game/chance.h"
#include "engine/game/refuse.h"
#include "engine/rules/sweet/events.h"
#include "engine/rules/sweet/fire_problem.h"
#include "engine/rules/sweet/melee.h"
#include "engine/squares/dice_hits.h"
#include "engine/squares/game_words.h"
#include "engine/squares/grid_state.h"
#include "engine/squares/referee_base.h"
#include "engine/squares/retreat.h"
#include "engine/squares/who_acts.h"
#include "engine/table/counted.h"

// The parts of the referee that both sets share.
namespace fos::sweet {

using namespace squares;

// Own is the rule set's referee. It provides
//   Traits, a struct of its namespace's types: State, Event, LossCause, VolleyPlan, MeleeDecided,
//   and as Traits' constants: kTurnClause (turn order), kEndClause (end of the game),
//     kGunClause (shots are real), kBackClause (direction of retreats), kVolleyClause (losses of
//     volleys), kVolleyLoss (the LossCause of volleys), kGivenUp (the EndReason)
//   OnDice(Ask, dice): applies the dice to what they were thrown for
//   NoWayBack(Retreat), CarryOut(Retreat, path)
//   OrdersOpen(): may the attacker still order the melees?
//   MoreAtTheSameTime(): is there a shot, a loss or a retreat that happens at the same time as what
//     has already happened, so that the game does not end before it?
//   OrderRetreats(int melee): false if something had to happen before
//   GiveEquipment(MeleeDecided&, MeleeOutcome, BySide before): who gets what in the contact square
//   KeepsEquipment(int melee, int owner): though nobody is left in the contact square
// and, beside the State: DescribeAsk, ClauseOfAsk, CheckTurn, CheckCard, CheckVolley, IsDiceAsk,
// RetreatingStands, RetreatWays, VolleyProblem, StandsFor, PointsOf and what melee.h needs.
template <typename Own, typename Traits>
class CommonReferee : public RefereeBase<typename Traits::State, typename Traits::Event> {
  using Base = RefereeBase<typename Traits::State, typename Traits::Event>;

 public:
  using State = typename Traits::State;
  using Event = typename Traits::Event;
  using LossCause = typename Traits::LossCause;
  using MeleeDecided = typename Traits::MeleeDecided;
  using Step = decltype(State::step);
  using Ask = decltype(State::ask);
  using PendingInput = decltype(Ask::kind);
  using Retreat = typename decltype(State::retreats)::value_type;
  using Melee = typename decltype(State::melees)::value_type;
  using Ending = decltype(State::ending);
  using EndReason = decltype(Ending::reason);
  using StepBegan = StepBeganOf<Step>;
  using StandLost = StandLostOf<LossCause>;

  using Base::Base;

  template <typename Action>
  MaybeRefusal Take(const Action& action) {
    overrule_ = action.overrule;
    const MaybeRefusal refusal =
        std::visit([this](const auto& a) { return Self().On(a); }, action.what);
    if (!refusal) Self().Continue();
    return refusal;
  }

 protected:
  using Base::Emit;
  using Base::overrule_;
  using Base::s_;
  using Base::Settle;

  Own& Self() { return static_cast<Own&>(*this); }

  void AskFor(PendingInput kind, int side, int count, int about) {
    Emit(AskedOf<Ask>{{kind, static_cast<std::int8_t>(side), static_cast<std::int8_t>(count),
                       static_cast<std::int16_t>(about)}});
  }
  MaybeRefusal Ready() const {
    if (s_.step == Step::kOver) return Impossible(Traits::kEndClause, "the game is over");
    if (s_.Waiting()) return Impossible(ClauseOfAsk(s_.ask.kind), "first " + DescribeAsk(s_));
    return std::nullopt;
  }
  MaybeRefusal NotAsked(std::string_view what) const {
    if (!s_.Waiting())
      return Impossible(Traits::kTurnClause, fmt::format("the game is not waiting for {}", what));
    return Impossible(
        ClauseOfAsk(s_.ask.kind),
        fmt::format("the game is not waiting for {}: first {}", what, DescribeAsk(s_)));
  }

  // ANC-C4: can the pieces near a shot be as near as that? Each stands in its square, with
  // at most half of it outside.
  template <typename Facts>
  MaybeRefusal CheckNearness(const Facts& facts, std::string_view clause) {
    if (facts.off_board) return std::nullopt;
    const double side = s_.Book().square_in;
    const auto fault = [&](const auto& piece, const std::string& name,
                           std::int32_t milli_in) -> MaybeRefusal {
      if (!OnBoard(piece)) return std::nullopt;
      const SquareIndex at = s_.setup->board.IndexOf(piece.cell);
      const auto outside = [&](std::int32_t point_milli_in, int index) {
        const double point = point_milli_in / 1000.0;
        return std::max({0.0, index * side - point, point - (index + 1) * side});
      };
      const double away =
          std::hypot(outside(facts.x_milli_in, at.column), outside(facts.y_milli_in, at.row));
      if (milli_in / 1000.0 >= away - side / 2) return std::nullopt;
      return Refuse(clause, fmt::format("{} is in {}, whose edge is {:.1f} in from the point; it "
                                        "cannot be {:g} in away",
                                        name, CellName(s_, piece.cell), away, milli_in / 1000.0));
    };
    for (const auto& near : facts.stands)
      if (auto refusal =
              Settle(fault(s_.StandAt(near.piece), StandAndKind(s_, near.piece), near.milli_in)))
        return refusal;
    for (const auto& near : facts.equipment)
      if (auto refusal = Settle(
              fault(s_.EquipmentAt(near.piece), EquipmentAndKind(s_, near.piece), near.milli_in)))
        return refusal;
    return std::nullopt;
  }

  // ---- dice and coins ----
  MaybeRefusal On(const GiveDice& a) {
    if (!IsDiceAsk(s_.ask.kind)) return NotAsked("dice");
    return TakeDice(a.dice, a.generator.value_or(s_.generator.state));
  }
  MaybeRefusal On(const GiveCoin& a) {
    if (s_.ask.kind != PendingInput::kMeleeCoin) return NotAsked("a coin");
    Emit(CoinThrown{a.heads, a.generator.value_or(s_.generator.state)});
    return std::nullopt;
  }
  MaybeRefusal On(const Draw&) {
    Generator generator = s_.generator;
    if (IsDiceAsk(s_.ask.kind)) {
      std::vector<std::int8_t> dice;
      for (int i = 0; i < s_.ask.count; ++i)
        dice.push_back(static_cast<std::int8_t>(generator.Die()));
      return TakeDice(dice, generator.state);
    }
    if (s_.ask.kind == PendingInput::kFallOfShot)
      return Impossible(Traits::kGunClause, "a shot is fired on the table and measured, not drawn");
    if (s_.ask.kind != PendingInput::kMeleeCoin) return NotAsked("dice or a coin");
    const bool heads = generator.Heads();
    Emit(CoinThrown{heads, generator.state});
    return std::nullopt;
  }
  MaybeRefusal TakeDice(const std::vector<std::int8_t>& dice, std::uint64_t generator) {
    const auto ask = s_.ask;
    if (static_cast<int>(dice.size()) != ask.count)
      return Impossible(
          ClauseOfAsk(ask.kind),
          fmt::format("throw {}, not {}", Counted(ask.count, "die", "dice"), dice.size()));
    for (const int die : dice)
      if (die < 1 || die > 6)
        return Impossible(ClauseOfAsk(ask.kind), fmt::format("a die shows 1 to 6, not {}", die));
    Emit(DiceThrown{dice, generator});
    Self().OnDice(ask, dice);
    return std::nullopt;
  }
  void RollForFirst(const std::vector<std::int8_t>& dice, Step first_step);

  // ---- declarations ----
  MaybeRefusal On(const ChooseRetreat& a) {
    if (s_.ask.kind != PendingInput::kRetreatSquare) return NotAsked("a choice of squares");
    for (const RetreatPath& path : RetreatWays(s_, s_.retreats.front()).paths) {
      if (path.back() != a.cell) continue;
      Self().CarryOut(Retreat(s_.retreats.front()), path);
      return std::nullopt;
    }
    return Impossible(
        Traits::kBackClause,
        fmt::format("{} is not one of the squares to fall back to", CellName(s_, a.cell)));
  }
  // NAP-2G, ANC-V6.
  MaybeRefusal On(const TurnUnit& a) {
    if (auto refusal = Ready()) return refusal;
    if (auto refusal = Settle(CheckTurn(s_, a))) return refusal;
    Emit(StandsTurned{StandsOf(s_, a.unit, a.cell), a.facing});
    return std::nullopt;
  }
  MaybeRefusal On(const TurnEquipment& a) {
    if (auto refusal = Ready()) return refusal;
    if (auto refusal = Settle(CheckTurn(s_, a))) return refusal;
    Emit(EquipmentTurned{a.equipment, a.facing});
    return std::nullopt;
  }
  MaybeRefusal On(const CallVolley& a) {
    if (auto refusal = Ready()) return refusal;
    typename Traits::VolleyPlan plan;
    if (auto refusal = Settle(CheckVolley(s_, a, &plan))) return refusal;
    Emit(VolleyCalledOf<typename decltype(State::volleys)::value_type>{plan.volley, plan.stands});
    return std::nullopt;
  }
  // NAP-4E, ANC-F6: the shooter's choice of losses.
  MaybeRefusal ChooseVolleyLosses(const std::vector<PieceNo>& stands) {
    const auto volley = static_cast<std::size_t>(s_.ask.about);
    if (!DistributionOf(s_, VolleyProblem(s_, volley), stands))
      return Impossible(Traits::kVolleyClause, "the dice do not allow exactly these losses");
    Emit(VolleyJudged{static_cast<std::int16_t>(volley), stands});
    return std::nullopt;
  }
  // NAP-12, ANC-M4.
  MaybeRefusal On(const GiveUp& a) {
    if (s_.step == Step::kOver) return Impossible(Traits::kEndClause, "the game is over");
    Emit(GaveUp{static_cast<std::int8_t>(a.side)});
    End(Traits::kGivenUp, 1 - a.side);
    return std::nullopt;
  }
  // NAP-MDI, ANC-P1.
  MaybeRefusal On(const PlayCard& a) {
    if (auto refusal = Ready()) return refusal;
    if (auto refusal = CheckCard(s_, a)) return refusal;
    Emit(CardChosen{static_cast<std::int16_t>(MeleeAt(s_, a.contact)),
                    static_cast<std::int8_t>(a.side), a.card});
    return std::nullopt;
  }
  // NAP-2A, ANC-T: first the melees the attacker names, then the others in the order of contact.
  MaybeRefusal On(const OrderMelees& a) {
    if (auto refusal = Ready()) return refusal;
    if (a.side != s_.attacker || !Self().OrdersOpen())
      return Impossible(Traits::kTurnClause,
                        "the attacker orders the melees before he ends his supports");
    MeleesOrdered ordered{a.contacts};
    for (std::size_t n = 0; n < a.contacts.size(); ++n) {
      const std::string where = CellName(s_, a.contacts[n]);
      if (MeleeAt(s_, a.contacts[n]) < 0)
        return Impossible(Traits::kTurnClause, fmt::format("there is no melee in {}", where));
      const auto here = a.contacts.begin() + static_cast<std::ptrdiff_t>(n);
      if (std::find(a.contacts.begin(), here, *here) != here)
        return Impossible(Traits::kTurnClause, fmt::format("{} is named twice", where));
    }
    for (const auto& melee : s_.melees)
      if (std::find(a.contacts.begin(), a.contacts.end(), melee.contact) == a.contacts.end())
        ordered.contacts.push_back(melee.contact);
    Emit(ordered);
    return std::nullopt;
  }
  // NAP-5A, NAP-5H, ANC-P7: who comes into a square takes its unguarded equipment.
  void TakeUnguarded(int side, Cell cell) {
    if (cell == kNowhere || s_.CountIn(1 - side, cell) > 0) return;
    for (const PieceNo i : EquipmentIn(s_, cell))
      if (s_.EquipmentAt(i).owner != side) Emit(EquipmentTaken{i, static_cast<std::int8_t>(side)});
  }
  // Carries out a checked move.
  template <typename Move>
  void MakeMove(const Move& a) {
    // NAP-2G, ANC-V6: a unit faces one way, so stands that join others of it face as those do, and
    // a facing that is stated is for all of them.
    std::vector<PieceNo> joined;
    for (const PieceNo other : StandsIn(s_, a.side, a.path.back()))
      if (std::any_of(a.stands.begin(), a.stands.end(), [&](PieceNo i) {
            return s_.StandAt(i).unit == s_.StandAt(other).unit;
          }))
        joined.push_back(other);
    Emit(Moved{a.stands, a.equipment, a.path, false});
    if (a.facing) {
      joined.insert(joined.begin(), a.stands.begin(), a.stands.end());
      Emit(StandsTurned{joined, *a.facing});
      for (const PieceNo i : a.equipment) Emit(EquipmentTurned{i, *a.facing});
    } else {
      for (const PieceNo i : a.stands)
        for (const PieceNo other : joined) {
          const Facing facing = s_.StandAt(other).facing;
          if (s_.StandAt(other).unit != s_.StandAt(i).unit || s_.StandAt(i).facing == facing)
            continue;
          Emit(StandsTurned{{i}, facing});
          break;
        }
    }
    TakeUnguarded(a.side, a.path.back());
  }
  // ANC-M2, NAP-10: a unit that leaves the board is set aside; its points still count.
  void FallBack(const Retreat& retreat, const RetreatPath& path) {
    Emit(Moved{RetreatingStands(s_, retreat), RetreatingEquipment(s_, retreat), path, true});
    TakeUnguarded(retreat.side, path.back());
    Emit(RetreatOver{});
  }
  MaybeRefusal CheckSquares(int side, std::string_view clause);

  // NAP-2A, NAP-MDI, ANC-P1: melees are simultaneous, so all cards are chosen before the first
  // result is known.
  bool CardsMissing() const { return MeleeOfCards(s_) != nullptr; }
  // Are losses or retreats of the melees still to come?
  bool MeleesOpen() const {
    return s_.step == Step::kMelee &&
           std::any_of(s_.melees.begin(), s_.melees.end(),
                       [](const auto& m) { return m.stage != MeleeStage::kDone; });
  }

  // ---- steps ----
  void Begin(Step step) { Emit(StepBegan{s_.turn, step, s_.attacker}); }
  // The side must end the step itself; whether it may is checked before.
  MaybeRefusal NotWaitingFor(int side) const {
    return Impossible(Traits::kTurnClause, fmt::format("the {} step is not waiting for {}",
                                                       StepName(s_.step), SideName(s_, side)));
  }

  // ---- how games end ----
  bool EndIfDestroyed();
  void End(EndReason reason, int winner);

  // ---- falling back ----
  void AdvanceRetreat();

  // ---- volleys ----
  bool AdvanceVolleys();

  // ---- melees ----
  void JoinMelees();
  bool TakeLosses(int index, int side, Sixteenths loss, const LossPolicy& policy,
                  std::vector<PieceNo>& out);
  bool AdvanceMelees();
  void ResolveMelee(int index);
  void Decide(int index, CardResult result, const BySide& before);
  void SettleEquipment(int index);
  void Withdraw(int index, CardResult result);
  void Annihilate(int index, int side);
  void OrderMeleeRetreats(int index);
  int SideOf(std::size_t role) const { return role == kAttackers ? s_.attacker : s_.Defender(); }
};

// NAP-2A, ANC-G2: the higher die attacks first; equal dice are thrown again.
template <typename Own, typename Traits>
void CommonReferee<Own, Traits>::RollForFirst(const std::vector<std::int8_t>& dice,
                                              Step first_step) {
  if (dice[0] == dice[1]) {
    AskFor(PendingInput::kFirstAttackerDice, kNobody, 2, 0);
  } else {
    Emit(StepBegan{1, first_step, static_cast<std::int8_t>(dice[0] > dice[1] ? 0 : 1)});
  }
}

// NAP-2C, ANC-V2: no square may be overcrowded when the mover ends the step. Captured pieces left
// by a melee (NAP-5H, ANC-P7) are not the mover's fault: such a square is checked without the
// arrivals.
template <typename Own, typename Traits>
MaybeRefusal CommonReferee<Own, Traits>::CheckSquares(int side, std::string_view clause) {
  for (Cell cell = 0; cell < s_.setup->board.Cells(); ++cell) {
    if (s_.CountIn(side, cell) == 0) continue;
    const std::string fault = StackingFault(s_, side, cell, {}, false);
    if (fault.empty()) continue;
    State before = s_;
    for (auto& stand : before.stands)
      if (stand.moved && stand.cell == cell) stand.fate = Fate::kOffBoard;
    for (auto& e : before.equipment)
      if (e.moved && e.cell == cell) e.owner = kNobody;
    if (StackingFault(before, side, cell, {}, false) == fault) continue;
    if (auto refusal = Settle(Refuse(clause, fault))) return refusal;
  }
  return std::nullopt;
}

// NAP-12, ANC-M4.
template <typename Own, typename Traits>
bool CommonReferee<Own, Traits>::EndIfDestroyed() {
  std::array<bool, 2> on_board{};
  std::array<bool, 2> off_board{};
  for (const auto& stand : s_.stands) {
    if (OnBoard(stand)) on_board[static_cast<std::size_t>(stand.side)] = true;
    if (stand.fate == Fate::kOffBoard) off_board[static_cast<std::size_t>(stand.side)] = true;
  }
  if ((on_board[0] && on_board[1]) || Self().MoreAtTheSameTime()) return false;
  for (std::size_t side = 0; side < 2; ++side) {
    if (!on_board[side] && !off_board[side] && on_board[1 - side]) {
      End(EndReason::kDestroyed, static_cast<int>(1 - side));
      return true;
    }
  }
  End(EndReason::kDestroyed, -1);
  return true;
}

// NAP-12, ANC-M4. winner  -1: the points decide.
template <typename Own, typename Traits>
void CommonReferee<Own, Traits>::End(EndReason reason, int winner) {
  Ending ending;
  ending.reason = reason;
  ending.points = {PointsOf(s_, 0), PointsOf(s_, 1)};
  if (winner < 0)
    winner = ending.points[0] == ending.points[1] ? kNobody
                                                  : (ending.points[0] > ending.points[1] ? 0 : 1);
  ending.winner = static_cast<std::int8_t>(winner);
  Emit(GameEndedOf<Ending>{ending});
}

// NAP-5G, NAP-6D, NAP-9, ANC-P6, ANC-M1.
template <typename Own, typename Traits>
void CommonReferee<Own, Traits>::AdvanceRetreat() {
  const Retreat retreat = s_.retreats.front();
  if (RetreatingStands(s_, retreat).empty()) {
    Emit(RetreatOver{});
    return;
  }
  const RetreatAnswer ways = RetreatWays(s_, retreat);
  if (ways.paths.empty()) {
    Self().NoWayBack(retreat);
  } else if (ways.paths.size() > 1 && s_.Ruling().retreat_owner_choice) {
    AskFor(PendingInput::kRetreatSquare, retreat.side, 0, 0);
  } else {
    Self().CarryOut(retreat, ways.paths.front());
  }
}

// NAP-4A, ANC-T: first all dice, then all choices, then all losses together. False when nothing is
// left to do.
template <typename Own, typename Traits>
bool CommonReferee<Own, Traits>::AdvanceVolleys() {
  if (s_.volleys_over) return false;
  for (std::size_t i = 0; i < s_.volleys.size(); ++i) {
    if (!s_.volleys[i].rolled.empty()) continue;
    AskFor(PendingInput::kVolleyDice, s_.volleys[i].side, s_.volleys[i].dice, static_cast<int>(i));
    return true;
  }
  for (std::size_t i = 0; i < s_.volleys.size(); ++i) {
    if (s_.volleys[i].judged) continue;
    const auto problem = VolleyProblem(s_, i);
    const auto ways = CompleteDistributions(problem.dice, problem.targets);
    if (ways.size() > 1) {
      AskFor(PendingInput::kVolleyStands, s_.volleys[i].side, 0, static_cast<int>(i));
    } else {
      Emit(VolleyJudged{static_cast<std::int16_t>(i), StandsFor(s_, problem, ways.front())});
    }
    return true;
  }
  const auto volleys = s_.volleys;
  for (const auto& volley : volleys)
    for (const PieceNo i : volley.losses) Emit(StandLost{i, Traits::kVolleyLoss});
  Emit(VolleysOver{});
  return true;
}

// NAP-5A, NAP-5H, ANC-H1: everything of both sides in a contact square takes part in its melee.
template <typename Own, typename Traits>
void CommonReferee<Own, Traits>::JoinMelees() {
  const std::vector<Cell> contacts = s_.contacts;
  for (const Cell contact : contacts) {
    if (s_.CountIn(0, contact) == 0 || s_.CountIn(1, contact) == 0) {
      // Held canister left one side only: it takes what the other brought or had there.
      for (const int side : {0, 1})
        if (s_.CountIn(side, contact) > 0) TakeUnguarded(side, contact);
      continue;
    }
    MeleeJoinedOf<Melee> joined;
    joined.melee.contact = contact;
    joined.stands = StandsIn(s_, s_.attacker, contact);
    joined.melee.entry = s_.StandAt(joined.stands.front()).came_from;
    for (const PieceNo i : StandsIn(s_, s_.Defender(), contact)) joined.stands.push_back(i);
    Emit(joined);
  }
}

// NAP-2A, ANC-T: all losses of all melees first, then all retreats. False when players must
// declare.
template <typename Own, typename Traits>
bool CommonReferee<Own, Traits>::AdvanceMelees() {
  if (CardsMissing()) return false;
  for (std::size_t i = 0; i < s_.melees.size(); ++i)
    if (s_.melees[i].stage == MeleeStage::kCards) {
      ResolveMelee(static_cast<int>(i));
      return true;
    }
  for (std::size_t i = 0; i < s_.melees.size(); ++i) {
    const auto index = static_cast<std::int16_t>(i);
    if (s_.melees[i].stage == MeleeStage::kLosses) {
      if (Self().OrderRetreats(index)) Emit(MeleeStageReached{index, MeleeStage::kRetreats});
      return true;
    }
    if (s_.melees[i].stage == MeleeStage::kRetreats) {
      SettleEquipment(index);
      Emit(MeleeStageReached{index, MeleeStage::kDone});
      return true;
    }
  }
  Begin(Step::kEnd);
  return true;
}

// NAP-5C, NAP-5D, ANC-P2 to P4. Asks for a coin where one decides; it is then called again.
template <typename Own, typename Traits>
void CommonReferee<Own, Traits>::ResolveMelee(int index) {
  const MeleeAccount account = AccountOf(s_, index);
  if (!IsFought(account.result)) {
    Withdraw(index, account.result);
    return;
  }
  const MeleeRuling ruling = SumsRuling(s_.Ruling());
  const MeleeSums sums = SumsAtStart(s_, index);
  BySide losses =
      LossesOf(s_.Book().melee, ruling, account.result, sums.compared, sums.full, sums.reduction);
  // The inferior side first: the superior's loss may depend on what the inferior really lost.
  const std::size_t first = account.result == CardResult::kInferior ? kAttackers : kDefenders;
  std::vector<PieceNo> fallen;
  const LossPolicy policy = LossPolicyOf(s_.Ruling());
  if (!TakeLosses(index, SideOf(first), losses[first], policy, fallen)) return;
  if (account.result != CardResult::kEqual && !ruling.superior_loss_computed) {
    Sixteenths lost = 0;
    for (const PieceNo i : fallen) lost += LossValueOf(s_, s_.StandAt(i));
    losses[1 - first] =
        SuperiorLossOf(s_.Book().melee, ruling, lost, first == kAttackers, sums.reduction);
  }
  if (!TakeLosses(index, SideOf(1 - first), losses[1 - first], policy, fallen)) return;
  for (const PieceNo i : fallen) Emit(StandLost{i, LossCause::kMelee});
  Decide(index, account.result, account.before);
}

// NAP-5C, ANC-P2, ANC-P3: who falls back and who is destroyed. ANC-H8 applies again when the
// survivors are compared.
template <typename Own, typename Traits>
void CommonReferee<Own, Traits>::Decide(int index, CardResult result, const BySide& before) {
  const BySide left = LeftIn(s_, index);
  const MeleeOutcome outcome =
      OutcomeOf(s_.Book().melee, SumsRuling(s_.Ruling()), result, before,
                SumsOf(s_, index, left).compared, {left[0] > 0, left[1] > 0});
  for (const std::size_t role : {kAttackers, kDefenders})
    if (outcome.destroyed[role]) Annihilate(index, SideOf(role));
  MeleeDecided decided;
  decided.melee = static_cast<std::int16_t>(index);
  decided.result = result;
  for (const std::size_t role : {kAttackers, kDefenders})
    if (outcome.retreats[role])
      decided.retreat[static_cast<std::size_t>(SideOf(role))] =
          static_cast<std::int8_t>(s_.Book().melee.retreat);
  Self().GiveEquipment(decided, outcome, before);
  Emit(decided);
}

// NAP-5H, ANC-P7: after the retreats, equipment changes hands if nobody owns it or its owner has no
// stand left in the contact square; if nobody is there, nobody owns it.
template <typename Own, typename Traits>
void CommonReferee<Own, Traits>::SettleEquipment(int index) {
  const Cell contact = s_.melees[static_cast<std::size_t>(index)].contact;
  const std::array<bool, 2> there{s_.CountIn(0, contact) > 0, s_.CountIn(1, contact) > 0};
  for (const PieceNo i : EquipmentIn(s_, contact)) {
    const int owner = s_.EquipmentAt(i).owner;
    if (owner != kNobody && there[static_cast<std::size_t>(owner)]) continue;
    int next = kNobody;
    if (there[0] != there[1]) {
      next = there[0] ? 0 : 1;
    } else if (owner != kNobody && Self().KeepsEquipment(index, owner)) {
      next = owner;
    }
    if (next != owner) Emit(EquipmentTaken{i, static_cast<std::int8_t>(next)});
  }
}

// NAP-5E, NAP-5F, ANC-P5. False when a coin is needed; nothing is removed before all is known.
template <typename Own, typename Traits>
bool CommonReferee<Own, Traits>::TakeLosses(int index, int side, Sixteenths loss,
                                            const LossPolicy& policy, std::vector<PieceNo>& out) {
  const LossAnswer answer = ChooseLosses(LossOrder(s_, index, side), loss, policy);
  const CoinSide coin =
      s_.melees[static_cast<std::size_t>(index)].coin[static_cast<std::size_t>(side)];
  if (answer.coin && coin == CoinSide::kNotThrown) {
    AskFor(PendingInput::kMeleeCoin, side, 0, index);
    return false;
  }
  for (const int stand : answer.stands) out.push_back(static_cast<PieceNo>(stand));
  if (answer.coin && coin == CoinSide::kHeads) out.push_back(static_cast<PieceNo>(*answer.coin));
  return true;
}

// NAP-5D, ANC-P4: the withdrawing side falls back; nobody loses anything.
template <typename Own, typename Traits>
void CommonReferee<Own, Traits>::Withdraw(int index, CardResult result) {
  MeleeDecided decided;
  decided.melee = static_cast<std::int16_t>(index);
  decided.result = result;
  const auto steps = static_cast<std::int8_t>(s_.Book().melee.withdrawal);
  if (result != CardResult::kEnemyWithdraws)
    decided.retreat[static_cast<std::size_t>(s_.attacker)] = steps;
  if (result != CardResult::kWithdraws)
    decided.retreat[static_cast<std::size_t>(s_.Defender())] = steps;
  Emit(decided);
}

// NAP-5C, ANC-P2, ANC-P3.
template <typename Own, typename Traits>
void CommonReferee<Own, Traits>::Annihilate(int index, int side) {
  for (std::size_t i = 0; i < s_.stands.size(); ++i) {
    const auto& stand = s_.stands[i];
    if (stand.melee == index && stand.side == side && OnBoard(stand))
      Emit(StandLost{static_cast<PieceNo>(i), LossCause::kAnnihilated});
  }
}

// NAP-2A, NAP-5G, ANC-P6: orders the retreats of a decided melee, the attacker's first.
template <typename Own, typename Traits>
void CommonReferee<Own, Traits>::OrderMeleeRetreats(int index) {
  const auto m = s_.melees[static_cast<std::size_t>(index)];
  // A withdrawal that failed is an inferior deployment.
  const bool withdrawal = !IsFought(AccountOf(s_, index).result);
  for (const std::size_t role : {kAttackers, kDefenders}) {
    const int side = SideOf(role);
    if (m.retreat[static_cast<std::size_t>(side)] == 0) continue;
    for (Retreat& retreat : MeleeRetreats(s_, index, side)) {
      using Reason = decltype(retreat.reason);
      retreat.reason = withdrawal ? Reason::kWithdrawal : Reason::kMelee;
      Emit(RetreatOrderedOf<Retreat>{retreat});
    }
  }
}

// Puts the stands of all units on their starting squares and counts them per square.
template <typename State, typename Stand>
void PlaceStands(State& s) {
  for (std::size_t u = 0; u < s.setup->units.size(); ++u) {
    const auto& unit = s.setup->units[u];
    for (int n = 0; n < unit.stands; ++n) {
      Stand stand;
      stand.unit = static_cast<PieceNo>(u);
      stand.type = static_cast<std::int8_t>(unit.type);
      stand.side = static_cast<std::int8_t>(unit.side);
      stand.cell = stand.turn_cell = unit.cell;
      stand.facing = stand.turn_facing = unit.facing;
      s.stands.push_back(stand);
    }
  }
  CountStands(s);
}

}  // namespace fos::sweet
