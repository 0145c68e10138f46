#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/refuse.h"
#include "engine/rules/ancient/action.h"
#include "engine/rules/ancient/catapults.h"
#include "engine/rules/ancient/check_names.h"
#include "engine/rules/ancient/cite.h"
#include "engine/rules/ancient/melee.h"
#include "engine/rules/ancient/missiles.h"
#include "engine/rules/ancient/movement.h"
#include "engine/rules/ancient/query.h"
#include "engine/rules/ancient/retreat.h"

// The order of things (ANC-T): takes one declaration, then goes on until players are needed again.
namespace fos::ancient {
namespace {

using MaybeRefusal = std::optional<Refusal>;

class Referee {
 public:
  Referee(State& state, std::vector<Event>& events) : s_(state), events_(events) {}

  MaybeRefusal Take(const Action& action) {
    overrule_ = action.overrule;
    const MaybeRefusal refusal = std::visit([this](const auto& a) { return On(a); }, action.what);
    if (!refusal) Continue();
    return refusal;
  }
  void Continue();

 private:
  void Emit(Event event) {
    ApplyTo(s_, event);
    events_.push_back(std::move(event));
  }
  // The refusal that stands; an overruled one becomes an event.
  MaybeRefusal Settle(MaybeRefusal refusal) {
    if (refusal && overrule_ && refusal->may_overrule) {
      Emit(Overruled{refusal->clause, refusal->because});
      return std::nullopt;
    }
    return refusal;
  }
  MaybeRefusal Ready() const;
  void AskFor(AskKind kind, int side, int count, int about) {
    Emit(Asked{{kind, static_cast<std::int8_t>(side), static_cast<std::int8_t>(count),
                static_cast<std::int16_t>(about)}});
  }

  MaybeRefusal On(const GiveDice& a);
  MaybeRefusal On(const GiveCoin& a);
  MaybeRefusal On(const Draw& a);
  MaybeRefusal On(const Land& a);
  MaybeRefusal On(const Choose& a);
  MaybeRefusal On(const ChooseRetreat& a);
  MaybeRefusal On(const TurnUnit& a);
  MaybeRefusal On(const TurnEquipment& a);
  MaybeRefusal On(const CallShot& a);
  MaybeRefusal On(const CallVolley& a);
  MaybeRefusal On(const Rouse& a);
  MaybeRefusal On(const Move& a);
  MaybeRefusal On(const Support& a);
  MaybeRefusal On(const PlayCard& a);
  MaybeRefusal On(const EndStep& a);
  MaybeRefusal On(const TimeUp& a);
  MaybeRefusal On(const Concede& a);

  MaybeRefusal TakeDice(const std::vector<std::int8_t>& dice, std::uint64_t generator);
  MaybeRefusal CheckSquares(int side);

  bool EndIfDestroyed();
  void End(EndReason reason, int winner);
  void AdvanceRetreat();
  void CarryOut(const Retreat& retreat, const squares::RetreatPath& path);
  void NoWayBack(const Retreat& retreat);
  void AdvanceShot();
  void FinishShot(const std::vector<PieceNo>& stands, const std::vector<PieceNo>& equipment);
  bool AdvanceVolleys();
  bool AdvanceStep();
  void Begin(Step step) { Emit(StepBegan{s_.turn, step, s_.attacker}); }
  void JoinMelees();
  bool AdvanceMelees();
  bool ResolveMelee(int melee);
  bool TakeLosses(int melee, int side, Sixteenths loss, std::vector<PieceNo>& out);
  void Withdraw(int melee, CardResult result);
  void Decide(int melee, CardResult result, const BySide& before);
  void OrderRetreats(int melee);
  void SettleEquipment(int melee);
  int SideOf(std::size_t role) const { return role == kAttackers ? s_.attacker : s_.Defender(); }
  BySide Values(int melee, Sixteenths (*of)(const State&, int, int)) const {
    return {of(s_, melee, s_.attacker), of(s_, melee, s_.Defender())};
  }

  State& s_;
  std::vector<Event>& events_;
  bool overrule_ = false;
};

MaybeRefusal Referee::Ready() const {
  if (s_.step == Step::kOver) return Impossible("ANC-M4", "the game is over");
  if (s_.Waiting())
    return Impossible(ClauseOfAsk(s_.ask.kind),
                      "first answer what the game asks: " + DescribeAsk(s_));
  return std::nullopt;
}

bool IsDiceAsk(AskKind kind) {
  return kind == AskKind::kFirstAttackerDice || kind == AskKind::kVolleyDice ||
         kind == AskKind::kElephantDie;
}

MaybeRefusal NotAsked(const State& s, std::string_view what) {
  if (!s.Waiting()) return Impossible("ANC-T", fmt::format("nothing waits for {}", what));
  return Impossible(ClauseOfAsk(s.ask.kind), "the game asks for something else: " + DescribeAsk(s));
}

MaybeRefusal Referee::On(const GiveDice& a) {
  if (!IsDiceAsk(s_.ask.kind)) return NotAsked(s_, "dice");
  return TakeDice(a.dice, a.generator.value_or(s_.generator.state));
}

MaybeRefusal Referee::On(const GiveCoin& a) {
  if (s_.ask.kind != AskKind::kMeleeCoin) return NotAsked(s_, "a coin");
  Emit(CoinThrown{a.heads, a.generator.value_or(s_.generator.state)});
  return std::nullopt;
}

MaybeRefusal Referee::On(const Draw&) {
  Generator generator = s_.generator;
  if (IsDiceAsk(s_.ask.kind)) {
    std::vector<std::int8_t> dice;
    for (int i = 0; i < s_.ask.count; ++i)
      dice.push_back(static_cast<std::int8_t>(generator.Die()));
    return TakeDice(dice, generator.state);
  }
  if (s_.ask.kind != AskKind::kMeleeCoin) return NotAsked(s_, "dice or a coin");
  const bool heads = generator.Heads();
  Emit(CoinThrown{heads, generator.state});
  return std::nullopt;
}

MaybeRefusal Referee::TakeDice(const std::vector<std::int8_t>& dice, std::uint64_t generator) {
  const Ask ask = s_.ask;
  if (static_cast<int>(dice.size()) != ask.count)
    return Impossible(ClauseOfAsk(ask.kind),
                      fmt::format("{} dice are to be thrown, not {}", ask.count, dice.size()));
  for (const int die : dice)
    if (die < 1 || die > 6)
      return Impossible(ClauseOfAsk(ask.kind), fmt::format("a die does not show {}", die));
  Emit(DiceThrown{dice, generator});
  if (ask.kind == AskKind::kFirstAttackerDice) {
    // ANC-G2: ties roll again.
    if (dice[0] == dice[1]) {
      AskFor(AskKind::kFirstAttackerDice, kNobody, 2, 0);
    } else {
      Emit(StepBegan{1, Step::kCatapults, static_cast<std::int8_t>(dice[0] > dice[1] ? 0 : 1)});
    }
  } else if (ask.kind == AskKind::kElephantDie) {
    const bool stays = s_.Ruling().stationary_faces >> (dice[0] - 1) & 1;
    Emit(ElephantDecided{ask.about, stays ? Will::kStays : Will::kWilling});
  }
  return std::nullopt;
}

// ANC-C4: a shot is measured on the table, never simulated.
MaybeRefusal Referee::On(const Land& a) {
  if (s_.ask.kind != AskKind::kFallOfShot) return NotAsked(s_, "the fall of a shot");
  Emit(ShotLanded{a.facts});
  for (const CloseCall& close : JudgeShot(s_, *s_.shot).close_calls) Emit(close);
  return std::nullopt;
}

MaybeRefusal Referee::On(const Choose& a) {
  if (s_.ask.kind == AskKind::kShotPiece) {
    const ShotVerdict verdict = JudgeShot(s_, *s_.shot);
    const auto in = [](const std::vector<PieceNo>& some, const std::vector<PieceNo>& all) {
      return std::all_of(some.begin(), some.end(), [&](PieceNo i) {
        return std::find(all.begin(), all.end(), i) != all.end();
      });
    };
    if (a.stands.size() + a.equipment.size() != 1 || !in(a.stands, verdict.stands) ||
        !in(a.equipment, verdict.equipment))
      return Impossible("ANC-C4", "exactly one of those within the circle is removed");
    FinishShot(a.stands, a.equipment);
    return std::nullopt;
  }
  if (s_.ask.kind == AskKind::kVolleyStands) {
    const auto volley = static_cast<std::size_t>(s_.ask.about);
    if (!a.equipment.empty() || !DistributionOf(s_, VolleyProblem(s_, volley), a.stands))
      return Impossible("ANC-F6", "the dice do not take exactly these stands");
    Emit(VolleyJudged{static_cast<std::int16_t>(volley), a.stands});
    return std::nullopt;
  }
  return NotAsked(s_, "a choice of stands");
}

MaybeRefusal Referee::On(const ChooseRetreat& a) {
  if (s_.ask.kind != AskKind::kRetreatSquare) return NotAsked(s_, "a choice of squares");
  for (const squares::RetreatPath& path : RetreatWays(s_, s_.retreats.front()).paths) {
    if (path.back() != a.cell) continue;
    CarryOut(Retreat(s_.retreats.front()), path);
    return std::nullopt;
  }
  return Impossible("ANC-P6",
                    fmt::format("no equally near way back ends in {}", CellName(s_, a.cell)));
}

MaybeRefusal Referee::On(const TurnUnit& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = Settle(CheckTurn(s_, a))) return refusal;
  Emit(Turned{StandsOf(s_, a.unit, a.cell), a.facing});
  return std::nullopt;
}

MaybeRefusal Referee::On(const TurnEquipment& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = Settle(CheckTurn(s_, a))) return refusal;
  Emit(EquipmentTurned{a.equipment, a.facing});
  return std::nullopt;
}

MaybeRefusal Referee::On(const CallShot& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = Settle(CheckShot(s_, a))) return refusal;
  const Equipment& e = s_.EquipmentAt(a.catapult);
  Shot shot;
  shot.side = static_cast<std::int8_t>(a.side);
  shot.catapult = a.catapult;
  shot.man = a.man;
  shot.from = e.cell;
  shot.facing = e.facing;
  shot.target = a.target;
  Emit(ShotCalled{shot});
  return std::nullopt;
}

MaybeRefusal Referee::On(const CallVolley& a) {
  if (auto refusal = Ready()) return refusal;
  VolleyPlan plan;
  if (auto refusal = CheckVolley(s_, a, &plan)) return refusal;
  Emit(VolleyCalled{plan.volley, plan.stands});
  return std::nullopt;
}

MaybeRefusal Referee::On(const Rouse& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = Settle(CheckRouse(s_, a))) return refusal;
  AskFor(AskKind::kElephantDie, a.side, 1, a.unit);
  return std::nullopt;
}

MaybeRefusal Referee::On(const Move& a) {
  if (auto refusal = Ready()) return refusal;
  MovePlan plan;
  if (auto refusal = Settle(CheckMove(s_, a, &plan))) return refusal;
  // ANC-M3: removed at once, the mover goes on.
  for (const PieceNo i : plan.run_down)
    if (OnBoard(s_.StandAt(i))) Emit(StandLost{i, LossCause::kRunDown});
  Emit(Moved{a.stands, a.equipment, a.path, false});
  if (a.facing) {
    Emit(Turned{a.stands, *a.facing});
    for (const PieceNo i : a.equipment) Emit(EquipmentTurned{i, *a.facing});
  }
  // ANC-P7: a catapult without a stand is captured by moving in, not by passing.
  const Cell to = a.path.back();
  if (s_.CountIn(1 - a.side, to) == 0)
    for (const PieceNo i : EquipmentIn(s_, to))
      if (s_.EquipmentAt(i).owner != a.side)
        Emit(EquipmentTaken{i, static_cast<std::int8_t>(a.side)});
  return std::nullopt;
}

// ANC-H2: the supporter faces the contact square from now on.
MaybeRefusal Referee::On(const Support& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = Settle(CheckSupport(s_, a))) return refusal;
  const std::vector<PieceNo> group = StandsOf(s_, a.unit, a.from);
  std::vector<PieceNo> stands = group;
  std::erase_if(stands, [&](PieceNo i) { return s_.StandAt(i).busy; });  // ANC-C1
  Emit(Supported{static_cast<std::int16_t>(MeleeAt(s_, a.contact)), stands});
  const Facing towards = squares::NearestDirection(s_.setup->board.Between(a.from, a.contact));
  if (MayFace(s_, TypeOfUnit(s_, a.unit), towards)) Emit(Turned{group, towards});
  return std::nullopt;
}

MaybeRefusal Referee::On(const PlayCard& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = CheckCard(s_, a)) return refusal;
  Emit(CardChosen{static_cast<std::int16_t>(MeleeAt(s_, a.contact)),
                  static_cast<std::int8_t>(a.side), a.card});
  return std::nullopt;
}

// ANC-V2: who moved must have made room when the step ends. What a melee crowded with captured
// catapults is no fault of the move.
MaybeRefusal Referee::CheckSquares(int side) {
  const auto moved_into = [&](Cell cell) {
    const auto moved = [&](const auto& piece) {
      return piece.moved && piece.cell == cell && OnBoard(piece);
    };
    return std::any_of(s_.stands.begin(), s_.stands.end(),
                       [&](const Stand& stand) { return stand.side == side && moved(stand); }) ||
           std::any_of(s_.equipment.begin(), s_.equipment.end(),
                       [&](const Equipment& e) { return e.owner == side && moved(e); });
  };
  for (Cell cell = 0; cell < s_.setup->board.Cells(); ++cell) {
    if (s_.CountIn(side, cell) == 0 || !moved_into(cell)) continue;
    const std::string fault = StackingFault(s_, side, cell, {}, false);
    if (fault.empty()) continue;
    if (auto refusal = Settle(Refuse("ANC-V2", fault))) return refusal;
  }
  return std::nullopt;
}

MaybeRefusal Referee::On(const EndStep& a) {
  if (auto refusal = Ready()) return refusal;
  const bool attackers = a.side == s_.attacker;
  const bool not_his =
      ((s_.step == Step::kMovement || s_.step == Step::kAttackerSupport) && !attackers) ||
      (s_.step == Step::kDefenderSupport && attackers) || s_.step == Step::kMelee;
  if (not_his || s_.done[static_cast<std::size_t>(a.side)])
    return Impossible("ANC-T", fmt::format("the {} step does not wait for {}", StepName(s_.step),
                                           SideName(s_, a.side)));
  if (s_.step == Step::kMovement)
    if (auto refusal = CheckSquares(a.side)) return refusal;
  Emit(SaidDone{static_cast<std::int8_t>(a.side)});
  return std::nullopt;
}

// ANC-M4: the present move and so many more are played.
MaybeRefusal Referee::On(const TimeUp&) {
  if (s_.step == Step::kOver) return Impossible("ANC-M4", "the game is over");
  if (s_.step == Step::kFirstAttacker) return Impossible("ANC-M4", "no turn is being played");
  if (s_.last_turn > 0) return Impossible("ANC-M4", "the time has been called");
  Emit(TimeRanOut{s_.turn + s_.Ruling().end_time_extra_moves});
  return std::nullopt;
}

MaybeRefusal Referee::On(const Concede& a) {
  if (s_.step == Step::kOver) return Impossible("ANC-M4", "the game is over");
  Emit(Conceded{static_cast<std::int8_t>(a.side)});
  End(EndReason::kConceded, 1 - a.side);
  return std::nullopt;
}

// ---- going on by itself -----------------------------------------------------------------------

void Referee::Continue() {
  while (s_.step != Step::kOver && s_.step != Step::kFirstAttacker && !s_.Waiting()) {
    if (EndIfDestroyed()) continue;
    if (!s_.retreats.empty()) {
      AdvanceRetreat();
    } else if (s_.shot) {
      AdvanceShot();
    } else if (!AdvanceStep()) {
      return;
    }
  }
}

// ANC-M4.
bool Referee::EndIfDestroyed() {
  std::array<bool, 2> on_board{};
  std::array<bool, 2> off_board{};
  for (const Stand& stand : s_.stands) {
    if (OnBoard(stand)) on_board[static_cast<std::size_t>(stand.side)] = true;
    if (stand.fate == Fate::kOffBoard) off_board[static_cast<std::size_t>(stand.side)] = true;
  }
  if (on_board[0] && on_board[1]) return false;
  for (std::size_t side = 0; side < 2; ++side) {
    if (!on_board[side] && !off_board[side] && on_board[1 - side]) {
      End(EndReason::kDestroyed, static_cast<int>(1 - side));
      return true;
    }
  }
  End(EndReason::kDestroyed, -1);
  return true;
}

// winner  -1: the points decide.
void Referee::End(EndReason reason, int winner) {
  Ending ending;
  ending.reason = reason;
  ending.points = {PointsOf(s_, 0), PointsOf(s_, 1)};
  if (winner < 0)
    winner = ending.points[0] == ending.points[1] ? kNobody
                                                  : (ending.points[0] > ending.points[1] ? 0 : 1);
  ending.winner = static_cast<std::int8_t>(winner);
  Emit(GameEnded{ending});
}

void Referee::AdvanceRetreat() {
  const Retreat retreat = s_.retreats.front();
  if (RetreatingStands(s_, retreat).empty()) {
    Emit(RetreatOver{});
    return;
  }
  const squares::RetreatAnswer ways = RetreatWays(s_, retreat);
  if (ways.paths.empty()) {
    NoWayBack(retreat);
  } else if (ways.paths.size() > 1 && s_.Ruling().retreat_owner_choice) {
    AskFor(AskKind::kRetreatSquare, retreat.side, 0, 0);
  } else {
    CarryOut(retreat, ways.paths.front());
  }
}

// ANC-M2: over the edge it is set aside and counts.
void Referee::CarryOut(const Retreat& retreat, const squares::RetreatPath& path) {
  const std::vector<PieceNo> stands = RetreatingStands(s_, retreat);
  Emit(Moved{stands, RetreatingEquipment(s_, retreat), path, true});
  Emit(RetreatOver{});
}

// ANC-P6, ANC-M1: a unit that cannot retreat is destroyed.
void Referee::NoWayBack(const Retreat& retreat) {
  const std::vector<PieceNo> stands = RetreatingStands(s_, retreat);
  const bool stays = retreat.reason == RetreatReason::kOneStand && !s_.Ruling().cut_off_destroyed;
  for (const PieceNo i : stands) {
    if (stays) {  // and has used its move
      Emit(StandPlaced{i, s_.StandAt(i).cell, s_.StandAt(i).facing});
    } else {
      Emit(StandLost{i, LossCause::kNoWayBack});
    }
  }
  Emit(RetreatOver{});
}

// ---- catapults --------------------------------------------------------------------------------

void Referee::AdvanceShot() {
  const Shot& shot = *s_.shot;
  if (!shot.landed) {
    AskFor(AskKind::kFallOfShot, shot.side, 0, shot.catapult);
    return;
  }
  const ShotVerdict verdict = JudgeShot(s_, shot);
  if (verdict.Count() > 1) {
    AskFor(AskKind::kShotPiece, shot.side, 0, shot.catapult);
  } else {
    FinishShot(verdict.stands, verdict.equipment);
  }
}

// ANC-C4: a catapult is removed alone, its crew stays.
void Referee::FinishShot(const std::vector<PieceNo>& stands,
                         const std::vector<PieceNo>& equipment) {
  for (const PieceNo i : stands) Emit(StandLost{i, LossCause::kShot});
  for (const PieceNo i : equipment) Emit(EquipmentLost{i});
  Emit(ShotOver{});
}

// ---- missiles ---------------------------------------------------------------------------------

// ANC-T: all dice, then all choices, then all losses together. False when nothing is left to do.
bool Referee::AdvanceVolleys() {
  if (s_.volleys_over) return false;
  for (std::size_t i = 0; i < s_.volleys.size(); ++i) {
    if (!s_.volleys[i].rolled.empty()) continue;
    AskFor(AskKind::kVolleyDice, s_.volleys[i].side, s_.volleys[i].dice, static_cast<int>(i));
    return true;
  }
  for (std::size_t i = 0; i < s_.volleys.size(); ++i) {
    if (s_.volleys[i].judged) continue;
    const FireProblem problem = VolleyProblem(s_, i);
    const auto ways = squares::CompleteDistributions(problem.dice, problem.targets);
    if (ways.size() > 1) {
      AskFor(AskKind::kVolleyStands, s_.volleys[i].side, 0, static_cast<int>(i));
    } else {
      Emit(VolleyJudged{static_cast<std::int16_t>(i), StandsFor(s_, problem, ways.front())});
    }
    return true;
  }
  const std::vector<Volley> volleys = s_.volleys;
  for (const Volley& volley : volleys)
    for (const PieceNo i : volley.losses) Emit(StandLost{i, LossCause::kMissiles});
  Emit(VolleysOver{});
  return true;
}

// ---- steps ------------------------------------------------------------------------------------

// ANC-T. False when players are to declare.
bool Referee::AdvanceStep() {
  const bool both_done = s_.done[0] && s_.done[1];
  const bool attacker_done = s_.done[static_cast<std::size_t>(s_.attacker)];
  switch (s_.step) {
    case Step::kCatapults:
      if (!both_done) return false;
      Begin(Step::kMissiles);
      return true;
    case Step::kMissiles:
      if (!both_done) return false;
      if (!AdvanceVolleys()) Begin(Step::kMovement);
      return true;
    case Step::kMovement:
      if (!s_.one_stand_done) {  // ANC-M1
        Emit(OneStandRetreats{});
        for (const Retreat& retreat : OneStandRetreatsDue(s_)) Emit(RetreatOrdered{retreat});
        return true;
      }
      if (!attacker_done) return false;
      JoinMelees();
      Begin(s_.melees.empty() ? Step::kEnd : Step::kAttackerSupport);
      return true;
    case Step::kAttackerSupport:
      if (!attacker_done) return false;
      Begin(Step::kDefenderSupport);
      return true;
    case Step::kDefenderSupport:
      if (!s_.done[static_cast<std::size_t>(s_.Defender())]) return false;
      Begin(Step::kMelee);
      return true;
    case Step::kMelee:
      return AdvanceMelees();
    case Step::kEnd: {
      if (!both_done) return false;
      const bool limit = s_.Ruling().turn_limit > 0 && s_.turn >= s_.Ruling().turn_limit;
      const bool time = s_.last_turn > 0 && s_.turn >= s_.last_turn;
      if (limit || time) {
        End(time ? EndReason::kTime : EndReason::kTurnLimit, -1);
      } else {
        Emit(StepBegan{s_.turn + 1, Step::kCatapults, static_cast<std::int8_t>(s_.Defender())});
      }
      return true;
    }
    case Step::kFirstAttacker:
    case Step::kOver:
      return false;
  }
  return false;
}

// ANC-H1: everything of both sides in a contact square is involved.
void Referee::JoinMelees() {
  const std::vector<Cell> contacts = s_.contacts;
  for (const Cell contact : contacts) {
    if (s_.CountIn(0, contact) == 0 || s_.CountIn(1, contact) == 0) continue;
    MeleeJoined joined;
    joined.melee.contact = contact;
    joined.stands = StandsIn(s_, s_.attacker, contact);
    joined.melee.entry = s_.StandAt(joined.stands.front()).came_from;
    for (const PieceNo i : StandsIn(s_, s_.Defender(), contact)) joined.stands.push_back(i);
    Emit(joined);
  }
}

// All losses of all melees first, then all retreats. False when players are to declare.
bool Referee::AdvanceMelees() {
  for (std::size_t i = 0; i < s_.melees.size(); ++i)
    if (s_.melees[i].stage == MeleeStage::kCards) return ResolveMelee(static_cast<int>(i));
  for (std::size_t i = 0; i < s_.melees.size(); ++i) {
    const auto index = static_cast<std::int16_t>(i);
    if (s_.melees[i].stage == MeleeStage::kLosses) {
      OrderRetreats(index);
      Emit(MeleeStageReached{index, MeleeStage::kRetreats});
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

// ---- melee ------------------------------------------------------------------------------------

// ANC-P2 to P4. False when a card is to be chosen.
bool Referee::ResolveMelee(int index) {
  const Melee m = s_.melees[static_cast<std::size_t>(index)];
  if (m.card[0] == kNoCard || m.card[1] == kNoCard) return false;
  const squares::MeleeRuling ruling = SumsRuling(s_.Ruling());
  const CardResult result = squares::ResultOf(
      s_.Book().cards, ruling, static_cast<Card>(m.card[static_cast<std::size_t>(s_.attacker)]),
      static_cast<Card>(m.card[static_cast<std::size_t>(s_.Defender())]));
  if (result != CardResult::kEqual && result != CardResult::kSuperior &&
      result != CardResult::kInferior) {
    Withdraw(index, result);
    return true;
  }
  const BySide full = Values(index, StrengthAtStart);
  const BySide before = Effective(s_, index, full);
  BySide losses = squares::LossesOf(s_.Book().melee, ruling, result, before, full, 0);
  // The inferior first: the superior's loss may follow from what he really lost.
  const std::size_t first = result == CardResult::kInferior ? kAttackers : kDefenders;
  std::vector<PieceNo> fallen;
  if (!TakeLosses(index, SideOf(first), losses[first], fallen)) return true;
  if (result != CardResult::kEqual && !ruling.superior_loss_computed) {
    Sixteenths lost = 0;
    for (const PieceNo i : fallen) lost += s_.StandAt(i).value;
    losses[1 - first] =
        squares::SuperiorLossOf(s_.Book().melee, ruling, lost, first == kAttackers, 0);
  }
  if (!TakeLosses(index, SideOf(1 - first), losses[1 - first], fallen)) return true;
  for (const PieceNo i : fallen) Emit(StandLost{i, LossCause::kMelee});
  Decide(index, result, before);
  return true;
}

// ANC-P5. False when a coin is asked for; nothing is removed before all is known.
bool Referee::TakeLosses(int index, int side, Sixteenths loss, std::vector<PieceNo>& out) {
  const squares::LossAnswer answer =
      squares::ChooseLosses(LossOrder(s_, index, side), loss,
                            {s_.Ruling().contact_first_strict, s_.Ruling().coin_always});
  const CoinSide coin =
      s_.melees[static_cast<std::size_t>(index)].coin[static_cast<std::size_t>(side)];
  if (answer.coin && coin == CoinSide::kNotThrown) {
    AskFor(AskKind::kMeleeCoin, side, 0, index);
    return false;
  }
  for (const int stand : answer.stands) out.push_back(static_cast<PieceNo>(stand));
  if (answer.coin && coin == CoinSide::kHeads) out.push_back(static_cast<PieceNo>(*answer.coin));
  return true;
}

// ANC-P4.
void Referee::Withdraw(int index, CardResult result) {
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

// ANC-H8 counts again when what is left is compared.
void Referee::Decide(int index, CardResult result, const BySide& before) {
  const BySide left = Values(index, StrengthLeft);
  const squares::MeleeOutcome outcome =
      squares::OutcomeOf(s_.Book().melee, SumsRuling(s_.Ruling()), result, before,
                         Effective(s_, index, left), {left[0] > 0, left[1] > 0});
  MeleeDecided decided;
  decided.melee = static_cast<std::int16_t>(index);
  decided.result = result;
  for (const std::size_t role : {kAttackers, kDefenders}) {
    const int side = SideOf(role);
    if (outcome.destroyed[role])
      for (std::size_t i = 0; i < s_.stands.size(); ++i) {
        const Stand& stand = s_.stands[i];
        if (stand.melee == index && stand.side == side && OnBoard(stand))
          Emit(StandLost{static_cast<PieceNo>(i), LossCause::kAnnihilated});
      }
    if (outcome.retreats[role])
      decided.retreat[static_cast<std::size_t>(side)] =
          static_cast<std::int8_t>(s_.Book().melee.retreat);
  }
  Emit(decided);
}

void Referee::OrderRetreats(int index) {
  const Melee m = s_.melees[static_cast<std::size_t>(index)];
  const bool withdrawal = std::any_of(m.card.begin(), m.card.end(), [](std::int8_t card) {
    return card == static_cast<int>(Card::kWithdrawal);
  });
  for (const std::size_t role : {kAttackers, kDefenders}) {
    const int side = SideOf(role);
    if (m.retreat[static_cast<std::size_t>(side)] == 0) continue;
    for (Retreat& retreat : MeleeRetreats(s_, index, side)) {
      retreat.reason = withdrawal ? RetreatReason::kWithdrawal : RetreatReason::kMelee;
      Emit(RetreatOrdered{retreat});
    }
  }
}

// ANC-P7: a catapult whose owner has no stand left in the contact square after the retreats is
// captured by an enemy stand there; where nobody is, it is nobody's.
void Referee::SettleEquipment(int index) {
  const Melee m = s_.melees[static_cast<std::size_t>(index)];
  const std::array<bool, 2> there{s_.CountIn(0, m.contact) > 0, s_.CountIn(1, m.contact) > 0};
  for (const PieceNo i : EquipmentIn(s_, m.contact)) {
    const int owner = s_.EquipmentAt(i).owner;
    if (owner != kNobody && there[static_cast<std::size_t>(owner)]) continue;
    const int next = there[0] == there[1] ? kNobody : (there[0] ? 0 : 1);
    if (next != owner) Emit(EquipmentTaken{i, static_cast<std::int8_t>(next)});
  }
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
  s.held_by = {std::vector<std::uint8_t>(cells), std::vector<std::uint8_t>(cells)};
  for (std::size_t u = 0; u < s.setup->units.size(); ++u) {
    const UnitInfo& unit = s.setup->units[u];
    for (int n = 0; n < unit.stands; ++n) {
      Stand stand;
      stand.unit = static_cast<PieceNo>(u);
      stand.type = static_cast<std::int8_t>(unit.type);
      stand.side = static_cast<std::int8_t>(unit.side);
      stand.cell = stand.turn_cell = unit.cell;
      stand.facing = stand.turn_facing = unit.facing;
      ++s.held_by[static_cast<std::size_t>(unit.side)][static_cast<std::size_t>(unit.cell)];
      s.stands.push_back(stand);
    }
  }
  for (const EquipmentInfo& info : s.setup->equipment) {
    Equipment e;
    e.type = static_cast<std::int8_t>(info.type);
    e.side = e.owner = static_cast<std::int8_t>(info.side);
    e.cell = info.cell;
    e.facing = info.facing;
    s.equipment.push_back(e);
  }
  std::vector<Event> events;
  if (s.setup->settings.first_attacker == FirstAttacker::kDieRoll) {
    ApplyTo(s, Asked{{AskKind::kFirstAttackerDice, kNobody, 2, 0}});
  } else {
    ApplyTo(s, StepBegan{1, Step::kCatapults, static_cast<std::int8_t>(s.setup->first_attacker)});
    Referee(s, events).Continue();
  }
  return s;
}

}  // namespace fos::ancient
