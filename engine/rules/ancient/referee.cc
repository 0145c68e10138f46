// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/game/refuse.h"
#include "engine/rules/ancient/action.h"
#include "engine/rules/ancient/catapults.h"
#include "engine/rules/ancient/cite.h"
#include "engine/rules/ancient/melee.h"
#include "engine/rules/ancient/missiles.h"
#include "engine/rules/ancient/movement.h"
#include "engine/rules/ancient/query.h"
#include "engine/rules/ancient/retreat.h"
#include "engine/rules/sweet/referee.h"

// The turn order (ANC-T): applies one declaration, then advances until the players must act.
namespace fos::ancient {
namespace {

using sweet::MaybeRefusal;

struct Words {
  using State = ancient::State;
  using Event = ancient::Event;
  using LossCause = ancient::LossCause;
  using MeleeDecided = ancient::MeleeDecided;
  using VolleyPlan = ancient::VolleyPlan;
  static constexpr std::string_view kTurnClause = "ANC-T";
  static constexpr std::string_view kEndClause = "ANC-M4";
  static constexpr std::string_view kGunClause = "ANC-C4";
  static constexpr std::string_view kBackClause = "ANC-P6";
  static constexpr std::string_view kVolleyClause = "ANC-F6";
  static constexpr LossCause kVolleyLoss = LossCause::kMissiles;
  static constexpr EndReason kGivenUp = EndReason::kConceded;
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
  MaybeRefusal On(const Choose& a);
  MaybeRefusal On(const CallShot& a);
  MaybeRefusal On(const Rouse& a);
  MaybeRefusal On(const Move& a);
  MaybeRefusal On(const Support& a);
  MaybeRefusal On(const EndStep& a);
  MaybeRefusal On(const TimeUp& a);

  bool MoreAtTheSameTime() const;
  // ANC-T: the attacker's supports are still open.
  bool OrdersOpen() const {
    return s_.step == Step::kAttackerSupport && !s_.done[static_cast<std::size_t>(s_.attacker)];
  }
  void CarryOut(const Retreat& retreat, const squares::RetreatPath& path) {
    FallBack(retreat, path);
  }
  void NoWayBack(const Retreat& retreat);
  void AdvanceShot();
  void FinishShot(const std::vector<PieceNo>& stands, const std::vector<PieceNo>& equipment);
  bool AdvanceStep();
  bool OrderRetreats(int melee) {
    OrderMeleeRetreats(melee);
    return true;
  }
  // ANC-P7: catapults change hands after the retreats only.
  void GiveEquipment(const MeleeDecided&, const squares::MeleeOutcome&, const BySide&) {}
  static bool KeepsEquipment(int, int) { return false; }
};

void Referee::OnDice(const Ask& ask, const std::vector<std::int8_t>& dice) {
  if (ask.kind == PendingInput::kFirstAttackerDice) {
    RollForFirst(dice, Step::kCatapults);  // ANC-G2
  } else if (ask.kind == PendingInput::kElephantDie) {
    const bool stays = s_.Ruling().stationary_faces >> (dice[0] - 1) & 1;
    Emit(ElephantDecided{ask.about, stays ? Will::kStays : Will::kWilling});
  }
}

// ANC-C4: a shot is measured on the table; the engine never simulates one.
MaybeRefusal Referee::On(const Land& a) {
  if (s_.ask.kind != PendingInput::kFallOfShot) return NotAsked("the fall of a shot");
  if (auto refusal = CheckNearness(a.facts, "ANC-C4")) return refusal;
  Emit(ShotLanded{a.facts});
  for (const CloseCall& close : JudgeShot(s_, *s_.shot).close_calls) Emit(close);
  return std::nullopt;
}

MaybeRefusal Referee::On(const Choose& a) {
  if (s_.ask.kind == PendingInput::kShotPiece) {
    const ShotVerdict verdict = JudgeShot(s_, *s_.shot);
    const auto in = [](const std::vector<PieceNo>& some, const std::vector<PieceNo>& all) {
      return std::all_of(some.begin(), some.end(), [&](PieceNo i) {
        return std::find(all.begin(), all.end(), i) != all.end();
      });
    };
    if (a.stands.size() + a.equipment.size() != 1 || !in(a.stands, verdict.stands) ||
        !in(a.equipment, verdict.equipment))
      return Impossible("ANC-C4", "choose exactly one stand or catapult within the circle");
    FinishShot(a.stands, a.equipment);
    return std::nullopt;
  }
  if (s_.ask.kind == PendingInput::kVolleyStands) {
    if (!a.equipment.empty())
      return Impossible("ANC-F6", "the dice do not allow exactly these losses");
    return ChooseVolleyLosses(a.stands);
  }
  return NotAsked("a choice of stands");
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

MaybeRefusal Referee::On(const Rouse& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = Settle(CheckRouse(s_, a))) return refusal;
  AskFor(PendingInput::kElephantDie, a.side, 1, a.unit);
  return std::nullopt;
}

MaybeRefusal Referee::On(const Move& a) {
  if (auto refusal = Ready()) return refusal;
  MovePlan plan;
  if (auto refusal = Settle(CheckMove(s_, a, &plan))) return refusal;
  // ANC-M3: a stand that is run down is removed at once and the mover goes on.
  for (const PieceNo i : plan.run_down)
    if (OnBoard(s_.StandAt(i))) Emit(StandLost{i, LossCause::kRunDown});
  MakeMove(a);  // ANC-P7: moving into the square captures an unguarded catapult; passing does not
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

MaybeRefusal Referee::On(const EndStep& a) {
  if (auto refusal = Ready()) return refusal;
  const bool attackers = a.side == s_.attacker;
  const bool not_his =
      ((s_.step == Step::kMovement || s_.step == Step::kAttackerSupport) && !attackers) ||
      (s_.step == Step::kDefenderSupport && attackers) || s_.step == Step::kMelee;
  if (not_his || s_.done[static_cast<std::size_t>(a.side)]) return NotWaitingFor(a.side);
  if (s_.step == Step::kMovement)
    if (auto refusal = CheckSquares(a.side, "ANC-V2")) return refusal;
  Emit(SaidDone{static_cast<std::int8_t>(a.side)});
  return std::nullopt;
}

// ANC-M4: the current turn and a set number of further turns are played.
MaybeRefusal Referee::On(const TimeUp&) {
  if (s_.step == Step::kOver) return Impossible("ANC-M4", "the game is over");
  if (s_.step == Step::kFirstAttacker) return Impossible("ANC-M4", "no turn is being played");
  if (s_.last_turn > 0) return Impossible("ANC-M4", "the time has already been called");
  Emit(TimeRanOut{s_.turn + s_.Ruling().end_time_extra_moves});
  return std::nullopt;
}

// ---- advancing the game ------------------------------------------------------------------------

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

// ANC-T: step 1 is simultaneous, also for a catapult removed in it and for the stand that mans it;
// and melees are.
bool Referee::MoreAtTheSameTime() const {
  if (s_.shot || MeleesOpen()) return true;
  if (s_.step != Step::kCatapults) return false;
  return std::any_of(s_.equipment.begin(), s_.equipment.end(), [&](const Equipment& e) {
    if (e.may_fire_for == kNobody || e.fired || s_.done[static_cast<std::size_t>(e.may_fire_for)])
      return false;
    return std::any_of(s_.stands.begin(), s_.stands.end(), [&](const Stand& man) {
      return man.side == e.may_fire_for && man.turn_cell == e.cell && !man.busy &&
             s_.Book().may_man[static_cast<std::size_t>(s_.TypeOf(man).arm)];
    });
  });
}

// ANC-P6, ANC-M1: a unit that cannot retreat is destroyed.
void Referee::NoWayBack(const Retreat& retreat) {
  const std::vector<PieceNo> stands = RetreatingStands(s_, retreat);
  const bool stays = retreat.reason == RetreatReason::kOneStand && !s_.Ruling().cut_off_destroyed;
  for (const PieceNo i : stands) {
    if (stays) {  // it has used its move
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
    AskFor(PendingInput::kFallOfShot, shot.side, 0, shot.catapult);
    return;
  }
  const ShotVerdict verdict = JudgeShot(s_, shot);
  if (verdict.Count() > 1) {
    AskFor(PendingInput::kShotPiece, shot.side, 0, shot.catapult);
  } else {
    FinishShot(verdict.stands, verdict.equipment);
  }
}

// ANC-C4: only the catapult is removed; its crew stays.
void Referee::FinishShot(const std::vector<PieceNo>& stands,
                         const std::vector<PieceNo>& equipment) {
  for (const PieceNo i : stands) Emit(StandLost{i, LossCause::kShot});
  for (const PieceNo i : equipment) Emit(EquipmentLost{i});
  Emit(ShotOver{});
}

// ---- steps ------------------------------------------------------------------------------------

// ANC-T. False when players must declare.
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

}  // namespace

std::optional<Refusal> Play(State& state, const Action& action, std::vector<Event>& events) {
  if (auto refusal = CheckNames(state, action.what)) return refusal;
  return Referee(state, events).Take(action);
}

State NewGame(std::shared_ptr<const Setup> setup, std::uint64_t seed) {
  State s;
  s.setup = std::move(setup);
  s.generator.state = seed;
  sweet::PlaceStands<State, Stand>(s);
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
    ApplyTo(s, Asked{{PendingInput::kFirstAttackerDice, kNobody, 2, 0}});
  } else {
    ApplyTo(s, StepBegan{1, Step::kCatapults, static_cast<std::int8_t>(s.setup->first_attacker)});
    Referee(s, events).Continue();
  }
  return s;
}

}  // namespace fos::ancient
