// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "engine/squares/game_words.h"

// Who may declare. State as in queries.h, with done, and with melees that have a stage and cards.
namespace fos::squares {

// The sides that may still declare in this step.
template <typename State>
std::vector<int> SidesNotDone(const State& s) {
  std::vector<int> sides;
  for (int side = 0; side < 2; ++side)
    if (!s.done[static_cast<std::size_t>(side)]) sides.push_back(side);
  return sides;
}
// The melee whose cards are being chosen: the first that lacks one; nullptr if there is none.
template <typename State>
auto* MeleeOfCards(const State& s) {
  const auto melee = std::find_if(s.melees.begin(), s.melees.end(), [](const auto& m) {
    return m.stage == MeleeStage::kCards && (m.card[0] == kNoCard || m.card[1] == kNoCard);
  });
  return melee == s.melees.end() ? nullptr : &*melee;
}
// The sides that have yet to choose a card for it.
template <typename State>
std::vector<int> SidesWithoutCard(const State& s) {
  std::vector<int> sides;
  if (const auto* melee = MeleeOfCards(s))
    for (int side = 0; side < 2; ++side)
      if (melee->card[static_cast<std::size_t>(side)] == kNoCard) sides.push_back(side);
  return sides;
}

}  // namespace fos::squares
