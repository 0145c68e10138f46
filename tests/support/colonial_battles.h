// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/rules/colonial/setup.h"

namespace fos::colonial::test {

// A generated battle, always the same for the same number: 18 by 12 squares, armies of all types,
// hills, woods, walls, streams and roads. Every third has other settings; some have armies and
// Generals by dice.
std::shared_ptr<const Setup> SmallBattle(int number);

}  // namespace fos::colonial::test
