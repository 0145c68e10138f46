#pragma once

#include <map>
#include <set>
#include <string>

#include "engine/rules/napoleonic/state.h"

// A second, simple generator of the moves of step 3, written from the catalogue alone: it tries
// every path step by step with ordinary numbers. It shares no code with
// engine/rules/napoleonic/movement.
namespace fos::napoleonic::test {

// Where a formed unit, a commander or so many stands of a light unit or crew may move to from their
// square, with these pieces of equipment (indices). Sorted squares by number.
std::set<int> SimpleMoves(const State& s, const std::vector<int>& stands,
                          const std::vector<int>& equipment);

// Every move of the attacker's: unit, square, how many of its stands, which equipment, to where.
struct SimpleMove {
  std::vector<int> stands, equipment;
  int to = 0;
};
std::vector<SimpleMove> AllSimpleMoves(const State& s);

}  // namespace fos::napoleonic::test
