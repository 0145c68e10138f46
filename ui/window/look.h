// SPDX-License-Identifier: MIT
#pragma once

namespace fos {

// Names of units on picture and map.
enum class UnitNames { kWhereRoom, kAll, kNone };

// What is drawn on picture and map, and the log below them.
struct Layers {
  bool grid = true;
  bool stands = true;
  UnitNames names = UnitNames::kWhereRoom;
  bool circles = true;
  bool reach = true;  // of the chosen piece of a game
  bool log = true;
  friend bool operator==(const Layers&, const Layers&) = default;
};

// The sizes that players gave to the panels, as shares, so that they fit every window. 0: the size
// that the window chooses.
struct PanelShares {
  float column = 0;  // of the window's width: the panels on the right
  float map = 0;     // of the column's height: the small map at its top
  float log = 0;     // of the window's height
  friend bool operator==(const PanelShares&, const PanelShares&) = default;
};

}  // namespace fos
