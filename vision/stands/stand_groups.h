// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "vision/stands/stand_look.h"

// What must be known before many stands are looked at in parallel.
namespace fos {

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
