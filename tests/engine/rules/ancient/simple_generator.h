#pragma once

#include <vector>

#include "engine/rules/ancient/state.h"

// The moves of ANC-V1 to V6, H6, H7, M1 and M3 written a second time, as plainly as possible and
// without the engine's geometry: what the engine lists must be the same.
namespace fos::ancient::test {

struct SimpleMove {
  std::vector<int> stands;
  std::vector<int> catapults;
  int to = 0;
  bool down = false;  // whoever holds `to` is run down
};

std::vector<SimpleMove> AllSimpleMoves(const State& s);

}  // namespace fos::ancient::test
