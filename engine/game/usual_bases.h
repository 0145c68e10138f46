// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "engine/game/army.h"

// The usual bases of troops, for rule sets whose tables give none.
namespace fos::usual_bases {

// A body of figures: its base, how far it rises above the table, what it is drawn as. For four-inch squares: the
// bases of the sample clip (datasets/sets/open_qtip), of which two fit side by side in a square.
struct Figures {
  Box2 footprint;
  double high_in = 0;
  TroopSymbol symbol = TroopSymbol::kNone;
};
inline constexpr Figures kOnFoot{{1.5, 0.75}, 1.15, TroopSymbol::kFoot};
inline constexpr Figures kMounted{{1.5, 1.25}, 1.45, TroopSymbol::kHorse};
inline constexpr Figures kCrew{{0.75, 0.75}, 1.1, TroopSymbol::kCrew};
inline constexpr Figures kGun{{1.25, 1.75}, 1.0, TroopSymbol::kGun};
inline constexpr Figures kWagon{{1.25, 2.25}, 1.1, TroopSymbol::kWagon};
inline constexpr Figures kLeader{{1.0, 1.0}, 1.6, TroopSymbol::kLeader};

// move_hundredths  the longest move in hundredths of a square; 0 if moves are not counted in
// squares
inline Troop TroopOf(std::string id, std::string name, double points, int stands,
                     const Figures& figures, bool equipment = false, int move_hundredths = 0) {
  return {std::move(id), std::move(name),   points,          std::max(stands, 1),
          equipment,     figures.footprint, figures.high_in, move_hundredths / 100.0,
          figures.symbol};
}

}  // namespace fos::usual_bases
