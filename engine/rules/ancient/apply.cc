#include <algorithm>
#include <utility>

#include "engine/rules/ancient/event.h"
#include "engine/rules/ancient/melee.h"
#include "engine/rules/ancient/query.h"
#include "engine/table/result.h"

// The fold: each event's effect on the state and nothing else. No rule is decided here.
namespace fos::ancient {
namespace {

class Folder {
 public:
  explicit Folder(State& state) : s_(state) {}

  void operator()(const StepBegan& e) {
    s_.turn = e.turn;
    s_.step = e.step;
    s_.attacker = e.attacker;
    s_.done = {};
    if (e.step == Step::kCatapults) BeginTurn();
    if (e.step == Step::kMovement) {
      s_.volleys.clear();
      s_.moving = false;
    }
  }
  void operator()(const Asked& e) { s_.ask = e.ask; }
  void operator()(const DiceThrown& e) {
    s_.generator.state = e.generator;
    const Ask ask = std::exchange(s_.ask, Ask{});
    if (ask.kind == AskKind::kVolleyDice) VolleyAt(ask.about).rolled = e.dice;
  }
  void operator()(const CoinThrown& e) {
    s_.generator.state = e.generator;
    const Ask ask = std::exchange(s_.ask, Ask{});
    MeleeAt(ask.about).coin[Side(ask.side)] = e.heads ? CoinSide::kHeads : CoinSide::kTails;
  }
  void operator()(const Turned& e) {
    for (const PieceNo i : e.stands) StandAt(i).facing = e.facing;
  }
  void operator()(const EquipmentTurned& e) { EquipmentAt(e.equipment).facing = e.facing; }
  void operator()(const ShotCalled& e) {
    s_.shot = e.shot;
    EquipmentAt(e.shot.catapult).fired = true;
    StandAt(e.shot.man).busy = true;
  }
  void operator()(const ShotLanded& e) {
    s_.ask = {};
    s_.shot->landed = true;
    s_.shot->facts = e.facts;
  }
  void operator()(const ShotOver&) {
    s_.ask = {};
    s_.shot.reset();
  }
  void operator()(const VolleyCalled& e) {
    s_.volleys.push_back(e.volley);
    for (const PieceNo i : e.stands) StandAt(i).fired = true;
  }
  void operator()(const VolleyJudged& e) {
    s_.ask = {};
    VolleyAt(e.volley).judged = true;
    VolleyAt(e.volley).losses = e.losses;
  }
  void operator()(const VolleysOver&) { s_.volleys_over = true; }
  void operator()(const StandLost& e) { Remove(StandAt(e.stand), Fate::kDestroyed); }
  void operator()(const EquipmentLost& e) { EquipmentAt(e.equipment).fate = Fate::kDestroyed; }
  void operator()(const EquipmentTaken& e) { EquipmentAt(e.equipment).owner = e.owner; }
  void operator()(const CloseCall&) {}
  void operator()(const ElephantDecided& e) {
    for (Stand& stand : s_.stands) {
      if (stand.unit != e.unit) continue;
      stand.will = e.will;
      // One that stays does not move at all in this step.
      if (e.will == Will::kStays) stand.moved = true;
    }
  }
  void operator()(const Moved& e) {
    s_.ask = {};
    const Cell to = e.path.back();
    const bool step = s_.step == Step::kMovement;
    if (step && !e.retreat) s_.moving = true;
    const bool contact = to != kNowhere && !e.retreat && s_.CountIn(s_.Defender(), to) > 0;
    for (const PieceNo i : e.stands) {
      Stand& stand = StandAt(i);
      stand.came_from = e.path.size() > 1 ? e.path[e.path.size() - 2] : stand.cell;
      if (step) stand.moved = true;
      if (contact) stand.charged = true;
      if (to == kNowhere) {
        Remove(stand, Fate::kOffBoard);
        stand.cell = kNowhere;
      } else {
        Shift(stand, to);
      }
    }
    for (const PieceNo i : e.equipment) {
      Equipment& equipment = EquipmentAt(i);
      equipment.cell = to;
      equipment.moved = equipment.moved || step;
      if (to == kNowhere) equipment.fate = Fate::kOffBoard;
    }
    if (contact && std::find(s_.contacts.begin(), s_.contacts.end(), to) == s_.contacts.end())
      s_.contacts.push_back(to);
  }
  void operator()(const StandPlaced& e) {
    Stand& stand = StandAt(e.stand);
    Shift(stand, e.cell);
    stand.facing = e.facing;
    if (s_.step == Step::kMovement && stand.side == s_.attacker) stand.moved = true;
  }
  void operator()(const RetreatOrdered& e) { s_.retreats.push_back(e.retreat); }
  void operator()(const RetreatOver&) {
    s_.ask = {};
    s_.retreats.erase(s_.retreats.begin());
  }
  void operator()(const OneStandRetreats&) { s_.one_stand_done = true; }
  void operator()(const MeleeJoined& e) {
    s_.melees.push_back(e.melee);
    Involve(static_cast<int>(s_.melees.size() - 1), e.stands);
  }
  void operator()(const Supported& e) { Involve(e.melee, e.stands); }
  void operator()(const CardChosen& e) {
    MeleeAt(e.melee).card[Side(e.side)] = static_cast<std::int8_t>(e.card);
  }
  void operator()(const MeleeDecided& e) {
    MeleeAt(e.melee).retreat = e.retreat;
    MeleeAt(e.melee).stage = MeleeStage::kLosses;
  }
  void operator()(const MeleeStageReached& e) { MeleeAt(e.melee).stage = e.stage; }
  void operator()(const SaidDone& e) { s_.done[Side(e.side)] = true; }
  void operator()(const TimeRanOut& e) { s_.last_turn = e.last_turn; }
  void operator()(const Conceded& e) { s_.conceded[Side(e.side)] = true; }
  void operator()(const Overruled&) {}
  void operator()(const GameEnded& e) {
    s_.ending = e.ending;
    s_.step = Step::kOver;
    s_.ask = {};
  }

 private:
  static std::size_t Side(int side) {
    FOS_CHECK(side == 0 || side == 1);
    return static_cast<std::size_t>(side);
  }
  Stand& StandAt(PieceNo i) { return s_.stands.at(static_cast<std::size_t>(i)); }
  Equipment& EquipmentAt(PieceNo i) { return s_.equipment.at(static_cast<std::size_t>(i)); }
  Volley& VolleyAt(int i) { return s_.volleys.at(static_cast<std::size_t>(i)); }
  Melee& MeleeAt(int i) { return s_.melees.at(static_cast<std::size_t>(i)); }
  std::uint8_t& CountWhere(const Stand& stand) {
    return s_.held_by[Side(stand.side)].at(static_cast<std::size_t>(stand.cell));
  }
  void Shift(Stand& stand, Cell to) {
    --CountWhere(stand);
    stand.cell = to;
    ++CountWhere(stand);
  }
  void Remove(Stand& stand, Fate fate) {
    FOS_CHECK(OnBoard(stand));
    --CountWhere(stand);
    stand.fate = fate;
  }
  // Nobody has fallen in a melee yet: their values now are those at its start.
  void Involve(int melee, const std::vector<PieceNo>& stands) {
    for (const PieceNo i : stands) {
      StandAt(i).melee = static_cast<std::int8_t>(melee);
      StandAt(i).value = ValueOf(s_, StandAt(i));
    }
  }

  void BeginTurn() {
    for (Stand& stand : s_.stands) {
      stand.turn_cell = OnBoard(stand) ? stand.cell : kNowhere;
      stand.turn_facing = stand.facing;
      stand.came_from = kNowhere;
      stand.melee = -1;
      stand.value = 0;
      stand.will = Will::kNotAsked;
      stand.moved = stand.fired = stand.busy = stand.charged = false;
    }
    for (Equipment& equipment : s_.equipment) {
      equipment.may_fire_for = OnBoard(equipment) ? equipment.owner : std::int8_t{kNobody};
      equipment.fired = equipment.moved = false;
    }
    s_.one_stand_done = s_.volleys_over = s_.moving = false;
    s_.contacts.clear();
    s_.melees.clear();
    s_.volleys.clear();
  }

  State& s_;
};

}  // namespace

void ApplyTo(State& state, const Event& event) { std::visit(Folder(state), event); }

State Apply(State before, const Event& event) {
  ApplyTo(before, event);
  return before;
}

}  // namespace fos::ancient
