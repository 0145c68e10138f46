// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/rules/ancient/state.h"

// A second implementation of the moves of ANC-V1 to V6, H6, H7, M1 and M3, written as plainly as
// possible and without the engine's geometry. The engine must list the same moves.
namespace fos::ancient::test {

struct SimpleMove {
  std::vector<int> stands;
  std::vector<int> catapults;
  int to = 0;
  bool down = false;  // the stand on `to` is run down
};

std::vector<SimpleMove> AllSimpleMoves(const State& s);

}  // namespace fos::ancient::test
