// SPDX-License-Identifier: MIT
#include <utility>

#include "engine/rules/ancient/event.h"
#include "engine/rules/ancient/melee.h"
#include "engine/rules/ancient/query.h"
#include "engine/rules/sweet/fold.h"
#include "engine/table/result.h"

// Applies each event's effect to the state. No rule is decided here.
namespace fos::ancient {
namespace {

class Folder : public sweet::CommonFold<Folder, State> {
 public:
  using CommonFold::CommonFold;
  using CommonFold::operator();

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
  void operator()(const EquipmentLost& e) { EquipmentAt(e.equipment).fate = Fate::kDestroyed; }
  void operator()(const EquipmentTaken& e) { EquipmentAt(e.equipment).owner = e.owner; }
  void operator()(const CloseCall&) {}
  void operator()(const ElephantDecided& e) {
    for (Stand& stand : s_.stands) {
      if (stand.unit != e.unit) continue;
      stand.will = e.will;
      // An elephant that stays does not move at all in this step.
      if (e.will == Will::kStays) stand.moved = true;
    }
  }
  void operator()(const MeleeDecided& e) {
    MeleeAt(e.melee).retreat = e.retreat;
    MeleeAt(e.melee).stage = MeleeStage::kLosses;
  }
  void operator()(const TimeRanOut& e) { s_.last_turn = e.last_turn; }
  void operator()(const Conceded& e) { s_.conceded[Side(e.side)] = true; }

 private:
  friend CommonFold;
  void Threw(const Ask&, const std::vector<std::int8_t>&) {}
  void Gone(Stand& stand, const Moved& e, bool contact) {
    s_.moving = s_.moving || (s_.step == Step::kMovement && !e.retreat);
    stand.charged = stand.charged || contact;
  }
  void Passed(PieceNo, Cell) {}
  // No stand is lost in a melee yet, so the current values are those at its start.
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
};

}  // namespace

void ApplyTo(State& state, const Event& event) { std::visit(Folder(state), event); }

State Apply(State before, const Event& event) {
  ApplyTo(before, event);
  return before;
}

}  // namespace fos::ancient
