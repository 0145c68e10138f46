// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "vision/stands/stand_look.h"

// Work on many stands at once, on all cores. The results do not depend on the number of cores.
namespace fos {

// Calls work(0) to work(count - 1). Each may write only what no other reads or writes.
void InParallel(std::size_t count, const std::function<void(std::size_t)>& work);

// Stands that cannot touch each other's measurements: any two of different groups are more than
// gap_in apart. Indices in ascending order; the largest group first.
std::vector<std::vector<std::size_t>> GroupsApart(const StandLook& look,
                                                  std::span<const StandHypothesis> stands,
                                                  double gap_in);

// Computes the evidence of these stands' paints, which is cached on first use: before they are
// looked at in parallel.
void PreparePaints(const StandLook& look, std::span<const StandClass> classes);
void PreparePaints(const StandLook& look, std::span<const StandHypothesis> stands);

}  // namespace fos
