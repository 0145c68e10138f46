// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "ui/play/game_controller.h"
#include "ui/session/snapshot.h"

namespace fos {

// A game without a camera, as the window shows one with a camera.
std::shared_ptr<const Snapshot> PlainSnapshot(const GameController& controller, double time_s);

}  // namespace fos
