// SPDX-License-Identifier: MIT
#include "engine/squares/dice_hits.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace fos::squares {
namespace {

// Spends dice on the losses of target `t` from face `face` on, then on those of the later targets.
bool Spend(FaceCounts& dice, const std::vector<HitTarget>& targets, const Distribution& losses,
           std::size_t t, std::size_t face, int still) {
  if (still == 0) {
    if (t + 1 >= targets.size()) return true;
    return Spend(dice, targets, losses, t + 1, 0, losses[t + 1]);
  }
  if (face == dice.size()) return false;
  const HitRule rule = targets[t].rule;
  if (!(rule.faces >> face & 1)) return Spend(dice, targets, losses, t, face + 1, still);
  for (int take = std::min(still, dice[face] / rule.group); take >= 0; --take) {
    dice[face] -= take * rule.group;
    if (Spend(dice, targets, losses, t, face + 1, still - take)) return true;
    dice[face] += take * rule.group;
  }
  return false;
}

int MostHits(const FaceCounts& dice, HitRule rule) {
  int hits = 0;
  for (std::size_t face = 0; face < dice.size(); ++face)
    if (rule.faces >> face & 1) hits += dice[face] / rule.group;
  return hits;
}

}  // namespace

FaceCounts CountFaces(const std::vector<int>& dice) {
  FaceCounts counts{};
  for (const int die : dice) ++counts.at(static_cast<std::size_t>(die - 1));
  return counts;
}

bool CanDistribute(const FaceCounts& dice, const std::vector<HitTarget>& targets,
                   const Distribution& losses, FaceCounts* unused) {
  if (targets.empty()) {
    if (unused) *unused = dice;
    return true;
  }
  for (std::size_t t = 0; t < targets.size(); ++t)
    if (losses[t] > targets[t].present) return false;
  FaceCounts left = dice;
  const bool can = Spend(left, targets, losses, 0, 0, losses[0]);
  if (can && unused) *unused = left;
  return can;
}

bool IsComplete(const FaceCounts& dice, const std::vector<HitTarget>& targets,
                const Distribution& losses) {
  if (!CanDistribute(dice, targets, losses)) return false;
  Distribution more = losses;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    ++more[t];
    if (CanDistribute(dice, targets, more)) return false;
    --more[t];
  }
  return true;
}

std::vector<Distribution> CompleteDistributions(const FaceCounts& dice,
                                                const std::vector<HitTarget>& targets) {
  if (targets.size() == 1) return {{std::min(targets[0].present, MostHits(dice, targets[0].rule))}};
  std::vector<Distribution> out;
  Distribution losses(targets.size(), 0);
  while (true) {
    if (IsComplete(dice, targets, losses)) out.push_back(losses);
    std::size_t t = 0;
    while (t < targets.size() &&
           ++losses[t] > std::min(targets[t].present, MostHits(dice, targets[t].rule)))
      losses[t++] = 0;
    if (t == targets.size()) return out;
  }
}

namespace {

// Calls `each` for every way to distribute the dice over the faces from `face` on, with its number
// of throws.
template <typename Each>
void ForThrows(std::size_t face, int left, double ways, FaceCounts& dice, const Each& each) {
  if (face + 1 == dice.size()) {
    dice[face] += left;
    each(dice, ways);
    dice[face] -= left;
    return;
  }
  double choose = 1;  // `left` over `n`
  for (int n = 0; n <= left; ++n) {
    dice[face] += n;
    ForThrows(face + 1, left - n, ways * choose, dice, each);
    dice[face] -= n;
    choose = choose * (left - n) / (n + 1);
  }
}

}  // namespace

std::vector<double> LossChances(const FaceCounts& thrown, int unknown,
                                const std::vector<HitTarget>& targets) {
  std::vector<double> out;
  if (unknown < 0 || unknown > kMostForecastDice) return out;
  FaceCounts dice = thrown;
  double all = 0;
  ForThrows(0, unknown, 1, dice, [&](const FaceCounts& faces, double ways) {
    int most = 0;
    for (const Distribution& losses : CompleteDistributions(faces, targets)) {
      most = std::max(most, std::accumulate(losses.begin(), losses.end(), 0));
    }
    const auto lost = static_cast<std::size_t>(most);
    if (out.size() <= lost) out.resize(lost + 1);
    out[lost] += ways;
    all += ways;
  });
  for (double& chance : out) chance /= all;
  return out;
}

}  // namespace fos::squares
