#include "engine/squares/dice_hits.h"

#include <algorithm>
#include <cstddef>

namespace fos::squares {
namespace {

// Gives the losses of target `t` from face `face` on, then those of the targets after it.
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

}  // namespace fos::squares
