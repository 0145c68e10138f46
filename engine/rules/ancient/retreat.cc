#include "engine/rules/ancient/retreat.h"

#include <algorithm>
#include <iterator>

#include "engine/rules/ancient/melee.h"
#include "engine/rules/ancient/query.h"
#include "engine/squares/retreat_group.h"

namespace fos::ancient {
namespace {

squares::RetreatRuling RulingOf(const State& s) {
  return {s.Ruling().rear_is_home_edge, s.Ruling().origin_is_turn_start,
          s.Ruling().retreat_max_turns, s.Ruling().retreat_extends};
}

}  // namespace

// ANC-P6.
Facing RetreatDirection(const State& s, int side, const std::vector<PieceNo>& all) {
  // Commanders and crews go with the unit: its way counts, theirs only where there is none.
  const auto rank = [&](PieceNo i) {
    const Arm arm = s.TypeOf(s.StandAt(i)).arm;
    return arm == Arm::kCommander ? 2 : arm == Arm::kCrew ? 1 : 0;
  };
  std::vector<PieceNo> stands;
  for (int wanted = 0; wanted < 3 && stands.empty(); ++wanted)
    std::copy_if(all.begin(), all.end(), std::back_inserter(stands),
                 [&](PieceNo i) { return rank(i) == wanted; });
  return squares::RetreatDirection(s, RulingOf(s), side, stands);
}

std::vector<PieceNo> RetreatingStands(const State& s, const Retreat& retreat) {
  std::vector<PieceNo> out;
  for (const PieceNo i : retreat.stands) {
    if (!OnBoard(s.StandAt(i))) continue;
    if (!out.empty() && s.StandAt(out.front()).cell != s.StandAt(i).cell) continue;
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

// ANC-P4, ANC-P7: catapults go with any friendly stand of their square.
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
    if (static_cast<int>(retreat.stands.size()) == s.CountIn(side, cell))
      retreat.equipment = EquipmentIn(s, side, cell);
    out.push_back(retreat);
  }
  return out;
}

std::vector<Retreat> OneStandRetreatsDue(const State& s) {
  std::vector<Retreat> out;
  for (std::size_t i = 0; i < s.stands.size(); ++i) {
    const Stand& stand = s.stands[i];
    if (!OnBoard(stand) || stand.side != s.attacker || !MustRetreatAlone(s, stand)) continue;
    Retreat retreat;
    retreat.side = stand.side;
    retreat.reason = RetreatReason::kOneStand;
    retreat.direction = s.setup->sides[static_cast<std::size_t>(stand.side)].home;
    retreat.stands = {static_cast<PieceNo>(i)};
    retreat.steps = static_cast<std::int8_t>(s.TypeOf(stand).move / squares::kWhole);
    out.push_back(retreat);
  }
  return out;
}

}  // namespace fos::ancient
