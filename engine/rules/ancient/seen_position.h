#pragma once

#include "engine/rules/ancient/event.h"
#include "engine/squares/seen_position.h"

namespace fos::ancient {

using SeenPosition = squares::SeenPosition<State, StandLost, EquipmentLost>;
using squares::CalledDistance;

}  // namespace fos::ancient
