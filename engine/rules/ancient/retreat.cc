#include "engine/rules/ancient/retreat.h"

#include <algorithm>
#include <iterator>

#include "engine/rules/ancient/melee.h"
#include "engine/rules/ancient/query.h"
#include "engine/squares/retreat_group.h"

namespace fos::ancient {
std::vector<PieceNo> RetreatingStands(const State& s, const Retreat& retreat) {
  std::vector<PieceNo> out;
  for (const PieceNo i : retreat.stands) {
    if (!OnBoard(s.StandAt(i))) continue;
    if (!out.empty() && s.StandAt(out.front()).cell != s.StandAt(i).cell) continue;
    out.push_back(i);
  }
  return out;
}

// ANC-P4, ANC-P7: catapults go with any friendly stand of their square.
std::vector<Retreat> MeleeRetreats(const State& s, int melee, int side) {
  return sweet::MeleeRetreats(
      s, melee, side, [&](const Stand& stand) { return stand.melee == melee; },
      [](Cell) { return false; });
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
