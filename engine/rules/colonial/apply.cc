// SPDX-License-Identifier: MIT
#include <algorithm>

#include "engine/rules/colonial/event.h"
#include "engine/rules/colonial/query.h"

// The only place that changes a state.
namespace fos::colonial {
namespace {

class Applier {
 public:
  explicit Applier(State& s) : s_(s) {}

  void operator()(const Noted&) {}
  void operator()(const NotesTold&) { s_.notes_told = true; }
  void operator()(const PhaseBegan& e) {
    s_.phase = e.phase;
    s_.acting = e.acting;
    s_.left = 0;
  }
  void operator()(const Asked& e) { s_.ask = e.ask; }
  void operator()(const DiceThrown& e) {
    s_.generator.state = e.generator;
    s_.ask = {};
  }
  void operator()(const ArmyPointsThrown& e) {
    s_.army_points[static_cast<std::size_t>(e.side)] = e.points;
  }
  void operator()(const LeftOut& e) {
    Take(e.stand);
    At(e.stand).fate = Fate::kLeftOut;
  }
  void operator()(const Mustered& e) { s_.mustered[static_cast<std::size_t>(e.side)] = true; }
  // COL-2.1: a Command stand has the value of its General.
  void operator()(const GeneralRated& e) {
    At(e.stand).value =
        static_cast<std::int8_t>(s_.Book().general_value[static_cast<std::size_t>(e.rating)]);
  }
  void operator()(const TurnBegan& e) {
    s_.turn = e.turn;
    s_.phase = Phase::kInitiative;
    for (Stand& stand : s_.stands) {
      stand.activated = stand.open = stand.initiated = stand.moved = stand.moved_after = false;
      stand.mounted = stand.withdrew = stand.was_rear = stand.paired = false;
      stand.by_road = true;
      stand.spent = 0;
    }
  }
  void operator()(const InitiativeWon& e) {
    if (e.side >= 0) s_.first = e.side;
  }
  void operator()(const ActivationsThrown& e) { s_.left = e.count; }
  void operator()(const Activated& e) {
    for (Stand& stand : s_.stands) stand.open = false;
    s_.left = static_cast<std::int16_t>(s_.left - e.cost);
    for (const PieceNo i : e.stands) {
      Stand& stand = At(i);
      stand.activated = stand.open = true;
      stand.was_rear = stand.rear;
      stand.paired = e.stands.size() == 2;
    }
  }
  void operator()(const Moved& e) {
    Stand& stand = At(e.stand);
    Place(e.stand, e.path.empty() ? stand.cell : e.path.back(), e.facing, e.rear);
    stand.moved_after = stand.moved || stand.initiated;
    stand.moved = true;
    stand.spent = static_cast<std::int16_t>(stand.spent + e.cost);
    stand.by_road = e.by_road;
  }
  void operator()(const Remounted& e) {
    At(e.stand).type = e.type;
    At(e.stand).mounted = true;
  }
  void operator()(const CombatBegan& e) {
    s_.combat = e.combat;
    At(e.combat.initiator).initiated = true;
  }
  void operator()(const CombatScored& e) { s_.combat->dice = e.dice; }
  void operator()(const TieThrown& e) { s_.combat->loser = e.loser; }
  void operator()(const Withdrew& e) {
    s_.ask = {};
    Stand& stand = At(e.stand);
    if (!e.path.empty()) Place(e.stand, e.path.back(), e.facing, e.rear);
    stand.facing = e.facing;
    if (!s_.combat || s_.combat->initiator != e.stand) return;
    stand.withdrew = true;
    if (!s_.Rulings().move_after_own_withdrawal) stand.open = false;
  }
  void operator()(const StandLost& e) {
    Take(e.stand);
    At(e.stand).fate = Fate::kDestroyed;
    At(e.stand).open = false;
  }
  void operator()(const CombatOver&) { s_.combat.reset(); }
  void operator()(const SideDone&) {
    s_.left = 0;
    for (Stand& stand : s_.stands) stand.open = false;
  }
  void operator()(const Overruled&) {}
  void operator()(const GameEnded& e) {
    s_.phase = Phase::kOver;
    s_.ending = e.ending;
    s_.combat.reset();
    s_.ask = {};
  }

 private:
  Stand& At(PieceNo i) {
    FOS_CHECK(ValidStand(s_, i));
    return s_.stands[static_cast<std::size_t>(i)];
  }
  // COL-6.3: the stand that is left is alone, and so in front.
  void Take(PieceNo i) {
    Stand& stand = At(i);
    auto& in = s_.in_cell[static_cast<std::size_t>(stand.cell)];
    if (in[0] == i) in[0] = in[1];
    in[1] = kNoPiece;
    if (in[0] != kNoPiece) At(in[0]).rear = false;
    stand.rear = false;
  }
  void Place(PieceNo i, Cell cell, Facing facing, bool rear) {
    Take(i);
    Stand& stand = At(i);
    FOS_CHECK(cell >= 0 && cell < s_.setup->board.Cells());
    auto& in = s_.in_cell[static_cast<std::size_t>(cell)];
    FOS_CHECK(in[1] == kNoPiece);
    stand.cell = cell;
    stand.facing = facing;
    stand.rear = rear && in[0] != kNoPiece;
    in[1] = stand.rear ? i : in[0];
    if (!stand.rear) in[0] = i;
    if (in[1] != kNoPiece) At(in[1]).rear = true;
  }
  State& s_;
};

}  // namespace

void ApplyTo(State& state, const Event& event) { std::visit(Applier(state), event); }

State Apply(State before, const Event& event) {
  ApplyTo(before, event);
  return before;
}

}  // namespace fos::colonial
