// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "engine/rules/napoleonic/artillery.h"
#include "engine/rules/napoleonic/event.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/rules/sweet/fold.h"
#include "engine/table/result.h"

// Applies each event's effect to the state. No rule is decided here.
namespace fos::napoleonic {
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
    switch (e.step) {
      case Step::kArtillery:
        BeginTurn();
        break;
      case Step::kMusketry:
        s_.battery_rights.clear();
        s_.gun_rights.clear();
        s_.crew_slots.clear();
        s_.canister_dice.clear();
        break;
      case Step::kMovement:
        BeginMovement();
        break;
      case Step::kMelee:
        s_.supports_done = {};
        break;
      default:
        break;
    }
  }
  void operator()(const Limbered& e) { EquipmentAt(e.equipment).limbered = e.limbered; }
  void operator()(const Pooled& e) { EquipmentAt(e.equipment).battery = e.battery; }
  void operator()(const ShotCalled& e) {
    s_.shot = e.shot;
    if (e.held_before) {
      std::erase_if(s_.held, [&](const Held& h) { return h.gun == e.shot.gun; });
      s_.held_fired.push_back({e.shot.side, e.shot.gun, e.shot.kind});
    } else {
      UseRight(s_, e.shot.gun, e.shot.kind, /*held=*/false);
    }
  }
  void operator()(const CanisterHeld& e) {
    s_.held.push_back(e.held);
    UseRight(s_, e.held.gun, e.held.kind, /*held=*/true);
  }
  void operator()(const ShotLanded& e) {
    s_.ask = {};
    s_.shot->facts = e.facts;
  }
  void operator()(const ShotStageReached& e) {
    s_.ask = {};
    if (e.stage == ShotStage::kOver) {
      s_.shot.reset();
    } else {
      s_.shot->stage = e.stage;
    }
  }
  void operator()(const CanisterJudged& e) {
    s_.ask = {};
    for (CanisterDice& known : s_.canister_dice) {
      if (known.side != e.left.side || known.target != e.left.target) continue;
      known = e.left;
      return;
    }
    s_.canister_dice.push_back(e.left);
  }
  void operator()(const EquipmentLost& e) { EquipmentAt(e.equipment).fate = Fate::kDestroyed; }
  void operator()(const EquipmentTaken& e) {
    Equipment& equipment = EquipmentAt(e.equipment);
    equipment.owner = e.owner;
    // Back with its own side, the piece rejoins its battery; otherwise it is separate until pooled.
    equipment.battery =
        e.owner == equipment.side
            ? static_cast<std::int8_t>(
                  s_.setup->equipment[static_cast<std::size_t>(e.equipment)].battery)
            : std::int8_t{-1};
  }
  void operator()(const CloseCall&) {}
  void operator()(const SquareFormed& e) {
    const auto index = static_cast<std::int16_t>(s_.formations.size());
    s_.formations.push_back(e.formation);
    for (const PieceNo i : e.stands) StandAt(i).formation = index;
  }
  void operator()(const SquareBroken& e) {
    s_.formations[static_cast<std::size_t>(e.formation)].formed = false;
    s_.formations[static_cast<std::size_t>(e.formation)].unbroken_at_move = false;
    for (Stand& stand : s_.stands) {
      if (stand.formation != e.formation) continue;
      stand.formation = -1;
      if (!OnBoard(stand) || e.by_choice) continue;
      if (std::find(s_.regroup.begin(), s_.regroup.end(), stand.unit) == s_.regroup.end())
        s_.regroup.push_back(stand.unit);
    }
  }
  void operator()(const Regrouped& e) {
    s_.ask = {};
    std::erase(s_.regroup, e.unit);
    // NAP-5A, 4: a forced facing counts as the facing at the start of the turn.
    if (s_.step < Step::kMovement)
      for (Stand& stand : s_.stands)
        if (stand.unit == e.unit) stand.turn_facing = stand.facing;
  }
  void operator()(const Burns& e) { s_.burning[static_cast<std::size_t>(e.cell)] = true; }
  void operator()(const BurntUp& e) { s_.burnt[static_cast<std::size_t>(e.cell)] = true; }
  void operator()(const RetreatOrdered& e) {
    s_.retreats.push_back(e.retreat);
    if (e.retreat.reason == RetreatReason::kBurning && s_.step < Step::kMovement)
      for (const PieceNo i : e.retreat.stands) StandAt(i).free_turn = true;
  }
  void operator()(const SupportsDeclared& e) { s_.supports_done[Side(e.side)] = true; }
  void operator()(const MeleeDecided& e) {
    Melee& melee = MeleeAt(e.melee);
    melee.retreat = e.retreat;
    melee.leave_equipment = e.leave_equipment;
    melee.stage = MeleeStage::kLosses;
  }
  void operator()(const Surrendered& e) { s_.surrendered[Side(e.side)] = true; }

 private:
  friend CommonFold;
  void Threw(const Ask&, const std::vector<std::int8_t>& dice) {
    if (s_.shot) s_.shot->rolled = dice;
  }
  // The stand must leave its Square (NAP-9).
  void Gone(Stand& stand, const Moved&, bool) { stand.formation = -1; }
  void Passed(PieceNo stand, Cell cell) {
    if (!s_.held.empty()) s_.passages.push_back({cell, stand});
  }
  void Involve(int melee, const std::vector<PieceNo>& stands) {
    for (const PieceNo i : stands) StandAt(i).melee = static_cast<std::int8_t>(melee);
  }

  void BeginTurn() {
    for (Stand& stand : s_.stands) {
      stand.turn_cell = stand.cell;
      stand.turn_facing = stand.facing;
      stand.came_from = kNowhere;
      stand.melee = -1;
      stand.moved = stand.fired = stand.free_turn = false;
    }
    for (Equipment& equipment : s_.equipment) {
      equipment.turn_facing = equipment.facing;
      equipment.moved = false;
    }
    s_.one_stand_done = s_.volleys_over = false;
    s_.held.clear();
    s_.held_fired.clear();
    s_.passages.clear();
    s_.contacts.clear();
    s_.melees.clear();
    s_.volleys.clear();
    FixFireRights(s_);
  }
  void BeginMovement() {
    for (Stand& stand : s_.stands) {
      if (stand.free_turn) stand.turn_facing = stand.facing;  // NAP-5A, 4
      stand.free_turn = false;
      stand.fired = false;
    }
    for (Formation& f : s_.formations) f.unbroken_at_move = f.formed;
    s_.volleys.clear();
    if (s_.held.empty()) return;
    for (std::size_t i = 0; i < s_.stands.size(); ++i)
      if (OnBoard(s_.stands[i]) && s_.stands[i].side == s_.attacker)
        s_.passages.push_back({s_.stands[i].cell, static_cast<PieceNo>(i)});
  }
};

}  // namespace

void ApplyTo(State& state, const Event& event) { std::visit(Folder(state), event); }

State Apply(State before, const Event& event) {
  ApplyTo(before, event);
  return before;
}

}  // namespace fos::napoleonic
