// SPDX-License-Identifier: MIT
#include "vision/stands/stand_groups.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "vision/image/in_parallel.h"
#include "vision/stands/stand_packing.h"

namespace fos {
std::vector<std::vector<std::size_t>> GroupsApart(const StandLook& look,
                                                  std::span<const StandHypothesis> stands,
                                                  double gap_in) {
  std::vector<std::size_t> group(stands.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  const auto first_of = [&](std::size_t i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  for (std::size_t i = 0; i < stands.size(); ++i) {
    const Box2 box = look.KindOf(stands[i]).footprint;
    for (std::size_t j = 0; j < i; ++j) {
      const Box2 other = look.KindOf(stands[j]).footprint;
      const Pose2& a = stands[i].table_from_stand;
      const Pose2& b = stands[j].table_from_stand;
      if (Distance(a.origin, b.origin) > HalfDiagonal(box) + HalfDiagonal(other) + gap_in ||
          OverlapDepth(a, box, b, other) < -gap_in)
        continue;
      const std::size_t one = first_of(i);
      const std::size_t two = first_of(j);
      group[std::max(one, two)] = std::min(one, two);
    }
  }
  std::vector<std::vector<std::size_t>> members(stands.size());
  for (std::size_t i = 0; i < stands.size(); ++i) members[first_of(i)].push_back(i);
  std::erase_if(members, [](const auto& of_one) { return of_one.empty(); });
  std::stable_sort(members.begin(), members.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return members;
}

void PreparePaints(const StandLook& look, std::span<const StandClass> classes) {
  std::vector<std::pair<int, int>> pairs;
  for (const StandClass what : classes) pairs.emplace_back(what.side, what.kind);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  look.paints.PrepareSides();
  InParallel(pairs.size(),
             [&](std::size_t i) { look.paints.Evidence(pairs[i].first, pairs[i].second); });
}

void PreparePaints(const StandLook& look, std::span<const StandHypothesis> stands) {
  std::vector<StandClass> classes;
  for (const StandHypothesis& h : stands) classes.push_back(h.what);
  PreparePaints(look, classes);
}

}  // namespace fos
