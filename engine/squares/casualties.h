#pragma once

#include <cstdint>
#include <optional>
#include <vector>

// DEF-11 of the Napoleonic catalogue: whose stands fall in a melee. The Ancient rules share it.
namespace fos::squares {

// Melee quantities are whole sixteenths of a point (DEF-8).
using Sixteenths = std::int32_t;
constexpr Sixteenths kPoint = 16;

struct LossStand {
  int stand = 0;  // the caller's number
  Sixteenths value = 0;
};
struct LossUnit {
  std::vector<LossStand> stands;  // in the order in which they fall: cheapest first
  bool in_contact = false;        // stands in the contact square
  bool last = false;              // falls only when nobody else is left
};

struct LossPolicy {
  bool contact_first_strict = true;  // else the contact square is skipped when nothing there fits
  bool coin_always = false;          // else a coin only on an exact half
};

struct LossAnswer {
  std::vector<int> stands;  // surely lost, in order
  std::optional<int> coin;  // heads and this one is lost as well
};

// units  in the order of DEF-11, 1.
LossAnswer ChooseLosses(const std::vector<LossUnit>& units, Sixteenths loss,
                        const LossPolicy& policy);

}  // namespace fos::squares
