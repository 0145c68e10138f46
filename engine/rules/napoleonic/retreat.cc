// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/retreat.h"

#include <algorithm>
#include <iterator>

#include "engine/rules/napoleonic/melee.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/rules/sweet/retreat_group.h"

namespace fos::napoleonic {

std::vector<PieceNo> RetreatingStands(const State& s, const Retreat& retreat) {
  std::vector<PieceNo> out;
  if (retreat.reason == RetreatReason::kBurning) {
    // Those in the fire first; the others of a unit in Square go with them (NAP-2B).
    const auto in_fire = [&](PieceNo i) {
      return s.burning[static_cast<std::size_t>(s.StandAt(i).cell)];
    };
    std::copy_if(retreat.stands.begin(), retreat.stands.end(), std::back_inserter(out),
                 [&](PieceNo i) { return OnBoard(s.StandAt(i)); });
    std::stable_partition(out.begin(), out.end(), in_fire);
    if (!out.empty() && !in_fire(out.front())) out.clear();
    return out;
  }
  return sweet::StandsTogether(s, retreat);
}

std::vector<Retreat> MeleeRetreats(const State& s, int melee, int side) {
  const Melee& m = s.melees[static_cast<std::size_t>(melee)];
  // NAP-5C: all of a unit, though only some of its stands fought from their squares of a Square.
  const auto involves = [&](const Stand& stand) {
    if (stand.melee == melee) return true;
    return !s.TypeOf(stand).may_separate &&
           std::any_of(s.stands.begin(), s.stands.end(), [&](const Stand& other) {
             return other.unit == stand.unit && other.melee == melee;
           });
  };
  return sweet::MeleeRetreats(s, melee, side, involves,
                              [&](Cell cell) { return cell == m.contact && m.leave_equipment; });
}

namespace {

// NAP-9: is this stand the last one of what the clause counts as a unit?
bool IsLastStand(const State& s, const Stand& stand) {
  const UnitType& type = s.TypeOf(stand);
  if (type.arm != Arm::kArtillery) return CountStandsOf(s, stand.unit) == 1;
  const int battery = UnitOf(s, stand.unit).battery;
  const bool by_side = s.Ruling().artillery_by_side;
  if (!by_side && battery < 0) return CountStandsOf(s, stand.unit) == 1;
  return std::count_if(s.stands.begin(), s.stands.end(), [&](const Stand& other) {
           return OnBoard(other) && other.side == stand.side &&
                  s.TypeOf(other).arm == Arm::kArtillery &&
                  (by_side || UnitOf(s, other.unit).battery == battery);
         }) == 1;
}

bool Exempt(const State& s, const Stand& stand) {
  const UnitType& type = s.TypeOf(stand);
  if (!type.one_stand_retreat) return true;
  if (s.Ruling().all_cavalry_exempt && type.arm == Arm::kCavalry) return true;
  return s.Ruling().commander_exempts &&
         squares::HasRole(s, stand.side, stand.cell, TroopRole::kCommander);
}

}  // namespace

bool MustRetreatAlone(const State& s, const Stand& stand) {
  return !Exempt(s, stand) && IsLastStand(s, stand);
}

std::vector<Retreat> OneStandRetreatsDue(const State& s) {
  std::vector<Retreat> out;
  for (std::size_t i = 0; i < s.stands.size(); ++i) {
    const Stand& stand = s.stands[i];
    if (!OnBoard(stand) || stand.side != s.attacker || !MustRetreatAlone(s, stand)) continue;
    Retreat retreat = sweet::GoingHome<Retreat>(s, static_cast<PieceNo>(i));
    int move = s.TypeOf(stand).move;
    if (s.TypeOf(stand).arm == Arm::kArtillery) {
      // The last crew takes a gun along, at the slower rate.
      for (const PieceNo e : EquipmentIn(s, stand.side, stand.cell)) {
        if (s.TypeOf(s.EquipmentAt(e)).role == EquipmentRole::kWagon) continue;
        retreat.equipment = {e};
        move = std::min(move, s.TypeOf(s.EquipmentAt(e)).move);
        break;
      }
    }
    retreat.steps = static_cast<std::int8_t>(move / squares::kWhole);
    out.push_back(retreat);
  }
  return out;
}

}  // namespace fos::napoleonic
