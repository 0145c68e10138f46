// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/rules/napoleonic/setup.h"

namespace fos::napoleonic::test {

// Small battles for random players that together have all arms and most terrain. `number` selects
// one of kBattles (modulo) and varies the settings.
constexpr int kBattles = 6;
std::shared_ptr<const Setup> SmallBattle(int number);

}  // namespace fos::napoleonic::test
