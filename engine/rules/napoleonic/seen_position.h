#pragma once

#include "engine/rules/napoleonic/event.h"
#include "engine/squares/seen_position.h"

namespace fos::napoleonic {

using SeenPosition = squares::SeenPosition<State, StandLost, EquipmentLost>;
using squares::CalledDistance;

}  // namespace fos::napoleonic
