// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>

#include "engine/rules/napoleonic/state.h"

// A second, simple generator of the moves of step 3, written from the catalogue alone. It tries
// every path step by step in plain arithmetic and shares no code with
// engine/rules/napoleonic/movement.
namespace fos::napoleonic::test {

// Where a formed unit, a commander or a number of stands of a light unit or crew may move from
// their square with these pieces of equipment (indices). Square numbers in ascending order.
std::set<int> SimpleMoves(const State& s, const std::vector<int>& stands,
                          const std::vector<int>& equipment);

// Every move of the attacker: unit, square, number of stands, equipment and end square.
struct SimpleMove {
  std::vector<int> stands, equipment;
  int to = 0;
};
std::vector<SimpleMove> AllSimpleMoves(const State& s);

}  // namespace fos::napoleonic::test
