#include "engine/rules/napoleonic/retreat.h"

#include <algorithm>
#include <iterator>

#include "engine/rules/napoleonic/melee.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/squares/retreat_group.h"

namespace fos::napoleonic {
namespace {

squares::RetreatRuling RulingOf(const State& s) {
  return {s.Ruling().rear_is_home_edge, s.Ruling().origin_is_turn_start,
          s.Ruling().retreat_max_turns, s.Ruling().retreat_extends};
}

}  // namespace

// NAP-5G.
Facing RetreatDirection(const State& s, int side, const std::vector<PieceNo>& all) {
  // Commanders and crews go with the unit: its way counts, theirs only where there is none.
  std::vector<PieceNo> stands;
  for (const Arm arm : {Arm::kInfantry, Arm::kCavalry, Arm::kArtillery, Arm::kCommander})
    if (stands.empty())
      std::copy_if(all.begin(), all.end(), std::back_inserter(stands),
                   [&](PieceNo i) { return s.TypeOf(s.StandAt(i)).arm == arm; });
  return squares::RetreatDirection(s, RulingOf(s), side, stands);
}

std::vector<PieceNo> RetreatingStands(const State& s, const Retreat& retreat) {
  std::vector<PieceNo> out;
  for (const PieceNo i : retreat.stands) {
    const Stand& stand = s.StandAt(i);
    if (!OnBoard(stand)) continue;
    if (retreat.reason == RetreatReason::kBurning &&
        !s.burning[static_cast<std::size_t>(stand.cell)])
      continue;
    if (!out.empty() && s.StandAt(out.front()).cell != stand.cell) continue;
    out.push_back(i);
  }
  return out;
}

squares::RetreatAnswer RetreatWays(const State& s, const Retreat& retreat) {
  const Stacked group{RetreatingStands(s, retreat), RetreatingEquipment(s, retreat)};
  return squares::RetreatWays(
      s, RulingOf(s), retreat.side, s.StandAt(group.stands.front()).cell, retreat.direction,
      retreat.steps, [&](Cell cell) { return Impassable(s, cell); },
      [&](Cell cell) { return !StackingFault(s, retreat.side, cell, group, false).empty(); });
}

std::vector<Retreat> MeleeRetreats(const State& s, int melee, int side) {
  std::vector<Retreat> out;
  const Melee& m = s.melees[static_cast<std::size_t>(melee)];
  for (const Cell cell : CellsOf(s, melee)) {
    bool unit = false;  // with a unit its companions go too; a commander leaves alone
    std::vector<PieceNo> involved;
    ForStandsIn(s, side, cell, [&](PieceNo i, const Stand& stand) {
      if (stand.melee != melee) return;
      involved.push_back(i);
      unit = unit || s.TypeOf(stand).arm != Arm::kCommander;
    });
    if (involved.empty()) continue;
    Retreat retreat;
    retreat.side = static_cast<std::int8_t>(side);
    retreat.steps = m.retreat[static_cast<std::size_t>(side)];
    retreat.stands = unit ? StandsIn(s, side, cell) : involved;
    retreat.direction = RetreatDirection(s, side, involved);
    const bool leaves = cell == m.contact && m.leave_equipment;
    const bool all_go = static_cast<int>(retreat.stands.size()) == s.CountIn(side, cell);
    if (all_go && !leaves) retreat.equipment = EquipmentIn(s, side, cell);
    out.push_back(retreat);
  }
  return out;
}

namespace {

// NAP-9: is this stand the last of what the clause looks at as one unit?
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
  bool commander = false;
  if (s.Ruling().commander_exempts)
    ForStandsIn(s, stand.side, stand.cell, [&](PieceNo, const Stand& other) {
      commander = commander || s.TypeOf(other).arm == Arm::kCommander;
    });
  return commander;
}

}  // namespace

std::vector<Retreat> OneStandRetreatsDue(const State& s) {
  std::vector<Retreat> out;
  for (std::size_t i = 0; i < s.stands.size(); ++i) {
    const Stand& stand = s.stands[i];
    if (!OnBoard(stand) || stand.side != s.attacker || Exempt(s, stand) || !IsLastStand(s, stand))
      continue;
    Retreat retreat;
    retreat.side = stand.side;
    retreat.reason = RetreatReason::kOneStand;
    retreat.direction = s.setup->sides[static_cast<std::size_t>(stand.side)].home;
    retreat.stands = {static_cast<PieceNo>(i)};
    int move = s.TypeOf(stand).move;
    if (s.TypeOf(stand).arm == Arm::kArtillery) {
      // The last crew takes a gun along at the slower rate.
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
