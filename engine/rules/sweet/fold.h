// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/rules/sweet/events.h"
#include "engine/squares/game_words.h"
#include "engine/table/result.h"

// Applies the events that both sets share. It decides no rule.
namespace fos::sweet {

using namespace squares;

// Own applies its rule set's other events and adds its part to the shared ones:
//   Threw(ask, dice)             dice that did not belong to a volley
//   Gone(Stand&, Moved, contact) a stand is about to leave its square; contact: into a melee
//   Passed(PieceNo, Cell)        a stand entered or crossed this square in step 3
//   Involve(int melee, stands)   the stands take part in the melee
// State as in queries.h, with ask, generator, step, volleys, melees, retreats, contacts and done.
template <typename Own, typename State>
class CommonFold {
 public:
  explicit CommonFold(State& state) : s_(state) {}

  void operator()(const DiceThrown& e) {
    s_.generator.state = e.generator;
    const auto ask = TakeAsk();
    if (ask.kind == decltype(ask.kind)::kVolleyDice) {
      VolleyAt(ask.about).rolled = e.dice;
    } else {
      Self().Threw(ask, e.dice);
    }
  }
  void operator()(const CoinThrown& e) {
    s_.generator.state = e.generator;
    const auto ask = TakeAsk();
    MeleeAt(ask.about).coin[Side(ask.side)] = e.heads ? CoinSide::kHeads : CoinSide::kTails;
  }
  void operator()(const StandsTurned& e) {
    for (const PieceNo i : e.stands) StandAt(i).facing = e.facing;
  }
  void operator()(const EquipmentTurned& e) { EquipmentAt(e.equipment).facing = e.facing; }
  void operator()(const VolleyJudged& e) {
    TakeAsk();
    VolleyAt(e.volley).judged = true;
    VolleyAt(e.volley).losses = e.losses;
  }
  void operator()(const VolleysOver&) { s_.volleys_over = true; }
  void operator()(const Moved& e) {
    TakeAsk();
    const Cell to = e.path.back();
    const bool step = s_.step == decltype(s_.step)::kMovement;
    const bool contact = to != kNowhere && !e.retreat && s_.CountIn(s_.Defender(), to) > 0;
    for (const PieceNo i : e.stands) {
      Stand& stand = StandAt(i);
      stand.came_from = e.path.size() > 1 ? e.path[e.path.size() - 2] : stand.cell;
      Self().Gone(stand, e, contact);
      if (step) {
        stand.moved = true;
        for (const Cell cell : e.path)
          if (cell != kNowhere) Self().Passed(i, cell);
      }
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
    if (s_.step != decltype(s_.step)::kMovement || stand.side != s_.attacker) return;
    stand.moved = true;
    Self().Passed(e.stand, e.cell);
  }
  void operator()(const RetreatOver&) {
    TakeAsk();
    s_.retreats.erase(s_.retreats.begin());
  }
  void operator()(const OneStandRetreats&) { s_.one_stand_done = true; }
  void operator()(const Supported& e) { Self().Involve(e.melee, e.stands); }
  void operator()(const CardChosen& e) {
    MeleeAt(e.melee).card[Side(e.side)] = static_cast<std::int8_t>(e.card);
  }
  void operator()(const MeleeStageReached& e) { MeleeAt(e.melee).stage = e.stage; }
  void operator()(const MeleesOrdered& e) {
    std::vector<typename decltype(State::melees)::value_type> ordered;
    std::vector<std::int8_t> now(s_.melees.size());
    for (const Cell contact : e.contacts)
      for (std::size_t i = 0; i < s_.melees.size(); ++i) {
        if (s_.melees[i].contact != contact) continue;
        now[i] = static_cast<std::int8_t>(ordered.size());
        ordered.push_back(s_.melees[i]);
      }
    FOS_CHECK(ordered.size() == s_.melees.size());
    s_.melees = std::move(ordered);
    for (Stand& stand : s_.stands)
      if (stand.melee >= 0) stand.melee = now[static_cast<std::size_t>(stand.melee)];
  }
  template <typename Ask>
  void operator()(const AskedOf<Ask>& e) {
    s_.ask = e.ask;
  }
  template <typename Volley>
  void operator()(const VolleyCalledOf<Volley>& e) {
    s_.volleys.push_back(e.volley);
    for (const PieceNo i : e.stands) StandAt(i).fired = true;
  }
  template <typename LossCause>
  void operator()(const StandLostOf<LossCause>& e) {
    Remove(StandAt(e.stand), Fate::kDestroyed);
  }
  template <typename Retreat>
  void operator()(const RetreatOrderedOf<Retreat>& e) {
    s_.retreats.push_back(e.retreat);
  }
  template <typename Melee>
  void operator()(const MeleeJoinedOf<Melee>& e) {
    s_.melees.push_back(e.melee);
    Self().Involve(static_cast<int>(s_.melees.size() - 1), e.stands);
  }
  template <typename Ending>
  void operator()(const GameEndedOf<Ending>& e) {
    s_.ending = e.ending;
    s_.step = decltype(s_.step)::kOver;
    s_.ask = {};
  }
  void operator()(const SaidDone& e) { s_.done[Side(e.side)] = true; }
  void operator()(const Overruled&) {}

 protected:
  using Stand = typename decltype(State::stands)::value_type;
  using Equipment = typename decltype(State::equipment)::value_type;

  static std::size_t Side(int side) {
    FOS_CHECK(side == 0 || side == 1);
    return static_cast<std::size_t>(side);
  }
  Stand& StandAt(PieceNo i) { return s_.stands.at(static_cast<std::size_t>(i)); }
  Equipment& EquipmentAt(PieceNo i) { return s_.equipment.at(static_cast<std::size_t>(i)); }
  auto& VolleyAt(int i) { return s_.volleys.at(static_cast<std::size_t>(i)); }
  auto& MeleeAt(int i) { return s_.melees.at(static_cast<std::size_t>(i)); }
  // The pending input is answered.
  auto TakeAsk() { return std::exchange(s_.ask, {}); }
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

  State& s_;

 private:
  Own& Self() { return static_cast<Own&>(*this); }
};

}  // namespace fos::sweet
