// SPDX-License-Identifier: MIT
#pragma once

#include "engine/rules/napoleonic/event.h"
#include "engine/rules/sweet/seen_position.h"

namespace fos::napoleonic {

using SeenPosition = sweet::SeenPosition<State, StandLost, EquipmentLost>;
using sweet::CalledDistance;

}  // namespace fos::napoleonic
