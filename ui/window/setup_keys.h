// SPDX-License-Identifier: MIT
#pragma once

#include "ui/window/setup_actions.h"

namespace fos {

// Does what this frame's keys ask for.
void HandleSetupKeys(SetupScene& scene);

}  // namespace fos
