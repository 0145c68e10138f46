// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

// Musketry dice of the de Gre/Sweet rules: a hit is `group` dice of one roll that show the same
// listed face; each die counts for one hit only (NAP-4D, NAP-4E).
namespace fos::squares {

// How many dice show each face; index 0 is face 1.
using FaceCounts = std::array<int, 6>;
FaceCounts CountFaces(const std::vector<int>& dice);

struct HitRule {
  std::uint8_t faces = 0;  // bit 0 is face 1; none set: cannot be hit
  int group = 1;
};

// One type of stand in the target square.
struct HitTarget {
  HitRule rule;
  int present = 0;
};

// Stands lost per target, in the order of the targets.
using Distribution = std::vector<int>;

// True if the dice can pay for exactly these losses. `unused`, if given, receives the dice left
// over by one way to do it.
bool CanDistribute(const FaceCounts& dice, const std::vector<HitTarget>& targets,
                   const Distribution& losses, FaceCounts* unused = nullptr);
// Feasible, and the dice left over cannot remove another stand: every hit must be taken.
bool IsComplete(const FaceCounts& dice, const std::vector<HitTarget>& targets,
                const Distribution& losses);
// All complete distributions, at least one. The firer chooses.
std::vector<Distribution> CompleteDistributions(const FaceCounts& dice,
                                                const std::vector<HitTarget>& targets);

// The exact chance of each number of stands lost, from 0 on, if the firer always takes as many as
// the dice allow. Empty for more dice than players throw at once (kMostForecastDice).
// thrown   dice already thrown.
// unknown  number of dice still to be thrown.
constexpr int kMostForecastDice = 12;
std::vector<double> LossChances(const FaceCounts& thrown, int unknown,
                                const std::vector<HitTarget>& targets);

}  // namespace fos::squares
