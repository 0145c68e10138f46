// SPDX-License-Identifier: MIT
#pragma once

#include "engine/rules/ancient/event.h"
#include "engine/rules/sweet/seen_position.h"

namespace fos::ancient {

using SeenPosition = sweet::SeenPosition<State, StandLost, EquipmentLost>;
using sweet::CalledDistance;

}  // namespace fos::ancient
