// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/squares/game_words.h"

// The declarations and events that Napoleonic and Ancient share beyond those of all grid games
// (game_words.h), over the types of a set's state. A set names them with `using`.
namespace fos::sweet {

// ---- declarations ----
template <typename ShotFacts>
struct LandOf {
  ShotFacts facts;
};
// NAP-12, ANC-M4: a side gives up the game.
struct GiveUp {
  int side = 0;
};

// ---- events ----
template <typename Step>
struct StepBeganOf {
  int turn = 0;
  Step step{};
  std::int8_t attacker = 0;
};
template <typename Ask>
struct AskedOf {
  Ask ask;
};
template <typename ShotFacts>
struct ShotLandedOf {
  ShotFacts facts;
};
template <typename Volley>
struct VolleyCalledOf {
  Volley volley;
  std::vector<squares::PieceNo> stands;
};
template <typename LossCause>
struct StandLostOf {
  squares::PieceNo stand = 0;
  LossCause cause{};
};
template <typename Retreat>
struct RetreatOrderedOf {
  Retreat retreat;
};
template <typename Melee>
struct MeleeJoinedOf {
  Melee melee;
  std::vector<squares::PieceNo> stands;
};
struct GaveUp {
  std::int8_t side = 0;
};
template <typename Ending>
struct GameEndedOf {
  Ending ending;
};

}  // namespace fos::sweet
