#pragma once

#include <memory>

#include "engine/rules/colonial/setup.h"

namespace fos::colonial::test {

// The number-th of a family of made-up battles, the same for the same number: 18 by 12 squares,
// armies of all types, hills, woods, walls, streams, roads; every third with other settings, some
// with armies and Generals by dice.
std::shared_ptr<const Setup> SmallBattle(int number);

}  // namespace fos::colonial::test
