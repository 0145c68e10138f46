// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/retreat.h"

#include <algorithm>

#include "engine/rules/ancient/melee.h"
#include "engine/rules/ancient/query.h"
#include "engine/rules/sweet/retreat_group.h"

namespace fos::ancient {

std::vector<PieceNo> RetreatingStands(const State& s, const Retreat& retreat) {
  return sweet::StandsTogether(s, retreat);
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
    Retreat retreat = sweet::GoingHome<Retreat>(s, static_cast<PieceNo>(i));
    retreat.steps = static_cast<std::int8_t>(s.TypeOf(stand).move / squares::kWhole);
    out.push_back(retreat);
  }
  return out;
}

}  // namespace fos::ancient
