// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

// Which stands are lost in a melee (DEF-11 of the Napoleonic catalogue; the Ancient rules share
// it).
namespace fos::squares {

// Melee quantities are whole sixteenths of a point (DEF-8).
using Sixteenths = std::int32_t;
constexpr Sixteenths kPoint = 16;

struct LossStand {
  int stand = 0;  // the caller's index
  Sixteenths value = 0;
};
struct LossUnit {
  std::vector<LossStand> stands;  // in the order of loss: cheapest first
  bool in_contact = false;        // is in the contact square
  bool last = false;              // loses stands only when no other unit has any left
};

struct LossPolicy {
  bool contact_first_strict = true;  // false: skip the contact square if no stand there fits
  bool coin_always = false;          // false: toss a coin only on an exact half
};

struct LossAnswer {
  std::vector<int> stands;  // lost for certain, in order
  std::optional<int> coin;  // also lost if the coin shows heads
};

// units  in the order of DEF-11, step 1.
LossAnswer ChooseLosses(const std::vector<LossUnit>& units, Sixteenths loss,
                        const LossPolicy& policy);

}  // namespace fos::squares
