// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/rules/ancient/setup.h"

// Small battles for random games that together use every clause and most settings.
namespace fos::ancient::test {

constexpr int kBattles = 6;
std::shared_ptr<const Setup> SmallBattle(int number);

}  // namespace fos::ancient::test
