// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "vision/stands/stand_look.h"

namespace fos {

// Adds stands where the scenario places none, if the evidence is strong enough that nothing else on
// a table gives it.
void FindUnexpectedStands(const StandLook& look, std::vector<StandHypothesis>& stands);

}  // namespace fos
