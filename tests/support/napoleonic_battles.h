#pragma once

#include <memory>

#include "engine/rules/napoleonic/setup.h"

namespace fos::napoleonic::test {

// Small battles for random players, all arms and most terrain between them; `number` picks one of
// kBattles (taken modulo). Settings vary with it where clubs may differ.
constexpr int kBattles = 6;
std::shared_ptr<const Setup> SmallBattle(int number);

}  // namespace fos::napoleonic::test
