#pragma once

#include <array>
#include <cstdint>
#include <vector>

// Musketry dice of the de Gre/Sweet rules: a hit is `group` dice of one roll that show the same
// listed face; each die serves for one hit only (NAP-4D, NAP-4E).
namespace fos::squares {

// How many dice show each face; index 0 is face 1.
using FaceCounts = std::array<int, 6>;
FaceCounts CountFaces(const std::vector<int>& dice);

struct HitRule {
  std::uint8_t faces = 0;  // bit 0 is face 1; 0 cannot be hit
  int group = 1;
};

// One type of stand in the target square.
struct HitTarget {
  HitRule rule;
  int present = 0;
};

// Stands lost by target, in the order of the targets.
using Distribution = std::vector<int>;

// Is there a way to spend the dice on exactly these losses? `unused`, when given, receives the dice
// left over by one such way.
bool CanDistribute(const FaceCounts& dice, const std::vector<HitTarget>& targets,
                   const Distribution& losses, FaceCounts* unused = nullptr);
// Feasible, and no further stand could be taken with what is left: every hit destroys a stand.
bool IsComplete(const FaceCounts& dice, const std::vector<HitTarget>& targets,
                const Distribution& losses);
// All complete distributions, at least one. The firer picks.
std::vector<Distribution> CompleteDistributions(const FaceCounts& dice,
                                                const std::vector<HitTarget>& targets);

// The chance of each number of stands lost, from none on, where the firer takes as many as the dice
// allow. Exact; empty where there are more dice than people throw at once (kMostForecastDice).
// thrown   dice that lie already.
// unknown  dice to be thrown yet.
constexpr int kMostForecastDice = 12;
std::vector<double> LossChances(const FaceCounts& thrown, int unknown,
                                const std::vector<HitTarget>& targets);

}  // namespace fos::squares
